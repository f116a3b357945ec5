//! The spam experiment: one web, crawled breadth-first and with STAR and BEAST. What share of the fetches goes to farms, how much
//! of the legitimate web is found, and whether its giant starves. With `--turns` once more in the frontier's own order without
//! budgets, in which hosts take turns.
//!
//! `cargo xtask bench spam [--pages N] [--domains N] …`. Farms are of two kinds: millions of hosts under a few domains, and
//! a great many bought domains with few hosts each; both have links from ordinary pages. Slots are few, so that at every
//! moment more legitimate hosts are due than there are slots, which is printed: only then does a choice cost anything.
#![expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]

mod plain;
mod stopwatch;

use clap::Parser;
use crawler::{Exit, FrontierMemory};
use disk::{OsDisk, SharedDisk};
use frontier::{BudgetFunction, SeedBudgets, Star};
use meter::{peak_bytes, resident_bytes};
use plain::Plain;
use sim::{Before, Contact, Network, Purpose, START, Setup, Sim, Site, Witness};
use simweb::{Farms, HostId, HostMix, Web, WebConfig};
use std::path::PathBuf;
use std::sync::Arc;
use stdx::{Map, Set, Timestamp, format_bytes, format_count, map, set};
use stopwatch::{Stopwatch, limit_memory};
use weburl::Scope;
use xxhash_rust::xxh3::xxh3_64;

/// One web, crawled with and without budgets.
#[derive(Parser)]
struct Arguments {
    /// Pages to fetch, in each crawl.
    #[arg(long, default_value_t = 64_000)]
    pages: u64,
    /// Legitimate domains.
    #[arg(long, default_value_t = 8_000)]
    domains: u32,
    /// Pages of each of them, in the mean.
    #[arg(long, default_value_t = 10)]
    domain_pages: u64,
    /// Domains that farms have bought.
    #[arg(long, default_value_t = 250)]
    rings: u32,
    /// Hosts under each of those.
    #[arg(long, default_value_t = 50)]
    ring_hosts: u32,
    /// Pages on each of those hosts.
    #[arg(long, default_value_t = 10_000)]
    ring_pages: u32,
    /// Links abroad per thousand that lead to those: ordinary pages sell them.
    #[arg(long, default_value_t = 500)]
    ring_linked: u32,
    /// Hosts under each of the four domains of the other farm.
    #[arg(long, default_value_t = 1_000_000)]
    hosts: u32,
    /// Crawl once more, without budgets but in the frontier's order.
    #[arg(long)]
    turns: bool,
    /// Requests under way at once.
    #[arg(long, default_value_t = 20)]
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
    let mut figures = vec![("breadth_first", breadth_first(&arguments))];
    if arguments.turns {
        let none = Star { function: BudgetFunction::Unlimited, seeds: SeedBudgets::Earned };
        figures.push(("turns", crawl("no budgets, hosts take turns", &arguments, none)));
    }
    let star = Star { function: BudgetFunction::default(), seeds: SeedBudgets::Earned };
    figures.push(("star_beast", crawl("STAR and BEAST", &arguments, star)));
    let figures = figures.iter().map(|(name, tally)| format!(",\"{name}\":{}", tally.json()));
    println!("{{\"bench\":\"spam\"{}}}", figures.collect::<String>());
}

fn web(arguments: &Arguments) -> WebConfig {
    let pages = u64::from(arguments.domains) * arguments.domain_pages;
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
            linked: arguments.ring_linked,
        },
        giant_pages: 10_000_000,
        giant_links: 3,
        pull: 3,
        hosts: HostMix { huge: 1, ..wild.hosts },
        ..wild
    }
}

fn breadth_first(arguments: &Arguments) -> Tally {
    let web = Arc::new(Web::new(web(arguments)));
    let mut plain = Plain::new(web.clone(), SEEDS, arguments.slots, Ledger::new(web));
    println!("breadth-first:");
    let every = (arguments.pages / 10).max(1);
    while plain.fetched < arguments.pages && plain.step() {
        if plain.fetched.is_multiple_of(every) {
            plain.witness.print(plain.fetched, plain.now);
        }
    }
    plain.witness.tally(plain.now)
}

