use crate::Crawler;
use crate::leases::Waiter;
use crate::line::{self, Appointments};
use crate::servers::HostRef;
use frontier::{NamedGroupId, NamedGroups, Result};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use stdx::Timestamp;
use weburl::Url;

/// The clocks of the groups that the operator has named, above all shards: hosts of many domains that must not add up.
/// From the start of one request to the start of the next. A host whose group's moment has not come stands in its queue and
/// holds nothing else: others may contact its server meanwhile.
///
/// They are not in checkpoints: whatever the last run did, a run leaves each group alone for its interval first. And they are
/// one node's: nodes that share a crawl don't tell each other of their groups' contacts yet.
#[derive(Debug)]
pub(crate) struct GroupClocks {
    named: Arc<NamedGroups>,
    clocks: Vec<Clock>,
    /// Groups somebody waits for, by the moment they may be contacted.
    calendar: BTreeSet<(Timestamp, NamedGroupId)>,
}

#[derive(Debug, Clone, Default)]
struct Clock {
    next_at: Timestamp,
    queue: VecDeque<Waiter>,
    appointments: Appointments,
}

/// Where a group that the operator has named stands, for a person who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupStanding {
    /// As the operator calls it.
    pub name: String,
    /// Between two requests, start to start.
    pub interval_ms: u64,
    /// No contact before this.
    pub until: Timestamp,
    /// Hosts that have their turn and wait for it.
    pub queue: usize,
}

impl Crawler {
    /// The clock that a host shares with others that the operator has named, if there are such.
    pub fn group_standing(&self, host: &str) -> Option<GroupStanding> {
        self.groups.standing(host)
    }

    /// The host waits for its group.
    pub(crate) fn wait_for_group(
        &mut self,
        group: NamedGroupId,
        waiter: Waiter,
        now: Timestamp,
    ) -> Result<()> {
        let room = line::room(self.shards.get(waiter.who.shard)?.is_pressed());
        let put_off = self.groups.wait(group, waiter, room, now);
        put_off.map_or(Ok(()), |until| self.put_off(waiter.who, until))
    }
}

impl GroupClocks {
    pub(crate) fn new(named: Arc<NamedGroups>) -> Self {
        let clocks = vec![Clock::default(); named.len()];
        Self { named, clocks, calendar: BTreeSet::new() }
    }

    /// The group of a host.
    pub(crate) fn of(&self, host: &str) -> Option<NamedGroupId> {
        if self.named.is_empty() { None } else { self.named.of(host) }
    }

    /// Whether a host of this group may be contacted now.
    pub(crate) fn allows(&self, group: NamedGroupId, now: Timestamp) -> bool {
        self.clocks[usize::from(group.0)].next_at <= now
    }

    /// A host stands in its group's queue, if there is room for it among `room`; otherwise it is to come again then.
    fn wait(
        &mut self,
        group: NamedGroupId,
        waiter: Waiter,
        room: usize,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let interval_ms = self.named.get(group).interval_ms;
        let clock = &mut self.clocks[usize::from(group.0)];
        if clock.queue.len() >= room {
            return Some(clock.appointments.give(clock.queue.len(), interval_ms, now));
        }
        clock.queue.push_back(waiter);
        self.calendar.insert((clock.next_at, group));
        None
    }

    /// The host that has waited longest for a group whose moment has come.
    pub(crate) fn next_allowed(&mut self, now: Timestamp) -> Option<Waiter> {
        let &(at, group) = self.calendar.first().filter(|(at, _)| *at <= now)?;
        let queue = &mut self.clocks[usize::from(group.0)].queue;
        let waiter = queue.pop_front();
        if queue.is_empty() {
            self.calendar.remove(&(at, group));
        }
        waiter
    }

    /// Hosts leave all queues.
    pub(crate) fn dismiss(&mut self) -> Vec<HostRef> {
        self.calendar.clear();
        self.clocks.iter_mut().flat_map(|clock| clock.queue.drain(..)).map(|waiter| waiter.who).collect()
    }

    /// When [`GroupClocks::next_allowed`] may give something.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.calendar.first().map(|&(at, _)| at)
    }

    /// Where the group of a host stands.
    fn standing(&self, host: &str) -> Option<GroupStanding> {
        let id = self.of(host)?;
        let (group, clock) = (self.named.get(id), &self.clocks[usize::from(id.0)]);
        Some(GroupStanding {
            name: group.name.clone(),
            interval_ms: group.interval_ms,
            until: clock.next_at,
            queue: clock.queue.len(),
        })
    }

    /// A contact with a host of this group begins.
    pub(crate) fn contacted(&mut self, group: NamedGroupId, started: Timestamp) {
        self.hold(group, started + self.named.get(group).interval_ms);
    }

    /// The same as an attempt tells it: it began when the connection did.
    pub(crate) fn contacted_for(&mut self, url: &str, started: Timestamp) {
        if self.named.is_empty() {
            return;
        }
        if let Some(group) = Url::parse(url).ok().and_then(|url| self.of(url.host())) {
            self.contacted(group, started);
        }
    }

    /// A run begins.
    pub(crate) fn begin_run(&mut self, now: Timestamp) {
        for number in 0..self.clocks.len() {
            self.contacted(NamedGroupId(number as u16), now);
        }
    }

    /// Hosts that stand in a queue.
    pub(crate) fn queued(&self) -> usize {
        self.clocks.iter().map(|clock| clock.queue.len()).sum()
    }

    /// Moves a clock forward, never back.
    fn hold(&mut self, group: NamedGroupId, until: Timestamp) {
        let clock = &mut self.clocks[usize::from(group.0)];
        let before = clock.next_at;
        clock.next_at = before.max(until);
        if self.calendar.remove(&(before, group)) {
            self.calendar.insert((clock.next_at, group));
        }
    }
}
