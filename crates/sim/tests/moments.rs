//! When a host may be contacted next, why not before, and where, as a crawl says it while it runs: against the contacts that
//! servers saw afterwards.

use crawler::{
    Clock, ClockOf, DelayRule, Doing, HostStanding, NamedGroup, NamedGroups, RobotsAnswer, WaitingFor,
};
use disk::MemDisk;
use sim::{Before, Contact, Network, START, ServerLog, Setup, Sim, Site, Witness};
use simweb::WebConfig;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::Arc;
use stdx::Timestamp;
use weburl::{Scope, Url};

const SEED: u64 = 9;

/// Times that the crawl is asked, and how long it goes on in between.
const TIMES: u64 = 40;
const EVERY_MS: u64 = 1_700;

/// From the end of a contact with a server to the next, and from the start of one with a domain.
const SERVER_MS: u64 = 250;
const DOMAIN_MS: u64 = 250;

/// A server that is kept for a host may be kept for so much longer than it takes until that host is due.
const ARRIVAL_MS: u64 = 10;

/// An answer keeps its slot until it is durable: a commit may be under way, and another behind it.
const DURABLE_MS: u64 = 6;

/// What servers and the name server have seen.
#[derive(Default)]
struct Seen {
    log: ServerLog,
    look_ups: Vec<(Timestamp, Timestamp)>,
}

impl Witness for Seen {
    fn begin(&mut self, now: Timestamp, after: Before) {
        self.log.begin(now, after);
    }

    fn end(&mut self, now: Timestamp) {
        self.log.end(now);
    }

    fn contact(&mut self, contact: Contact) {
        self.log.contact(contact);
    }

    fn looks_up(&mut self, now: Timestamp, until: Timestamp) {
        self.look_ups.push((now, until));
    }
}

impl Seen {
    /// For how long between these moments a slot was free, as far as can be told from outside.
    fn idle_ms(&self, from: Timestamp, to: Timestamp, slots: usize) -> u64 {
        let contacts = self.log.contacts.iter().map(|contact| (contact.started, contact.ended + DURABLE_MS));
        let taken = contacts.chain(self.look_ups.iter().copied());
        let taken: Vec<_> = taken.filter(|(begun, over)| *begun < to && *over > from).collect();
        let changes =
            taken.iter().flat_map(|(begun, over)| [*begun, *over]).filter(|at| from < *at && *at < to);
        let changes: BTreeSet<Timestamp> = changes.chain([from, to]).collect();
        let is_free =
            |at: Timestamp| taken.iter().filter(|(begun, over)| *begun <= at && at < *over).count() < slots;
        let spans = changes.iter().zip(changes.iter().skip(1));
        spans.filter(|(at, _)| is_free(**at)).map(|(at, next)| next.since_ms(*at)).sum()
    }
}

/// What was said of a host that waits.
#[derive(Debug)]
struct Said {
    asked_at: Timestamp,
    host: String,
    address: IpAddr,
    next: Clock,
    /// The last of its clocks, those that may be gone before among them: something else of it may be found.
    at_last: Timestamp,
    server_until: Timestamp,
    group_until: Timestamp,
}

/// What a contact waited for last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Awaited {
    /// What was said.
    AsSaid,
    /// That its server was done with another host, which came first.
    Server,
    /// That another host of its domain had begun long enough ago.
    Domain,
    /// That another host of its group had.
    Group,
}

/// Hosts are in one of two groups or in none, by the sum of their letters, whatever their domains.
fn group_of(host: &str) -> Option<u32> {
    let group = host.bytes().map(u32::from).sum::<u32>() % 3;
    (group < 2).then_some(group)
}

/// Longer than what a server or a domain is left alone for.
const GROUP_MS: u64 = 400;

fn named(hosts: &BTreeSet<String>) -> NamedGroups {
    let group = |number: u32| NamedGroup {
        name: format!("group {number}"),
        hosts: hosts
            .iter()
            .filter(|host| group_of(host) == Some(number))
            .map(|host| host.parse().expect("a host"))
            .collect(),
        interval_ms: GROUP_MS,
    };
    NamedGroups::new(vec![group(0), group(1)]).expect("no host is in two")
}