fn crawl(name: &str, arguments: &Arguments, star: Star) -> Tally {
    let _ = std::fs::remove_dir_all(&arguments.dir);
    std::fs::create_dir_all(&arguments.dir).expect("a directory to write to");
    let site = Site::new(web(arguments), SEEDS);
    let mut setup = Setup::new(&site, Scope::Any, arguments.seed);
    setup.crawl.frontier.star = star;
    setup.crawl.frontier.memory = MEMORY;
    setup.crawl.young_bytes = 16 << 20;
    setup.crawl.concurrency = arguments.slots;
    setup.crawl.limit = Some(arguments.pages);
    setup.crawl.sitemaps = false;
    let disk: SharedDisk = Arc::new(OsDisk::new(arguments.dir.clone()).expect("a disk"));
    let mut network = Network::structural(site.web.clone(), arguments.seed, Ledger::new(site.web.clone()));
    let mut sim = Sim::open(&site, &setup, &disk, START).expect("an empty disk");
    network.begin(sim.now, Before::Calm);
    println!("{name}:");
    let (watch, every) = (Stopwatch::start(), (arguments.pages / 10).max(1));
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
        watch.wall_s(),
        watch.cpu_s()
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
    /// Pages of each bought domain.
    of_ring: Map<u32, u64>,
    giant: u64,
    /// When the giant was first asked for a page.
    giant_since: Option<Timestamp>,
    sampled: Map<HostId, Queue>,
    known: Set<u64>,
    /// The fewest legitimate hosts that were due when it was looked.
    least_due: u64,
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
    ring_domains: usize,
    ring_pages_mean: f64,
    ring_pages_most: u64,
    legitimate_found: f64,
    least_due: u64,
    giant_pages: u64,
    giant_of_its_most: f64,
}

/// Domains that are named.
const SEEDS: u32 = 20;
/// What the program gives a shard when it may take a gigabyte.
const MEMORY: FrontierMemory = FrontierMemory {
    resident_bytes: 768 << 10,
    buffer_bytes: 64 << 10,
    bucket_bytes: 16 << 20,
    recent_keys: 1 << 13,
};
/// Of so many hosts one is sampled.
const SAMPLED_ONE_IN: u64 = 64;
/// A host's delay and what an answer takes, in the mean.
const TURN_MS: f64 = 1_110.0;

impl Ledger {
    fn new(web: Arc<Web>) -> Self {
        let (sampled, known) = (map(), set());
        Self {
            web,
            legitimate: 0,
            farms: 0,
            rings: 0,
            of_ring: map(),
            giant: 0,
            giant_since: None,
            sampled,
            known,
            least_due: u64::MAX,
        }
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
            ring_domains: self.of_ring.len(),
            ring_pages_mean: self.rings as f64 / self.of_ring.len().max(1) as f64,
            ring_pages_most: self.of_ring.values().copied().max().unwrap_or(0),
            least_due: self.least_due,
            giant_pages: self.giant,
            legitimate_found: self.legitimate as f64 / self.web.config().pages as f64,
            giant_of_its_most: self.giant as f64 / (elapsed / TURN_MS).max(1.0),
        }
    }

    fn print(&mut self, pages: u64, now: Timestamp) {
        let due = self.due(now);
        self.least_due = self.least_due.min(due);
        let tally = self.tally(now);
        println!(
            "{:>8} pages, {:>4.1} % spam ({:.1} % farms, {:.1} % rings: {} domains with {:.1} each, {} at most), {:.1} % of the \
             legitimate web, giant {} pages ({:.0} % of its most), {} legitimate hosts due",
            format_count(pages),
            100.0 * tally.spam,
            100.0 * tally.spam_farms,
            100.0 * tally.spam_rings,
            tally.ring_domains,
            tally.ring_pages_mean,
            tally.ring_pages_most,
            100.0 * tally.legitimate_found,
            tally.giant_pages,
            100.0 * tally.giant_of_its_most,
            format_count(due),
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
        if self.web.is_ring(host) {
            *self.of_ring.entry(host.domain).or_default() += 1;
        }
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
            "{{\"spam\":{:.4},\"spam_farms\":{:.4},\"spam_rings\":{:.4},\"ring_domains\":{},\"ring_pages_mean\":{:.2},\
             \"ring_pages_most\":{},\"legitimate_found\":{:.4},\"giant_pages\":{},\"giant\":{:.3},\"least_due\":{}}}",
            self.spam,
            self.spam_farms,
            self.spam_rings,
            self.ring_domains,
            self.ring_pages_mean,
            self.ring_pages_most,
            self.legitimate_found,
            self.giant_pages,
            self.giant_of_its_most,
            self.least_due,
        )
    }
}
