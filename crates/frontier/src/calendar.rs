use crate::chain::Critical;
use crate::group::{Group, GroupId, Place};
use crate::host::{Hold, Host, HostId, Phase};
use crate::limits::HOSTS_COMPARED;
use crate::{Address, Class, Frontier};
use stdx::Timestamp;

/// A host whose turn it is, and what it needs first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The host.
    pub host: HostId,
    /// What it needs.
    pub need: Need,
}

/// What a turn needs before anything can be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// The name's addresses.
    Resolve {
        /// The name.
        name: String,
        /// What may answer.
        look_up: LookUp,
    },
    /// A reservation of this server's clock; then `draw`.
    Server(Address),
    /// Nothing: it is not to be contacted any more, and `draw` lets go what it has.
    Nothing,
}

/// What may answer a look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookUp {
    /// What is known of the name.
    Known,
    /// Nothing that was known before: the last contact with the host, or the last look-up, failed by it.
    Anew,
}

/// Until when a host waits, for what, and how many of its URLs with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait<'a> {
    /// Until when.
    pub until: Timestamp,
    /// For what.
    pub for_what: WaitingFor,
    /// Why its robots.txt could not be had, if that is what it waits for.
    pub robots_failure: Option<&'a str>,
    /// How many of its URLs wait.
    pub pending: u64,
}

/// A host that waits, for the list at the end of a crawl.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The host's name.
    pub host: String,
    /// Until when.
    pub until: Timestamp,
    /// For what.
    pub for_what: WaitingFor,
    /// Why its robots.txt could not be had, if that is what it waits for.
    pub robots_failure: Option<String>,
    /// How many of its URLs wait.
    pub pending: u64,
}

/// What a host waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitingFor {
    /// Its own delay, or its domain's.
    Delay,
    /// The end of a 429 or a 503 that named no moment.
    Overload,
    /// The next attempt after a failure.
    Retry,
    /// The next attempt at its robots.txt.
    Robots,
    /// The full delay after an unclean stop.
    Restart,
    /// The moment that a Retry-After named.
    RetryAfter,
    /// The end of a rest that it was given because it turns us away.
    Refusal,
    /// Its place in the line for its server, or for a group that it shares, which is too long to stand in.
    Server,
    /// The end of a rest after a sitemap, of which it was asked for far more than pages.
    Sitemaps,
}

impl Frontier {
    /// When a domain's next host is due, of those that do not wait in the front queues. Jobs have moments of their own:
    /// [`Frontier::jobs_due`].
    pub fn next_due(&self) -> Option<Timestamp> {
        self.calendar.first().map(|&(due, _)| due)
    }

    /// Puts domains whose next host is due now into the front queues.
    pub fn promote(&mut self, now: Timestamp) {
        while let Some(&(due, group)) = self.calendar.first().filter(|(due, _)| *due <= now) {
            self.calendar.pop_first();
            let class = self.class_of_group(group);
            self.group(group).place = Place::Ready(class);
            self.ready[class as usize].push_back((due, group));
        }
    }

    /// Since when the first of a front queue is due. Whoever has all shards draws among the queues: [`Lottery`](crate::Lottery).
    pub fn first_of(&self, class: Class) -> Option<Timestamp> {
        self.ready[class as usize].front().map(|&(due, _)| due)
    }

    /// Gives the first of a front queue that may be contacted now its turn. It must be ended by `draw`, `resolved` or an
    /// outcome.
    pub fn next_turn(&mut self, class: Class, now: Timestamp) -> Option<Turn> {
        while let Some((_, group)) = self.ready[class as usize].pop_front() {
            self.group(group).place = Place::Nowhere;
            let taken = self.take_one(group, now);
            self.settle_group(group);
            if let Some(host) = taken {
                return Some(Turn { host, need: self.need(host, now) });
            }
        }
        None
    }

    /// The name of a host that has its turn.
    pub fn name_of(&self, host: HostId) -> &str {
        &self.host_ref(host).record.name
    }

    /// How many of its URLs wait.
    pub fn pending_of(&self, host: HostId) -> u64 {
        self.host_ref(host).pending
    }

    /// How long its last contact took, in milliseconds; 0 before the first.
    pub fn response_ms_of(&self, host: HostId) -> u64 {
        self.host_ref(host).record.last_response_ms
    }

