use crate::draw::RobotsErrand;
use crate::group::{Group, GroupRecord};
use crate::host::{GroupId, Host, HostId, HostRecord, Phase};
use crate::record::UrlState;
use crate::{Class, DelayPolicy, FrontQueues, Reach, RetryPolicy};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use stdx::{Map, Rng, Set, Timestamp};
use weburl::KeyHash;

/// What a frontier is told once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontierConfig {
    /// How long hosts and groups are left alone.
    pub delay: DelayPolicy,
    /// When to try again.
    pub retry: RetryPolicy,
    /// Decides the lottery among classes.
    pub seed: u64,
}

/// One shard: every URL of a range of registrable domains, each in exactly one state, and the schedule of their hosts.
#[derive(Debug)]
pub struct Frontier {
    pub(crate) config: FrontierConfig,
    pub(crate) urls: Map<KeyHash, UrlState>,
    pub(crate) hosts: Vec<Host>,
    pub(crate) host_names: Map<String, HostId>,
    pub(crate) groups: Vec<Group>,
    pub(crate) group_names: Map<String, GroupId>,
    pub(crate) front: FrontQueues,
    /// Groups by the moment they are due.
    pub(crate) calendar: BTreeSet<(Timestamp, GroupId)>,
    /// Groups that are due, by the class of their next URL.
    pub(crate) ready: [VecDeque<(Timestamp, GroupId)>; 3],
    pub(crate) lottery: Rng,
    pub(crate) next_order: u64,
    /// Nothing is contacted before this (after an unclean stop).
    pub(crate) not_before: Timestamp,
    pub(crate) unanswered: Vec<RobotsErrand>,
    pub(crate) tally: Tally,
}

/// How many URLs are in which state; derived from the states, kept beside them.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) pending: u64,
    pub(crate) fetched: u64,
    pub(crate) parked: u64,
    pub(crate) excluded: BTreeMap<&'static str, u64>,
    pub(crate) hosts_with_work: u64,
    pub(crate) hosts_taken: u64,
}

