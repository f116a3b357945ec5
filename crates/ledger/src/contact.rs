use crate::Exclusion;
use archive::ReplayEntry;
use control::{Command, Target};
use crawler::{
    Attempt, Contact as Moment, End, Kind, Loss, NamedGroups, Promise, Reach, Record, RecordError,
    RobotsRecord, Subject,
};
use std::net::IpAddr;
use stdx::Timestamp;
use weburl::{Url, without_root_dot};
use xxhash_rust::xxh3::xxh3_64;

/// An entry of the journal that the ledger is made of.
#[derive(Debug, Clone)]
pub enum Line {
    /// A run began.
    Promise(Promise),
    /// These hosts share a clock, as long as that promise holds.
    Groups(Box<NamedGroups>),
    /// A server was contacted.
    Contact(Box<Contact>),
    /// What a host's robots.txt says became known.
    Rules(RobotsRecord),
    /// An operator excluded something, or took it down.
    Excluded(Box<Exclusion>),
    /// That was taken back.
    Readmitted(Target),
    /// An attempt ended before anybody was contacted: its name was not found, or its address may not be asked.
    Unreached(Box<Attempt>),
    /// A page was answered, and what it said can't be read back.
    Lost(Box<Lost>),
}

/// A page of which nothing can be derived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// As it was requested.
    pub url: Url,
    /// Why.
    pub why: Loss,
}

/// A contact with a server.
#[derive(Debug, Clone)]
pub struct Contact {
    /// Entry of the journal.
    pub entry: u64,
    /// What was asked for.
    pub url: Url,
    /// The address and when.
    pub moment: Moment,
    /// What for, and what came of it.
    pub attempt: Attempt,
}

/// Reads an entry; nothing if it is no line of the ledger.
pub fn read(entry: &ReplayEntry) -> Result<Option<Line>, RecordError> {
    if !Record::is_of_ledger(&entry.record) {
        return Ok(None);
    }
    Ok(match Record::decode(entry.seq, &entry.record)? {
        Record::Promised { promise } => Some(Line::Promise(promise)),
        Record::Grouped { groups } => {
            NamedGroups::new(groups).ok().map(|groups| Line::Groups(Box::new(groups)))
        }
        Record::Control { at, command, .. } => said(entry.seq, at, command),
        Record::Robots { record, .. } => Some(Line::Rules(record)),
        Record::Attempt { attempt, .. } if attempt.contact.is_none() => {
            Some(Line::Unreached(Box::new(attempt)))
        }
        Record::Attempt { attempt, .. } => {
            Contact::of(entry.seq, attempt).map(|contact| Line::Contact(Box::new(contact)))
        }
        Record::Lost { page, .. } => {
            Url::parse(&page.url).ok().map(|url| Line::Lost(Box::new(Lost { url, why: page.why })))
        }
        _ => None,
    })
}

/// What an operator said, as far as it concerns who may be contacted.
fn said(entry: u64, at: Timestamp, command: Command) -> Option<Line> {
    let word = command.name();
    match command {
        Command::Exclude(target) | Command::Takedown(target) => {
            Some(Line::Excluded(Box::new(Exclusion { entry, at, target, word })))
        }
        Command::Readmit(target) => Some(Line::Readmitted(target)),
        _ => None,
    }
}

impl Contact {
    /// An attempt in which somebody was contacted.
    pub fn of(entry: u64, attempt: Attempt) -> Option<Self> {
        let url = Url::parse(&attempt.url).ok()?;
        Some(Self { entry, url, moment: attempt.contact?, attempt })
    }

    /// When it began.
    pub fn started(&self) -> Timestamp {
        self.moment.started
    }

    /// When it was over.
    pub fn ended(&self) -> Timestamp {
        self.moment.ended
    }

    /// How long it took.
    pub fn took_ms(&self) -> u64 {
        self.ended().since_ms(self.started())
    }

    /// The server's address.
    pub fn address(&self) -> IpAddr {
        self.moment.address.ip
    }

    /// Whether the floors hold.
    pub fn reach(&self) -> Reach {
        self.moment.address.reach
    }

    /// `page`, `sitemap`, `robots`.
    pub fn what(&self) -> &'static str {
        match &self.attempt.subject {
            Subject::Page(page) if page.kind == Kind::Sitemap => "sitemap",
            Subject::Page(_) => "page",
            Subject::Robots { .. } => "robots",
            Subject::Name => "name",
        }
    }

    /// The status, if there was an answer.
    pub fn status(&self) -> Option<u16> {
        match &self.attempt.end {
            End::Captured(response) => Some(response.status),
            End::Failed(_) | End::PutOff { .. } => None,
        }
    }

    /// Whether the answer was read to its end: then the server was done before we were.
    pub fn is_whole(&self) -> bool {
        matches!(&self.attempt.end, End::Captured(response) if !response.truncated)
    }
}

/// Names a domain or an authority.
pub(crate) fn id_of(name: &str) -> u64 {
    xxh3_64(name.as_bytes())
}

/// Names a host: with a dot at its end or without, it is the same.
pub(crate) fn id_of_host(host: &str) -> u64 {
    id_of(without_root_dot(host))
}

/// The domain of a host, likewise.
pub(crate) fn domain_of(host: &str) -> &str {
    weburl::pld(without_root_dot(host))
}

/// Names what is asked for on a host.
pub(crate) fn id_of_target(host: &str, target: &str) -> u64 {
    id_of(target).rotate_left(1) ^ id_of_host(host)
}
