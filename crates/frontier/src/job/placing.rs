//! Which arrivals pass, and which wait in BEAST's queues: by their domain's budget and what they are suspected of.

use super::arrivals::{Arrival, Came};
use super::domains::Domain;
use super::pass::Pass;
use crate::entry::Entry;
use crate::habits::Habits;
use crate::identity::host_of;
use crate::table::read_pending;
use crate::traps::HeldBack;
use crate::{Acquaintance, Claim, Placement, Result, Suspicion};
use backlog::QueueId;

impl<'j> Pass<'j> {
    /// Places arrivals of a host: gives those that pass, the others wait.
    pub(super) fn place(
        &mut self,
        domain: &mut Domain,
        host: Acquaintance,
        habits: &mut Habits,
        arrivals: &'j [Arrival],
    ) -> Result<Vec<&'j Arrival>> {
        let mut passing = Vec::with_capacity(arrivals.len());
        for arrival in arrivals {
            let host = if passing.is_empty() { host } else { Acquaintance::Known };
            match self.place_one(domain, host, habits, arrival)? {
                Placement::Wait(queue) => {
                    self.queues.append(QueueId(queue.0), self.arrivals.entry(arrival))?;
                }
                Placement::Pass if self.counts(arrival)? => passing.push(arrival),
                Placement::Pass => self.found.counts.dropped += 1,
            }
        }
        Ok(passing)
    }

    fn place_one(
        &mut self,
        domain: &mut Domain,
        host: Acquaintance,
        habits: &mut Habits,
        arrival: &Arrival,
    ) -> Result<Placement> {
        let ledger = domain.ledger("", self.plan.not_before)?;
        let budget = self.plan.star.budget(ledger.standing, ledger.in_degree, self.plan.ranking);
        let (entry, now, deferred) = (self.entry(arrival), self.plan.now, &mut self.plan.deferred);
        let claim = |suspicion| Claim { budget, host, penalty: Suspicion::penalty_of(suspicion) };
        if let Came::From(queue) = arrival.came {
            let claim = claim(habits.judge_known(&entry, now));
            return Ok(deferred.place_again(queue, &mut ledger.beast, &mut habits.counts, claim));
        }
        self.found.counts.pending += 1;
        if arrival.came == Came::Back {
            let claim = claim(habits.judge_known(&entry, now));
            return Ok(deferred.place(&mut ledger.beast, &mut habits.counts, claim));
        }
        let suspicion = habits.judge_new(&entry, now);
        let claim = claim(suspicion);
        let as_stranger = deferred.beast.waits_as_stranger(&mut ledger.beast, claim);
        let placement = deferred.place(&mut ledger.beast, &mut habits.counts, claim);
        if let Placement::Wait(_) = placement {
            self.note_held_back(&entry, habits, suspicion, as_stranger);
        }
        Ok(placement)
    }

    /// A new URL waits; whether that is a trap's doing, and which.
    fn note_held_back(
        &mut self,
        entry: &Entry<'_>,
        habits: &Habits,
        suspicion: Option<Suspicion>,
        as_stranger: bool,
    ) {
        let traps = &mut self.found.traps;
        match suspicion {
            Some(Suspicion { reason, .. }) => {
                let held = HeldBack { host: host_of(entry.url), url: entry.url, rule: reason.into() };
                traps.note(held, || habits.templates.of_url(entry.url));
            }
            None if as_stranger => traps.note_farm(),
            None => {}
        }
    }

    /// What comes from BEAST may have gone on without its entry.
    fn counts(&mut self, arrival: &Arrival) -> Result<bool> {
        let is_old = matches!(arrival.came, Came::From(_) | Came::Back);
        if !is_old || !self.plan.must_look() {
            return Ok(true);
        }
        let pending = read_pending(self.arrivals.entry(arrival))?;
        Ok(self.plan.counts(&pending, &mut self.found))
    }
}
