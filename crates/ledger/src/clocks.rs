use crate::Contact;
use crate::contact::{id_of, id_of_host};
use crate::limits::{CLOCKS_KEPT, CRAWL_DELAY_MAX_MS, RULES_STALE_AGE_MS};
use crate::promises::{Owed, Promised};
use crate::terms::{Applied, Clause, Terms};
use crawler::{Reach, RobotsRecord, Subject};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use stdx::{Map, Timestamp, map};

/// The clock of a host.
#[derive(Debug, Clone)]
pub(crate) struct HostClock {
    /// What holds beside the delay that was promised.
    held: Applied,
    /// What that is after the last contact.
    last: Option<Last>,
    /// What its authorities ask for: they share one clock.
    asked: Vec<Asked>,
}

/// The last contact of a clock.
#[derive(Debug, Clone, Copy)]
struct Last {
    owed: Owed,
    reach: Reach,
}

#[derive(Debug, Clone, Copy)]
struct Asked {
    authority: u64,
    delay_ms: u64,
    since: Timestamp,
}

/// The clocks of hosts; those that have run out are dropped.
#[derive(Debug)]
pub(crate) struct HostClocks {
    by_host: Map<u64, HostClock>,
    sweep_at: usize,
}

impl HostClocks {
    pub(crate) fn new() -> Self {
        Self { by_host: map(), sweep_at: CLOCKS_KEPT }
    }

    /// What applied to this contact; its host's clock goes on from there.
    pub(crate) fn contact(&mut self, contact: &Contact, promised: Promised<'_>) -> Applied {
        self.sweep(contact.ended());
        let clock = self.by_host.entry(id_of_host(contact.url.host())).or_insert_with(HostClock::new);
        let asked_ms = clock.asked_ms();
        let restart = promised.after_crash(|terms| terms.host_ms(contact.reach()).max(asked_ms));
        let applied = clock.delay(promised).or_later(clock.held).or_later(restart);
        let applied = applied.or_later(clock.too_slow(contact));
        clock.held = clock.held.or_later(promised.at_end().after(contact, asked_ms));
        let delay_ms = promised.at_end().host_ms(contact.reach());
        let owed = promised.owed_from_end(contact.ended(), delay_ms);
        clock.last = Some(Last { owed, reach: contact.reach() });
        applied
    }

    /// What the host is owed now.
    pub(crate) fn held(&self, host: &str) -> Applied {
        self.by_host.get(&id_of_host(host)).map_or(Applied::NONE, HostClock::now)
    }

    /// What a robots.txt asks for holds from its answer on.
    pub(crate) fn rules(&mut self, host: &str, record: &RobotsRecord) {
        // What was asked for before holds while there is nothing newer.
        if record.answer.failure().is_some() {
            return;
        }
        let authority = id_of(&record.authority);
        let clock = self.by_host.entry(id_of_host(host)).or_insert_with(HostClock::new);
        clock.asked.retain(|asked| asked.authority != authority);
        let Some(delay_ms) = record.crawl_delay_ms() else { return };
        clock.asked.push(Asked { authority, delay_ms, since: record.fetched_at });
        let due = record.fetched_at + clock.asked_ms();
        clock.held = clock.held.or_later(Applied { due, clause: Clause::CrawlDelay });
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.by_host.len() * size_of::<(u64, HostClock)>() * 2) as u64
    }

    fn sweep(&mut self, now: Timestamp) {
        if self.by_host.len() >= self.sweep_at {
            self.by_host.retain(|_, clock| clock.may_hold(now));
            self.sweep_at = CLOCKS_KEPT.max(2 * self.by_host.len());
        }
    }
}

impl HostClock {
    fn new() -> Self {
        Self { held: Applied::NONE, last: None, asked: Vec::new() }
    }

