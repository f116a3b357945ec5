use crate::limits::DISORDER_MS;
use crate::terms::Applied;
use crate::{Contact, Request, contact::id_of_target};
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
        };
        self.order.push_back((id, open.ended));
        self.open.entry(id).or_default().push(open);
    }

    /// Takes out the contact that a line is about.
    pub(crate) fn take(&mut self, host: &str, request: &Request, when: When) -> Match {
        let id = id_of_target(host, &request.target);
        let Some(open) = self.open.get_mut(&id) else { return Match::None };
        let nearest = open.iter().map(|open| open.ended).min_by_key(|ended| when.distance_ms(*ended));
        let fits = |open: &Open| when.fits(open) && open.status.is_none_or(|status| status == request.status);
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

impl When {
    fn distance_ms(self, moment: Timestamp) -> u64 {
        self.from_ms.abs_diff(moment.as_ms() as i64)
    }

    /// Whether the last byte can have left then. We may have hung up before the server was done.
    fn fits(self, open: &Open) -> bool {
        let (started, ended) = (open.started.as_ms() as i64, open.ended.as_ms() as i64);
        let late_ms = if open.is_whole { 0 } else { DISORDER_MS as i64 };
        self.to_ms >= started && self.from_ms <= ended + late_ms
    }
}
