use crate::authority::Resting;
use crate::draw::RobotsErrand;
use crate::group::GroupId;
use crate::habits::Habits;
use crate::held::{Held, Retries};
use crate::host_facts::Doing;
use crate::lane::Lane;
use crate::limits::{HOST_OVERHEAD_BYTES, LEAVING_BYTES, RETRIES_PER_HOST};
use crate::{Class, Exclusion, Learned, Overload, ParkReason, Pending, Reach, RobotsRecord};
use backlog::Key;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::net::IpAddr;
use std::ops::{Deref, DerefMut};
use stdx::Timestamp;
use weburl::KeyHash;

/// Names a host in memory within its shard, as long as it has a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HostId(pub(crate) u32);

/// A server's address and how it may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// The address.
    pub ip: IpAddr,
    /// Public, or in a range the operator allowed.
    pub reach: Reach,
}

/// A host in memory: what is known of it, its next URLs, and what it is doing now.
#[derive(Debug)]
pub(crate) struct Host {
    /// Its place in the directory, when it is not in memory.
    pub(crate) key: Key,
    pub(crate) group: GroupId,
    pub(crate) record: HostRecord,
    /// Mercator's back queue: the next few URLs of this host.
    pub(crate) back: Held,
    pub(crate) retries: Retries,
    /// Its part of the front queues, by class.
    pub(crate) lanes: [Lane; 3],
    /// The URL whose outcome is awaited; it is in no queue.
    pub(crate) in_flight: Option<Pending>,
    /// URLs of all these queues, on disk too.
    pub(crate) pending: u64,
    pub(crate) phase: Phase,
    pub(crate) addresses: VecDeque<Address>,
    pub(crate) addresses_until: Timestamp,
    pub(crate) errands: VecDeque<RobotsErrand>,
    /// The authority of it whose robots.txt is being fetched at another host.
    pub(crate) awaiting_robots: Option<String>,
    pub(crate) habits: Habits,
    /// The round in which a discovery of it began to wait while it had something at hand.
    pub(crate) gathers_in: u64,
    /// From when on it starves, as the shard has it.
    pub(crate) starves_from: Timestamp,
    /// Bytes that the shard counts for it.
    pub(crate) billed: u64,
    /// It takes more than there is for all hosts of the shard: it is in memory for a turn.
    pub(crate) is_guest: bool,
    /// A turn of it ended where guests are not welcome: as one it has no other before it leaves.
    pub(crate) has_outstayed: bool,
    /// URLs that its group counts for it.
    pub(crate) counted: u64,
}

/// The part of a host that outlives its queues, as it is written: what whoever lists hosts reads of it stands first, the rules of
/// robots.txt, which he does not read, last.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct HostRecord {
    pub(crate) head: HostHead,
    /// Answers in a row by which it turned us away; one that is known for sure counts for all that are free.
    pub(crate) refusals: u8,
    /// Different pages that failed in a row, and what failed after them until one was answered.
    pub(crate) troubles: u8,
    /// Authorities that fail, while others answer.
    pub(crate) resting: Vec<Resting>,
    /// Whether what was tried last failed, which may be its address's fault: the next contact is at another one, where its name has another.
    pub(crate) address_failed: bool,
    /// Contacts for sitemaps.
    pub(crate) sitemaps: u32,
    /// What its clock may not fall short of when delays do.
    pub(crate) rest: Rest,
    /// Of each authority the last answer, and behind it the failures to get another.
    pub(crate) robots: Vec<RobotsRecord>,
}

/// The head of a host's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HostHead {
    pub(crate) name: String,
    /// The host's clock: no contact begins before it.
    pub(crate) next_at: Timestamp,
    pub(crate) reach: Reach,
    pub(crate) last_response_ms: u64,
    pub(crate) failures: u8,
    pub(crate) overload: Overload,
    pub(crate) robots_failures: u8,
    /// What its rules take of memory.
    pub(crate) robots_bytes: u64,
    pub(crate) barred: Option<Barred>,
    pub(crate) contacts: u64,
    /// Why `next_at` lies where it does.
    pub(crate) held_by: Hold,
    /// The server it was contacted at last.
    pub(crate) address: Option<IpAddr>,
    /// The longest crawl-delay of its authorities, which share its clock; of rules that are forgotten, too.
    pub(crate) crawl_delay_ms: Option<u64>,
}

/// What set a host's clock. New ones go behind the others, so that what older programs wrote is read as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Hold {
    Delay,
    Overload,
    Failure,
    Robots,
    Restart,
    RetryAfter,
    Refusal,
    Server,
    Sitemaps,
}

impl Hold {
    /// Whether it holds whatever the operator's delays are: the host has asked for it, or is in no state to answer.
    fn is_rest(self) -> bool {
        !matches!(self, Self::Delay | Self::Restart | Self::Server)
    }
}

