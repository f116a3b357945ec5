use crate::group::{Group, GroupRecord};
use crate::host::{GroupId, Hold, Host, HostId, HostRecord};
use crate::record::UrlState;
use crate::{Class, FrontQueues, Frontier, FrontierConfig, Pending};
use serde::{Deserialize, Serialize};
use stdx::Timestamp;
use weburl::{KeyHash, Url};

/// The durable part of a shard: what a checkpoint holds. Queues, calendars and tallies are derived from it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct FrontierState {
    urls: Vec<(KeyHash, UrlState)>,
    hosts: Vec<HostRecord>,
    groups: Vec<GroupRecord>,
    next_order: u64,
}

/// How the last run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Everything was saved: the clocks are exact.
    Clean,
    /// Killed or out of power: the last contacts may not have been journaled.
    Unclean,
}

impl FrontierState {
    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        self.urls.is_empty() && self.hosts.is_empty()
    }
}

impl Frontier {
    /// A cut of the shard, the same for the same contents.
    pub fn state_to_save(&self) -> FrontierState {
        let mut urls: Vec<_> = self.urls.iter().map(|(key, state)| (*key, state.clone())).collect();
        urls.sort_unstable_by_key(|(key, _)| *key);
        FrontierState {
            urls,
            hosts: self.hosts.iter().map(|host| host.record.clone()).collect(),
            groups: self.groups.iter().map(|group| group.record.clone()).collect(),
            next_order: self.next_order,
        }
    }

    /// The shard as it was when the cut was made, with nothing in flight. Replay follows, then [`Frontier::resume`].
    pub fn restore(config: FrontierConfig, state: FrontierState) -> Self {
        let mut frontier = Self::new(config);
        frontier.next_order = state.next_order;
        for record in state.groups {
            frontier.restore_group(record);
        }
        for record in state.hosts {
            frontier.restore_host(record);
        }
        frontier.restore_urls(state.urls);
        frontier
    }

    /// Ends recovery. After an unclean stop no host and no group is contacted before its full delay from now on: the
    /// last request may not have reached the journal (blueprint, section 8.4).
    pub fn resume(&mut self, stop: Stop, now: Timestamp) {
        self.queue_again();
        if stop == Stop::Clean {
            return;
        }
        let policy = self.config.delay;
        self.hold_unknown(now + policy.host_ms.max(policy.host_floor_ms));
        for id in (0..self.groups.len() as u32).map(GroupId) {
            let record = &mut self.group(id).record;
            record.next_at = record.next_at.max(now + policy.group_interval_ms(record.reach));
            self.settle_group(id);
        }
        for id in (0..self.hosts.len() as u32).map(HostId) {
            let host = self.host(id);
            let delay =
                policy.host_delay_ms(host.record.reach, host.crawl_delay_ms(), host.record.last_response_ms);
            host.hold_until(now + delay, Hold::Restart);
            self.settle(id);
        }
    }

    /// Hosts and groups that nothing is known of are not contacted before this: after an unclean stop they may have been
    /// contacted all the same.
    pub fn not_before(&self) -> Timestamp {
        self.not_before
    }

    /// Holds hosts and groups that are yet unknown.
    pub fn hold_unknown(&mut self, until: Timestamp) {
        self.not_before = self.not_before.max(until);
    }

    fn restore_group(&mut self, record: GroupRecord) {
        self.group_names.insert(record.name.clone(), GroupId(self.groups.len() as u32));
        self.groups.push(Group::new(record));
    }

    fn restore_host(&mut self, record: HostRecord) {
        self.host_names.insert(record.name.clone(), HostId(self.hosts.len() as u32));
        self.hosts.push(Host::new(record));
    }

    fn restore_urls(&mut self, urls: Vec<(KeyHash, UrlState)>) {
        for (key, state) in urls {
            match &state {
                UrlState::Pending(pending) => self.restore_pending(&pending.url),
                UrlState::Fetched { .. } => self.tally.fetched += 1,
                UrlState::Excluded { rule, .. } => *self.tally.excluded.entry(rule.name()).or_default() += 1,
                UrlState::Parked { .. } => self.tally.parked += 1,
            }
            self.urls.insert(key, state);
        }
        self.queue_again();
    }

    fn restore_pending(&mut self, url: &str) {
        let url = Url::parse(url).expect("a pending URL was parsed when it was admitted");
        let host = self.host_named(url.host());
        self.add_pending(host);
    }

    /// Queues every pending URL once, in the order of arrival. A replay takes no turns, so that what it has settled is
    /// still queued, and what it has put off or sent on is queued twice.
    fn queue_again(&mut self) {
        self.front = FrontQueues::new(self.config.seed);
        for host in &mut self.hosts {
            host.back.clear();
            host.retries.clear();
        }
        let pending = |(key, state): (&KeyHash, &UrlState)| match state {
            UrlState::Pending(pending) => Some((pending.order, *key)),
            _ => None,
        };
        let mut waiting: Vec<(u64, KeyHash)> = self.urls.iter().filter_map(pending).collect();
        waiting.sort_unstable();
        for (_, key) in waiting {
            self.queue_one(key);
        }
        (0..self.hosts.len() as u32).for_each(|id| self.settle(HostId(id)));
    }

    fn queue_one(&mut self, key: KeyHash) {
        let Some(UrlState::Pending(pending)) = self.urls.get(&key) else { return };
        let Pending { due, depth, kind, .. } = **pending;
        let url = Url::parse(&pending.url).expect("a pending URL was parsed when it was admitted");
        let host = self.host_named(url.host());
        if due > Timestamp::ZERO {
            self.host(host).retries.insert((due, key));
        } else {
            self.front.push(host, Class::of(kind, depth, url.as_str()), key);
        }
    }
}
