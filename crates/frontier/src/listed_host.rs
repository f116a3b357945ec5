use crate::group::Group;
use crate::host::{Host, Phase};
use crate::{Barred, Frontier, Suspicion, WaitingFor};
use stdx::Timestamp;

/// A host in memory, for whoever lists them.
#[derive(Debug, Clone, Copy)]
pub struct ListedHost<'a> {
    host: &'a Host,
    group: &'a Group,
}

/// What a host in memory is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// It has its turn: a name is looked up, its server is waited for, or it is being contacted.
    Contact,
    /// It waits for its turn.
    Wait,
    /// It has nothing to do, or nothing of it is fetched.
    Nothing,
}

impl Frontier {
    /// The hosts in memory, one after the other.
    pub fn hosts_at_hand(&self) -> impl Iterator<Item = ListedHost<'_>> {
        self.hosts.iter().map(|(_, host)| ListedHost { host, group: &self.groups[host.group.0] })
    }

    /// How many they are.
    pub fn hosts_at_hand_len(&self) -> usize {
        self.hosts.len()
    }
}

impl<'a> ListedHost<'a> {
    /// Its name.
    pub fn name(&self) -> &'a str {
        &self.host.record.name
    }

    /// How many of its URLs wait.
    pub fn pending(&self) -> u64 {
        self.host.pending
    }

    /// How often it was contacted.
    pub fn contacts(&self) -> u64 {
        self.host.record.contacts
    }

    /// How long its last answer took.
    pub fn last_response_ms(&self) -> u64 {
        self.host.record.last_response_ms
    }

    /// Failures in a row.
    pub fn failures(&self) -> u8 {
        self.host.record.failures
    }

    /// What its robots.txt files ask for.
    pub fn crawl_delay_ms(&self) -> Option<u64> {
        self.host.crawl_delay_ms()
    }

    /// Why nothing of it is fetched.
    pub fn barred(&self) -> Option<&'a Barred> {
        self.host.record.barred.as_ref()
    }

    /// URLs of it that wait for their domain's budget.
    pub fn deferred(&self) -> u64 {
        self.host.habits.counts.deferred
    }

    /// The worst that is held against URLs like those it has.
    pub fn suspicion(&self) -> Option<Suspicion> {
        self.host.habits.worst()
    }

    /// What it is doing.
    pub fn doing(&self) -> Doing {
        match self.host.phase {
            Phase::Taken => Doing::Contact,
            Phase::Waiting(_) => Doing::Wait,
            Phase::Idle | Phase::Leaving => Doing::Nothing,
        }
    }

    /// No contact before this.
    pub fn until(&self) -> Timestamp {
        let due = match self.host.phase {
            Phase::Waiting(due) => due,
            _ => self.host.record.next_at,
        };
        due.max(self.group.record.next_at)
    }

    /// For what it waits.
    pub fn waits_for(&self) -> WaitingFor {
        match self.host.phase {
            Phase::Waiting(due) if due > self.host.record.next_at => WaitingFor::Retry,
            _ => self.host.record.held_by.into(),
        }
    }
}