impl Said {
    /// Nothing that was said allows a contact before this.
    fn moment(&self, address: IpAddr) -> Timestamp {
        // A name may lead elsewhere by then.
        let server = if address == self.address { self.server_until } else { Timestamp::ZERO };
        self.next.until.max(server).max(self.group_until).max(self.asked_at)
    }

    /// The clock that was said to be the last.
    fn clock(&self) -> String {
        let is_group = self.group_until > self.next.until.max(self.server_until);
        if is_group { "Group".to_owned() } else { format!("{:?}", self.next.of) }
    }

    /// The contact that was spoken of.
    fn contact<'a>(&self, contacts: &'a [Contact]) -> Option<&'a Contact> {
        contacts.iter().find(|contact| contact.started >= self.asked_at && contact.host == self.host)
    }

    /// From when on nothing kept the contact from beginning but whoever had its turn, and what that was.
    fn free(&self, contact: &Contact, contacts: &[Contact], setup: &Setup) -> (Timestamp, Awaited) {
        let others = contacts.iter().filter(|other| other.started < contact.started);
        let clocks = others.flat_map(|other| {
            let server =
                (other.address == contact.address).then_some((other.ended + SERVER_MS, Awaited::Server));
            let is_of_domain = weburl::pld(&other.host) == weburl::pld(&contact.host);
            let domain = is_of_domain.then_some((other.started + DOMAIN_MS, Awaited::Domain));
            let group = setup.crawl.groups.of(&contact.host);
            let is_of_group = group.is_some() && group == setup.crawl.groups.of(&other.host);
            let group = is_of_group.then_some((other.started + GROUP_MS, Awaited::Group));
            [server, domain, group].into_iter().flatten()
        });
        let moment = self.moment(contact.address);
        let said = if contact.started < self.at_last { moment } else { moment.max(self.at_last) };
        let said = (said, Awaited::AsSaid);
        clocks.fold(said, |last, clock| if clock.0 > last.0 { clock } else { last })
    }
}

fn hosts_of(site: &Site) -> BTreeSet<String> {
    let seeds: Vec<String> = site.seeds.iter().map(ToString::to_string).collect();
    let truth = site.web.truth(&simweb::Plan { seeds: &seeds, scope: simweb::Scope::Any, depth: None });
    let host = |url: &String| Url::parse(url).map(|url| url.host().to_owned()).ok();
    truth.urls.keys().filter_map(host).collect()
}

/// The last contact with a host, as its server saw it.
fn last<'a>(network: &'a Network<Seen>, host: &str) -> Option<&'a Contact> {
    network.log.log.contacts.iter().rev().find(|contact| contact.host == host)
}

/// What follows from the last contact is as it is said.
fn check_delay(standing: &HostStanding, network: &Network<Seen>, site: &Site) {
    let name = &standing.name;
    let asked_for = site.web.host(name).map_or(0, |host| site.web.crawl_delay_ms(host));
    let has_rules = standing.robots.iter().any(|record| matches!(record.answer, RobotsAnswer::Rules(_)));
    match standing.delay.by {
        DelayRule::CrawlDelay => assert_eq!(standing.delay.ms, asked_for, "{name}"),
        _ => assert!(!has_rules || standing.delay.ms >= asked_for, "{name}: {standing:?}"),
    }
    let Some(contact) = last(network, name) else { return };
    let own = standing.clocks.iter().find(|clock| clock.of == ClockOf::Host(WaitingFor::Delay));
    if let Some(own) = own {
        // Rules that lay elsewhere hold from when they came.
        let learned = standing.robots.iter().map(|record| record.fetched_at);
        let mut since = learned.chain([contact.ended]);
        assert!(own.until >= contact.ended + standing.delay.ms, "{name}: {standing:?}");
        assert!(since.any(|since| own.until == since + standing.delay.ms), "{name}: {standing:?}");
    }
}

