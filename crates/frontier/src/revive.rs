//! Parked URLs that are put back: those that were parked one by one lie in a queue, from which jobs take them, a bounded
//! number at a time; those of a parked host share its fate where they stand, so the host is let go on.

use crate::host::{Barred, HostId, HostRecord};
use crate::limits::{ADVANCE_URLS, REVIVING};
use crate::url_record::{End, UrlRecord};
use crate::{Frontier, ParkReason, Result};
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
    pub(crate) with_hosts: u64,
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

    /// Lets a parked host go on, if it is meant; one whose crawl-delay is too long stays.
    pub(crate) fn lets_go_on(&self, record: &mut HostRecord) -> bool {
        let is_parked =
            matches!(&record.barred, Some(Barred::Parked(reason)) if *reason != ParkReason::CrawlDelay);
        let is_meant = self.of.as_ref().is_none_or(|of| of.ban_of_host(&record.name).is_some());
        if is_parked && is_meant {
            record.barred = None;
            (record.failures, record.robots_failures, record.refusals) = (0, 0, 0);
        }
        is_parked && is_meant
    }
}

impl Frontier {
    /// Puts parked URLs back, with fresh attempts: those of hosts in memory at once, all others by the next jobs. Live and in
    /// replay.
    pub fn revive(&mut self, what: Revival) {
        for id in self.hosts.numbers().into_iter().map(HostId) {
            let host = &mut self.hosts[id.0];
            if host.phase != crate::host::Phase::Leaving && what.lets_go_on(&mut host.record) {
                let pending = host.pending;
                self.hosts_with_work += u64::from(pending > 0);
                self.durable.tally.parked = self.durable.tally.parked.saturating_sub(pending);
                self.durable.tally.pending += pending;
                self.settle(id);
            }
        }
        self.revivals.waiting.push_back(what);
    }

    /// Goes on with one that a checkpoint says is not done.
    pub fn revive_on(&mut self, what: Revival) {
        self.revivals.begun = self.disk.hosts.queue_len(REVIVING) > 0;
        self.revivals.waiting.push_back(what);
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
        let Revived { urls, with_hosts, buried, done } = revived;
        let tally = &mut self.durable.tally;
        tally.parked = tally.parked.saturating_sub(urls.len() as u64 + with_hosts + buried);
        tally.pending += with_hosts;
        self.revivals.begun = !done;
        if done {
            self.revivals.waiting.pop_front();
        }
        urls.into_iter()
            .try_for_each(|(key, depth)| self.append_record(key, UrlRecord { end: End::Again, depth }))
    }
}