impl Frontier {
    /// An empty shard.
    pub fn new(config: FrontierConfig) -> Self {
        Self {
            config,
            urls: stdx::map(),
            hosts: Vec::new(),
            host_names: stdx::map(),
            groups: Vec::new(),
            group_names: stdx::map(),
            front: FrontQueues::new(config.seed),
            calendar: BTreeSet::new(),
            ready: Default::default(),
            lottery: Rng::new(config.seed ^ 1),
            next_order: 0,
            not_before: Timestamp::ZERO,
            unanswered: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// The state of a URL.
    pub fn state(&self, key: KeyHash) -> Option<&UrlState> {
        self.urls.get(&key)
    }

    /// All URLs with their states, in no particular order.
    pub fn urls(&self) -> impl Iterator<Item = (KeyHash, &UrlState)> {
        self.urls.iter().map(|(key, state)| (*key, state))
    }

    /// URLs that wait.
    pub fn pending(&self) -> u64 {
        self.tally.pending
    }

    /// URLs with a final answer.
    pub fn fetched(&self) -> u64 {
        self.tally.fetched
    }

    /// URLs that used up their retries.
    pub fn parked(&self) -> u64 {
        self.tally.parked
    }

    /// URLs excluded, by the name of the rule.
    pub fn excluded(&self) -> &BTreeMap<&'static str, u64> {
        &self.tally.excluded
    }

    /// Hosts ever met.
    pub fn hosts(&self) -> u64 {
        self.hosts.len() as u64
    }

    /// Hosts that have something pending.
    pub fn hosts_with_work(&self) -> u64 {
        self.tally.hosts_with_work
    }

    /// Hosts whose turn it is.
    pub fn hosts_taken(&self) -> u64 {
        self.tally.hosts_taken
    }

    /// The host of this name, made if it is new. `example.com.` is the same host as `example.com`: one clock.
    pub(crate) fn host_named(&mut self, name: &str) -> HostId {
        let name = name.strip_suffix('.').unwrap_or(name);
        if let Some(&id) = self.host_names.get(name) {
            return id;
        }
        let group = self.group_named(weburl::pld(name));
        let id = HostId(u32::try_from(self.hosts.len()).expect("fewer than 2^32 hosts a shard"));
        self.hosts.push(Host::new(HostRecord::new(name, group, self.not_before)));
        self.host_names.insert(name.to_owned(), id);
        id
    }

    fn group_named(&mut self, name: &str) -> GroupId {
        if let Some(&id) = self.group_names.get(name) {
            return id;
        }
        let id = GroupId(u32::try_from(self.groups.len()).expect("fewer than 2^32 groups a shard"));
        let record = GroupRecord { name: name.to_owned(), next_at: self.not_before, reach: Reach::Public };
        self.groups.push(Group::new(record));
        self.group_names.insert(name.to_owned(), id);
        id
    }

    pub(crate) fn host(&mut self, id: HostId) -> &mut Host {
        &mut self.hosts[id.0 as usize]
    }

    pub(crate) fn host_ref(&self, id: HostId) -> &Host {
        &self.hosts[id.0 as usize]
    }

    pub(crate) fn group(&mut self, id: GroupId) -> &mut Group {
        &mut self.groups[id.0 as usize]
    }

    pub(crate) fn queue(&mut self, host: HostId, class: Class, key: KeyHash) {
        self.front.push(host, class, key);
        self.add_pending(host);
    }

    pub(crate) fn add_pending(&mut self, host: HostId) {
        self.tally.pending += 1;
        let host = self.host(host);
        host.pending += 1;
        if host.pending == 1 {
            self.tally.hosts_with_work += 1;
        }
    }

    /// What is queued of a host without pending URLs is stale, and would have its name resolved for nothing.
    pub(crate) fn drop_pending(&mut self, id: HostId) {
        self.tally.pending -= 1;
        let host = self.host(id);
        host.pending -= 1;
        if host.pending == 0 {
            host.back.clear();
            host.retries.clear();
            self.front.forget(id);
            self.tally.hosts_with_work -= 1;
        }
    }

    /// Asserts what must hold between the parts. For tests and simulation: it walks everything.
    pub fn check_invariants(&self) {
        let pending = self.urls.values().filter(|s| matches!(s, UrlState::Pending(_))).count() as u64;
        assert_eq!(pending, self.tally.pending, "the tally of pending URLs");
        assert_eq!(pending, self.hosts.iter().map(|h| h.pending).sum::<u64>(), "pending URLs by host");
        for (index, host) in self.hosts.iter().enumerate() {
            self.check_host(HostId(index as u32), host);
        }
        let taken = self.hosts.iter().filter(|host| host.phase == Phase::Taken).count() as u64;
        assert_eq!(taken, self.tally.hosts_taken, "the tally of hosts whose turn it is");
        let with_work = self.hosts.iter().filter(|host| host.pending > 0).count() as u64;
        assert_eq!(with_work, self.tally.hosts_with_work, "the tally of hosts with work");
        self.check_nothing_is_lost();
        for (index, group) in self.groups.iter().enumerate() {
            self.check_group(GroupId(index as u32), group);
        }
    }

    /// Every pending URL is queued, waits for a retry or is in flight; a barred host has none.
    fn check_nothing_is_lost(&self) {
        let mut held: Set<KeyHash> = self.front.keys().collect();
        for host in &self.hosts {
            held.extend(host.back.iter().map(|queued| queued.key));
            held.extend(host.retries.iter().map(|&(_, key)| key));
            held.extend(host.in_flight);
            assert!(host.record.barred.is_none() || host.pending == 0, "a barred host has nothing pending");
        }
        for (key, state) in &self.urls {
            if matches!(state, UrlState::Pending(_)) {
                assert!(held.contains(key), "a pending URL is held by its host: {state:?}");
            }
        }
    }
}
