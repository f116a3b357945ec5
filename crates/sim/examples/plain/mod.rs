//! Plain breadth-first: URLs in the order in which they were found, as far as clocks of hosts and domains allow. It keeps no
//! queue a host whose turn would come: what has waited longest and may be asked for goes first, whoever it belongs to. Of the web
//! it sees the pages and nothing that is odd: no robots.txt, no failures, nothing slow.

use sim::{Contact, Purpose, START, Witness};
use simweb::{HostId, LinkList, Web};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use stdx::{Map, Set, Timestamp, map, set};
use xxhash_rust::xxh3::xxh3_64;

/// How long a host is left alone, and a domain.
const HOST_MS: u64 = 1_000;
const DOMAIN_MS: u64 = 250;
/// What an answer takes.
const ANSWER_MS: u64 = 110;

/// A crawl.
pub(crate) struct Plain<W> {
    pub(crate) now: Timestamp,
    pub(crate) fetched: u64,
    pub(crate) witness: W,
    web: Arc<Web>,
    slots: usize,
    hosts: Map<HostId, Host>,
    domains: Map<u32, Timestamp>,
    /// Hosts that may be contacted, by their oldest URL.
    ready: BTreeSet<(u64, HostId)>,
    asleep: BTreeSet<(Timestamp, HostId)>,
    flights: BinaryHeap<Reverse<(Timestamp, HostId, String)>>,
    known: Set<u64>,
    found: u64,
    list: LinkList,
}

/// A host: its URLs by the order in which they were found.
#[derive(Default)]
struct Host {
    queue: VecDeque<(u64, String)>,
    next_at: Timestamp,
    in_flight: u32,
}

impl<W: Witness> Plain<W> {
    pub(crate) fn new(web: Arc<Web>, seeds: u32, slots: usize, witness: W) -> Self {
        let mut plain = Self {
            now: START,
            fetched: 0,
            witness,
            slots,
            hosts: map(),
            domains: map(),
            ready: BTreeSet::new(),
            asleep: BTreeSet::new(),
            flights: BinaryHeap::new(),
            known: set(),
            found: 0,
            list: LinkList::default(),
            web,
        };
        for url in plain.web.seeds(seeds) {
            let host = plain.web.place(&url).expect("its own URL").host;
            plain.find(host, &url, &url);
        }
        plain
    }

    /// Until the next page has come; `false` if there is none.
    pub(crate) fn step(&mut self) -> bool {
        loop {
            self.wake();
            self.fill_slots();
            let landing = self.flights.peek().map(|flight| flight.0.0);
            let waking = self.asleep.first().map(|&(at, _)| at).filter(|_| self.flights.len() < self.slots);
            match landing.into_iter().chain(waking).min() {
                None => return false,
                Some(at) if Some(at) == landing => {
                    self.now = at;
                    self.land();
                    return true;
                }
                Some(at) => self.now = at,
            }
        }
    }

    fn wake(&mut self) {
        while let Some(&(at, host)) = self.asleep.first()
            && at <= self.now
        {
            self.asleep.pop_first();
            let oldest = self.hosts[&host].queue.front().expect("who sleeps has something to do").0;
            self.ready.insert((oldest, host));
        }
    }

    fn fill_slots(&mut self) {
        while self.flights.len() < self.slots
            && let Some((_, id)) = self.ready.pop_first()
        {
            let domain = self.domains.entry(id.domain).or_insert(START);
            if *domain > self.now {
                self.asleep.insert((*domain, id));
                continue;
            }
            *domain = self.now + DOMAIN_MS;
            let host = self.hosts.get_mut(&id).expect("who is ready is known");
            let (_, url) = host.queue.pop_front().expect("who is ready has something to do");
            host.in_flight += 1;
            self.flights.push(Reverse((self.now + ANSWER_MS, id, url)));
        }
    }

    fn land(&mut self) {
        let Reverse((ended, id, url)) = self.flights.pop().expect("something is under way");
        self.fetched += 1;
        self.witness.contact(contact(self.web.name_of(id), url.clone(), ended));
        let host = self.hosts.get_mut(&id).expect("it was contacted");
        host.in_flight -= 1;
        host.next_at = ended + HOST_MS;
        if !host.queue.is_empty() {
            self.asleep.insert((host.next_at, id));
        }
        let mut list = std::mem::take(&mut self.list);
        if self.web.list_links(&url, &mut list).is_some() {
            list.outlinks().for_each(|link| self.find(link.host, link.url, link.key));
        }
        self.list = list;
    }

    fn find(&mut self, id: HostId, url: &str, key: &str) {
        if !self.known.insert(xxh3_64(key.as_bytes())) {
            return;
        }
        self.witness.finds(url, self.now);
        let host = self.hosts.entry(id).or_default();
        if host.queue.is_empty() && host.in_flight == 0 {
            self.asleep.insert((host.next_at.max(self.now), id));
        }
        host.queue.push_back((self.found, url.to_owned()));
        self.found += 1;
    }
}

fn contact(host: String, url: String, ended: Timestamp) -> Contact {
    let started = Timestamp::from_ms(ended.as_ms() - ANSWER_MS);
    let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
    Contact {
        run: 0,
        host,
        address,
        url,
        started,
        ended,
        purpose: Purpose::Content,
        status: Some(200),
        retry_after_ms: None,
    }
}
