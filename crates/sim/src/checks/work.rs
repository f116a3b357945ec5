use super::politeness::domain_of;
use super::{Delays, Findings, Politeness};
use crate::log::{Before, Contact, Purpose, Run, Witness};
use simweb::{Certificate, NameFate, Pace, RobotsClass, Verdict, Web, What};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::net::IpAddr;
use std::sync::Arc;
use stdx::{Set, Timestamp};
use xxhash_rust::xxh3::xxh3_64;

/// Judges that nothing stands still: whenever a slot is free and some host may be contacted and has a URL, it is contacted
/// within the refill latency (ARCHITECTURE.md, promise 5). It keeps clocks and queues of its own, made from what pages link to
/// and what the servers see, and looks at all of them whenever time passes: for small webs, crawled in one run.
///
/// A host may stand back for another on its server or in its domain, for one turn: critical path first.
///
/// It holds its tongue about hosts that make trouble: those that cannot be contacted, and those whose last answer was
/// none, until they answer well again, and those that have their robots.txt from another host. When they will be contacted again, or
/// those that have nothing but URLs that have failed, only the crawler knows; others may stand back for them at any time, for one turn. A host may have more to do than is seen, and be stood back for
/// like any other: URLs that have failed, and are asked for again, and such as will not be asked for, which is known when it has its turn.
#[derive(Debug)]
pub struct WorkConservation {
    web: Arc<Web>,
    slots: usize,
    latency_ms: u64,
    delays: Delays,
    clocks: Politeness,
    hosts: BTreeMap<String, Host>,
    /// URLs that have been found or asked for.
    known: Set<u64>,
    asked_for: Set<u64>,
    /// When the slots that are taken are free again.
    taken: BinaryHeap<Reverse<Timestamp>>,
    /// Since when one has been free.
    free_since: Timestamp,
    /// What was found wrong.
    pub findings: Findings,
}

/// A host that may be judged by.
#[derive(Debug)]
struct Host {
    /// URLs found and not asked for.
    pending: u64,
    /// Since when it has had any.
    since: Timestamp,
    /// When its last contact ended.
    ended: Timestamp,
    /// How long that took.
    took_ms: u64,
    /// Eighths of a delay for which it is left alone longer, by what it turned away.
    turned_away: u64,
    /// It cannot be contacted well, or its last answer was none, or leads elsewhere.
    in_trouble: bool,
    /// Neither its name nor its certificate nor its robots.txt is in the way, ever.
    is_sound: bool,
    /// URLs whose last answer was none: they are asked for again.
    failed: Set<u64>,
    /// URLs may wait for which it will not be contacted: robots.txt forbids them, or a redirect leads to what is known.
    has_moot: bool,
}

/// A host that has URLs, as it stands.
#[derive(Debug)]
struct Standing {
    name: String,
    server: IpAddr,
    pending: u64,
    in_trouble: bool,
    /// It has nothing but URLs that have failed, which are due when the crawler says.
    only_retries: bool,
    /// When it might be contacted.
    ready: Timestamp,
    /// The longest turn of its server that a contact of it makes.
    turn_ms: u64,
}

impl Host {
    /// A delay, as its 429s and 503s have made it: up to 64 of them, two minutes at most.
    fn longer_ms(&self, delay_ms: u64) -> u64 {
        (delay_ms + delay_ms * self.turned_away / 8).min(PACE_MS.max(delay_ms))
    }

    /// Each doubles what the ones before it added, and adds a delay; each answer takes off a sixteenth, and an eighth of a delay.
    fn learn_pace(&mut self, status: u16) {
        self.turned_away = if matches!(status, 429 | 503) {
            (2 * self.turned_away + 8).min(8 * 63)
        } else {
            self.turned_away - (self.turned_away / 16).max(1).min(self.turned_away)
        };
    }

    /// Whether it has URLs, or may have some that are not known.
    fn may_have_work(&self) -> bool {
        self.pending > 0 || self.in_trouble || !self.failed.is_empty() || self.has_moot
    }
}

