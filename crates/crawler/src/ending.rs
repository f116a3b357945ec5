use crate::machine::Seeds;
use crate::{Action, Crawler, Exit};
use cluster::Rest;
use frontier::Result;
use snapshot::Ending;
use stdx::{Timestamp, Watch};

/// From running to gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Fetching.
    Running,
    /// Nothing new is begun; what is under way ends, is committed and parsed.
    Draining(Exit),
    /// The corpus closes its file.
    ClosingRows(Exit),
    /// The corpus is closed; what it said is being committed.
    Saving(Exit),
    /// The checkpoint is written, the archive closes its file.
    Finishing(Exit),
    /// Over.
    Gone,
}

impl Phase {
    /// As people see it.
    pub(crate) fn ending(self) -> Option<Ending> {
        match self {
            Self::Running | Self::Gone => None,
            Self::Draining(_) => Some(Ending::Finishing),
            Self::ClosingRows(_) | Self::Saving(_) | Self::Finishing(_) => Some(Ending::Saving),
        }
    }
}

impl Crawler {
    pub(crate) fn is_running(&self) -> bool {
        self.phase == Phase::Running
    }

    /// Whether anything that other nodes say may still change the state: until the last of it is being saved.
    pub(crate) fn is_listening(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Draining(_))
    }

    pub(crate) fn drain(&mut self) {
        self.begin_ending(Exit::Interrupted);
    }

    /// Moves from phase to phase as soon as it can.
    pub(crate) fn end(&mut self, now: Timestamp, watch: &mut Watch<'_>) -> Result<()> {
        match self.phase {
            Phase::Running => {
                if let Some(exit) = self.reason_to_end(now) {
                    self.begin_ending(exit);
                    self.end(now, watch)?;
                }
            }
            Phase::Draining(exit) if self.nothing_under_way() => {
                self.phase = Phase::ClosingRows(exit);
                self.actions.push_back(Action::CloseRows);
            }
            Phase::Saving(exit) if self.outbox.is_settled() => {
                self.phase = Phase::Finishing(exit);
                self.tally.elapsed_ms += now.since_ms(self.started);
                self.started = now;
                self.ended = Some(now);
                self.checkpoint(true, watch)?;
                self.say_farewell();
                self.saved();
            }
            _ => {}
        }
        Ok(())
    }

    pub(crate) fn rows_done(&mut self) {
        if let Phase::ClosingRows(exit) = self.phase {
            self.phase = Phase::Saving(exit);
        }
    }

    /// Once the last checkpoint is durable, or there is nothing to be in it, the archive comes to its end.
    pub(crate) fn saved(&mut self) {
        if matches!(self.phase, Phase::Finishing(_)) && !self.outbox.is_saving() {
            self.actions.push_back(Action::Finish);
        }
    }

    pub(crate) fn finished(&mut self) {
        if let Phase::Finishing(exit) = self.phase {
            self.leave(Action::Exit(exit));
        }
    }

    /// The disk took no more: what is not committed will be fetched again, nothing else is lost.
    pub(crate) fn give_up(&mut self, because: String) {
        self.no_room = Some(because);
        self.leave(Action::Exit(Exit::DiskFull));
    }

    /// When the crawl ends although nothing happens.
    pub(crate) fn next_end(&self, now: Timestamp) -> Option<Timestamp> {
        [self.time_limit_at(), self.cut_off_at(now), self.forsaken_at(now)].into_iter().flatten().min()
    }

    pub(crate) fn time_limit_at(&self) -> Option<Timestamp> {
        let limit = self.config.time_limit_ms.filter(|_| self.is_running())?;
        Some(self.started + limit)
    }

    /// When nobody has been reached from here for the patience.
    fn cut_off_at(&self, now: Timestamp) -> Option<Timestamp> {
        let may_end = self.is_running() && !self.orders.paused;
        self.uplink.gives_up_at(self.started, now, self.config.patience_ms).filter(|_| may_end)
    }

    /// The end, at once: what is not durable by now counts for nothing.
    pub(crate) fn leave(&mut self, last: Action) {
        self.outbox.take_counts().for_each(|counts| self.tally.take_back(&counts));
        self.phase = Phase::Gone;
        self.actions.clear();
        self.actions.push_back(last);
    }

    fn begin_ending(&mut self, exit: Exit) {
        if self.is_running() {
            self.phase = Phase::Draining(exit);
        }
    }

    fn nothing_under_way(&self) -> bool {
        self.flights.is_empty()
            && self.outbox.is_idle()
            && self.unfinished.unparsed() == 0
            && !self.shards.are_working()
    }

    fn reason_to_end(&self, now: Timestamp) -> Option<Exit> {
        if self.limit_is_reached(now) {
            return Some(Exit::LimitReached);
        }
        if self.disk_low && self.flights.is_empty() {
            return Some(Exit::DiskFull);
        }
        if self.cut_off_at(now).is_some_and(|at| at <= now) {
            return Some(Exit::Waiting);
        }
        if self.config.placement.is_alone() {
            return self.idle(now).map(Exit::from);
        }
        let agreed = self.peers.census.ended().map(Exit::from);
        agreed.or_else(|| self.forsaken_at(now).is_some_and(|at| at <= now).then_some(Exit::Waiting))
    }

    /// How this node would end if there were no other, if it has nothing to do. A crawl that is paused waits for its operator, one that is
    /// short of memory for what will be freed.
    pub(crate) fn idle(&self, now: Timestamp) -> Option<Rest> {
        if self.orders.paused || self.memory_short || self.seeds != Seeds::Ended || !self.nothing_under_way()
        {
            return None;
        }
        match self.next_due().into_iter().chain(self.next_job_at(now)).min() {
            None if self.nothing_waits() => Some(Rest::Done),
            None => Some(Rest::Waiting),
            Some(due) => (due > now + self.config.patience_ms).then_some(Rest::Waiting),
        }
    }

    /// All nodes were at rest when they were asked. One that has been started anew since then may have something to say again.
    pub(crate) fn told_over(&mut self, now: Timestamp, rest: Rest) {
        if self.standing(now).rest.is_some() {
            self.begin_ending(rest.into());
        }
    }

    /// When a node that has nothing to do has waited for the others for its patience: nobody may be there to end the crawl.
    fn forsaken_at(&self, now: Timestamp) -> Option<Timestamp> {
        if self.config.placement.is_alone() || !self.is_running() {
            return None;
        }
        self.idle(now)?;
        let leader = self.peers.census.leader();
        let is_leader = leader == self.config.placement.me();
        let awaited = self.config.placement.peers().filter(|peer| is_leader || *peer == leader);
        let heard = awaited.map(|peer| self.peers.runs.last_heard(peer).unwrap_or(self.started)).min();
        heard.map(|at| at + self.config.patience_ms)
    }

    /// Whether every URL that was ever discovered has its final state.
    fn nothing_waits(&self) -> bool {
        self.shards.iter().all(|shard| shard.pending() == 0 && shard.undecided() == 0)
    }

    /// Whether nothing more is to be begun: a limit is reached, whatever is under way.
    pub(crate) fn limit_is_reached(&self, now: Timestamp) -> bool {
        let reached = |limit: Option<u64>, value: u64| limit.is_some_and(|limit| value >= limit);
        reached(self.config.limit, self.tally.pages)
            || reached(self.config.size_limit, self.tally.bytes)
            || self.time_limit_at().is_some_and(|at| now >= at)
    }
}

impl From<Rest> for Exit {
    fn from(rest: Rest) -> Self {
        match rest {
            Rest::Done => Self::Done,
            Rest::Waiting => Self::Waiting,
        }
    }
}
