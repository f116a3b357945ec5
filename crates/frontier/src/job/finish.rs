use super::{AllMerged, Delivery, Found, Hunger, JobOutcome, JobReport, LaneBack, Running};
use crate::Class;
use crate::host::HostId;
use crate::{Frontier, Result};
use backlog::Section;
use std::collections::BTreeSet;

impl Frontier {
    /// Makes the outcome of a job the state of the shard. Afterwards
    /// [`take_unanswered`](Self::take_unanswered) may have something.
    pub fn finish_job(&mut self, outcome: JobOutcome) -> Result<JobReport> {
        let JobOutcome { merged, hosts, domains, found } = outcome;
        let running = self.job.take().expect("there is a job to finish");
        self.disk.hosts.finish_job(hosts);
        self.disk.domains.finish_job(domains);
        self.finish_merges(merged);
        running.leaving.iter().for_each(|id| self.remove(*id));
        self.take_in(found)?;
        self.hand_out_errands();
        self.pay_arrears()?;
        Ok(JobReport { shallower: std::mem::take(&mut self.durable.shallower) })
    }

    /// The job failed or was lost: everything is as if it had not been started.
    pub fn abandon_job(&mut self) {
        let running = self.job.take().expect("there is a job to abandon");
        self.disk.hosts.abandon_job();
        self.disk.domains.abandon_job();
        self.abandon_merges(&running);
        let Running { leaving, lent, .. } = running;
        for id in leaving {
            self.readmit(id);
        }
        for (id, class) in lent {
            self.host(id).lane(class).take_back();
            self.settle(id);
        }
    }

    /// A job done here and now, that leaves on disk all that it may.
    pub(crate) fn merge_now(&mut self) -> Result<()> {
        let now = self.last_job.or(self.resumed).unwrap_or_default();
        let Some(job) = self.begin_job(now, Hunger::Fed, 0)? else { return Ok(()) };
        match job.run() {
            Ok(outcome) => {
                let report = self.finish_job(outcome)?;
                self.durable.shallower.extend(report.shallower);
                Ok(())
            }
            Err(error) => {
                self.abandon_job();
                Err(error)
            }
        }
    }

    fn finish_merges(&mut self, merged: AllMerged) {
        let AllMerged { seen, records, edges } = merged;
        for merged in seen {
            self.disk.seen.finish_merge(merged);
        }
        for merged in records {
            self.disk.records.finish_merge(merged);
        }
        for merged in edges {
            self.disk.edges.finish_merge(merged);
        }
    }

    fn take_in(&mut self, mut found: Found) -> Result<()> {
        self.count(&found);
        self.traps.merge(std::mem::take(&mut found.traps));
        found.revived.take().map_or(Ok(()), |revived| self.note_revived(revived))?;
        let mut touched: BTreeSet<HostId> = BTreeSet::new();
        for LaneBack { host, class, lane, newer, added } in found.returned {
            self.host(host).lane(class).take_back_as(lane, newer);
            self.hold(host, added);
            touched.insert(host);
        }
        for (host, class, section) in found.grown {
            self.grow(host, class, section);
            touched.insert(host);
        }
        for Delivery { host, pending } in found.arrivals {
            self.host(host).lane(pending.class()).push(pending);
            self.hold(host, 1);
            touched.insert(host);
        }
        for (host, counts) in found.habits {
            self.host(host).habits.counts = counts;
            touched.insert(host);
        }
        for id in touched {
            self.settle(id);
        }
        for (hash, ledger) in found.ledgers {
            let group = self.group_ids[&hash];
            self.group(group).record.ledger = ledger;
        }
        let mut domains = found.domains;
        for (key, payload) in found.chosen {
            self.settle_in(key, &payload, domains.remove(&key.group))?;
        }
        for (key, depth) in found.shorter {
            self.note_path(key, depth)?;
        }
        found.let_go.into_iter().try_for_each(|key| self.let_go(key))?;
        found.too_deep.iter().try_for_each(|pending| self.let_go_unless_nearer(pending))?;
        found.nearer.into_iter().try_for_each(|pending| self.find_again(pending))
    }

    /// Numbers, and the small things.
    fn count(&mut self, found: &Found) {
        let (counts, durable) = (found.counts, &mut self.durable);
        let tally = &mut durable.tally;
        tally.pending += counts.pending;
        tally.let_go(None, counts.dropped + counts.excluded + counts.parked);
        tally.parked += counts.parked;
        tally.hosts += counts.hosts;
        if counts.excluded > 0 {
            tally.exclude(crate::Exclusion::AddressRefused.name(), counts.excluded);
        }
        found.raised.iter().for_each(|(from, to)| durable.in_degrees.raise(*from, *to));
        found.buried.iter().for_each(|key| durable.tombstones.settle(*key));
        durable.shallower.extend(&found.shallower);
        durable.deferred.clone_from(&found.deferred);
        if let Some(waiting) = found.waiting_on_disk {
            durable.waiting_on_disk = waiting;
        }
    }

    fn grow(&mut self, id: HostId, class: Class, section: Section) {
        let lane = self.host(id).lane(class);
        debug_assert!(lane.tail.is_empty() && lane.lent.is_none(), "what is behind a section is lent");
        lane.sections.push_back(section);
        self.hold(id, section.count);
    }

    /// URLs that were counted as waiting are with a host in memory.
    fn hold(&mut self, id: HostId, urls: u64) {
        let host = &mut self.hosts[id.0];
        let had_work = host.has_work();
        host.pending += urls;
        self.hosts_with_work += u64::from(host.has_work() && !had_work);
        if let Some(barred) = &host.record.barred {
            self.durable.tally.let_go(None, urls);
            self.durable.tally.hold(Some(barred), urls);
        }
    }
}
