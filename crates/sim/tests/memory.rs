//! Memory is bounded by configuration, not by the crawl (ARCHITECTURE.md, promise 4): a crawl with as much of it as `--memory 64M` gives, of
//! a web whose links alone are many times that, under a meter. The web and the witness are made beforehand; disks are real.
//!
//! `DRUMLIN_NIGHTLY=1` crawls eight times as far.

use crawler::{Exit, FrontierMemory, Retention};
use disk::{OsDisk, SharedDisk};
use meter::Meter;
use sim::checks::BoundedMemory;
use sim::{Before, Contact, Network, START, Setup, Sim, Site, Times, Witness};
use simweb::{HostMix, WebConfig};
use std::sync::Arc;
use stdx::Timestamp;
use weburl::Scope;

#[global_allocator]
static METER: Meter = Meter::new();

#[expect(clippy::disallowed_methods, reason = "the nightly run is asked for by the environment")]
fn nightly() -> bool {
    std::env::var("DRUMLIN_NIGHTLY").is_ok()
}

fn site(pages: u64) -> Site {
    let wild = WebConfig::realistic(1, pages * 100);
    let config = WebConfig {
        hosts: HostMix { huge: 1, ..wild.hosts.hostile() },
        links: 60,
        http_port: 80,
        https_port: 443,
        domains: (pages / 50) as u32,
        addresses: (pages / 200) as u32,
        giant_pages: pages * 20,
        giant_links: 10,
        pull: 4,
        ..wild
    };
    Site::new(config, 200)
}

/// Of `--memory 64M`, what is not the program itself.
const LEAST: u64 = 44 << 20;

/// Memory as the program divides it.
fn setup(site: &Site, pages: u64, memory: u64) -> Setup {
    let mut setup = Setup::new(site, Scope::Any, 1);
    setup.crawl.frontier.memory = FrontierMemory {
        resident_bytes: memory / 16 * 3 / 256,
        buffer_bytes: (memory / 16 / 256 * 8 / 11) as usize,
        bucket_bytes: memory / 16 * 3 / 8,
        recent_keys: (memory / 64 / 256 / 8) as usize,
    };
    setup.crawl.young_bytes = memory / 64;
    setup.crawl.link_bytes = memory / 32;
    setup.crawl.unparsed = 330;
    setup.crawl.checkpoint_bytes = 8 << 20;
    setup.crawl.retention = Retention::Expire;
    setup.crawl.sitemaps = false;
    setup.crawl.limit = Some(pages);
    setup.archive.max_file_bytes = 16 << 20;
    setup.archive.max_segment_bytes = 1 << 20;
    setup.archive.index_bytes = (memory / 128) as usize;
    setup.archive.payload_bytes = (memory / 64) as usize;
    setup.times = Times { lookup_ms: 20, sync_ms: 20, commit_ms: 20, parse_ms: 20, work_ms: 100 };
    setup
}

struct Nobody;

impl Witness for Nobody {
    fn begin(&mut self, _: Timestamp, _: Before) {}
    fn end(&mut self, _: Timestamp) {}
    fn contact(&mut self, _: Contact) {}
}

/// A crawl that takes `taken` bytes, judged as if it had been told to take [`LEAST`].
fn judged(pages: u64, taken: u64) -> BoundedMemory {
    let site = site(pages);
    let setup = setup(&site, pages, taken);
    let mut judge = BoundedMemory::new(&self::setup(&site, pages, LEAST));
    let place = tempfile::tempdir().unwrap();
    let disk: SharedDisk = Arc::new(OsDisk::new(place.path().to_owned()).unwrap());
    let mut network = Network::structural(site.web.clone(), 1, Nobody);
    let before = METER.begin();
    let mut sim = Sim::open(&site, &setup, &disk, START).unwrap();
    network.begin(sim.now, Before::Calm);
    while sim.exit.is_none() {
        sim.step(&mut network).unwrap();
        judge.holds(sim.pages(), METER.peak_since(before) as u64);
    }
    assert_eq!(sim.exit, Some(Exit::LimitReached));
    let (links, known, most) = (sim.links, sim.snapshot().discovered, judge.peak >> 10);
    println!(
        "{pages} pages, {links} links, {known} URLs: {most} KiB at most of {} promised",
        judge.bound() >> 10
    );
    judge
}

#[test]
fn memory_is_bounded_by_configuration() {
    let pages = if nightly() { 160_000 } else { 20_000 };
    assert_eq!(judged(pages, LEAST).findings.into_vec(), Vec::<String>::new());
    let greedy = judged(pages, 16 * LEAST);
    assert!(greedy.findings.count > 0, "the judge does not see a crawl that takes sixteen times as much");
}
