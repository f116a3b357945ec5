use crate::limits::PERCENTILE_SAMPLES;
use snapshot::{Histogram, Snapshot};
use std::collections::VecDeque;

/// What charts are drawn of, at one moment: the numbers of [`COLUMNS`], in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sample(pub(crate) [Option<u64>; COLUMNS.len()]);

/// The names of a sample's numbers. Those that end in `_total` only grow.
pub(crate) const COLUMNS: [&str; 22] = [
    "now_ms",
    "pages_total",
    "captures_total",
    "bytes_total",
    "failed_total",
    "queued",
    "put_off",
    "undecided",
    "hosts_active",
    "hosts_waiting",
    "in_flight",
    "unparsed",
    "uncommitted",
    "memory_process",
    "memory_bodies",
    "memory_frontier",
    "p50_ms",
    "p95_ms",
    "p99_ms",
    "handshakes_total",
    "resumptions_total",
    "parked",
];

/// Takes samples, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Sampler {
    fetches: VecDeque<Histogram>,
}

impl Sampler {
    pub(crate) fn take(&mut self, snapshot: &Snapshot) -> Sample {
        let Snapshot { strain, resources, .. } = snapshot;
        let lately = match self.fetches.front() {
            Some(earlier) => resources.fetch.since(earlier),
            None => resources.fetch.clone(),
        };
        if self.fetches.len() == PERCENTILE_SAMPLES {
            self.fetches.pop_front();
        }
        self.fetches.push_back(resources.fetch.clone());
        let memory = resources.memory;
        Sample([
            Some(snapshot.now_ms),
            Some(snapshot.pages),
            Some(snapshot.captures),
            Some(snapshot.bytes),
            Some(snapshot.failed()),
            Some(snapshot.queued),
            Some(strain.put_off),
            Some(strain.undecided),
            Some(snapshot.hosts_active),
            Some(snapshot.hosts_waiting),
            Some(snapshot.in_flight),
            Some(snapshot.unparsed),
            Some(strain.captures_uncommitted),
            (memory.process > 0).then_some(memory.process),
            Some(memory.bodies),
            Some(memory.frontier),
            lately.per_mille(500),
            lately.per_mille(950),
            lately.per_mille(990),
            Some(resources.tls_handshakes),
            Some(resources.tls_resumptions),
            Some(snapshot.parked),
        ])
    }
}