/// The longest rest of a host: it may lie behind a delay that is longer still, and be what is left when that becomes shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rest {
    pub(crate) until: Timestamp,
    pub(crate) by: Hold,
}

/// Why nothing of a host is fetched. Its URLs share its fate where they stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Barred {
    /// Its URLs are excluded.
    Excluded(Exclusion),
    /// Its URLs are parked.
    Parked(ParkReason),
}

/// Where a host stands in its round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing to do, or barred.
    Idle,
    /// In its group's calendar at this moment.
    Waiting(Timestamp),
    /// Has its turn: resolving, waiting for its server, or in flight.
    Taken,
    /// A job writes it to the directory; it is gone when the job is finished.
    Leaving,
}

impl Host {
    pub(crate) fn new(key: Key, group: GroupId, record: HostRecord) -> Self {
        Self {
            key,
            group,
            record,
            back: Held::default(),
            retries: Retries::default(),
            lanes: Default::default(),
            in_flight: None,
            pending: 0,
            phase: Phase::Idle,
            addresses: VecDeque::new(),
            addresses_until: Timestamp::ZERO,
            errands: VecDeque::new(),
            awaiting_robots: None,
            habits: Habits::default(),
            gathers_in: 0,
            starves_from: Timestamp::NEVER,
            billed: 0,
            is_guest: false,
            has_outstayed: false,
            counted: 0,
        }
    }

    /// The address to contact next, if the name's answer is still good.
    pub(crate) fn address(&self, now: Timestamp) -> Option<Address> {
        if now < self.addresses_until { self.addresses.front().copied() } else { None }
    }

    /// What a draw at `now` from this authority goes by; `None` if its robots.txt is to be asked for first, as it is where the rules are
    /// from before `since`.
    pub(crate) fn robots_for(
        &self,
        authority: &str,
        now: Timestamp,
        since: Timestamp,
    ) -> Option<&RobotsRecord> {
        let mut latest_first = self.record.robots.iter().rev().filter(|known| known.authority == authority);
        let last = latest_first.next()?;
        if last.is_fresh(now) && last.fetched_at >= since {
            return Some(last);
        }
        latest_first.find(|before| before.fetched_at >= since && before.is_stale_case(last, now))
    }

    pub(crate) fn lane(&mut self, class: Class) -> &mut Lane {
        &mut self.lanes[class as usize]
    }

    /// Whether a URL could be drawn now, its clock and its rules apart.
    pub(crate) fn has_at_hand(&self) -> bool {
        let may_begin = self.retries.len() < RETRIES_PER_HOST;
        !self.back.is_empty() || (may_begin && self.lanes.iter().any(Lane::has_next))
    }

    /// The class of its next URL.
    pub(crate) fn class(&self) -> Class {
        let at_hand = self.back.front().map(Pending::class);
        let best = || Class::ALL.into_iter().find(|&class| self.lanes[class as usize].has_next());
        at_hand.or_else(best).unwrap_or(Class::Low)
    }

    /// Takes a URL out of wherever it is in memory.
    pub(crate) fn take(&mut self, key: KeyHash) -> Option<Pending> {
        if self.in_flight.as_ref().is_some_and(|pending| pending.key == key) {
            return self.in_flight.take();
        }
        let waiting = self.back.remove(key).or_else(|| self.retries.remove(key));
        waiting.or_else(|| self.lanes.iter_mut().find_map(|lane| lane.remove(key)))
    }

    /// Takes out all that leave of what waits in memory and is not lent.
    pub(crate) fn extract(&mut self, leaves: impl Fn(&Pending) -> bool) -> Vec<Pending> {
        let mut gone = Vec::new();
        self.back.extract(&leaves, &mut gone);
        self.retries.extract(&leaves, &mut gone);
        self.lanes.iter_mut().for_each(|lane| lane.extract(&leaves, &mut gone));
        gone
    }

    /// URLs in memory, those in the hands of a job too.
    pub(crate) fn in_memory(&self) -> impl Iterator<Item = &Pending> {
        self.in_flight.iter().chain(self.waiting_in_memory())
    }

    /// Those that are not in flight.
    pub(crate) fn waiting_in_memory(&self) -> impl Iterator<Item = &Pending> {
        let lanes = self.lanes.iter().flat_map(Lane::in_memory);
        self.back.iter().chain(self.retries.iter()).chain(lanes)
    }

    /// From when on it waits for BEAST and for nothing else: its clock allows a contact, and all its URLs but for retries are
    /// in the queues, or what is not is sitemaps beyond their share. A barred one has waited ever since: they are to share its fate. `NEVER`
    /// if it does not wait.
    pub(crate) fn starves_from(&self) -> Timestamp {
        if self.habits.counts.deferred == 0 {
            return Timestamp::NEVER;
        }
        let has_others = self.pending > self.retries.len() as u64;
        match self.record.barred {
            Some(_) => Timestamp::ZERO,
            None if has_others && !self.record.has_sitemaps_beyond_share() => Timestamp::NEVER,
            None => self.record.next_at,
        }
    }

