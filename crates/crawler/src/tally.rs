use crate::Crawler;
use crate::limits::RULES_COUNTED;
use crate::strain::waits_for;
use frontier::{Attempt, Consequence, End, FailureKind, Frontier, Kind, PageSubject, Subject, TrapRule};
use serde::{Deserialize, Serialize};
use snapshot::{MemoryParts, Resources, Snapshot, WaitingHost};
use std::collections::BTreeMap;
use stdx::Timestamp;

/// Counts that cannot be read off the shards. They are in the checkpoint and replay adds to them, so they are exact.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) pages: u64,
    pub(crate) captures: u64,
    pub(crate) bytes: u64,
    pub(crate) statuses: BTreeMap<u16, u64>,
    pub(crate) failures: BTreeMap<String, u64>,
    pub(crate) out_of_scope: BTreeMap<String, u64>,
    pub(crate) rows: u64,
    /// Time of earlier runs; in a checkpoint that of the present one, too.
    pub(crate) elapsed_ms: u64,
    /// The latest moment seen: the timeline goes on from here.
    pub(crate) latest: Timestamp,
}

/// What one attempt adds.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pages: u64,
    captures: u64,
    bytes: u64,
    status: Option<u16>,
    failure: Option<FailureKind>,
}

impl Counts {
    fn of(attempt: &Attempt, consequence: Consequence) -> Self {
        let response = match &attempt.end {
            End::Failed(failure) | End::PutOff { failure, .. } => {
                return Self { failure: Some(failure.kind), ..Self::default() };
            }
            End::Captured(response) => response,
        };
        let is_page = matches!(attempt.subject, Subject::Page(PageSubject { kind: Kind::Page, .. }));
        let is_final = is_page && consequence == Consequence::Final;
        Self {
            pages: u64::from(is_final && response.redirect.is_none()),
            captures: 1,
            bytes: response.bytes,
            status: is_final.then_some(response.status),
            failure: None,
        }
    }
}

fn count_down<K: Ord>(counts: &mut BTreeMap<K, u64>, key: &K) {
    let count = counts.get_mut(key).expect("what was counted");
    *count -= 1;
    if *count == 0 {
        counts.remove(key);
    }
}

/// Those rules together that are not counted each for itself.
const OTHER_RULES: &str = "other rules";

impl Tally {
    /// As a checkpoint has it that is made in a run which began then.
    pub(crate) fn with_run_since(&self, started: Timestamp) -> Self {
        Self { elapsed_ms: self.elapsed_ms + self.latest.since_ms(started), ..self.clone() }
    }

    /// Counts an attempt. What it counted is to be taken back if it does not become durable.
    pub(crate) fn note(&mut self, attempt: &Attempt, consequence: Consequence) -> Counts {
        self.latest = self.latest.max(attempt.at);
        let counts = Counts::of(attempt, consequence);
        self.pages += counts.pages;
        self.captures += counts.captures;
        self.bytes += counts.bytes;
        if let Some(status) = counts.status {
            *self.statuses.entry(status).or_default() += 1;
        }
        if let Some(kind) = counts.failure {
            *self.failures.entry(kind.to_string()).or_default() += 1;
        }
        counts
    }

    /// An attempt counts for nothing after all: it will be made again.
    pub(crate) fn take_back(&mut self, counts: &Counts) {
        self.pages -= counts.pages;
        self.captures -= counts.captures;
        self.bytes -= counts.bytes;
        if let Some(status) = counts.status {
            count_down(&mut self.statuses, &status);
        }
        if let Some(kind) = counts.failure {
            count_down(&mut self.failures, &kind.to_string());
        }
    }

    pub(crate) fn note_out_of_scope(&mut self, counts: &[(String, u64)]) {
        for (rule, count) in counts {
            let is_counted = self.out_of_scope.len() < RULES_COUNTED || self.out_of_scope.contains_key(rule);
            let rule = if is_counted { rule } else { OTHER_RULES };
            *self.out_of_scope.entry(rule.to_owned()).or_default() += count;
        }
    }
}

impl Crawler {
    /// Pages fetched, over all runs.
    pub fn pages(&self) -> u64 {
        self.tally.pages
    }

    /// The crawl as people see it.
    pub fn snapshot(&self, now: Timestamp) -> Snapshot {
        let sum = |count: fn(&Frontier) -> u64| self.shards.iter().map(count).sum::<u64>();
        let excluded = self.excluded();
        let (queued, parked, active) =
            (sum(Frontier::pending), sum(Frontier::parked), sum(Frontier::hosts_taken));
        let tally = &self.tally;
        Snapshot {
            now_ms: now.as_ms(),
            elapsed_ms: tally.elapsed_ms + self.ended.unwrap_or(now).since_ms(self.started),
            pages: tally.pages,
            captures: tally.captures,
            bytes: tally.bytes,
            statuses: tally.statuses.clone(),
            failures: tally.failures.clone(),
            discovered: queued + parked + sum(Frontier::fetched) + excluded.values().sum::<u64>(),
            queued,
            excluded,
            held_back: self.held_back(),
            soft_404s: sum(Frontier::soft_404s),
            led_out: self.led_out.clone(),
            out_of_scope: tally.out_of_scope.clone(),
            parked,
            hosts: sum(Frontier::hosts),
            hosts_active: active,
            hosts_waiting: sum(Frontier::hosts_with_work).saturating_sub(active),
            in_flight: self.flights.len() as u64,
            unparsed: self.unfinished.unparsed() as u64,
            rows: tally.rows,
            limit: self.config.limit,
            size_limit: self.config.size_limit,
            time_limit_ms: self.config.time_limit_ms,
            disk_low: self.disk_low,
            no_room: self.no_room.clone(),
            paused: self.orders.paused,
            ending: self.phase.ending(),
            strain: self.strain(now),
            resources: Resources {
                fetch: self.fetch_times.clone(),
                handed_back: self.handed_back,
                memory: MemoryParts { frontier: sum(Frontier::resident_bytes), ..MemoryParts::default() },
                ..Resources::default()
            },
        }
    }

    /// Hosts that have work, soonest first, `limit` at most.
    pub fn waiting(&self, limit: usize, now: Timestamp) -> Vec<WaitingHost> {
        let mut waiting: Vec<_> = self.shards.iter().flat_map(|shard| shard.waiting(limit)).collect();
        waiting.sort_by(|a, b| (a.until, &a.host).cmp(&(b.until, &b.host)));
        waiting.truncate(limit);
        let plain = |w: frontier::Waiting| WaitingHost {
            host: w.host,
            until_ms: w.until.max(now).as_ms(),
            reason: format!("{:?}", waits_for(w.for_what, w.until, now)).to_lowercase(),
            because: w.robots_failure,
            pending: w.pending,
        };
        waiting.into_iter().map(plain).collect()
    }

    /// URLs that a trap's rule has held back, each counted once.
    pub fn held_back_by(&self, rule: TrapRule) -> u64 {
        self.shards.iter().map(|shard| shard.traps().held_back(rule)).sum()
    }

    /// By the rules that have held back anything.
    fn held_back(&self) -> BTreeMap<String, u64> {
        let counts = TrapRule::ALL.into_iter().map(|rule| (rule.name().to_owned(), self.held_back_by(rule)));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    fn excluded(&self) -> BTreeMap<String, u64> {
        let mut all = BTreeMap::new();
        for (rule, count) in self.shards.iter().flat_map(Frontier::excluded) {
            *all.entry(rule.clone()).or_default() += count;
        }
        all
    }
}
