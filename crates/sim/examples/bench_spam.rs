//! The spam experiment: one web, crawled breadth-first without budgets and with STAR and BEAST. What share of the fetches goes
//! to farms, how much of the legitimate web is found, and whether its giant starves.
//!
//! `cargo xtask bench spam [--pages N] [--domains N] …`. Farms are of two kinds: millions of hosts under a few domains, and
//! a great many bought domains with few hosts each; both have links from ordinary pages. Slots are few, so that at every
//! moment more legitimate hosts are due than there are slots, which is printed: only then does a choice cost anything.
#![expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]

mod meter;

use clap::Parser;
use crawler::Exit;
use disk::{OsDisk, SharedDisk};
use frontier::{BudgetFunction, SeedBudgets, Star};
use meter::{Meter, limit_memory, peak_bytes, resident_bytes};
use sim::{Before, Contact, Network, Purpose, START, Setup, Sim, Site, Witness};
use simweb::{Farms, HostId, HostMix, Web, WebConfig};
use std::path::PathBuf;
use std::sync::Arc;
use stdx::{Map, Set, Timestamp, format_bytes, format_count, map, set};
use weburl::Scope;
use xxhash_rust::xxh3::xxh3_64;

/// One web, crawled with and without budgets.
#[derive(Parser)]
struct Arguments {
    /// Pages to fetch, in each crawl.
    #[arg(long, default_value_t = 200_000)]
    pages: u64,
    /// Legitimate domains.
    #[arg(long, default_value_t = 40_000)]
    domains: u32,
    /// Domains that farms have bought.
    #[arg(long, default_value_t = 2_000)]
    rings: u32,
    /// Hosts under each of those.
    #[arg(long, default_value_t = 1)]
    ring_hosts: u32,
    /// Pages on each of those hosts.
    #[arg(long, default_value_t = 100_000)]
    ring_pages: u32,
    /// Hosts under each of the four domains of the other farm.
    #[arg(long, default_value_t = 1_000_000)]
    hosts: u32,
    /// Requests under way at once.
    #[arg(long, default_value_t = 200)]
    slots: usize,
    /// The seed of web and crawl.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The kernel's limit on memory, in bytes; the ledger's is in it.
    #[arg(long, default_value_t = 2 << 30)]
    memory: u64,
    /// Where the crawl is written; removed before and after.
    #[arg(long, default_value = "target/bench-spam")]
    dir: PathBuf,
}

fn main() {
    let arguments = Arguments::parse();
    println!("memory limit: {}", limit_memory(arguments.memory));
    let breadth_first = Star { function: BudgetFunction::Unlimited, seeds: SeedBudgets::Earned };
    let star = Star { function: BudgetFunction::default(), seeds: SeedBudgets::Earned };
    let plain = crawl("breadth-first", &arguments, breadth_first);
    let with_budgets = crawl("STAR and BEAST", &arguments, star);
    println!(
        "{{\"bench\":\"spam\",\"breadth_first\":{},\"star_beast\":{}}}",
        plain.json(),
        with_budgets.json()
    );
}

fn web(arguments: &Arguments) -> WebConfig {
    let pages = u64::from(arguments.domains) * 50;
    let wild = WebConfig::realistic(arguments.seed, pages);
    WebConfig {
        http_port: 80,
        https_port: 443,
        domains: arguments.domains,
        addresses: arguments.domains,
        farms: Farms { domains: 4, hosts: arguments.hosts, pages: 1_000, linked: 50 },
        rings: Farms {
            domains: arguments.rings,
            hosts: arguments.ring_hosts,
            pages: arguments.ring_pages,
            linked: 50,
        },
        giant_pages: 10_000_000,
        giant_links: 3,
        pull: 3,
        hosts: HostMix { huge: 1, ..wild.hosts },
        ..wild
    }
}

fn crawl(name: &str, arguments: &Arguments, star: Star) -> Tally {
    let _ = std::fs::remove_dir_all(&arguments.dir);
    std::fs::create_dir_all(&arguments.dir).expect("a directory to write to");
    let site = Site::new(web(arguments), 20);
    let mut setup = Setup::new(&site, Scope::Any, arguments.seed);
    setup.crawl.frontier.star = star;
    setup.crawl.concurrency = arguments.slots;
    setup.crawl.limit = Some(arguments.pages);
    setup.crawl.sitemaps = false;
    let disk: SharedDisk = Arc::new(OsDisk::new(arguments.dir.clone()).expect("a disk"));
    let mut network = Network::structural(site.web.clone(), arguments.seed, Ledger::new(site.web.clone()));
    let mut sim = Sim::open(&site, &setup, &disk, START).expect("an empty disk");
    network.begin(sim.now, Before::Calm);
    println!("{name}:");
    let (meter, every) = (Meter::start(), (arguments.pages / 10).max(1));
    let mut next = every;
    while sim.exit.is_none() {
        sim.step(&mut network).expect("a sound disk");
        if sim.pages() >= next {
            next += every;
            network.log.print(sim.pages(), sim.now);
        }
    }
    assert_eq!(sim.exit, Some(Exit::LimitReached), "{:?}", sim.snapshot());
    let (resident, peak) = (format_bytes(resident_bytes()), format_bytes(peak_bytes()));
    println!(
        "{:.0} s, {:.0} s of processor, {resident} resident, {peak} at most",
        meter.wall_s(),
        meter.cpu_s()
    );
    let _ = std::fs::remove_dir_all(&arguments.dir);
    network.log.tally(sim.now)
}

