//! What must hold between the parts.

use crate::Frontier;
use crate::group::GroupId;
use crate::host::{Host, HostId, Phase};
use crate::lane::Lane;
use std::collections::BTreeSet;
use stdx::Timestamp;

impl Frontier {
    /// Asserts what must hold between the parts. For tests and simulation: it walks everything in memory.
    pub fn check_invariants(&self) {
        self.disk.seen.check_invariants();
        self.disk.records.check_invariants();
        self.disk.edges.check_invariants();
        self.disk.hosts.check_invariants();
        self.disk.domains.check_invariants();
        self.check_deferred();
        self.check_counts();
        for (id, host) in self.hosts.iter() {
            self.check_queues(host);
            self.check_host(HostId(id), host);
        }
        for (id, group) in self.groups.iter() {
            self.check_group(GroupId(id), group);
            let hosts = || self.hosts.iter().map(|(_, host)| host).filter(|host| host.group == GroupId(id));
            assert_eq!(hosts().count() as u32, group.hosts, "hosts of {}", group.record.name);
            assert_eq!(
                hosts().map(|host| host.billed).sum::<u64>(),
                group.bytes,
                "bytes of {}",
                group.record.name
            );
            let counted = hosts().map(|host| host.counted).sum::<u64>();
            assert_eq!(counted, group.pending, "URLs of {}", group.record.name);
            let longest = group.longest.map(|longest| self.host_ref(longest));
            assert!(longest.is_none_or(|host| host.group == GroupId(id) && host.phase != Phase::Leaving));
            let leaving = hosts().filter(|host| host.phase == Phase::Leaving).count() as u32;
            assert_eq!(leaving, group.leaving, "hosts of {} that leave", group.record.name);
        }
        let in_calendars: usize = self.groups.iter().map(|(_, group)| group.calendar.len()).sum();
        let waiting = self.hosts.iter().filter(|(_, host)| matches!(host.phase, Phase::Waiting(_))).count();
        assert_eq!(in_calendars, waiting, "calendars have the hosts that wait and no others");
    }

    /// Whoever waits in BEAST's queues is counted once.
    fn check_deferred(&self) {
        let deferred = &self.durable.deferred;
        deferred.beast.check_invariants();
        let of_residents: u64 = self.hosts.iter().map(|(_, host)| host.habits.counts.deferred).sum();
        assert!(
            deferred.strangers + of_residents <= deferred.beast.waiting(),
            "URLs that wait are counted once"
        );
        let starving = self.hosts.iter().filter(|(_, host)| host.starves_from() < Timestamp::NEVER);
        let starving: BTreeSet<(Timestamp, HostId)> =
            starving.map(|(id, host)| (host.starves_from(), HostId(id))).collect();
        assert_eq!(starving, self.starving, "hosts that starve");
    }

    fn check_counts(&self) {
        let count = |is: fn(&Host) -> bool| self.hosts.iter().filter(|(_, host)| is(host)).count() as u64;
        assert_eq!(count(|host| host.phase == Phase::Taken), self.hosts_taken, "hosts whose turn it is");
        assert_eq!(count(|host| host.phase == Phase::Idle), self.hosts_idle, "hosts with nothing to do");
        assert_eq!(count(Host::has_work), self.hosts_with_work, "hosts with work");
        assert_eq!(self.hosts.len(), self.host_ids.len(), "every host has its place");
        assert_eq!(self.groups.iter().count(), self.group_ids.len(), "every group has its place");
        let bytes: u64 = self.groups.iter().map(|(_, group)| group.bytes + group.fixed_bytes()).sum();
        let errands: u64 = self.errands.values().flatten().map(crate::RobotsErrand::bytes).sum();
        assert_eq!(bytes + errands, self.resident_bytes, "bytes in memory");
        let guests = self.hosts.iter().filter(|(_, host)| host.is_guest);
        assert_eq!(guests.map(|(_, host)| host.billed).sum::<u64>(), self.guest_bytes, "bytes of guests");
        let held: u64 =
            self.hosts.iter().filter(|(_, h)| h.record.barred.is_none()).map(|(_, h)| h.pending).sum();
        assert!(held <= self.durable.tally.pending, "what hosts hold is counted");
    }

    /// The parts of one host.
    fn check_queues(&self, host: &Host) {
        let name = &host.record.name;
        let lanes: u64 = host.lanes.iter().map(Lane::len).sum();
        let others = host.back.len() + host.retries.len() + usize::from(host.in_flight.is_some());
        assert_eq!(host.pending, lanes + others as u64, "URLs of {name}");
        assert_eq!(host.billed, host.bytes(), "bytes of {name}");
        host.habits.absences.check_invariants();
        assert_eq!(self.host_ids.get(&host.key).map(|id| self.host_ref(*id).key), Some(host.key));
        assert!(host.in_flight.is_none() || host.phase == Phase::Taken || host.record.barred.is_some());
        for lane in &host.lanes {
            let unbroken = lane.sections.is_empty() && lane.lent.is_none();
            assert!(!unbroken || lane.tail.is_empty(), "a tail right behind the head of {name}");
            assert!(lane.lent.is_none() || self.job.is_some(), "a job has a lane of {name}");
        }
    }
}
