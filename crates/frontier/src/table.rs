//! The hosts in memory: found by name, brought in from the directory, counted in bytes.

use crate::group::{DomainRecord, Group, GroupId, Place};
use crate::host::{Hold, Host, HostId, HostRecord, Phase};
use crate::identity::{domain_hash, host_key};
use crate::limits::{CRAWL_DELAY_MAX_MS, NEWCOMERS};
use crate::stored_host::{StoredHost, StoredQueues};
use crate::{DelayRule, Error, Frontier, Pending, Result};
use backlog::Key;
use std::collections::VecDeque;
use stdx::Timestamp;
use weburl::without_root_dot;

const MISPLACED: Error = Error::Damaged { what: "a host, which is not the one of its place" };

impl Frontier {
    /// The host of this name, if it is in memory and stays there.
    pub(crate) fn resident(&self, name: &str) -> Option<HostId> {
        let id = *self.host_ids.get(&host_key(without_root_dot(name), self.config.seed))?;
        (self.host_ref(id).phase != Phase::Leaving).then_some(id)
    }

    /// The host of this name, brought into memory by a point look-up, made if it is new. For a replay, while no job runs.
    pub(crate) fn recall(&mut self, name: &str) -> Result<HostId> {
        let name = without_root_dot(name);
        if let Some(id) = self.resident(name) {
            return Ok(id);
        }
        assert!(self.job.is_none(), "{name} is in the hands of a job");
        let key = host_key(name, self.config.seed);
        let domain = self.domain_on_disk(key.group)?;
        if let Some(bytes) = self.disk.hosts.look_up(key)? {
            return self.settle_in(key, &bytes, domain);
        }
        self.durable.tally.hosts += 1;
        Ok(self.add_new(key, name, domain))
    }

    fn domain_on_disk(&self, group: u64) -> Result<Option<DomainRecord>> {
        if self.group_ids.contains_key(&group) {
            return Ok(None);
        }
        let bytes = self.disk.domains.look_up(Key::header(group))?;
        bytes.map(|bytes| DomainRecord::decode(&bytes)).transpose()
    }

    /// Takes a stored host into memory; its domain too, if it is not there.
    pub(crate) fn settle_in(
        &mut self,
        key: Key,
        bytes: &[u8],
        domain: Option<DomainRecord>,
    ) -> Result<HostId> {
        let mut host = self.stored_at(key, bytes, domain)?;
        self.sift(&mut host)?;
        let id = self.add(host);
        self.hold_since_restart(id);
        self.revive_late(id);
        self.settle(id);
        Ok(id)
    }

    /// Takes a host of a cut into memory as it was: nothing of it comes up from the disk.
    pub(crate) fn restore_host(
        &mut self,
        key: Key,
        bytes: &[u8],
        domain: Option<DomainRecord>,
    ) -> Result<()> {
        if self.host_ids.contains_key(&key) {
            return Err(MISPLACED);
        }
        let host = self.stored_at(key, bytes, domain)?;
        let id = self.add(host);
        self.settle(id);
        Ok(())
    }

    /// A stored host, which has to be the one that belongs where it was found.
    fn stored_at(&mut self, key: Key, bytes: &[u8], domain: Option<DomainRecord>) -> Result<Host> {
        let stored = StoredHost::parse(bytes)?;
        let record = stored.record()?;
        if host_key(&record.name, self.config.seed) != key {
            return Err(MISPLACED);
        }
        let group = self.group_of(key.group, &record.name, domain);
        let mut host = Host::new(key, group, record);
        host.pending = stored.standing.pending;
        host.habits = stored.habits.clone();
        host.load(&stored.queues)?;
        Ok(host)
    }

    /// A host that nobody has met before.
    pub(crate) fn add_new(&mut self, key: Key, name: &str, domain: Option<DomainRecord>) -> HostId {
        let group = self.group_of(key.group, name, domain);
        let record = HostRecord::new(name, self.durable.not_before);
        self.add(Host::new(key, group, record))
    }

    fn add(&mut self, host: Host) -> HostId {
        let (key, group) = (host.key, host.group);
        self.announce(&host);
        let id = HostId(self.hosts.insert(host));
        self.host_ids.insert(key, id);
        self.group(group).hosts += 1;
        self.hosts_with_work += u64::from(self.host_ref(id).has_work());
        self.hosts_idle += 1;
        self.bill(id);
        id
    }

    /// Hosts that came into memory since this was asked last, the latest [`NEWCOMERS`]: their names will be needed.
    pub fn take_newcomers(&mut self) -> VecDeque<String> {
        std::mem::take(&mut self.newcomers)
    }

    fn announce(&mut self, host: &Host) {
        if host.record.barred.is_some() {
            return;
        }
        if self.newcomers.len() == NEWCOMERS {
            self.newcomers.pop_front();
        }
        self.newcomers.push_back(host.record.name.clone());
    }

    /// Drops what does not count of a host that came up from the disk.
    fn sift(&mut self, host: &mut Host) -> Result<()> {
        if self.durable.tombstones.is_empty() && !self.durable.scope.mixed {
            return Ok(());
        }
        let held: Vec<Pending> = host.in_memory().cloned().collect();
        for pending in held {
            if !self.surfaces(&pending)? {
                host.take(pending.key);
                host.pending -= 1;
                self.durable.tally.let_go(host.record.barred.as_ref(), 1);
            }
        }
        Ok(())
    }