    /// What the delay said to a contact after the last one.
    fn delay(&self, promised: Promised<'_>) -> Applied {
        let due = |last: Last| promised.due(last.owed, |terms| terms.host_ms(last.reach));
        self.last.map_or(Applied::NONE, |last| Applied { due: due(last), clause: Clause::HostDelay })
    }

    /// What is owed if nothing else is promised.
    fn now(&self) -> Applied {
        let until = |last: Last| Applied { due: last.owed.until(), clause: Clause::HostDelay };
        self.last.map_or(Applied::NONE, until).or_later(self.held)
    }

    /// The longest delay that is waited for.
    fn asked_ms(&self) -> u64 {
        let asked = self.asked.iter().map(|asked| asked.delay_ms);
        asked.filter(|delay_ms| *delay_ms <= CRAWL_DELAY_MAX_MS).max().unwrap_or(0)
    }

    /// A delay that is too long to wait for holds for the pages of its authority: its robots.txt may be asked for again at an operator's
    /// word, and other authorities have rules of their own.
    fn too_slow(&self, contact: &Contact) -> Applied {
        let is_page = matches!(contact.attempt.subject, Subject::Page(_));
        let mut too_slow = self.asked.iter().filter(|asked| is_page && asked.delay_ms > CRAWL_DELAY_MAX_MS);
        let own = too_slow.find(|asked| asked.authority == id_of(contact.url.authority()));
        let ended = self.last.map_or(Timestamp::ZERO, |last| last.owed.from);
        let due = |asked: &Asked| Applied { due: ended + asked.delay_ms, clause: Clause::CrawlDelay };
        own.map_or(Applied::NONE, due)
    }

    /// Whether it may still say no. Rules are asked for again after a day, and until then the clock says what they ask for.
    fn may_hold(&mut self, now: Timestamp) -> bool {
        self.asked.retain(|asked| now.since_ms(asked.since) < RULES_STALE_AGE_MS);
        self.now().due > now || !self.asked.is_empty()
    }
}

/// The clocks of server addresses; those that have run out are dropped.
#[derive(Debug)]
pub(crate) struct ServerClocks {
    by_server: Map<IpAddr, Last>,
    sweep_at: usize,
}

impl ServerClocks {
    pub(crate) fn new() -> Self {
        Self { by_server: map(), sweep_at: CLOCKS_KEPT }
    }

    /// What applied to this contact.
    pub(crate) fn contact(&mut self, contact: &Contact, promised: Promised<'_>) -> Applied {
        self.sweep(contact.started());
        let delay_ms = promised.at_end().server_ms(contact.reach());
        let owed = promised.owed_from_end(contact.ended(), delay_ms.unwrap_or(0));
        let own = Last { owed, reach: contact.reach() };
        let last = self.by_server.insert(server_of(contact.address()), own);
        if promised.at_start().server_ms(contact.reach()).is_none() {
            return Applied::NONE;
        }
        let delay = |reach| move |terms: &Terms| terms.server_ms(reach).unwrap_or(0);
        let due = last.map_or(Timestamp::ZERO, |last| promised.due(last.owed, delay(last.reach)));
        let held = Applied { due, clause: Clause::ServerDelay };
        Applied::NONE.or_later(held).or_later(promised.after_crash(delay(contact.reach())))
    }

    fn sweep(&mut self, now: Timestamp) {
        if self.by_server.len() >= self.sweep_at {
            self.by_server.retain(|_, last| last.owed.until() > now);
            self.sweep_at = CLOCKS_KEPT.max(2 * self.by_server.len());
        }
    }
}

/// A server: an IPv6 address stands for the IPv4 address that it carries, or else for its /64.
pub(crate) fn server_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match carried(v6) {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX))),
        },
    }
}

/// What a mapped address (RFC 4291), one of NAT64 (RFC 6052) and one of 6to4 (RFC 3056) lead to.
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, _, _, high, low]
        | [0x2002, high, low, ..] => Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))),
        _ => None,
    }
}
