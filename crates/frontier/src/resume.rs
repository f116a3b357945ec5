use crate::group::GroupId;
use crate::host::{Hold, HostId};
use crate::{Frontier, Judge, Result, Stays};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use stdx::Timestamp;

/// How the last run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stop {
    /// Everything was saved: the clocks are exact.
    Clean,
    /// Killed or out of power: the last contacts may not have been journaled.
    Unclean,
}

impl Frontier {
    /// Ends recovery; called once after `open`, on a new shard too. After an unclean stop no host and no group is contacted
    /// before its full delay from now on: the last request may not have reached the journal. Where
    /// `judge` has other rules than the last run, what waits is judged anew: at once in memory, and on disk when it comes
    /// up from there.
    pub fn resume(&mut self, stop: Stop, now: Timestamp, judge: Arc<dyn Judge>) -> Result<()> {
        self.resumed = Some(now);
        self.shorten(now);
        if stop == Stop::Unclean {
            self.restart(now);
        }
        self.adopt(judge)
    }

    /// Hosts and groups that nothing is known of are not contacted before this: after an unclean stop they may have been
    /// contacted all the same.
    pub fn not_before(&self) -> Timestamp {
        self.durable.not_before
    }

    /// Holds hosts and groups that are yet unknown.
    pub fn hold_unknown(&mut self, until: Timestamp) {
        self.durable.not_before = self.durable.not_before.max(until);
    }

    fn restart(&mut self, now: Timestamp) {
        let policy = self.config.delay;
        self.durable.restarted = Some(now);
        self.hold_unknown(now + policy.unknown_host_ms());
        for id in self.groups.numbers().into_iter().map(GroupId) {
            let record = &mut self.group(id).record;
            record.next_at = record.next_at.max(now + policy.group_interval_ms(record.reach));
            self.settle_group(id);
        }
        for id in self.hosts.numbers().into_iter().map(HostId) {
            self.hold_since_restart(id);
            self.settle(id);
        }
    }

    /// Nobody is contacted before the full delay from now on, and nobody in memory who waits for a delay waits for another. Hosts on disk
    /// keep the appointment of a longer one.
    pub fn keep_away(&mut self, now: Timestamp) {
        self.call_back(now);
        self.shorten(now);
        self.restart(now);
    }

    /// No appointment that was made for a delay's sake is further away than the delay: it may have been a longer one.
    fn shorten(&mut self, now: Timestamp) {
        let policy = self.config.delay;
        self.durable.not_before = self.durable.not_before.min(now + policy.unknown_host_ms());
        for id in self.groups.numbers().into_iter().map(GroupId) {
            let record = &mut self.group(id).record;
            record.next_at = record.next_at.min(now + policy.group_interval_ms(record.reach));
            self.settle_group(id);
        }
        for id in self.hosts.numbers().into_iter().map(HostId) {
            let most = now + self.delay_of(id).ms;
            self.host(id).record.hold_no_longer_than(most);
            self.settle(id);
        }
    }

    /// Whoever was put off comes as soon as his own clock allows, which had run out by then.
    fn call_back(&mut self, now: Timestamp) {
        for id in self.hosts.numbers().into_iter().map(HostId) {
            let record = &mut self.host(id).record;
            if record.held_by == Hold::Server {
                record.next_at = record.next_at.min(now);
            }
        }
    }

    /// From now on the crawl is about what this judge says.
    pub fn adopt(&mut self, judge: Arc<dyn Judge>) -> Result<()> {
        // What a replay has brought back before the first cut may have been accepted by other rules.
        let has_some = self.durable.tally.pending + self.undecided() > 0;
        let scope = &mut self.durable.scope;
        let fingerprint = Some(judge.fingerprint());
        let changed = scope.fingerprint != fingerprint && (scope.fingerprint.is_some() || has_some);
        scope.fingerprint = fingerprint;
        scope.mixed |= changed;
        self.judge = Some(judge);
        if changed { self.judge_anew() } else { Ok(()) }
    }

    /// Lets go what is in memory and out of scope, but for what is in flight. What a job has in its hands is looked at when
    /// it is drawn.
    fn judge_anew(&mut self) -> Result<()> {
        let Some(judge) = self.judge.clone().filter(|_| self.job.is_none()) else { return Ok(()) };
        for id in self.hosts.numbers().into_iter().map(HostId) {
            for pending in self.host(id).extract(|pending| judge.judge(pending) != Stays::In) {
                self.drop_pending(id);
                self.let_go_of(&pending)?;
            }
            self.settle(id);
        }
        Ok(())
    }
}
