use crate::ending::Phase;
use crate::limits::STARVING_MS;
use crate::location::to_archive;
use crate::{Action, Crawler};
use frontier::limits::JOB_INTERVAL_MS;
use frontier::{Hunger, JobOutcome, Result, ShardJob};
use stdx::Timestamp;

/// A job of one shard: a merge of what waits with what is on disk. Long and sequential; it runs on any thread.
#[derive(Debug)]
pub struct Work {
    pub(crate) shard: u8,
    pub(crate) job: ShardJob,
}

/// The end of a job.
#[derive(Debug)]
pub struct Worked {
    shard: u8,
    outcome: Result<JobOutcome>,
}

impl Work {
    /// Does it.
    pub fn perform(self) -> Worked {
        Worked { shard: self.shard, outcome: self.job.run() }
    }
}

impl Crawler {
    /// Begins the jobs that are due, as many as may run at once.
    pub(crate) fn work(&mut self, now: Timestamp) -> Result<()> {
        self.shards.review(now);
        self.note_hunger(now);
        while self.shards.may_work()
            && let Some(shard) = self.shard_to_work(now)
        {
            let hunger = self.hunger(now);
            let pass_ms = self.shards.pass_of_the_hungry_ms(shard, now);
            if let Some(job) = self.shards.start_job(shard, now, hunger)? {
                self.appetite.take(pass_ms, now);
                self.actions.push_back(Action::Work(Box::new(Work { shard, job })));
            }
        }
        Ok(())
    }

    /// The shard whose job is due. A crawl that drains or is paused begins only those without which it could not take in the
    /// links it still derives.
    fn shard_to_work(&self, now: Timestamp) -> Option<u8> {
        match self.phase {
            Phase::Running if self.orders.paused => self.shards.congested(),
            Phase::Running => {
                let job = self.shards.next_job(self.hunger(now))?;
                (job.at <= now).then_some(job.shard)
            }
            Phase::Draining(_) => self.shards.congested(),
            _ => None,
        }
    }

    /// Takes in what a job has found.
    pub(crate) fn worked(&mut self, worked: Worked) -> Result<()> {
        let Worked { shard, outcome } = worked;
        self.parsed.extend(self.held_up.remove(&shard).unwrap_or_default());
        let frontier = self.shards.job_ended(shard)?;
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                frontier.abandon_job();
                return Err(error);
            }
        };
        for page in frontier.finish_job(outcome)?.shallower {
            let location = to_archive(page.location);
            self.unfinished.derive_again(page.capture, page.depth, location);
        }
        self.answer_stranded(shard)?;
        self.shards.settle(shard);
        Ok(())
    }

    /// Runs the job of a shard here and now, in a replay that has brought back more than may wait.
    pub(crate) fn work_at_once(&mut self, shard: u8, hunger: Hunger) -> Result<()> {
        let now = self.tally.latest;
        let Some(job) = self.shards.start_job(shard, now, hunger)? else { return Ok(()) };
        self.worked(Work { shard, job }.perform())
    }

    /// When a job may be begun although nothing happens before.
    pub(crate) fn next_job_at(&self, now: Timestamp) -> Option<Timestamp> {
        if !self.is_running() || self.orders.paused || !self.shards.may_work() {
            return None;
        }
        let hunger = self.hunger(now);
        let job = self.shards.next_job(hunger).map(|job| job.at);
        let starves = (hunger == Hunger::Hungry).then(|| self.starves_at()).flatten();
        job.into_iter().chain(starves).chain(self.appetite_returns_at(now)).min()
    }

    /// Hungry is who has a free slot and nobody who may be contacted now, and has not had too much lately; he starves who sees no merge that might feed
    /// him, or has had merges for some time and is as hungry as before.
    fn hunger(&self, now: Timestamp) -> Hunger {
        if !self.is_hungry(now) || self.appetite.gone_until(now).is_some() {
            return Hunger::Fed;
        }
        let merge = self.shards.next_job(Hunger::Hungry).is_some_and(|job| job.at <= now + JOB_INTERVAL_MS);
        let for_long = self.hungry_since.is_some_and(|since| since + STARVING_MS <= now);
        if (merge || self.shards.are_working()) && !for_long { Hunger::Hungry } else { Hunger::Starving }
    }

    fn is_hungry(&self, now: Timestamp) -> bool {
        self.may_dispatch() && self.next_begin(now).is_none_or(|at| at > now)
    }

    fn note_hunger(&mut self, now: Timestamp) {
        self.hungry_since = self.is_hungry(now).then(|| self.hungry_since.unwrap_or(now));
    }

    /// When a job may begin that waits for appetite.
    fn appetite_returns_at(&self, now: Timestamp) -> Option<Timestamp> {
        let until = self.appetite.gone_until(now).filter(|_| self.is_hungry(now))?;
        Some(self.shards.next_job(Hunger::Starving)?.at.max(until))
    }

    /// When a job is wanted of those that begin only then.
    fn starves_at(&self) -> Option<Timestamp> {
        let job = self.shards.next_job(Hunger::Starving)?.at;
        Some(job.max(self.hungry_since? + STARVING_MS))
    }
}
