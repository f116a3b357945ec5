//! What a server's log says about its client. A delay is from the end of one contact to the start of the next,
//! per host and per server address; starts are counted per registrable domain.

use crate::contact::Contact;
use crate::place::{Leaf, Place, What};
use crate::robots::Verdict;
use crate::web::Web;
use std::collections::VecDeque;
use stdx::{Map, map};

/// What a polite client keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Between two contacts with a host; a robots.txt that was served may ask for more.
    pub host_delay_ms: u64,
    /// Between two contacts with a server address.
    pub address_delay_ms: u64,
    /// Starts within any second, over all hosts of a registrable domain; `None` is no bound.
    pub domain_starts_per_second: Option<usize>,
    /// What is forgiven in the distance of starts: a request that was late itself makes the next one look early.
    pub slack_ms: u64,
}

/// One breach of [`Limits`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Which clock was not waited for.
    pub clock: Clock,
    /// The host, address or domain.
    pub subject: String,
    /// When the early contact started.
    pub start_us: u64,
    /// What it asked for.
    pub target: String,
    /// The distance kept; 0 for contacts that overlap.
    pub gap_us: u64,
    /// The distance due.
    pub due_us: u64,
}

/// A clock of politeness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Clock {
    /// One host's.
    Host,
    /// One server address's.
    Address,
    /// One registrable domain's.
    Domain,
}

/// Every contact that came too early, in order of time. The log may be in any order.
pub fn politeness(log: &[Contact], web: &Web, limits: &Limits) -> Vec<Violation> {
    let mut order: Vec<&Contact> = log.iter().collect();
    order.sort_by_key(|contact| (contact.start_us, contact.end_us));
    let mut clocks =
        Clocks { web, limits, hosts: map(), addresses: map(), domains: map(), found: Vec::new() };
    for contact in order {
        clocks.host(contact);
        clocks.address(contact);
        clocks.domain(contact);
    }
    clocks.found
}

/// Contacts that robots.txt forbids to `drumlin`.
pub fn forbidden<'a>(log: &'a [Contact], web: &Web) -> Vec<&'a Contact> {
    let breaks = |contact: &&Contact| {
        place(contact, web).is_some_and(|place| web.verdict_at(place, &contact.target) == Verdict::Forbidden)
    };
    log.iter().filter(breaks).collect()
}

/// Contacts that no link, redirect or sitemap leads to: a sign that bytes were misread.
pub fn strays<'a>(log: &'a [Contact], web: &Web) -> Vec<&'a Contact> {
    let strays = |contact: &&Contact| {
        let what = place(contact, web).map(|place| place.what);
        matches!(what, None | Some(What::Nothing | What::Leaf(Leaf::Ghost, _)))
    };
    log.iter().filter(strays).collect()
}

/// Contacts that were answered 200 although the same thing, by canonical URL, had been answered 200 before.
/// robots.txt and sitemaps may be asked for again.
pub fn repeats<'a>(log: &'a [Contact], web: &Web) -> Vec<&'a Contact> {
    let mut seen = stdx::set();
    let again = |contact: &&Contact| {
        let place = place(contact, web).map(|place| web.canonical_place(place));
        contact.status == 200 && place.is_some_and(|place| is_once(place.what) && !seen.insert(place))
    };
    log.iter().filter(again).collect()
}

fn is_once(what: What) -> bool {
    !matches!(what, What::Robots | What::Policy | What::Sitemap | What::SitemapPart(_))
}

fn place(contact: &Contact, web: &Web) -> Option<Place> {
    web.place_at(contact.scheme, &contact.host, &contact.target)
}

struct Clocks<'a> {
    web: &'a Web,
    limits: &'a Limits,
    hosts: Map<&'a str, HostClock>,
    addresses: Map<std::net::Ipv4Addr, u64>,
    domains: Map<&'a str, VecDeque<u64>>,
    found: Vec<Violation>,
}

#[derive(Default)]
struct HostClock {
    /// End of the last contact.
    end_us: Option<u64>,
    /// What robots.txt has asked for so far.
    asked_ms: u64,
}

impl<'a> Clocks<'a> {
    fn host(&mut self, contact: &'a Contact) {
        let clock = self.hosts.entry(&contact.host).or_default();
        let due_us = self.limits.host_delay_ms.max(clock.asked_ms) * 1000;
        let before = clock.end_us;
        clock.end_us = Some(contact.end_us.max(before.unwrap_or_default()));
        let place = place(contact, self.web);
        if let Some(place) = place.filter(|place| place.what == What::Robots && contact.status == 200) {
            clock.asked_ms = self.web.crawl_delay_ms(place.host);
        }
        self.judge(Clock::Host, contact.host.clone(), contact, before, due_us);
    }

    fn address(&mut self, contact: &Contact) {
        let before = self.addresses.get(&contact.address).copied();
        self.addresses.insert(contact.address, contact.end_us.max(before.unwrap_or_default()));
        let due_us = self.limits.address_delay_ms * 1000;
        self.judge(Clock::Address, contact.address.to_string(), contact, before, due_us);
    }

    fn domain(&mut self, contact: &'a Contact) {
        let Some(most) = self.limits.domain_starts_per_second else { return };
        let name = domain(&contact.host);
        let starts = self.domains.entry(name).or_default();
        starts.push_back(contact.start_us);
        if starts.len() <= most {
            return;
        }
        let first = starts.pop_front();
        let due_us = 1_000_000 - self.limits.slack_ms.min(1_000) * 1000;
        self.judge(Clock::Domain, name.to_owned(), contact, first, due_us);
    }

    fn judge(&mut self, clock: Clock, subject: String, contact: &Contact, before: Option<u64>, due_us: u64) {
        let Some(before) = before else { return };
        let gap_us = contact.start_us.saturating_sub(before);
        if gap_us < due_us {
            let target = contact.target.clone();
            self.found.push(Violation { clock, subject, start_us: contact.start_us, target, gap_us, due_us });
        }
    }
}

/// The last two labels: that is what registrable domains are in these webs.
fn domain(host: &str) -> &str {
    let start = host.rmatch_indices('.').nth(1).map_or(0, |(dot, _)| dot + 1);
    &host[start..]
}
