use crate::{Crawler, Record, RecoveryError};
use frontier::{DelayPolicy, Reach, Stop};
use serde::{Deserialize, Serialize};
use stdx::Timestamp;

/// What a run promises to the servers that it contacts, as the journal has it: delays may change between runs, and the
/// ledger of contacts is judged by those that held. Milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promise {
    /// When the run began.
    pub began: Timestamp,
    /// How the run before it ended.
    pub stop: Stop,
    /// How long hosts and domains are left alone.
    pub delay: DelayPolicy,
    /// How long a server address is left alone …
    pub server_ms: u64,
    /// … and the least a public one is given.
    pub server_floor_ms: u64,
    /// The least that a host rests after a 429 or 503 that names no time.
    pub overload_ms: u64,
    /// The longest that a response may take.
    pub fetch_ms: u64,
    /// The product token under which robots.txt is read.
    pub agent: String,
}

impl Promise {
    /// Whether any delay is longer than by another promise.
    fn is_longer_than(&self, other: &Self) -> bool {
        self.delays().into_iter().zip(other.delays()).any(|(own, other)| own > other)
    }

    fn delays(&self) -> [u64; 6] {
        let DelayPolicy { host_ms, host_floor_ms, group_ms, stranger_factor } = self.delay;
        [host_ms, host_floor_ms, group_ms, stranger_factor.into(), self.server_ms, self.server_floor_ms]
    }
}

impl Crawler {
    /// What is promised from a moment on.
    pub(crate) fn promise(&self, began: Timestamp, stop: Stop) -> Promise {
        let config = &self.config;
        Promise {
            began,
            stop,
            delay: config.frontier.delay,
            server_ms: config.server_delay_ms,
            server_floor_ms: config.server_floor_ms,
            overload_ms: config.frontier.retry.overload_wait_ms(1, None, Reach::Allowed),
            fetch_ms: config.fetch_ms,
            agent: config.agent.clone(),
        }
    }

    /// Writes it down, before anybody is contacted.
    pub(crate) fn make_promise(&mut self, began: Timestamp, stop: Stop) -> frontier::Result<()> {
        let promise = self.promise(began, stop);
        self.journal(Record::Promised { promise }, None)?;
        if self.config.groups.is_empty() {
            return Ok(());
        }
        let groups = self.config.groups.iter().cloned().collect();
        self.journal(Record::Grouped { groups }, None)
    }

    /// What was read of a robots.txt under another name counts for nothing from now on.
    pub(crate) fn promised(&mut self, promise: Promise) {
        self.tally.latest = self.tally.latest.max(promise.began);
        let began = promise.began;
        let agent = promise.agent.clone();
        let before = self.promised.replace(promise);
        if before.is_some_and(|before| before.agent != agent) {
            self.distrust_rules(began);
        }
    }

    /// Whether somebody is to be left alone for longer than the last run left them alone at its end.
    pub(crate) fn delays_have_grown(&self) -> bool {
        let now = self.promise(self.started, Stop::Clean);
        self.last_promise().is_some_and(|last| now.is_longer_than(&last))
    }

    /// What the last run promised at its end. The checkpoint has nothing of what it promised when an operator changed delays, but has what
    /// they were changed to.
    fn last_promise(&self) -> Option<Promise> {
        let (mut last, set) = (self.promised.clone()?, &self.orders.set);
        last.delay.host_ms = set.delay_ms.unwrap_or(last.delay.host_ms);
        last.delay.group_ms = set.domain_delay_ms.unwrap_or(last.delay.group_ms);
        last.server_ms = set.ip_delay_ms.unwrap_or(last.server_ms);
        Some(last)
    }

    /// The promises of runs before entry `covered`, of which a checkpoint has nothing.
    pub(crate) fn read_promises(&mut self, covered: u64) -> Result<(), RecoveryError> {
        for entry in archive::beginnings(self.shards.disk().clone())? {
            let entry = entry?;
            if entry.seq < covered
                && Record::is_promise(&entry.record)
                && let Record::Promised { promise } = Record::decode(entry.seq, &entry.record)?
            {
                self.promised(promise);
            }
        }
        Ok(())
    }
}
