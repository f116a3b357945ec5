use crate::Crawler;
use crate::dispatch::Errand;
use crate::limits::UNCOMMITTED_ENTRIES;
use frontier::{Frontier, Wait, WaitingFor};
use snapshot::{Room, Snapshot, Strain, WaitsFor};
use stdx::Timestamp;

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
            hosts_at_servers: self.servers.queued() as u64,
            put_off: sum(Frontier::deferred),
            undecided: sum(Frontier::undecided),
            merges: self.shards.at_work() as u64,
            reread: self.rereading.progress(),
            ..Strain::default()
        };
        self.shards.iter().flat_map(Frontier::waits).for_each(|wait| note(&mut strain, wait, now));
        strain
    }
}

fn note(strain: &mut Strain, wait: Wait<'_>, now: Timestamp) {
    let what = if wait.until <= now { WaitsFor::Turn } else { waits_for(wait.for_what) };
    let waits = strain.waits.entry(what).or_default();
    let until_ms = wait.until.as_ms();
    waits.first_ms = if waits.hosts == 0 { until_ms } else { waits.first_ms.min(until_ms) };
    waits.hosts += 1;
    waits.urls += wait.pending;
    if let Some(failure) = wait.robots_failure.filter(|_| what == WaitsFor::Robots) {
        strain.note_robots(failure);
    }
}

pub(crate) fn waits_for(waiting: WaitingFor) -> WaitsFor {
    match waiting {
        WaitingFor::Delay => WaitsFor::Delay,
        WaitingFor::Overload | WaitingFor::RetryAfter | WaitingFor::Refusal => WaitsFor::Overload,
        WaitingFor::Retry => WaitsFor::Retry,
        WaitingFor::Robots => WaitsFor::Robots,
        WaitingFor::Restart => WaitsFor::Restart,
    }
}
