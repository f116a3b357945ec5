//! Parked URLs that are put back: those that were parked one by one lie in a queue, from which jobs take them, a bounded
//! number at a time; those of a parked host share its fate where they stand, so the host is let go on. So is one whose addresses
//! were not to be contacted: what may be contacted changes between runs.

use crate::host::{Barred, HostId, HostRecord};
use crate::limits::{ADVANCE_URLS, REVIVING};
use crate::url_record::{End, UrlRecord};
use crate::{Exclusion, Frontier, Result};
use std::collections::VecDeque;
use std::sync::Arc;
use weburl::{Bans, Url};

/// An operator's word that parked URLs are to be tried again. It is the caller's to keep, and to give again after a
/// restart, until [`Frontier::revivals`] does not name it any more.
#[derive(Debug, Clone)]
pub struct Revival {
    /// Tells it from others.
    pub number: u64,
    /// Which URLs; `None` for all.
    pub of: Option<Arc<Bans>>,
}

/// Those of a shard that are not done, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Revivals {
    waiting: VecDeque<Revival>,
    /// What the first of them is about has been set apart, and the hosts on disk have been seen to.
    begun: bool,
}

/// What a job does of it.
#[derive(Debug, Clone)]
pub(crate) struct Reviving {
    pub(crate) what: Revival,
    pub(crate) begun: bool,
    /// Orders for entries that are put back: newer than whatever went on without them.
    pub(crate) next_order: u64,
}

/// What a job has put back.
#[derive(Debug, Default)]
pub(crate) struct Revived {
    /// Their identities, with their depths.
    pub(crate) urls: Vec<(weburl::KeyHash, u32)>,
    /// URLs of hosts that were parked.
    pub(crate) with_parked: u64,
    /// URLs of hosts whose addresses were refused.
    pub(crate) with_refused: u64,
    /// Entries whose URL had gone on without them.
    pub(crate) buried: u64,
    /// Whether that was all.
    pub(crate) done: bool,
}

impl Revival {
    pub(crate) fn takes(&self, url: &str) -> bool {
        let Some(of) = &self.of else { return true };
        Url::parse(url).is_ok_and(|url| of.ban_of(&url).is_some())
    }

    /// Lets a host go on that was parked or whose addresses were refused, if it is meant, and gives what had held it; rules with a
    /// crawl-delay that is too long are asked for again first.
    pub(crate) fn lets_go_on(&self, record: &mut HostRecord) -> Option<Barred> {
        if self.of.as_ref().is_some_and(|of| of.ban_of_host(&record.name).is_none()) {
            return None;
        }
        record.resting.clear();
        record.forget_too_slow();
        if let Barred::Excluded(rule) = record.barred.as_ref()?
            && *rule != Exclusion::AddressRefused
        {
            return None;
        }
        (record.failures, record.robots_failures, record.refusals, record.troubles) = (0, 0, 0, 0);
        record.barred.take()
    }
}

impl Frontier {
    /// Puts parked URLs back, with fresh attempts, and those of hosts whose addresses were refused: of hosts in memory at once, all
    /// others by the next jobs. Live and in replay.
    pub fn revive(&mut self, what: Revival) {
        for id in self.hosts.numbers().into_iter().map(HostId) {
            if self.host_ref(id).phase != crate::host::Phase::Leaving {
                self.revive_host(id, &what);
            }
        }
        self.revivals.waiting.push_back(what);
    }

    /// A host has come into memory before a job has seen to those on disk: in a replay, which knows of no jobs, before its next attempts.
    pub(crate) fn revive_late(&mut self, id: HostId) {
        let Revivals { waiting, begun } = &self.revivals;
        let to_come: Vec<Revival> = waiting.iter().skip(usize::from(*begun)).cloned().collect();
        for what in &to_come {
            self.revive_host(id, what);
        }
    }

    fn revive_host(&mut self, id: HostId, what: &Revival) {
        if let Some(barred) = what.lets_go_on(&mut self.host(id).record) {
            self.goes_on(id, &barred);
        }
        self.settle(id);
    }

    /// Goes on with one that a checkpoint says is not done.
    pub fn revive_on(&mut self, what: Revival) {
        self.revivals.begun = self.disk.hosts.queue_len(REVIVING) > 0;
        self.revivals.waiting.push_back(what);
    }

    /// URLs of hosts whose addresses were refused.
    pub fn refused(&self) -> u64 {
        self.durable.tally.excluded.get(Exclusion::AddressRefused.name()).copied().unwrap_or_default()
    }

    /// Those that are not done.
    pub fn revivals(&self) -> impl Iterator<Item = u64> {
        self.revivals.waiting.iter().map(|revival| revival.number)
    }

    pub(crate) fn is_reviving(&self) -> bool {
        !self.revivals.waiting.is_empty()
    }

    /// What the next job does of it.
    pub(crate) fn reviving(&mut self) -> Option<Reviving> {
        let what = self.revivals.waiting.front()?.clone();
        let next_order = self.durable.next_order;
        self.durable.next_order += ADVANCE_URLS + crate::limits::BLOCK_BYTES as u64;
        Some(Reviving { what, begun: self.revivals.begun, next_order })
    }

    /// What a job has put back waits again.
    pub(crate) fn note_revived(&mut self, revived: Revived) -> Result<()> {
        let Revived { urls, with_parked, with_refused, buried, done } = revived;
        let tally = &mut self.durable.tally;
        tally.parked = tally.parked.saturating_sub(urls.len() as u64 + with_parked + buried);
        tally.let_go(Some(&Barred::Excluded(Exclusion::AddressRefused)), with_refused);
        tally.hold(None, with_parked + with_refused);
        self.revivals.begun = !done;
        if done {
            self.revivals.waiting.pop_front();
        }
        urls.into_iter()
            .try_for_each(|(key, depth)| self.append_record(key, UrlRecord { end: End::Again, depth }))
    }
}
