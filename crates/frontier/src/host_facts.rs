//! What a list of hosts says of each, wherever they lie.

use crate::group::Group;
use crate::host::{Hold, Host, HostHead};
use crate::identity::host_key;
use crate::stored_host::StoredHead;
use crate::{Barred, Frontier, Result, Suspicion, WaitingFor};
use backlog::{DirectoryView, Key};
use std::net::IpAddr;
use stdx::Timestamp;
use weburl::without_root_dot;

/// What is known of a host without reading what it has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostFacts {
    /// Its name.
    pub name: String,
    /// What it is doing.
    pub doing: Doing,
    /// Why nothing of it is fetched.
    pub barred: Option<Barred>,
    /// No contact before this; of a host on disk its domain's clock is not looked at.
    pub until: Timestamp,
    /// For what it waits.
    pub waits_for: WaitingFor,
    /// How many of its URLs wait, but for those that are put off.
    pub pending: u64,
    /// URLs of it that are put off: by its domain's budget, or by a trap.
    pub deferred: u64,
    /// How often it was contacted.
    pub contacts: u64,
    /// How long its last answer took.
    pub last_response_ms: u64,
    /// Failures in a row.
    pub failures: u8,
    /// What its robots.txt files ask for.
    pub crawl_delay_ms: Option<u64>,
    /// The server it was contacted at last.
    pub address: Option<IpAddr>,
}

/// What a host is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// It has its turn: a name is looked up, its server is waited for, or it is being contacted.
    Contact,
    /// It waits for its turn, in memory.
    Wait,
    /// It waits for its turn, on disk.
    Sleep,
    /// It has nothing to do, or nothing of it is fetched.
    Nothing,
}

/// Names a host of a shard, wherever it lies, and orders them as they lie on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostKey(Key);

impl HostKey {
    /// As text, to be found again by.
    pub fn text(self) -> String {
        format!("{:016x}{:016x}", self.0.group, self.0.host)
    }

    /// From the same.
    pub fn parse(text: &str) -> Option<Self> {
        let (group, host) = text.split_at_checked(16)?;
        let number = |hex| u64::from_str_radix(hex, 16).ok();
        Some(Self(Key { group: number(group)?, host: number(host)? }))
    }
}

/// A host in memory, for whoever lists them.
#[derive(Debug, Clone, Copy)]
pub struct ListedHost<'a> {
    host: &'a Host,
    group: &'a Group,
}

/// The hosts of a shard that lie on disk, as the last job left them, to be read by somebody else in his own time. Some of them may
/// have been brought into memory since; what lies on disk of those is void.
#[derive(Clone)]
pub struct HostsOnDisk(DirectoryView);

impl Frontier {
    /// The hosts in memory, one after the other, from the `first` place on: `limit` places, some of which may be empty.
    pub fn hosts_at_hand(&self, first: usize, limit: usize) -> impl Iterator<Item = ListedHost<'_>> {
        let hosts = self.hosts.stretch(first, limit);
        hosts.map(|host| ListedHost { host, group: &self.groups[host.group.0] })
    }

    /// How many places there are.
    pub fn places_at_hand(&self) -> usize {
        self.hosts.places()
    }

    /// What a list says of the host of this name, in memory or on disk.
    pub fn facts_of(&self, name: &str) -> Result<Option<HostFacts>> {
        let place = host_key(without_root_dot(name), self.config.seed);
        if let Some(id) = self.host_ids.get(&place) {
            let host = self.host_ref(*id);
            return Ok(Some(ListedHost { host, group: &self.groups[host.group.0] }.facts()));
        }
        let payload = self.disk.hosts.look_up(place)?;
        payload.map(|payload| Ok(StoredHead::parse(&payload)?.facts())).transpose()
    }

    /// Whether the host of this name is in memory.
    pub fn is_at_hand(&self, name: &str) -> bool {
        self.host_ids.contains_key(&host_key(without_root_dot(name), self.config.seed))
    }

    /// The other hosts.
    pub fn hosts_on_disk(&self) -> HostsOnDisk {
        HostsOnDisk(self.disk.hosts.view_directory())
    }
}

impl HostsOnDisk {
    /// How many there are.
    pub fn len(&self) -> u64 {
        self.0.records()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Shows `see` the hosts behind `after`, in their order, as long as it wants more.
    pub fn read(
        &self,
        after: Option<HostKey>,
        mut see: impl FnMut(HostKey, HostFacts) -> More,
    ) -> Result<()> {
        let mut reader = self.0.read_from(after.map_or(Key::header(0), |HostKey(key)| key))?;
        while let Some(record) = reader.next()? {
            let key = HostKey(record.key);
            if after == Some(key) {
                continue;
            }
            if see(key, StoredHead::parse(record.payload)?.facts()) == More::No {
                break;
            }
        }
        Ok(())
    }
}

/// Whether somebody wants more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum More {
    /// He does.
    Yes,
    /// He does not.
    No,
}

impl StoredHead {
    pub(crate) fn facts(self) -> HostFacts {
        let Self { head, standing, deferred } = self;
        let due = standing.due();
        let until = due.unwrap_or(standing.next_at);
        let doing = if due.is_some() { Doing::Sleep } else { Doing::Nothing };
        head.facts(doing, until, standing.pending, deferred)
    }
}

impl HostHead {
    fn facts(self, doing: Doing, until: Timestamp, pending: u64, deferred: u64) -> HostFacts {
        HostFacts {
            doing,
            until,
            waits_for: waits_for(self.held_by, until > self.next_at),
            pending,
            deferred,
            name: self.name,
            barred: self.barred,
            contacts: self.contacts,
            last_response_ms: self.last_response_ms,
            failures: self.failures,
            crawl_delay_ms: self.crawl_delay_ms,
            address: self.address,
        }
    }
}

impl<'a> ListedHost<'a> {
    /// Its name.
    pub fn name(&self) -> &'a str {
        &self.host.record.name
    }

    /// Its place on disk.
    pub fn key(&self) -> HostKey {
        HostKey(self.host.key)
    }

    /// How many of its URLs wait.
    pub fn pending(&self) -> u64 {
        self.host.pending
    }

    /// URLs of it that are put off.
    pub fn deferred(&self) -> u64 {
        self.host.habits.counts.deferred
    }

    /// The worst that is held against URLs like those it has.
    pub fn suspicion(&self) -> Option<Suspicion> {
        self.host.habits.worst()
    }

    /// All that a list says of it.
    pub fn facts(&self) -> HostFacts {
        let next_at = self.host.record.next_at;
        let until = self.host.waits_until().unwrap_or(next_at);
        let head = self.host.record.head.clone();
        let waits_for = waits_for(head.held_by, until > next_at);
        let facts = head.facts(self.host.doing(), until, self.pending(), self.deferred());
        HostFacts { until: until.max(self.group.record.next_at), waits_for, ..facts }
    }
}

fn waits_for(held_by: Hold, has_retry: bool) -> WaitingFor {
    if has_retry { WaitingFor::Retry } else { held_by.into() }
}
