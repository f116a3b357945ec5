//! A whole crawl in virtual time over the structure of a large web, on the operating system's disk: what a link costs, and
//! whether memory stays flat.
//!
//! `cargo xtask bench simulated [--pages N] [--memory BYTES] [--dir DIR] …`. Pages have no bodies: the WARC holds heads, the
//! journal everything. The web is made in the same process and on the same clock, so its cost is in the figures; what the
//! links of a page cost to make is measured again afterwards, apart. Files of the archive that are removed (`--expire`) are
//! verified, on a thread of its own; the processor's time for that is taken off, the wall's is not.
#![expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]

mod stopwatch;
mod verifier;

use clap::Parser;
use crawler::limits::SHARDS;
use crawler::{Exit, FrontierMemory, Retention};
use disk::{Observed, OsDisk, SharedDisk};
use meter::{peak_bytes, resident_bytes};
use sim::{Before, Contact, Network, Purpose, START, Setup, Sim, Site, Times, Witness};
use simweb::{HostMix, LinkList, Web, WebConfig};
use std::path::PathBuf;
use std::sync::Arc;
use stdx::{Timestamp, format_bytes, format_count};
use stopwatch::{Stopwatch, limit_memory};
use verifier::Verifier;
use weburl::Scope;

/// A crawl of a web without bodies, in virtual time.
#[derive(Parser)]
struct Arguments {
    /// Pages to fetch.
    #[arg(long, default_value_t = 200_000)]
    pages: u64,
    /// Pages of the web, for each page to fetch.
    #[arg(long, default_value_t = 100)]
    web: u64,
    /// Links a page.
    #[arg(long, default_value_t = 60)]
    links: u32,
    /// The seed of web and crawl.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Requests under way at once.
    #[arg(long, default_value_t = 2_000)]
    slots: usize,
    /// The kernel's limit on memory, in bytes.
    #[arg(long, default_value_t = 1 << 30)]
    memory: u64,
    /// Whether files of the archive are removed when all of them is parsed; they are closed at 64 MiB then, instead of a gibibyte.
    #[arg(long)]
    expire: bool,
    /// Where the crawl is written; removed before and after.
    #[arg(long, default_value = "target/bench-crawl")]
    dir: PathBuf,
}

/// Captures with the parser at once.
const PARSES: usize = 512;

fn main() {
    let arguments = Arguments::parse();
    println!("memory limit: {}", limit_memory(arguments.memory));
    let _ = std::fs::remove_dir_all(&arguments.dir);
    std::fs::create_dir_all(&arguments.dir).expect("a directory to write to");
    crawl(&arguments);
    let _ = std::fs::remove_dir_all(&arguments.dir);
}

fn web(arguments: &Arguments) -> WebConfig {
    let pages = arguments.pages * arguments.web;
    let wild = WebConfig::realistic(arguments.seed, pages);
    WebConfig {
        hosts: HostMix { huge: 1, ..wild.hosts.hostile() },
        links: arguments.links,
        http_port: 80,
        https_port: 443,
        domains: (arguments.pages / 50).max(1) as u32,
        addresses: (arguments.pages / 200).clamp(1, 8 << 20) as u32,
        giant_pages: arguments.pages * 20,
        giant_links: arguments.links / 6,
        pull: 4,
        ..wild
    }
}

fn setup(site: &Site, arguments: &Arguments) -> Setup {
    let mut setup = Setup::new(site, Scope::Any, arguments.seed);
    setup.archive = archive::ArchiveConfig::new("bench", "sim", arguments.seed, weburl::surt);
    setup.archive.index_bytes = archive::limits::INDEX_BYTES.min((arguments.memory / 128) as usize);
    if arguments.expire {
        setup.archive.max_file_bytes = 64 << 20;
        setup.archive.payload_bytes = 0;
        setup.crawl.retention = Retention::Expire;
    }
    setup.crawl.concurrency = arguments.slots;
    setup.crawl.limit = Some(arguments.pages);
    setup.crawl.sitemaps = false;
    setup.crawl.checkpoint_bytes = crawler::limits::CHECKPOINT_BYTES;
    setup.crawl.frontier.memory = memory(arguments.memory);
    setup.crawl.young_bytes = arguments.memory / 64;
    setup.log_file_bytes = crawler::limits::LOG_FILE_BYTES;
    // So far may threads be behind: long, so that nobody waits for them often. What is under way must not run out meanwhile.
    setup.times = Times { lookup_ms: 20, sync_ms: 10_000, commit_ms: 300, parse_ms: 200, work_ms: 1_000 };
    setup.crawl.parses = PARSES;
    setup
}

/// A shard's part of it, as the program divides `--memory`.
fn memory(bytes: u64) -> FrontierMemory {
    let shards = SHARDS as u64;
    FrontierMemory {
        resident_bytes: bytes / 16 * 3 / shards,
        buffer_bytes: (bytes / 16 / shards * 8 / 11) as usize,
        bucket_bytes: bytes / 16 * 3 / 8,
        recent_keys: (bytes / 64 / shards / 8) as usize,
    }
}

/// Counts contacts, and remembers one page in so many; the judges are at work in the tests.
#[derive(Default)]
struct Count {
    contacts: u64,
    sample: Vec<String>,
}

/// Of so many contacts one is remembered.
const SAMPLED: u64 = 100;

