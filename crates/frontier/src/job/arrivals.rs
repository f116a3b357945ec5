use super::plan::Plan;
use super::{AllMerged, Found, Merges, Shallower};
use crate::entry::Entry;
use crate::identity::{domain_hash, host_hash, host_of};
use crate::limits::ADVANCE_URLS;
use crate::seen::Seen;
use crate::url_record::UrlRecord;
use crate::{BeastQueue, Class, Error, Result, Stays};
use backlog::{JobQueues, Key, QueueId};
use drum::{MergeJob, Merged, Verdict};
use std::collections::BTreeMap;
use std::ops::Range;
use stdx::Map;
use weburl::KeyHash;

/// URLs on their way to their hosts: new ones and those that BEAST hands back, as bytes.
#[derive(Default)]
pub(super) struct Arrivals {
    bytes: Vec<u8>,
    list: Vec<Arrival>,
    /// Domains by host: most arrivals share theirs with others.
    domains: Map<u64, u64>,
}

/// One of them.
#[derive(Debug, Clone)]
pub(super) struct Arrival {
    pub(super) key: Key,
    pub(super) order: u64,
    pub(super) class: Class,
    pub(super) came: Came,
    place: Range<usize>,
}

/// How an arrival came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Came {
    /// Named by the operator: its domain is one of those the crawl is about.
    AsSeed,
    /// New.
    Found,
    /// From one of BEAST's queues.
    From(BeastQueue),
    /// It was parked.
    Back,
}

/// New edges: votes for domains.
pub(super) type Votes = BTreeMap<u64, u32>;

impl Arrivals {
    /// Sorted by domain, host, class and the order of discovery.
    pub(super) fn sort(&mut self) {
        self.list.sort_unstable_by_key(|arrival| (arrival.key, arrival.class, arrival.order));
    }

    pub(super) fn list(&self) -> &[Arrival] {
        &self.list
    }

    pub(super) fn entry(&self, arrival: &Arrival) -> &[u8] {
        &self.bytes[arrival.place.clone()]
    }

    /// Takes in an entry; `None` if it is damaged.
    fn push(&mut self, key: KeyHash, body: &[u8], came: Option<Came>, seed: u64) -> Option<()> {
        let entry = Entry::parse_body(key, body)?;
        let host = host_of(entry.url);
        let came = came.unwrap_or(if entry.is_seed() { Came::AsSeed } else { Came::Found });
        let key_of_host = self.key_of(host, seed);
        let start = self.bytes.len();
        let (class, order) = (entry.class(), entry.order);
        self.bytes.extend_from_slice(&key.0.to_le_bytes());
        self.bytes.extend_from_slice(body);
        let place = start..self.bytes.len();
        self.list.push(Arrival { key: key_of_host, order, class, came, place });
        Some(())
    }

    /// The same, its key in front of it.
    pub(super) fn push_entry(&mut self, entry: &[u8], came: Came, seed: u64) -> Option<()> {
        let (key, body) = entry.split_first_chunk()?;
        self.push(KeyHash(u64::from_le_bytes(*key)), body, Some(came), seed)
    }

    fn key_of(&mut self, host: &str, seed: u64) -> Key {
        let hash = host_hash(host, seed);
        let group = *self.domains.entry(hash).or_insert_with(|| domain_hash(host, seed));
        Key { group, host: hash }
    }
}

impl Merges {
    /// Merges the buckets: new URLs, votes, and captures to derive links from again.
    pub(super) fn run(
        self,
        plan: &mut Plan,
        arrivals: &mut Arrivals,
        found: &mut Found,
    ) -> Result<(AllMerged, Votes)> {
        let mut votes = Votes::new();
        let edges = run_all(self.edges, |verdict: Verdict<'_, ()>| {
            let to: [u8; 8] = verdict.aux.try_into().ok()?;
            if verdict.is_unique() {
                *votes.entry(u64::from_le_bytes(to)).or_default() += 1;
            }
            Some(())
        })?;
        let seen = run_all(self.seen, |verdict| plan.decide(&verdict, arrivals, found))?;
        let records = run_all(self.records, |verdict: Verdict<'_, UrlRecord>| {
            found.shallower.extend(shallower(&verdict));
            Some(())
        })?;
        Ok((AllMerged { seen, records, edges }, votes))
    }
}

