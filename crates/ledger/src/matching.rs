use crate::contact::id_of_target;
use crate::limits::DISORDER_MS;
use crate::terms::Applied;
use crate::{Contact, Request};
use std::collections::VecDeque;
use stdx::{Map, Timestamp, map};

/// Contacts of the ledger that wait for their line in the log: those that ended not long before and after it.
#[derive(Debug)]
pub(crate) struct Window {
    open: Map<u64, Vec<Open>>,
    order: VecDeque<(u64, Timestamp)>,
    /// Contacts that got an answer and are in no line.
    pub(crate) left_out: u64,
}

/// A contact of the ledger.
#[derive(Debug, Clone)]
pub(crate) struct Open {
    pub(crate) started: Timestamp,
    pub(crate) ended: Timestamp,
    /// Whether we read it to its end.
    pub(crate) is_whole: bool,
    /// What the host is owed after it, and the server.
    pub(crate) host_ms: u64,
    pub(crate) server_ms: Option<u64>,
    status: Option<u16>,
    fitting: Fitting,
}

/// The lines that may be the one of a contact.
#[derive(Debug, Clone, Copy)]
struct Fitting {
    lines: u64,
    /// Whether one of them may be lost instead.
    may_be_lost: bool,
    /// The number of the last.
    last: u64,
    /// The earliest end that one of them may mean, on the server's clock.
    ended_us: i64,
}

/// A line, as far as it is to be matched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    /// In the log, from 1.
    pub(crate) line: u64,
    /// What was asked for.
    pub(crate) target: u64,
    pub(crate) status: u16,
    pub(crate) when: When,
    /// On the server's clock, the earliest.
    pub(crate) ended_us: i64,
    /// Whether a crash may have taken its contact, at that moment.
    pub(crate) may_be_lost: bool,
}

/// How sure it is that a line is the contact that was found for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// It is.
    Certain,
    /// It or one before it is: the contact had ended at this moment of the server's clock or later.
    OneOfSeveral { ended_us: i64 },
    /// It may be another.
    Doubtful,
}

/// What a line of the log is.
#[derive(Debug)]
pub(crate) enum Match {
    /// This contact.
    Of(Open),
    /// The ledger has this, but not at that moment: there it ended then.
    AtAnotherMoment(Timestamp),
    /// None that the ledger has.
    None,
}

/// When the server says that something ended, on our clock, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct When {
    pub(crate) from_ms: i64,
    pub(crate) to_ms: i64,
}

impl Window {
    pub(crate) fn new() -> Self {
        Self { open: map(), order: VecDeque::new(), left_out: 0 }
    }

    pub(crate) fn push(&mut self, contact: &Contact, host: Applied, server_ms: Option<u64>) {
        let id = id_of_target(contact.url.host(), contact.url.request_target());
        let open = Open {
            started: contact.started(),
            ended: contact.ended(),
            is_whole: contact.is_whole(),
            host_ms: host.due.since_ms(contact.ended()),
            server_ms,
            status: contact.status(),
            fitting: Fitting::NONE,
        };
        self.order.push_back((id, open.ended));
        self.open.entry(id).or_default().push(open);
    }

    /// Takes out the contact that a line is about.
    pub(crate) fn take(&mut self, claim: &Claim) -> Match {
        let (id, when) = (claim.target, claim.when);
        let Some(open) = self.open.get_mut(&id) else { return Match::None };
        for open in open.iter_mut() {
            open.note(claim);
        }
        let nearest = open.iter().map(|open| open.ended).min_by_key(|ended| when.distance_ms(*ended));
        let fits = |open: &Open| when.fits(open) && open.status.is_none_or(|status| status == claim.status);
        let found = open.iter().position(fits).or_else(|| open.iter().position(|open| when.fits(open)));
        let taken = match found {
            Some(at) => Match::Of(open.remove(at)),
            None => nearest.map_or(Match::None, Match::AtAnotherMoment),
        };
        if open.is_empty() {
            self.open.remove(&id);
        }
        taken
    }

    /// Forgets contacts that no line can be about any more.
    pub(crate) fn forget_before(&mut self, moment: i64) {
        while let Some((id, _)) =
            self.order.front().filter(|(_, ended)| (ended.as_ms() as i64) < moment).copied()
        {
            let (_, ended) = self.order.pop_front().expect("it is there");
            let Some(open) = self.open.get_mut(&id) else { continue };
            let before = open.len();
            open.retain(|open| open.ended != ended || open.status.is_none());
            self.left_out += (before - open.len()) as u64;
            open.retain(|open| open.ended != ended);
            if open.is_empty() {
                self.open.remove(&id);
            }
        }
    }
}

impl Open {
    /// Notes that a line may be this contact's, if it may.
    pub(crate) fn note(&mut self, claim: &Claim) {
        if claim.when.fits(self) {
            self.fitting = self.fitting.with(claim);
        }
    }

    /// A line that would fit better may still come.
    pub(crate) fn doubt(&mut self) {
        self.fitting = Fitting { lines: u64::MAX, may_be_lost: true, last: 0, ..self.fitting };
    }

    /// How sure it is that it is this line's. What a server answered it has a line of: so if no other fits, this one is it. What
    /// it did not answer may be in no line.
    pub(crate) fn certainty(&self, claim: &Claim) -> Certainty {
        let Fitting { lines, may_be_lost, last, ended_us } = self.fitting;
        let is_answered = self.status.is_some();
        match may_be_lost {
            false => Certainty::Certain,
            true if is_answered && lines == 1 => Certainty::Certain,
            true if is_answered && last == claim.line => Certainty::OneOfSeveral { ended_us },
            true => Certainty::Doubtful,
        }
    }
}

impl Fitting {
    const NONE: Self = Self { lines: 0, may_be_lost: false, last: 0, ended_us: i64::MAX };

    fn with(self, claim: &Claim) -> Self {
        Self {
            lines: self.lines + 1,
            may_be_lost: self.may_be_lost || claim.may_be_lost,
            last: claim.line,
            ended_us: self.ended_us.min(claim.ended_us),
        }
    }
}

impl Claim {
    pub(crate) fn new(line: u64, target: u64, request: &Request, when: When) -> Self {
        let (status, ended_us) = (request.status, request.ended.from_us);
        Self { line, target, status, when, ended_us, may_be_lost: false }
    }
}

impl When {
    /// From the middle.
    pub(crate) fn distance_ms(self, moment: Timestamp) -> u64 {
        i64::midpoint(self.from_ms, self.to_ms).abs_diff(moment.as_ms() as i64)
    }

    /// Whether the last byte can have left then. We may have hung up before the server was done.
    pub(crate) fn fits(self, open: &Open) -> bool {
        let (started, ended) = (open.started.as_ms() as i64, open.ended.as_ms() as i64);
        let late_ms = if open.is_whole { 0 } else { DISORDER_MS as i64 };
        self.to_ms >= started && self.from_ms <= ended + late_ms
    }
}