impl Standing {
    /// Whether another may stand back for this one: a host on the same server or of the same domain that is ready within
    /// one turn, so that what would begin now would hold it up. Whose chain is longer only the crawler knows.
    fn is_waited_for_by(&self, other: &Self) -> bool {
        self.is_near(other) && other.ready < self.ready && self.ready < other.ready + other.turn_ms
    }

    fn is_near(&self, other: &Self) -> bool {
        self.server == other.server || domain_of(&self.name) == domain_of(&other.name)
    }
}

/// No host is left alone for longer because of what it turned away.
const PACE_MS: u64 = 120_000;

/// A server's delay …
const SERVER_MS: u64 = 250;
/// … and the longest turn of one that answers at once.
const TURN_MS: u64 = SERVER_MS + 200;

/// A capture keeps its slot until it is durable, which is this long after its end at most.
const COMMIT_MS: u64 = 10;

impl WorkConservation {
    /// A judge of a crawl with so many slots, to which so much time is given.
    pub fn new(web: Arc<Web>, delays: Delays, slots: usize, latency_ms: u64) -> Self {
        Self {
            web,
            slots,
            latency_ms,
            delays,
            clocks: Politeness::new(delays),
            hosts: BTreeMap::new(),
            known: stdx::set(),
            asked_for: stdx::set(),
            taken: BinaryHeap::new(),
            free_since: Timestamp::ZERO,
            findings: Findings::default(),
        }
    }

    /// URLs that nobody has asked for yet.
    pub fn pending(&self) -> u64 {
        self.hosts.values().map(|host| host.pending).sum()
    }

    /// A URL is found; it counts from `at` on, if it may be fetched and nothing is odd about its host.
    fn find(&mut self, url: &str, at: Timestamp) {
        let Some(place) = self.web.place(url) else { return };
        let Some(canonical) = self.web.canonical(url) else { return };
        let id = xxh3_64(canonical.as_bytes());
        let endless = matches!(place.what, What::Month(_) | What::Maze(_));
        if !self.known.insert(id) || endless {
            return;
        }
        let character = self.web.character(place.host);
        let is_sound = character.name == NameFate::Good
            && character.certificate == Certificate::Good
            && character.robots != RobotsClass::Unavailable
            && matches!(character.pace, Pace::Prompt | Pace::Slow);
        let fresh = || Host {
            pending: 0,
            since: at,
            ended: Timestamp::ZERO,
            took_ms: 0,
            turned_away: 0,
            in_trouble: !is_sound,
            is_sound,
            failed: stdx::set(),
            has_moot: false,
        };
        let host = self.hosts.entry(self.web.name_of(place.host)).or_insert_with(fresh);
        if self.web.verdict(url) == Verdict::Forbidden {
            host.has_moot = true;
            return;
        }
        host.since = if host.pending == 0 { at } else { host.since };
        host.pending += 1;
    }
}

impl WorkConservation {
    /// Says which hosts could have been contacted before `next` and were not.
    fn judge(&mut self, next: Timestamp) {
        let standings = self.standings();
        for idle in standings.iter().filter(|standing| standing.pending > 0 && !standing.in_trouble) {
            let ready =
                standings.iter().filter(|other| other.is_waited_for_by(idle)).map(|other| other.ready);
            let ready = ready.fold(idle.ready, Timestamp::max);
            let may_come = |other: &&Standing| other.in_trouble || other.only_retries;
            let is_near_trouble = standings.iter().filter(may_come).any(|other| other.is_near(idle));
            let ready = if is_near_trouble { ready.max(idle.ready + idle.turn_ms) } else { ready };
            if ready < Timestamp::NEVER && ready + self.latency_ms < next {
                let (name, pending, at) = (&idle.name, idle.pending, ready.as_ms());
                let late_ms = next.since_ms(ready);
                self.findings
                    .add(|| format!("{name} stood still from {at} on for {late_ms} ms with {pending} URLs"));
                self.hosts.get_mut(name).expect("it stands").since = next;
            }
        }
    }

