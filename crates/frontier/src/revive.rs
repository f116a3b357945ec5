//! Parked URLs that are put back: those that were parked one by one lie in a queue, from which jobs take them, a bounded
//! number at a time; those of a parked host share its fate where they stand, so the host is let go on. So is one whose addresses
//! were not to be contacted: what may be contacted changes between runs.
//!
//! A word is about what is parked when it is given, and about nothing that is parked afterwards, however often a replay gives it
//! again: parking takes the next order, and a word remembers which is the next.

use crate::host::{Barred, Host, HostId, HostRecord, Phase};
use crate::limits::{ADVANCE_URLS, REVIVING};
use crate::stored_host::StoredHost;
use crate::url_record::{End, UrlRecord};
use crate::{Exclusion, Frontier, Pending, Result, UrlState};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use stdx::Timestamp;
use weburl::{Bans, KeyHash, Url};

/// An operator's word that parked URLs are to be tried again: those that are parked when it is given. It is the caller's to keep,
/// and to give again after a restart, until [`Frontier::revivals`] does not name it any more.
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
    waiting: Vec<Waiting>,
    /// What a cut says of those that the caller has not given again yet.
    saved: Vec<Mark>,
}

/// One that is not done.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    what: Revival,
    mark: Mark,
}

/// How far one is, as a cut has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    number: u64,
    /// Orders from this one on are of entries that were parked after the word: it is not about them.
    before: u64,
    stage: Stage,
}

/// What jobs have done of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Stage {
    /// Nothing.
    Ordered,
    /// The hosts on disk have been seen to.
    Hosts,
    /// What was parked has been set apart, too, and is gone through.
    Urls,
}

/// What a job does of them.
#[derive(Debug, Clone)]
pub(crate) struct Reviving {
    waiting: Vec<Waiting>,
    /// Orders for entries that are put back: newer than whatever went on without them.
    pub(crate) next_order: u64,
}

/// What a job has put back.
#[derive(Debug, Default)]
pub(crate) struct Revived {
    /// Their identities, with their depths.
    pub(crate) urls: Vec<(KeyHash, u32)>,
    /// URLs of hosts that were parked.
    pub(crate) with_parked: u64,
    /// URLs of hosts whose addresses were refused.
    pub(crate) with_refused: u64,
    /// Entries whose URL had gone on without them.
    pub(crate) buried: u64,
    /// How many revivals the job knew of.
    pub(crate) known: usize,
    /// Whether it has set apart what they are about.
    pub(crate) set_apart: bool,
    /// Whether all that was set apart has been gone through.
    pub(crate) done: bool,
}

impl Reviving {
    /// Whether an entry is to be put back.
    pub(crate) fn takes(&self, parked: &Pending) -> bool {
        takes(&self.waiting, parked)
    }

    pub(crate) fn known(&self) -> usize {
        self.waiting.len()
    }

    /// Whether there are some for which hosts on disk are to be seen to.
    pub(crate) fn sees_to_hosts(&self) -> bool {
        self.waiting.iter().any(|one| one.mark.stage == Stage::Ordered)
    }

    /// Lets a host of the directory go on, and gives what had held it.
    pub(crate) fn lets_go_on(&self, record: &mut HostRecord) -> Option<Barred> {
        lets_go_on(&self.waiting, record)
    }
}

/// Whether one of them is about an entry: it was parked before the word.
fn takes(waiting: &[Waiting], parked: &Pending) -> bool {
    waiting.iter().any(|one| parked.order < one.mark.before && one.what.takes(&parked.url))
}

/// Lets a host that no job has seen to go on, if it is meant, and gives what had held it.
fn lets_go_on(waiting: &[Waiting], record: &mut HostRecord) -> Option<Barred> {
    let to_come = waiting.iter().filter(|one| one.mark.stage == Stage::Ordered);
    to_come.fold(None, |held, one| one.what.lets_go_on(record).or(held))
}

impl Revival {
    fn takes(&self, url: &str) -> bool {
        let Some(of) = &self.of else { return true };
        Url::parse(url).is_ok_and(|url| of.ban_of(&url).is_some())
    }