fn ask(sim: &Sim, network: &Network<Seen>, site: &Site, host: &str) -> Option<Said> {
    let url = Url::parse(&format!("http://{host}/")).expect("a host of the web");
    let standing = sim.crawler.look_up(&url).expect("a disk without faults")?.host?;
    if !matches!(standing.doing, Doing::Wait | Doing::Sleep) || standing.contacts == 0 {
        return None;
    }
    check_delay(&standing, network, site);
    let address = standing.address.expect("it was contacted");
    let server = sim.crawler.server_standing(address);
    let at_last = standing.next().expect("its own clock").until;
    // Others may be gone before: something else of the host is found, or the host that its domain waited for has come.
    let holds = |clock: &&Clock| matches!(clock.of, ClockOf::Host(_) | ClockOf::Domain);
    let next = standing.clocks.iter().filter(holds).max_by_key(|clock| clock.until);
    let next = *next.expect("its own clock");
    let (host, address) = (host.to_owned(), address.ip);
    let group_until = sim.crawler.group_standing(&host).map_or(Timestamp::ZERO, |group| group.until);
    Some(Said { asked_at: sim.now, host, address, next, at_last, server_until: server.until, group_until })
}

/// All that a crawl says of its hosts, time and again, and the contacts that follow.
fn asked(site: &Site, setup: &Setup) -> (Vec<Said>, Seen) {
    let mut network = network(site);
    let disk: disk::SharedDisk = Arc::new(MemDisk::new());
    let mut sim = Sim::open(site, setup, &disk, START).expect("a disk");
    let hosts = hosts_of(site);
    let mut said = Vec::new();
    for _ in 0..TIMES {
        let until = sim.now + EVERY_MS;
        sim.run_until(&mut network, until).expect("a disk without faults");
        said.extend(hosts.iter().filter_map(|host| ask(&sim, &network, site, host)));
    }
    sim.run_until(&mut network, sim.now + 60_000).expect("a disk without faults");
    (said, network.log)
}

fn network(site: &Site) -> Network<Seen> {
    Network::structural(site.web.clone(), SEED, Seen::default())
}

/// Hosts that lie on disk for lack of memory among them, of which nothing else is said.
#[test]
fn no_contact_comes_before_it_was_said_to() {
    let site = site();
    let mut setup = Setup::new(&site, Scope::Any, SEED);
    setup.crawl.frontier.memory.resident_bytes /= 16;
    let (said, seen) = asked(&site, &setup);
    let contacts = &seen.log.contacts;
    let mut by = BTreeMap::<String, u32>::new();
    for said in &said {
        let Some(contact) = said.contact(contacts) else { continue };
        let moment = said.moment(contact.address);
        assert!(contact.started >= moment, "{}: {:?} before {moment:?}", said.host, contact.started);
        *by.entry(format!("{:?}", said.next.of)).or_default() += 1;
    }
    assert!(by.values().sum::<u32>() > 500, "{by:?}");
    for of in ["Host(Delay)", "Domain", "Host(Retry)"] {
        assert!(by.contains_key(of), "some waited for {of}: {by:?}");
    }
}

/// How contacts began.
#[derive(Default)]
struct Began {
    /// By what they waited for last: those that began at that very moment, and those that were later though a slot was free.
    awaited: BTreeMap<Awaited, [u32; 2]>,
    /// Those that were later, and no slot was free before.
    for_a_slot: u32,
    /// Clocks that were said to be the last.
    clocks: BTreeSet<String>,
}

/// With room in memory, a contact begins at the very moment that was said; or when the last one that came before it, at its server, of its domain
/// or of its group, allows it; or, where a slot was free, not later than its server is kept for a host with more to do.
fn began(site: &Site, setup: &Setup) -> Began {
    let (said, seen) = asked(site, setup);
    let contacts = &seen.log.contacts;
    let spoken = said.iter().filter_map(|said| Some((said, said.contact(contacts)?)));
    // What was said last before each.
    let spoken: BTreeMap<(&str, Timestamp), _> =
        spoken.map(|(said, contact)| ((&*said.host, contact.started), (said, contact))).collect();
    let mut began = Began::default();
    for (said, contact) in spoken.into_values() {
        let (free, awaited) = said.free(contact, contacts, setup);
        assert!(contact.started >= free, "{awaited:?}: {contact:?} before {free:?}");
        began.clocks.insert(said.clock());
        let late_ms = seen.idle_ms(free, contact.started, setup.crawl.concurrency);
        if late_ms == 0 && contact.started > free {
            began.for_a_slot += 1;
            continue;
        }
        let at_server = contacts.iter().filter(|other| other.address == contact.address);
        let longest_ms = at_server.map(|other| other.ended.since_ms(other.started)).max().unwrap_or(0);
        assert!(
            late_ms <= SERVER_MS + longest_ms + ARRIVAL_MS,
            "{awaited:?}: {contact:?} after {free:?}: {said:?}"
        );
        began.awaited.entry(awaited).or_default()[usize::from(late_ms > 0)] += 1;
    }
    began
}

