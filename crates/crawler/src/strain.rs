use crate::Crawler;
use crate::dispatch::Errand;
use crate::limits::{HOSTS_LOOKED_AT, LOOK_AGAIN_MS, SHARDS, UNCOMMITTED_ENTRIES};
use frontier::{Frontier, Wait, WaitingFor};
use snapshot::{Room, Snapshot, Strain, Waits, WaitsFor};
use std::cell::RefCell;
use std::collections::VecDeque;
use stdx::Timestamp;

/// What the hosts of each shard wait for, as they were seen last. Whoever shows a crawl asks some times a second, and hosts in memory may be
/// many: some of them are looked at each time, shard after shard. In a cell, since looking changes nothing of the crawl.
#[derive(Debug)]
pub(crate) struct Looks(RefCell<VecDeque<Look>>);

/// A look at one shard.
#[derive(Debug)]
struct Look {
    shard: u8,
    at: Timestamp,
    /// Nothing but what its hosts wait for.
    saw: Strain,
}

impl Default for Looks {
    fn default() -> Self {
        let nothing = |shard| Look { shard, at: Timestamp::ZERO, saw: Strain::default() };
        Self(RefCell::new((0..=u8::MAX).map(nothing).collect()))
    }
}

impl Crawler {
    /// What is known of a crawl that has been recovered and does not run.
    pub fn survey(&self, now: Timestamp) -> Snapshot {
        Snapshot { elapsed_ms: self.tally.elapsed_ms, ..self.snapshot(now) }
    }

    /// What holds the crawl back.
    pub(crate) fn strain(&self, now: Timestamp) -> Strain {
        let sum = |count: fn(&Frontier) -> u64| self.shards.iter().map(count).sum::<u64>();
        let look_ups = self.flights.values().filter(|flight| matches!(flight.errand, Errand::Resolve { .. }));
        let mut strain = Strain {
            slots: self.slots as u64,
            look_ups: look_ups.count() as u64,
            captures_uncommitted: self.outbox.captures() as u64,
            entries_uncommitted: self.outbox.waiting() as u64,
            entries_uncommitted_most: UNCOMMITTED_ENTRIES as u64,
            unparsed_most: self.config.unparsed as u64,
            memory: if self.memory_short { Room::Short } else { Room::Enough },
            offline: self.uplink.standing(now),
            hosts_at_servers: self.servers.queued() as u64,
            put_off: sum(Frontier::deferred),
            undecided: sum(Frontier::undecided),
            merges: self.shards.at_work() as u64,
            reread: self.rereading.progress(),
            ..Strain::default()
        };
        self.look_at_hosts(&mut strain, HOSTS_LOOKED_AT, now);
        strain
    }

    /// Sums up what hosts wait for, after a look at about `most`, and at those that were seen too long ago.
    pub(crate) fn look_at_hosts(&self, strain: &mut Strain, most: usize, now: Timestamp) {
        let mut looks = self.looks.0.borrow_mut();
        let mut hosts = 0;
        for _ in 0..SHARDS {
            let Some(Look { shard, .. }) =
                looks.pop_front_if(|look| hosts < most || look.at + LOOK_AGAIN_MS <= now)
            else {
                break;
            };
            hosts += self.places_at_hand(shard);
            looks.push_back(Look { shard, at: now, saw: self.look_at(shard, now) });
        }
        looks.iter().for_each(|look| add(strain, &look.saw));
    }

    fn look_at(&self, shard: u8, now: Timestamp) -> Strain {
        let mut saw = Strain::default();
        let waits = self.shards.if_open(shard).into_iter().flat_map(Frontier::waits);
        waits.for_each(|wait| note(&mut saw, wait, now));
        saw
    }
}

fn add(strain: &mut Strain, saw: &Strain) {
    for (what, seen) in &saw.waits {
        let waits =
            strain.waits.entry(*what).or_insert(Waits { first_ms: seen.first_ms, ..Waits::default() });
        waits.first_ms = waits.first_ms.min(seen.first_ms);
        waits.hosts += seen.hosts;
        waits.urls += seen.urls;
    }
    for (failure, hosts) in &saw.robots {
        (0..*hosts).for_each(|_| strain.note_robots(failure));
    }
}

fn note(strain: &mut Strain, wait: Wait<'_>, now: Timestamp) {
    let what = waits_for(wait.for_what, wait.until, now);
    let waits = strain.waits.entry(what).or_default();
    let until_ms = wait.until.max(now).as_ms();
    waits.first_ms = if waits.hosts == 0 { until_ms } else { waits.first_ms.min(until_ms) };
    waits.hosts += 1;
    waits.urls += wait.pending;
    if let Some(failure) = wait.robots_failure.filter(|_| what == WaitsFor::Robots) {
        strain.note_robots(failure);
    }
}

pub(crate) fn waits_for(waiting: WaitingFor, until: Timestamp, now: Timestamp) -> WaitsFor {
    match waiting {
        _ if until <= now => WaitsFor::Turn,
        WaitingFor::Delay | WaitingFor::Sitemaps => WaitsFor::Delay,
        WaitingFor::Overload | WaitingFor::RetryAfter | WaitingFor::Refusal => WaitsFor::Overload,
        WaitingFor::Retry => WaitsFor::Retry,
        WaitingFor::Robots => WaitsFor::Robots,
        WaitingFor::Restart => WaitsFor::Restart,
        WaitingFor::Server => WaitsFor::Server,
    }
}