impl Plan {
    /// What follows from a verdict of the seen-set; `None` if the entry is damaged.
    fn decide(
        &mut self,
        verdict: &Verdict<'_, Seen>,
        arrivals: &mut Arrivals,
        found: &mut Found,
    ) -> Option<()> {
        let key = KeyHash(verdict.key);
        match (verdict.before, verdict.update) {
            (Some(Seen::At(known)), Some(Seen::LetGo)) => {
                self.stays_if_nearer(key, known, verdict.aux, found)
            }
            (_, Some(Seen::LetGo)) => Some(()),
            (None | Some(Seen::LetGo), _) => self.arrive(key, verdict.aux, arrivals, found),
            (Some(Seen::At(known)), Some(Seen::At(depth))) if depth < known => {
                found.shorter.push((key, u32::from(depth)));
                Some(())
            }
            _ => Some(()),
        }
    }

    /// A URL that is too deep by the path it was found by, and known by another.
    fn stays_if_nearer(&mut self, key: KeyHash, known: u16, body: &[u8], found: &mut Found) -> Option<()> {
        let mut pending = Entry::parse_body(key, body)?.to_pending();
        pending.depth = u32::from(known);
        if self.judge.as_ref().is_none_or(|judge| judge.judge(&pending) == Stays::In) {
            found.nearer.push(pending);
        }
        Some(())
    }

    /// A URL that is new, unless it has gone on already or is out of scope.
    fn arrive(
        &mut self,
        key: KeyHash,
        body: &[u8],
        arrivals: &mut Arrivals,
        found: &mut Found,
    ) -> Option<()> {
        if self.must_look() {
            let pending = Entry::parse_body(key, body)?.to_pending();
            if !self.counts(&pending, found) {
                return Some(());
            }
        }
        arrivals.push(key, body, None, self.seed)
    }

    /// Reads what BEAST says is next, if somebody waits for it.
    pub(super) fn advance(&mut self, queues: &mut JobQueues, arrivals: &mut Arrivals) -> Result<()> {
        if !self.advances {
            return Ok(());
        }
        let Some(reading) = self.deferred.beast.advance() else { return Ok(()) };
        let mut left = reading.urls.min(ADVANCE_URLS);
        if reading.queue == BeastQueue::LAST {
            for entry in std::mem::take(&mut self.deferred.ahead) {
                self.hand_back(&entry, reading.queue, &mut left, arrivals)?;
            }
        }
        while left > 0 {
            let Some(entries) = queues.read(QueueId(reading.queue.0))? else { break };
            for entry in entries.iter() {
                self.hand_back(entry, reading.queue, &mut left, arrivals)?;
            }
        }
        Ok(())
    }

    /// A block may hold more than is to be read: the rest is kept for the next time.
    fn hand_back(
        &mut self,
        entry: &[u8],
        from: BeastQueue,
        left: &mut u64,
        arrivals: &mut Arrivals,
    ) -> Result<()> {
        if *left == 0 && from == BeastQueue::LAST {
            self.deferred.ahead.push(entry.to_owned());
            return Ok(());
        }
        *left = left.saturating_sub(1);
        arrivals.push_entry(entry, Came::From(from), self.seed).ok_or(DAMAGED)
    }
}

pub(super) const DAMAGED: Error = Error::Damaged { what: "an entry of a URL" };

/// Runs the merges of one DRUM; `sink` gives `None` for an entry that is damaged.
fn run_all<V: drum::Value>(
    jobs: Vec<MergeJob<V>>,
    mut sink: impl FnMut(Verdict<'_, V>) -> Option<()>,
) -> Result<Vec<Merged>> {
    let mut merged = Vec::new();
    for job in jobs {
        merged.push(job.run(|verdict| {
            sink(verdict).ok_or_else(|| std::io::Error::new(std::io::ErrorKind::InvalidData, DAMAGED))
        })?);
    }
    Ok(merged)
}

fn shallower(verdict: &Verdict<'_, UrlRecord>) -> Option<Shallower> {
    let (answer, depth) = UrlRecord::shallower(verdict.before, verdict.update?)?;
    Some(Shallower { key: KeyHash(verdict.key), capture: answer.capture, location: answer.location, depth })
}