impl Began {
    /// So many at the very moment at least, and hardly any later.
    fn check(&self, least: &[(Awaited, u32)]) {
        for (awaited, least) in least {
            let [at_once, later] = self.awaited.get(awaited).copied().unwrap_or_default();
            assert!(at_once >= *least && later * 50 <= at_once, "{awaited:?}: {:?}", self.awaited);
        }
    }
}

/// A crawl whose hosts all fit into memory: where those of a domain do not fit into its share, they take turns of five seconds.
fn roomy(site: &Site) -> Setup {
    let mut setup = Setup::new(site, Scope::Any, SEED);
    setup.crawl.frontier.memory.resident_bytes *= 4;
    setup
}

fn site() -> Site {
    Site::new(WebConfig::small(SEED, 3_000).without_traps(), 3)
}

#[test]
fn a_contact_begins_as_soon_as_it_was_said_or_the_last_before_it_allows() {
    let site = site();
    let began = began(&site, &roomy(&site));
    began.check(&[(Awaited::AsSaid, 150), (Awaited::Server, 300)]);
    assert_eq!(began.for_a_slot, 0, "there are more slots than servers");
    for of in ["Host(Delay)", "Domain", "Host(Retry)", "Host(Robots)", "Host(Overload)"] {
        assert!(began.clocks.contains(of), "some waited for {of}: {:?}", began.clocks);
    }
}

#[test]
fn with_few_slots_it_waits_for_nothing_else_than_a_slot() {
    let site = site();
    let mut setup = roomy(&site);
    setup.crawl.concurrency = 4;
    let began = began(&site, &setup);
    let at_once: u32 = began.awaited.values().map(|[at_once, _]| at_once).sum();
    assert!(at_once >= 150, "{:?}", began.awaited);
    assert!(began.for_a_slot > 200, "{} beside {:?}", began.for_a_slot, began.awaited);
}

#[test]
fn hosts_of_a_named_group_begin_when_its_clock_allows() {
    let site = site();
    let mut setup = roomy(&site);
    setup.crawl.groups = Arc::new(named(&hosts_of(&site)));
    let began = began(&site, &setup);
    began.check(&[(Awaited::AsSaid, 50), (Awaited::Group, 100)]);
    assert!(began.clocks.contains("Group"), "{:?}", began.clocks);
}

/// A host is said to be where it was contacted last, also when it lies on disk.
#[test]
fn a_host_is_where_it_was_contacted_last() {
    let site = Site::new(WebConfig::small(SEED, 1_500).without_traps(), 3);
    let mut network = network(&site);
    let mut setup = Setup::new(&site, Scope::Any, SEED);
    setup.crawl.frontier.memory.resident_bytes /= 16;
    let mut sim =
        Sim::open(&site, &setup, &(Arc::new(MemDisk::new()) as disk::SharedDisk), START).expect("a disk");
    sim.run(&mut network, |sim| sim.pages() >= 700).expect("a disk without faults");
    let mut compared = 0;
    for host in hosts_of(&site) {
        let facts = sim.crawler.host_facts(&host).expect("a disk without faults");
        let of_log: Option<IpAddr> = last(&network, &host).map(|contact| contact.address);
        let Some(facts) = facts.filter(|facts| facts.doing != Doing::Contact) else { continue };
        assert_eq!(facts.address, of_log, "{host}");
        compared += u32::from(of_log.is_some());
    }
    assert!(compared > 20, "{compared} hosts were compared");
}
