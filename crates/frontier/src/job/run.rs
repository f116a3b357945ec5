use super::arrivals::{Arrivals, Votes};
use super::domains::Domains;
use super::pass::Pass;
use super::plan::Plan;
use super::selection::Selection;
use super::shelf::Shelf;
use super::{Found, JobOutcome, ShardJob};
use crate::Result;
use crate::revive::Reviving;
use backlog::{Outputs, Released};

impl ShardJob {
    /// Does it. After an error nothing has happened:
    /// [`Frontier::abandon_job`](crate::Frontier::abandon_job).
    pub fn run(self) -> Result<JobOutcome> {
        let Self { merges, hosts, domains, mut plan } = self;
        let (mut arrivals, mut found) = (Arrivals::default(), Found::default());
        let (merged, votes) = merges.run(&mut plan, &mut arrivals, &mut found)?;
        let mut queues = hosts.queues();
        plan.advance(&mut queues, &mut arrivals)?;
        plan.revive(&mut queues, &mut arrivals, &mut found)?;
        arrivals.sort();

        let touches = plan.touches_disk(&arrivals, &votes);
        let reads = |job: &backlog::Job| touches.then(|| job.directory()).transpose();
        let writes = |job: &backlog::Job| touches.then(|| job.new_directory());
        let mut pass = Pass {
            domains: Domains::new(&mut plan, votes, reads(&domains)?, writes(&domains)),
            old: reads(&hosts)?,
            new: writes(&hosts),
            queues,
            shelf: Shelf::new(&hosts),
            selection: Selection::new(plan.room),
            newer: vec![Vec::new(); plan.lent.len()],
            residents: 0,
            leaving: 0,
            arrivals: &arrivals,
            found,
            plan,
        };
        pass.run()?;

        let Pass { plan, domains: of_domains, new, queues, shelf, selection, mut found, .. } = pass;
        let selected = selection.finish(plan.now)?;
        found.chosen = selected.hosts;
        found.waiting_on_disk = touches.then_some(selected.waiting);
        found.deferred = plan.deferred;
        let (run, released) = shelf.into_parts();
        let hosts = hosts.finish(Outputs { directory: new, run, queues, released })?;
        let (run, queues) = (domains.new_run(), domains.queues());
        let directory = of_domains.into_writer();
        let domains = domains.finish(Outputs { directory, run, queues, released: Released::default() })?;
        Ok(JobOutcome { merged, hosts, domains, found })
    }
}

impl Plan {
    /// Whether anything on disk changes or comes to memory; if not, the directories stand as they are.
    fn touches_disk(&self, arrivals: &Arrivals, votes: &Votes) -> bool {
        let is_resident = |key| self.residents.binary_search_by_key(&key, |resident| resident.key).is_ok();
        let waiting = &self.waiting_on_disk;
        waiting.crowded
            || waiting.wake <= self.room.horizon
            || self.moves
            || self.reviving.as_ref().is_some_and(Reviving::sees_to_hosts)
            || !(self.leaving.is_empty() && self.wanted.is_empty())
            || arrivals.list().iter().any(|arrival| !is_resident(arrival.key))
            || votes.keys().any(|group| !self.resident_domains.contains_key(group))
    }
}