impl Witness for Count {
    fn begin(&mut self, _: Timestamp, _: Before) {}
    fn end(&mut self, _: Timestamp) {}
    fn contact(&mut self, contact: Contact) {
        self.contacts += 1;
        if self.contacts.is_multiple_of(SAMPLED) && contact.purpose == Purpose::Content {
            self.sample.push(contact.url);
        }
    }
}

fn crawl(arguments: &Arguments) {
    let site = Site::new(web(arguments), 1_000);
    let os: SharedDisk = Arc::new(OsDisk::new(arguments.dir.clone()).expect("a disk"));
    let verifier = Arc::new(Verifier::new(arguments.dir.clone()));
    let disk: SharedDisk = Arc::new(Observed::new(os, verifier.clone()));
    let setup = setup(&site, arguments);
    let mut network = Network::structural(site.web.clone(), arguments.seed, Count::default());
    let mut sim = Sim::open(&site, &setup, &disk, START).expect("an empty disk").with_threads();
    network.begin(sim.now, Before::Calm);
    let clock = Clock { watch: Stopwatch::start(), verifier };
    let every = (arguments.pages / 10).max(1);
    let mut report = Report { every, next: 0, resident: Vec::new(), costs: Costs::default() };
    while sim.exit.is_none() {
        sim.step(&mut network).expect("a sound disk");
        report.progress(&sim, &clock);
        report.costs.note(sim.pages(), &clock);
    }
    assert_eq!(sim.exit, Some(Exit::LimitReached), "{:?}", sim.snapshot());
    let figures = report.close(&sim, network.log.contacts, &clock);
    make_again(&site.web, &network.log.sample);
    println!("{figures}");
}

/// What the crawl takes: of the processor all but what verifies.
struct Clock {
    watch: Stopwatch,
    verifier: Arc<Verifier>,
}

impl Clock {
    fn wall_s(&self) -> f64 {
        self.watch.wall_s()
    }

    fn cpu_s(&self) -> f64 {
        self.watch.cpu_s() - self.verifier.cpu_s()
    }
}

/// What it costs to make the links of these pages, which is simweb's part of the figures.
fn make_again(web: &Web, pages: &[String]) {
    let (watch, mut list, mut links) = (Stopwatch::start(), LinkList::default(), 0);
    for page in pages {
        web.list_links(page, &mut list);
        links += list.len();
    }
    println!("simweb makes {links} links of {} pages in {:.3} s of processor", pages.len(), watch.cpu_s());
}

struct Report {
    every: u64,
    next: u64,
    /// Resident bytes at every tenth of the pages.
    resident: Vec<u64>,
    costs: Costs,
}

/// What a page took of the processor, from one doubling of the pages to the next.
#[derive(Default)]
struct Costs {
    pages: u64,
    cpu_s: f64,
    us_a_page: Vec<f64>,
}

impl Costs {
    /// The first doubling that is looked at: before it, a crawl pays for its start.
    const FIRST: u64 = 1_000;

    fn note(&mut self, pages: u64, clock: &Clock) {
        if pages < Self::FIRST.max(2 * self.pages) {
            return;
        }
        let cpu_s = clock.cpu_s();
        self.us_a_page.push(((cpu_s - self.cpu_s) * 1e6 / (pages - self.pages) as f64).round());
        (self.pages, self.cpu_s) = (pages, cpu_s);
    }
}

impl Report {
    fn progress(&mut self, sim: &Sim, clock: &Clock) {
        let pages = sim.pages();
        if pages < self.next {
            return;
        }
        self.next += self.every;
        let resident = resident_bytes();
        self.resident.push(resident);
        println!(
            "{:>8} pages {:>8} links, {:>6.1} s, {:>6.1} s of processor, {:>5.0} virtual s, {} resident, {} of it hosts",
            format_count(pages),
            format_count(sim.links),
            clock.wall_s(),
            clock.cpu_s(),
            sim.now.since_ms(START) as f64 / 1000.0,
            format_bytes(resident),
            format_bytes(sim.snapshot().resources.memory.frontier),
        );
    }

    /// The line of figures.
    fn close(&self, sim: &Sim, contacts: u64, clock: &Clock) -> String {
        let (links, verified) = (sim.links, clock.verifier.finish());
        let (wall_s, cpu_s, pages) = (clock.wall_s(), clock.cpu_s(), sim.pages());
        let snapshot = sim.snapshot();
        println!("trace {} of {} actions, {contacts} contacts", sim.trace, sim.trace.actions);
        println!("{} URLs known, {} queued, {} hosts", snapshot.discovered, snapshot.queued, snapshot.hosts);
        println!("{verified}");
        format!(
            "{{\"bench\":\"simulated\",\"pages\":{pages},\"links\":{links},\"wall_s\":{wall_s:.1},\"cpu_s\":{cpu_s:.1},\
             \"cpu_us_a_page_by_doubling\":{:?},\"links_per_s\":{:.0},\"links_per_cpu_s\":{:.0},\"resident_first\":{},\"resident_last\":{},\"resident_peak\":{},\
             \"trace\":\"{}\"}}",
            self.costs.us_a_page,
            links as f64 / wall_s,
            links as f64 / cpu_s,
            self.resident.get(1).copied().unwrap_or(0),
            resident_bytes(),
            peak_bytes(),
            sim.trace,
        )
    }
}
