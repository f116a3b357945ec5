use super::robots::ruling_of;
use control::{Stage, Takedown};
use crawler::{
    Barred, Budget, Deferral, DomainStanding, Explanation, HostStanding, Origin, Pattern, Pending, Place,
    UrlState, WaitingFor,
};
use std::fmt;
use stdx::{Timestamp, WallTime};
use weburl::Url;

/// What is known of a URL, as lines for people.
#[derive(Debug)]
pub(crate) struct Account<'a> {
    pub(crate) url: &'a Url,
    /// The rule that keeps it out, if it would be found now.
    pub(crate) out_of_scope: Option<String>,
    /// What keeps it from leaving the crawl.
    pub(crate) taken_down: Option<Takedown>,
    /// `None` if nothing was ever known of its domain.
    pub(crate) known: Option<&'a Explanation>,
}

impl fmt::Display for Account<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.url.as_str())?;
        let state = self.known.and_then(|known| known.state.as_ref());
        line(f, "state", state.map_or_else(|| "never discovered".to_owned(), state_of))?;
        if let Some(rule) = &self.out_of_scope {
            line(f, "scope", rule)?;
        }
        if let Some(takedown) = &self.taken_down {
            line(f, stage_of(takedown), takedown)?;
        }
        self.known.map_or(Ok(()), |known| known_of(f, known, self.url))
    }
}

fn stage_of(takedown: &Takedown) -> &'static str {
    match takedown.stage {
        Stage::Withheld => "withheld",
        Stage::Purged => "purged",
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, what: impl fmt::Display) -> fmt::Result {
    writeln!(f, "  {name:<10} {what}")
}

fn known_of(f: &mut fmt::Formatter<'_>, known: &Explanation, url: &Url) -> fmt::Result {
    if let Some(deferral) = known.deferral {
        line(f, "put off", deferral_of(deferral))?;
    }
    if let Some(suspicion) = known.suspicion {
        line(f, "suspicion", suspicion)?;
    }
    line(f, "pattern", pattern_of(&known.pattern))?;
    if let Some(host) = &known.host {
        line(f, "host", host_of(host))?;
        for record in &host.robots {
            line(f, "robots.txt", ruling_of(record, url))?;
        }
    }
    match &known.domain {
        Some(domain) => line(f, "domain", domain_of(domain)),
        None => Ok(()),
    }
}

fn state_of(state: &UrlState) -> String {
    match state {
        UrlState::Discovered { .. } => "discovered; whether it is new is not decided yet".to_owned(),
        UrlState::Pending { pending, place } => format!("{}; {}", pending_of(pending), place_of(*place)),
        UrlState::Fetched { depth, capture, .. } => {
            format!("fetched: entry {} of the journal, {depth} links from a seed", capture.0)
        }
        UrlState::Excluded { rule, .. } => format!("excluded: {rule}"),
        UrlState::Parked { reason, .. } => format!("parked: {reason}"),
    }
}

fn pending_of(pending: &Pending) -> String {
    let found = match &pending.origin {
        Origin::Seed => "a seed".to_owned(),
        Origin::Document(url) | Origin::Voted(url) => format!("found on {url}"),
        Origin::Robots(url) | Origin::Sitemap(url) => format!("named by {url}"),
    };
    let tried = match pending.attempts {
        0 => String::new(),
        attempts => format!(", {attempts} attempts failed, the next not before {}", moment(pending.due)),
    };
    format!("waits, {} links from a seed, {found}{tried}", pending.depth)
}

fn place_of(place: Place) -> &'static str {
    match place {
        Place::InFlight => "under way",
        Place::AtHand => "among the next few of its host",
        Place::Retry => "with its host's retries",
        Place::Queued => "in its host's queue, in memory",
        Place::Section => "in its host's queue, on disk",
        Place::Directory => "with its host, on disk",
        Place::Deferred(_) => "put off",
    }
}

fn deferral_of(deferral: Deferral) -> String {
    match deferral {
        Deferral::After(0) => "in the queue that is being read".to_owned(),
        Deferral::After(queues) => format!("in the queue that is read after {queues} others"),
        Deferral::Last => "in the last queue, which is read over many turns".to_owned(),
    }
}

fn pattern_of(pattern: &Pattern) -> String {
    let Pattern { form, fetches, barren } = pattern;
    format!(
        "{form}: {fetches} fetched, barren {barren}: one more for each with nothing new, half for each with something"
    )
}

fn host_of(host: &HostStanding) -> String {
    let what = match &host.barred {
        Some(Barred::Excluded(rule)) => format!("excluded: {rule}"),
        Some(Barred::Parked(reason)) => format!("parked: {reason}"),
        None => format!("not before {}, for {}", moment(host.until), reason_of(host.for_what)),
    };
    format!("{}: {} URLs wait, {what}", host.name, host.pending)
}

pub(crate) fn reason_of(waiting: WaitingFor) -> &'static str {
    match waiting {
        WaitingFor::Delay => "its delay",
        WaitingFor::Overload => "its rest after a 429 or 503",
        WaitingFor::Retry => "a retry",
        WaitingFor::Robots => "its robots.txt",
        WaitingFor::Restart => "the delay after an unclean stop",
    }
}

fn domain_of(domain: &DomainStanding) -> String {
    let budget = match domain.budget {
        Budget::Pages(pages) => format!("{pages} pages a round"),
        Budget::Unlimited => "no budget".to_owned(),
    };
    format!(
        "{}: {} other domains link to it, {budget}, {} URLs put off, {} hosts",
        domain.name, domain.in_degree, domain.deferred, domain.hosts
    )
}

pub(super) fn moment(at: Timestamp) -> String {
    WallTime::from_unix_ms(at.as_ms()).to_string()
}
