use crate::host::{Barred, HostId};
use crate::record::{CaptureSeq, Pending, UrlState};
use crate::{Class, Discovery, Exclusion, Frontier, Origin, ParkReason};
use stdx::Timestamp;
use weburl::{KeyHash, Url};

/// What became of a discovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// New; pending from now on, or sharing the fate of its host.
    New,
    /// Known already.
    Known,
    /// Known, but reached by a shorter path than before: under a depth limit its links may now be admissible.
    Shallower {
        /// Where its page is, if it has been fetched.
        capture: Option<CaptureSeq>,
    },
    /// Not a URL.
    Malformed,
}

impl Frontier {
    /// Takes in a discovery: the seen-set's check and update. Applying the same discovery twice changes nothing.
    pub fn admit(&mut self, discovery: &Discovery, origin: &Origin) -> Admission {
        if let Some(state) = self.urls.get_mut(&discovery.key) {
            return known(state, discovery.depth);
        }
        let Ok(url) = Url::parse(&discovery.url) else { return Admission::Malformed };
        let host = self.host_named(url.host());
        let class = discovery.class();
        let key = discovery.key;
        let pending = Box::new(self.new_pending(discovery, origin));
        match self.host_ref(host).record.barred.clone() {
            None => self.insert_pending(host, class, key, pending),
            Some(Barred::Excluded(rule)) => self.exclude_new(key, pending.depth, rule),
            Some(Barred::Parked(reason)) => self.park_new(key, pending, reason),
        }
        Admission::New
    }

    fn new_pending(&mut self, discovery: &Discovery, origin: &Origin) -> Pending {
        let order = self.next_order;
        self.next_order += 1;
        Pending {
            url: discovery.url.clone(),
            depth: discovery.depth,
            hops: discovery.hops,
            attempts: 0,
            kind: discovery.kind,
            due: Timestamp::ZERO,
            order,
            origin: origin.clone(),
            in_flight: false,
        }
    }

    fn insert_pending(&mut self, host: HostId, class: Class, key: KeyHash, pending: Box<Pending>) {
        self.urls.insert(key, UrlState::Pending(pending));
        self.queue(host, class, key);
        self.settle(host);
    }

    fn exclude_new(&mut self, key: KeyHash, depth: u32, rule: Exclusion) {
        *self.tally.excluded.entry(rule.name()).or_default() += 1;
        self.urls.insert(key, UrlState::Excluded { depth, rule });
    }

    fn park_new(&mut self, key: KeyHash, pending: Box<Pending>, reason: ParkReason) {
        self.tally.parked += 1;
        self.urls.insert(key, UrlState::Parked { pending, reason });
    }

    /// Pending → unknown, for every URL that `stays` does not accept: the crawl is not about it any more, and if it comes
    /// to be again, it will be discovered again.
    pub fn forget(&mut self, stays: impl Fn(&Pending) -> bool) {
        let leaves = |state: &UrlState| matches!(state, UrlState::Pending(pending) if !stays(pending));
        let gone: Vec<KeyHash> =
            self.urls.iter().filter(|(_, state)| leaves(state)).map(|(key, _)| *key).collect();
        for key in gone {
            let Some(UrlState::Pending(pending)) = self.urls.remove(&key) else { continue };
            if let Ok(url) = Url::parse(&pending.url) {
                let host = self.host_named(url.host());
                self.drop_pending(host);
            }
        }
    }

    /// Pending → excluded.
    pub(crate) fn exclude(&mut self, host: HostId, key: KeyHash, rule: Exclusion) {
        let Some(UrlState::Pending(pending)) = self.urls.get(&key) else { return };
        let depth = pending.depth;
        self.drop_pending(host);
        self.exclude_new(key, depth, rule);
    }

    /// Pending → parked.
    pub(crate) fn park(&mut self, host: HostId, key: KeyHash, reason: ParkReason) {
        if !matches!(self.urls.get(&key), Some(UrlState::Pending(_))) {
            return;
        }
        let Some(UrlState::Pending(mut pending)) = self.urls.remove(&key) else { return };
        pending.in_flight = false;
        self.drop_pending(host);
        self.park_new(key, pending, reason);
    }

    /// Pending → fetched.
    pub(crate) fn fetched_now(&mut self, host: HostId, key: KeyHash, capture: CaptureSeq) {
        let Some(UrlState::Pending(pending)) = self.urls.get(&key) else { return };
        let depth = pending.depth;
        self.drop_pending(host);
        self.tally.fetched += 1;
        self.urls.insert(key, UrlState::Fetched { depth, capture });
    }
}

fn known(state: &mut UrlState, depth: u32) -> Admission {
    if !state.lower_depth(depth) {
        return Admission::Known;
    }
    match state {
        UrlState::Fetched { capture, .. } => Admission::Shallower { capture: Some(*capture) },
        _ => Admission::Shallower { capture: None },
    }
}