    /// Hosts that have URLs, or may have.
    fn standings(&self) -> Vec<Standing> {
        let with_work = self.hosts.iter().filter(|(_, host)| host.may_have_work());
        with_work.filter_map(|(name, host)| self.standing(name, host)).collect()
    }

    fn standing(&self, name: &str, host: &Host) -> Option<Standing> {
        let id = self.web.host(name)?;
        let (server, asked_ms) = (self.web.server_of(id).into(), self.web.crawl_delay_ms(id));
        // Rules that a redirect led to are another host's in the log; they hold all the same.
        let due = self.clocks.due(name, server, asked_ms).max(host.ended + asked_ms);
        let paced = host.ended + host.longer_ms(self.delays.host_ms.max(asked_ms));
        let ready = due.max(paced).max(host.since).max(self.free_since);
        let Host { pending, in_trouble, took_ms, .. } = *host;
        let only_retries = pending == 0 && !host.failed.is_empty();
        let (name, turn_ms) = (name.to_owned(), TURN_MS.max(SERVER_MS + took_ms));
        Some(Standing { name, server, pending, in_trouble, only_retries, ready, turn_ms })
    }

    fn take_slot(&mut self, until: Timestamp) {
        self.taken.push(Reverse(until));
        if self.taken.len() >= self.slots {
            self.free_since = Timestamp::NEVER;
        }
    }

    fn free_slots(&mut self, now: Timestamp) {
        while let Some(Reverse(end)) = self.taken.peek().copied().filter(|end| end.0 <= now) {
            self.taken.pop();
            if self.taken.len() + 1 == self.slots {
                self.free_since = end;
            }
        }
    }
}

fn is_trouble(contact: &Contact) -> bool {
    let rules_elsewhere = |status| contact.purpose == Purpose::Robots && (300..400).contains(&status);
    contact.status.is_none_or(|status| status >= 500 || status == 429 || rules_elsewhere(status))
}

impl Witness for WorkConservation {
    fn begin(&mut self, now: Timestamp, after: Before) {
        self.clocks.begin(Run { node: 0, started: now, ended: Timestamp::NEVER, after });
    }

    fn end(&mut self, now: Timestamp) {
        self.clocks.end(now);
    }

    fn contact(&mut self, contact: Contact) {
        self.free_slots(contact.started);
        self.take_slot(contact.ended + COMMIT_MS);
        let id = self.web.host(&contact.host);
        self.clocks.contact(&contact, id.map_or(0, |id| self.web.crawl_delay_ms(id)));
        let Some(host) = self.hosts.get_mut(&contact.host) else { return };
        if let Some(status) = contact.status {
            host.learn_pace(status);
        }
        host.in_trouble = !host.is_sound || is_trouble(&contact);
        (host.ended, host.took_ms) = (contact.ended, contact.ended.since_ms(contact.started));
        if contact.purpose == Purpose::Content
            && let Some(canonical) = self.web.canonical(&contact.url)
        {
            let id = xxh3_64(canonical.as_bytes());
            let was_known = !self.known.insert(id);
            let first = self.asked_for.insert(id);
            host.pending -= u64::from(was_known && first);
            let leads_on = contact.status.is_some_and(|status| (300..400).contains(&status));
            host.has_moot = leads_on || (host.has_moot && host.pending > 0);
            if is_trouble(&contact) {
                host.failed.insert(id);
            } else {
                host.failed.remove(&id);
            }
        }
    }

    fn looks_up(&mut self, now: Timestamp, until: Timestamp) {
        self.free_slots(now);
        self.take_slot(until);
    }

    fn finds(&mut self, url: &str, at: Timestamp) {
        self.find(url, at);
    }

    fn waits(&mut self, now: Timestamp, next: Timestamp) {
        self.free_slots(now);
        self.judge(next);
    }
}