    /// Whether it may go to disk now: it has no turn and nobody waits for it.
    pub(crate) fn may_leave(&self) -> bool {
        let busy = matches!(self.phase, Phase::Taken | Phase::Leaving);
        let fits = self.back.bytes() + self.retries.bytes() <= LEAVING_BYTES;
        !busy && fits && self.errands.is_empty() && self.awaiting_robots.is_none()
    }

    /// When it has something to do and may do it.
    pub(crate) fn due(&self) -> Option<Timestamp> {
        if self.record.barred.is_some() {
            return None;
        }
        let work = if self.errands.is_empty() { self.pages_due() } else { Some(Timestamp::ZERO) };
        work.map(|work| work.max(self.record.next_at))
    }

    fn pages_due(&self) -> Option<Timestamp> {
        if self.awaiting_robots.is_some() {
            return None;
        }
        if self.has_at_hand() { Some(Timestamp::ZERO) } else { self.retries.due() }
    }

    /// Until when it waits for a turn: here, or on disk, where it is on its way.
    pub(crate) fn waits_until(&self) -> Option<Timestamp> {
        match self.phase {
            Phase::Taken => None,
            Phase::Waiting(due) => Some(due),
            Phase::Idle | Phase::Leaving => self.due(),
        }
    }

    pub(crate) fn doing(&self) -> Doing {
        match self.phase {
            Phase::Taken => Doing::Contact,
            Phase::Waiting(_) => Doing::Wait,
            Phase::Idle | Phase::Leaving if self.due().is_some() => Doing::Sleep,
            Phase::Idle | Phase::Leaving => Doing::Nothing,
        }
    }

    /// Whether it has no turn before it has gone to disk: a guest who has outstayed his welcome.
    pub(crate) fn is_to_leave(&self) -> bool {
        self.is_guest && self.has_outstayed && self.may_leave()
    }

    /// Whether something of it waits to be fetched; what a barred host holds does not.
    pub(crate) fn has_work(&self) -> bool {
        self.pending > 0 && self.record.barred.is_none()
    }

    /// What it takes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        let queues =
            self.back.bytes() + self.retries.bytes() + self.lanes.iter().map(Lane::bytes).sum::<u64>();
        let in_flight = self.in_flight.as_ref().map_or(0, Pending::bytes);
        let errands = self.errands.iter().map(RobotsErrand::bytes).sum::<u64>();
        let awaited = self.awaiting_robots.as_ref().map_or(0, String::len);
        let fixed = size_of::<Self>() + awaited + self.record.name.len() + HOST_OVERHEAD_BYTES;
        queues + in_flight + errands + fixed as u64 + self.record.robots_bytes + self.habits.bytes()
    }
}

impl Deref for HostRecord {
    type Target = HostHead;

    fn deref(&self) -> &HostHead {
        &self.head
    }
}

impl DerefMut for HostRecord {
    fn deref_mut(&mut self) -> &mut HostHead {
        &mut self.head
    }
}

impl HostRecord {
    pub(crate) fn new(name: &str, next_at: Timestamp) -> Self {
        Self::of(HostHead {
            name: name.to_owned(),
            next_at,
            reach: Reach::Public,
            last_response_ms: 0,
            failures: 0,
            overload: Overload::default(),
            robots_failures: 0,
            robots_bytes: 0,
            barred: None,
            contacts: 0,
            held_by: Hold::Delay,
            address: None,
            crawl_delay_ms: None,
        })
    }

    /// No more than the head is known.
    pub(crate) fn of(head: HostHead) -> Self {
        let rests_until = if head.held_by.is_rest() { head.next_at } else { Timestamp::ZERO };
        let rest = Rest { until: rests_until, by: head.held_by };
        Self {
            head,
            refusals: 0,
            troubles: 0,
            resting: Vec::new(),
            address_failed: false,
            sitemaps: 0,
            rest,
            robots: Vec::new(),
        }
    }

    pub(crate) fn learned(&self) -> Learned {
        let HostHead { crawl_delay_ms, last_response_ms, overload, .. } = self.head;
        Learned { crawl_delay_ms, last_response_ms, overload }
    }

    /// Moves the clock forward, never back.
    pub(crate) fn hold_until(&mut self, moment: Timestamp, why: Hold) {
        if why.is_rest() && moment > self.rest.until {
            self.rest = Rest { until: moment, by: why };
        }
        if moment > self.next_at {
            self.next_at = moment;
            self.held_by = why;
        }
    }

    /// Moves the clock back to `moment` where a delay has set it; a rest that lasts longer holds.
    pub(crate) fn hold_no_longer_than(&mut self, moment: Timestamp) {
        if matches!(self.held_by, Hold::Delay | Hold::Restart) && moment < self.next_at {
            self.next_at = moment;
            self.hold_until(self.rest.until, self.rest.by);
        }
    }
}