    /// Lets a host go on that was parked or whose addresses were refused, if it is meant, and gives what had held it; rules with a
    /// crawl-delay that is too long are asked for again first.
    fn lets_go_on(&self, record: &mut HostRecord) -> Option<Barred> {
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
    /// Puts what is parked now back, with fresh attempts, and what is of hosts whose addresses were refused: of hosts in memory at
    /// once, all others by the next jobs. Live and in replay.
    pub fn revive(&mut self, what: Revival) {
        for id in self.hosts.numbers().into_iter().map(HostId) {
            if self.host_ref(id).phase != Phase::Leaving {
                let barred = what.lets_go_on(&mut self.host(id).record);
                self.goes_on_afresh(id, barred.as_ref());
                self.settle(id);
            }
        }
        let mark = Mark { number: what.number, before: self.durable.next_order, stage: Stage::Ordered };
        self.revivals.waiting.push(Waiting { what, mark });
    }

    /// A host has come into memory before a job has seen to those on disk: in a replay, which knows of no jobs, before its next attempts.
    pub(crate) fn revive_late(&mut self, id: HostId) {
        let barred = lets_go_on(&self.revivals.waiting, &mut self.hosts[id.0].record);
        self.goes_on_afresh(id, barred.as_ref());
    }

    fn goes_on_afresh(&mut self, id: HostId, barred: Option<&Barred>) {
        if let Some(barred) = barred {
            self.goes_on(id, barred);
            self.host(id).try_afresh();
        }
    }

    /// The record of a host on disk, as it is once it has been seen to.
    pub(crate) fn record_of(&self, stored: &StoredHost<'_>) -> Result<HostRecord> {
        let mut record = stored.record()?;
        lets_go_on(&self.revivals.waiting, &mut record);
        Ok(record)
    }

    /// Goes on with one that a checkpoint says is not done.
    pub fn revive_on(&mut self, what: Revival) {
        let Revivals { waiting, saved } = &mut self.revivals;
        let saved = saved.iter().find(|mark| mark.number == what.number).copied();
        let is_halfway = waiting.is_empty() && self.disk.hosts.queue_len(REVIVING) > 0;
        // Of what a checkpoint of version 2 says no more is known than that it is older than what is to come.
        let stage = if is_halfway { Stage::Urls } else { Stage::Ordered };
        let mark = Mark { number: what.number, before: self.durable.next_order, stage };
        waiting.push(Waiting { what, mark: saved.unwrap_or(mark) });
    }

    /// The URL of an attempt is not where it was, which may be among the parked: a word after that has put it back, and the entry that
    /// lies there still is one of those that are to be dropped.
    pub(crate) fn revive_unseen(&mut self, key: KeyHash, depth: u32) -> Result<()> {
        if !self.is_reviving() || !matches!(self.final_state(key)?, Some(UrlState::Parked { .. })) {
            return Ok(());
        }
        let tally = &mut self.durable.tally;
        tally.parked = tally.parked.saturating_sub(1);
        tally.hold(None, 1);
        self.append_record(key, UrlRecord { end: End::Again, depth })
    }

    /// URLs of hosts whose addresses were refused.
    pub fn refused(&self) -> u64 {
        self.durable.tally.excluded.get(Exclusion::AddressRefused.name()).copied().unwrap_or_default()
    }

    /// Those that are not done.
    pub fn revivals(&self) -> impl Iterator<Item = u64> {
        self.revivals.waiting.iter().map(|one| one.what.number)
    }

    pub(crate) fn is_reviving(&self) -> bool {
        !self.revivals.waiting.is_empty()
    }

    /// What the next job does of them.
    pub(crate) fn reviving(&mut self) -> Option<Reviving> {
        let waiting = Some(self.revivals.waiting.clone()).filter(|waiting| !waiting.is_empty())?;
        let next_order = self.durable.next_order;
        self.durable.next_order += ADVANCE_URLS + crate::limits::BLOCK_BYTES as u64;
        Some(Reviving { waiting, next_order })
    }

    /// What a job has put back waits again.
    pub(crate) fn note_revived(&mut self, revived: Revived) -> Result<()> {
        let Revived { urls, with_parked, with_refused, buried, known, set_apart, done } = revived;
        let tally = &mut self.durable.tally;
        tally.parked = tally.parked.saturating_sub(urls.len() as u64 + with_parked);
        tally.let_go(Some(&Barred::Excluded(Exclusion::AddressRefused)), with_refused);
        tally.hold(None, with_parked + with_refused);
        tally.let_go(None, buried);
        let reached = if set_apart { Stage::Urls } else { Stage::Hosts };
        let waiting = &mut self.revivals.waiting;
        waiting[..known].iter_mut().for_each(|one| one.mark.stage = one.mark.stage.max(reached));
        waiting.retain(|one| !done || one.mark.stage < Stage::Urls);
        urls.into_iter()
            .try_for_each(|(key, depth)| self.append_record(key, UrlRecord { end: End::Again, depth }))
    }
}

impl Revivals {
    /// Whether an entry is to be put back.
    pub(crate) fn takes(&self, parked: &Pending) -> bool {
        takes(&self.waiting, parked)
    }

    /// As a cut had them.
    pub(crate) fn saved(saved: Vec<Mark>) -> Self {
        Self { waiting: Vec::new(), saved }
    }

    /// For a cut.
    pub(crate) fn marks(&self) -> Vec<Mark> {
        self.waiting.iter().map(|one| one.mark).collect()
    }
}

impl Host {
    /// What has been tried is at hand, as if it had not been.
    fn try_afresh(&mut self) {
        let mut tried = Vec::new();
        self.retries.extract(|_| true, &mut tried);
        self.back.extract(|pending| pending.attempts > 0, &mut tried);
        tried.into_iter().map(Pending::afresh).for_each(|pending| self.back.push_back(pending));
    }
}

impl Pending {
    /// As if it had never been tried.
    pub(crate) fn afresh(self) -> Self {
        Self { attempts: 0, due: Timestamp::ZERO, ..self }
    }
}
