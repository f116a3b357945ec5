//! A crawl of one large host, with budgets and without: what budgets cost where they have nothing to decide between.
//!
//! `cargo xtask bench onehost [--pages N] [--dir DIR] …`. Virtual time, real processor time, the operating system's disk; pages
//! have no bodies.
#![expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]

#[expect(dead_code, reason = "what a crawl of many hosts measures besides")]
mod stopwatch;

use clap::Parser;
use crawler::{Exit, FrontierMemory};
use disk::{OsDisk, SharedDisk};
use frontier::{BudgetFunction, SeedBudgets, Star};
use sim::{Before, Contact, Network, START, Setup, Sim, Site, Witness};
use simweb::WebConfig;
use std::path::PathBuf;
use std::sync::Arc;
use stdx::Timestamp;
use stopwatch::Stopwatch;
use weburl::Scope;

/// The same crawl twice.
#[derive(Parser)]
struct Arguments {
    /// Pages to fetch of the host.
    #[arg(long, default_value_t = 100_000)]
    pages: u64,
    /// Pages of the host, for each page to fetch.
    #[arg(long, default_value_t = 10)]
    host: u64,
    /// Links of a page to others of the host.
    #[arg(long, default_value_t = 20)]
    links: u32,
    /// The seed of web and crawl.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the crawls are written; removed before and after.
    #[arg(long, default_value = "target/bench-onehost")]
    dir: PathBuf,
}

/// Of the one shard at work: buckets that fill, and more hosts than there are.
const MEMORY: FrontierMemory = FrontierMemory {
    resident_bytes: 16 << 20,
    buffer_bytes: 1 << 20,
    bucket_bytes: 16 << 20,
    recent_keys: 1 << 16,
};

struct Cost {
    cpu_s: f64,
    virtual_s: f64,
}

struct Nobody;

impl Witness for Nobody {
    fn begin(&mut self, _: Timestamp, _: Before) {}
    fn end(&mut self, _: Timestamp) {}
    fn contact(&mut self, _: Contact) {}
}

fn main() {
    let arguments = Arguments::parse();
    let off = crawl(&arguments, "off", BudgetFunction::Unlimited);
    let on = crawl(&arguments, "on", BudgetFunction::default());
    println!(
        "{{\"bench\":\"onehost\",\"pages\":{},\"cpu_s_on\":{:.1},\"cpu_s_off\":{:.1},\"cpu_ratio\":{:.3},\"time_ratio\":{:.4}}}",
        arguments.pages,
        on.cpu_s,
        off.cpu_s,
        on.cpu_s / off.cpu_s,
        on.virtual_s / off.virtual_s
    );
}

/// Crawls the host, whose domain has a budget although a seed names it.
fn crawl(arguments: &Arguments, budgets: &str, function: BudgetFunction) -> Cost {
    let _ = std::fs::remove_dir_all(&arguments.dir);
    std::fs::create_dir_all(&arguments.dir).expect("a directory to write to");
    let small = WebConfig::small(arguments.seed, 10).without_traps().calm();
    let web = WebConfig {
        domains: 1,
        giant_pages: arguments.pages * arguments.host,
        giant_links: arguments.links,
        ..small
    };
    let site = Site::new(web, 1);
    let disk: SharedDisk = Arc::new(OsDisk::new(arguments.dir.clone()).expect("a disk"));
    let mut setup = Setup::new(&site, Scope::Host, arguments.seed);
    setup.crawl.limit = Some(arguments.pages);
    setup.crawl.sitemaps = false;
    setup.crawl.checkpoint_bytes = crawler::limits::CHECKPOINT_BYTES;
    setup.crawl.frontier.star = Star { function, seeds: SeedBudgets::Earned };
    setup.crawl.frontier.memory = MEMORY;
    setup.crawl.young_bytes = 16 << 20;
    let mut network = Network::structural(site.web.clone(), arguments.seed, Nobody);
    let mut sim = Sim::open(&site, &setup, &disk, START).expect("an empty disk").with_threads();
    network.begin(sim.now, Before::Calm);
    let watch = Stopwatch::start();
    while sim.exit.is_none() {
        sim.step(&mut network).expect("a sound disk");
    }
    assert_eq!(sim.exit, Some(Exit::LimitReached), "{:?}", sim.snapshot());
    let cost = Cost { cpu_s: watch.cpu_s(), virtual_s: sim.now.since_ms(START) as f64 / 1000.0 };
    println!(
        "budgets {budgets}: {} pages, {} links, {} URLs known: {:.1} s of processor, {:.0} virtual s",
        sim.pages(),
        sim.links,
        sim.snapshot().discovered,
        cost.cpu_s,
        cost.virtual_s
    );
    let _ = std::fs::remove_dir_all(&arguments.dir);
    cost
}