    /// The group of a domain, made from its record, or new.
    pub(crate) fn group_of(&mut self, hash: u64, host: &str, domain: Option<DomainRecord>) -> GroupId {
        if let Some(id) = self.group_ids.get(&hash) {
            return *id;
        }
        debug_assert_eq!(hash, domain_hash(host, self.config.seed));
        let unknown = || DomainRecord::new(weburl::pld(host), self.durable.not_before);
        let mut record = domain.unwrap_or_else(unknown);
        if let Some(restarted) = self.durable.restarted {
            record.next_at =
                record.next_at.max(restarted + self.config.delay.group_interval_ms(record.reach));
        }
        let group = Group::new(hash, record);
        self.resident_bytes += group.fixed_bytes();
        let id = GroupId(self.groups.insert(group));
        self.group_ids.insert(hash, id);
        id
    }

    /// Takes a host out of memory, and its group if it was the last.
    pub(crate) fn remove(&mut self, id: HostId) {
        debug_assert_eq!(self.host_ref(id).phase, Phase::Leaving);
        let host = self.hosts.remove(id.0);
        self.host_ids.remove(&host.key);
        self.resident_bytes -= host.billed;
        self.guest_bytes -= if host.is_guest { host.billed } else { 0 };
        self.hosts_with_work -= u64::from(host.has_work());
        self.starving.remove(&(host.starves_from, id));
        let group = self.group(host.group);
        group.hosts -= 1;
        group.leaving -= 1;
        group.bytes -= host.billed;
        group.pending -= host.counted;
        if group.hosts == 0 {
            self.remove_group(host.group);
        }
    }

    fn remove_group(&mut self, id: GroupId) {
        let group = self.groups.remove(id.0);
        debug_assert!(group.calendar.is_empty(), "a group without hosts has nothing to do");
        if let Place::Ready(class) = group.place {
            self.ready[class as usize].retain(|(_, ready)| *ready != id);
        }
        self.group_ids.remove(&group.hash);
        self.resident_bytes -= group.fixed_bytes();
    }

    /// Notes from when on a host starves.
    pub(crate) fn note_starving(&mut self, id: HostId) {
        let host = &mut self.hosts[id.0];
        let (old, new) = (host.starves_from, host.starves_from());
        if old == new {
            return;
        }
        host.starves_from = new;
        self.starving.remove(&(old, id));
        if new < Timestamp::NEVER {
            self.starving.insert((new, id));
        }
    }

    /// Counts the bytes and the URLs of a host anew.
    pub(crate) fn bill(&mut self, id: HostId) {
        let most_of_one = self.room_bytes();
        let host = &mut self.hosts[id.0];
        let (old, new) = (host.billed, host.bytes());
        let was_guest = std::mem::replace(&mut host.is_guest, new > most_of_one);
        host.billed = new;
        self.resident_bytes = self.resident_bytes - old + new;
        self.guest_bytes -= if was_guest { old } else { 0 };
        self.guest_bytes += if host.is_guest { new } else { 0 };
        let group = &mut self.groups[host.group.0];
        group.bytes = group.bytes - old + new;
        group.pending = group.pending - host.counted + host.pending;
        host.counted = host.pending;
    }

    /// A host that was on disk when an unclean stop ended may have been contacted right before it.
    pub(crate) fn hold_since_restart(&mut self, id: HostId) {
        let Some(restarted) = self.durable.restarted else { return };
        let delay = self.delay_of(id);
        // A crawl-delay that is too long lets nobody ask, and holds for nothing once a retry has forgotten it.
        let is_too_long = delay.by == DelayRule::CrawlDelay && delay.ms > CRAWL_DELAY_MAX_MS;
        let ms = if is_too_long { CRAWL_DELAY_MAX_MS } else { delay.ms };
        self.host(id).record.hold_until(restarted + ms, Hold::Restart);
    }
}

impl Host {
    /// The queues as they were stored.
    fn load(&mut self, queues: &StoredQueues<'_>) -> Result<()> {
        for entry in &queues.back {
            self.back.push_back(read_pending(entry)?);
        }
        for entry in &queues.retries {
            self.retries.insert(read_pending(entry)?);
        }
        for (lane, stored) in self.lanes.iter_mut().zip(&queues.lanes) {
            for entry in &stored.head {
                lane.head.push_back(read_pending(entry)?);
            }
            lane.sections.extend(&stored.sections);
            for entry in &stored.tail {
                lane.push(read_pending(entry)?);
            }
        }
        Ok(())
    }
}

/// A URL as it comes from disk.
pub(crate) fn read_pending(entry: &[u8]) -> Result<Pending> {
    let entry = crate::entry::Entry::parse(entry).ok_or(Error::Damaged { what: "an entry of a URL" })?;
    Ok(entry.to_pending())
}

impl DomainRecord {
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self> {
        postcard::from_bytes(bytes).map_err(|_| Error::Damaged { what: "a domain of the directory" })
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("a record in memory can be written")
    }
}