/// Whom the fetches went to. Of one in sixty-four legitimate hosts it knows what waits, exactly.
struct Ledger {
    web: Arc<Web>,
    legitimate: u64,
    farms: u64,
    rings: u64,
    giant: u64,
    /// When the giant was first asked for a page.
    giant_since: Option<Timestamp>,
    sampled: Map<HostId, Queue>,
    known: Set<u64>,
}

/// What waits on a host.
#[derive(Default)]
struct Queue {
    pending: i64,
    due: Timestamp,
}

/// Shares of a crawl.
struct Tally {
    spam: f64,
    spam_farms: f64,
    spam_rings: f64,
    legitimate_found: f64,
    giant_of_its_most: f64,
}

/// Of so many hosts one is sampled.
const SAMPLED_ONE_IN: u64 = 64;
/// A host's delay and what an answer takes, in the mean.
const TURN_MS: f64 = 1_110.0;

impl Ledger {
    fn new(web: Arc<Web>) -> Self {
        let (sampled, known) = (map(), set());
        Self { web, legitimate: 0, farms: 0, rings: 0, giant: 0, giant_since: None, sampled, known }
    }

    fn queue(&mut self, name: &str) -> Option<&mut Queue> {
        let host = self.web.host(name)?;
        let sampled = xxh3_64(name.as_bytes()).is_multiple_of(SAMPLED_ONE_IN) && !self.web.is_farm(host);
        if sampled { Some(self.sampled.entry(host).or_default()) } else { None }
    }

    fn due(&self, now: Timestamp) -> u64 {
        let due = self.sampled.values().filter(|queue| queue.pending > 0 && queue.due <= now).count();
        due as u64 * SAMPLED_ONE_IN
    }

    fn tally(&self, now: Timestamp) -> Tally {
        let all = (self.legitimate + self.farms + self.rings) as f64;
        let of_all = |part: u64| part as f64 / all;
        let elapsed = self.giant_since.map_or(0, |since| now.since_ms(since)) as f64;
        Tally {
            spam: of_all(self.farms + self.rings),
            spam_farms: of_all(self.farms),
            spam_rings: of_all(self.rings),
            legitimate_found: self.legitimate as f64 / self.web.config().pages as f64,
            giant_of_its_most: self.giant as f64 / (elapsed / TURN_MS).max(1.0),
        }
    }

    fn print(&self, pages: u64, now: Timestamp) {
        let tally = self.tally(now);
        println!(
            "{:>8} pages, {:>5.1} % spam ({:.1} % farms, {:.1} % rings), {:>4.1} % of the legitimate web, giant at {:>3.0} %, \
             {} legitimate hosts due",
            format_count(pages),
            100.0 * tally.spam,
            100.0 * tally.spam_farms,
            100.0 * tally.spam_rings,
            100.0 * tally.legitimate_found,
            100.0 * tally.giant_of_its_most,
            format_count(self.due(now)),
        );
    }
}

impl Witness for Ledger {
    fn begin(&mut self, _: Timestamp, _: Before) {}
    fn end(&mut self, _: Timestamp) {}

    fn contact(&mut self, contact: Contact) {
        let Some(host) = self.web.host(&contact.host) else { return };
        if let Some(queue) = self.queue(&contact.host) {
            queue.due = contact.ended + 1_000;
            queue.pending -= i64::from(contact.purpose == Purpose::Content);
        }
        if contact.purpose == Purpose::Robots {
            return;
        }
        let counter = match () {
            () if self.web.is_ring(host) => &mut self.rings,
            () if self.web.is_farm(host) => &mut self.farms,
            () => &mut self.legitimate,
        };
        *counter += 1;
        if self.web.giant() == Some(host) {
            self.giant += 1;
            self.giant_since.get_or_insert(contact.started);
        }
    }

    fn finds(&mut self, url: &str, _: Timestamp) {
        let name = url.split('/').nth(2).unwrap_or_default();
        if self.queue(name).is_some() && self.known.insert(xxh3_64(url.as_bytes())) {
            let queue = self.queue(name).expect("it is sampled");
            queue.pending += 1;
        }
    }
}

impl Tally {
    fn json(&self) -> String {
        format!(
            "{{\"spam\":{:.4},\"spam_farms\":{:.4},\"spam_rings\":{:.4},\"legitimate_found\":{:.4},\"giant\":{:.3}}}",
            self.spam, self.spam_farms, self.spam_rings, self.legitimate_found, self.giant_of_its_most
        )
    }
}