    /// Hosts in memory that have work and may not go on yet, soonest first, `limit` at most.
    pub fn waiting(&self, limit: usize) -> Vec<Waiting> {
        let mut waiting: Vec<Waiting> =
            self.hosts.iter().filter_map(|(_, host)| self.waiting_host(host)).collect();
        waiting.sort_by(|a, b| (a.until, &a.host).cmp(&(b.until, &b.host)));
        waiting.truncate(limit);
        waiting
    }

    /// What hosts in memory that have work wait for, one after the other.
    pub fn waits(&self) -> impl Iterator<Item = Wait<'_>> {
        self.hosts.iter().filter_map(|(_, host)| self.wait_of(host))
    }

    fn waiting_host(&self, host: &Host) -> Option<Waiting> {
        let Wait { until, for_what, robots_failure, pending } = self.wait_of(host)?;
        let robots_failure = robots_failure.map(str::to_owned);
        Some(Waiting { host: host.record.name.clone(), until, for_what, robots_failure, pending })
    }

    fn wait_of<'a>(&self, host: &'a Host) -> Option<Wait<'a>> {
        let Phase::Waiting(due) = host.phase else { return None };
        let group = self.groups[host.group.0].record.next_at;
        let for_what = if due > host.record.next_at { WaitingFor::Retry } else { host.record.held_by.into() };
        let for_robots = for_what == WaitingFor::Robots;
        let robots_failure = if for_robots { host.record.robots_failure() } else { None };
        let wait = Wait { until: due.max(group), for_what, robots_failure, pending: host.pending };
        (host.pending > 0).then_some(wait)
    }

    /// The class of what its next host has next, one higher where so many other domains link to it that it has earned a budget of its own.
    fn class_of_group(&self, group: GroupId) -> Class {
        let first = self.groups[group.0].calendar.first();
        let class = first.map_or(Class::Low, |&(_, host)| self.class_of_host(host));
        if self.config.star.has_earned(self.budget_of(group)) { class.above() } else { class }
    }

    fn class_of_host(&self, id: HostId) -> Class {
        let host = self.host_ref(id);
        if !host.errands.is_empty() {
            return Class::High;
        }
        host.class()
    }

    fn take_one(&mut self, id: GroupId, now: Timestamp) -> Option<HostId> {
        let group = self.group(id);
        if group.due()? > now {
            return None;
        }
        let entry = match self.critical(id) {
            Some(Critical { host, chain }) if chain.due <= now => (chain.due, host),
            Some(Critical { chain, .. }) if chain.is_held_up(now, self.group_interval_ms(id)) => {
                self.group(id).kept_until = chain.due;
                return None;
            }
            _ => self.by_turns(id, now)?,
        };
        self.group(id).calendar.remove(&entry);
        let (_, host) = entry;
        self.host(host).phase = Phase::Taken;
        self.hosts_taken += 1;
        Some(host)
    }

    fn by_turns(&mut self, id: GroupId, now: Timestamp) -> Option<(Timestamp, HostId)> {
        let group = self.group(id);
        group.turns = group.turns.wrapping_add(1);
        if group.turns.is_multiple_of(2) { group.calendar.first().copied() } else { self.most_to_do(id, now) }
    }

    /// Of the hosts that are due, the one with the most URLs. Every other turn goes to it: by turns of equal length the
    /// largest host of a domain would still be busy when all others have long been done.
    fn most_to_do(&self, id: GroupId, now: Timestamp) -> Option<(Timestamp, HostId)> {
        let calendar = &self.groups[id.0].calendar;
        let due = calendar.iter().take(HOSTS_COMPARED).take_while(|(due, _)| *due <= now);
        due.max_by_key(|(_, host)| self.host_ref(*host).pending).copied()
    }

    fn need(&self, host: HostId, now: Timestamp) -> Need {
        let host = self.host_ref(host);
        if self.is_shunned(&host.record.name) {
            return Need::Nothing;
        }
        let has_failed = host.record.failures > 0 || host.record.address_failed;
        let look_up = if has_failed { LookUp::Anew } else { LookUp::Known };
        let resolve = || Need::Resolve { name: host.record.name.clone(), look_up };
        host.address(now).map_or_else(resolve, Need::Server)
    }

    /// Ends a turn; the host is nowhere until it is settled.
    pub(crate) fn release(&mut self, host: HostId) {
        if self.host(host).phase == Phase::Taken {
            self.host(host).phase = Phase::Idle;
            self.hosts_taken -= 1;
            self.hosts_idle += 1;
        }
    }

    /// Puts a host where it belongs after anything about it changed, and counts its bytes anew.
    pub(crate) fn settle(&mut self, id: HostId) {
        self.bill(id);
        self.note_starving(id);
        self.note_dry(id);
        let due = self.due(id);
        let old = match self.host_ref(id).phase {
            Phase::Taken | Phase::Leaving => return,
            Phase::Waiting(old) => Some(old),
            Phase::Idle => None,
        };
        if old != due {
            self.reschedule(id, old, due);
        }
    }

    /// Out of its group's calendar, to where nobody gives it a turn.
    pub(crate) fn withdraw(&mut self, id: HostId) {
        let old = match self.host_ref(id).phase {
            Phase::Taken | Phase::Leaving => unreachable!("it may leave"),
            Phase::Waiting(old) => Some(old),
            Phase::Idle => None,
        };
        self.reschedule(id, old, None);
        self.forget_gathered(id);
        let host = self.host(id);
        host.phase = Phase::Leaving;
        let group = host.group;
        let group = self.group(group);
        group.leaving += 1;
        group.longest = group.longest.filter(|longest| *longest != id);
        self.hosts_idle -= 1;
    }

    /// It stays after all.
    pub(crate) fn readmit(&mut self, id: HostId) {
        let host = self.host(id);
        debug_assert_eq!(host.phase, Phase::Leaving);
        host.phase = Phase::Idle;
        let group = host.group;
        self.group(group).leaving -= 1;
        self.hosts_idle += 1;
        self.settle(id);
    }

    fn reschedule(&mut self, id: HostId, old: Option<Timestamp>, due: Option<Timestamp>) {
        let host = self.host(id);
        host.phase = due.map_or(Phase::Idle, Phase::Waiting);
        let group = host.group;
        let calendar = &mut self.group(group).calendar;
        if let Some(old) = old {
            calendar.remove(&(old, id));
        }
        if let Some(due) = due {
            calendar.insert((due, id));
        }
        self.hosts_idle = self.hosts_idle + u64::from(due.is_none()) - u64::from(old.is_none());
        self.settle_group(group);
    }

    /// When the host has something to do and may do it here.
    fn due(&self, id: HostId) -> Option<Timestamp> {
        let host = self.host_ref(id);
        if host.is_to_leave() { None } else { host.due() }
    }

    pub(crate) fn settle_group(&mut self, id: GroupId) {
        let group = self.group(id);
        let due = group.due();
        let old = match group.place {
            Place::Ready(_) => return,
            Place::Calendar(old) => Some(old),
            Place::Nowhere => None,
        };
        if old == due {
            return;
        }
        group.place = due.map_or(Place::Nowhere, Place::Calendar);
        if let Some(old) = old {
            self.calendar.remove(&(old, id));
        }
        if let Some(due) = due {
            self.calendar.insert((due, id));
        }
    }

    pub(crate) fn check_host(&self, id: HostId, host: &Host) {
        let group = &self.groups[host.group.0];
        match host.phase {
            Phase::Waiting(due) => {
                assert!(group.calendar.contains(&(due, id)), "a waiting host is in its calendar");
            }
            Phase::Idle => assert!(self.due(id).is_none(), "an idle host has nothing to do: {host:?}"),
            Phase::Taken | Phase::Leaving => {}
        }
    }

    pub(crate) fn check_group(&self, id: GroupId, group: &Group) {
        match group.place {
            Place::Nowhere => assert!(group.calendar.is_empty(), "a group with hosts is scheduled"),
            Place::Calendar(due) => {
                assert!(self.calendar.contains(&(due, id)), "a scheduled group is in the calendar");
            }
            Place::Ready(class) => {
                assert!(self.ready[class as usize].iter().any(|&(_, g)| g == id), "a ready group is queued");
            }
        }
    }
}

impl From<Hold> for WaitingFor {
    fn from(hold: Hold) -> Self {
        match hold {
            Hold::Delay => Self::Delay,
            Hold::Overload => Self::Overload,
            Hold::Failure => Self::Retry,
            Hold::Robots => Self::Robots,
            Hold::Restart => Self::Restart,
            Hold::RetryAfter => Self::RetryAfter,
            Hold::Refusal => Self::Refusal,
            Hold::Server => Self::Server,
            Hold::Sitemaps => Self::Sitemaps,
        }
    }
}
