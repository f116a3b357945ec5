//! Whole crawls in virtual time.

use crawler::{Exit, Retention};
use disk::{MemDisk, SharedDisk};
use sim::checks::{Delays, at_most_once, captures, complete, politeness, robots_obeyed};
use sim::{Network, Setup, Sim, Site};
use simweb::{Plan, WebConfig};
use std::path::Path;
use std::sync::Arc;
use stdx::Timestamp;
use weburl::Scope;

const START: Timestamp = Timestamp::from_ms(1_700_000_000_000);
const DELAYS: Delays = Delays { host_ms: 1000, server_ms: 250, domain_ms: 250 };

fn nothing_wrong(what: &str, wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{what}: {} violations, first: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(5)]
    );
}

fn judge(site: &Site, network: &Network, disk: &SharedDisk) {
    let web = &site.web;
    nothing_wrong("politeness", &politeness(&network.log, DELAYS, |_| 0));
    nothing_wrong("robots", &robots_obeyed(&network.log, web));
    let captures = captures(disk).unwrap();
    nothing_wrong("once", &at_most_once(&captures));
    let seeds: Vec<String> = site.seeds.iter().map(ToString::to_string).collect();
    let truth = web.truth(&Plan { seeds: &seeds, scope: simweb::Scope::Any, depth: None });
    nothing_wrong("complete", &complete(&captures, web, &truth));
}

#[test]
fn a_whole_crawl_on_a_disk_in_memory() {
    let site = Site::new(WebConfig::small(1, 300).without_traps(), 2);
    let setup = Setup::new(&site, Scope::Any, 7);
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let mut network = Network::new(site.web.clone(), 3);
    let mut sim = Sim::open(&site, &setup, &disk, START).unwrap();
    sim.run(&mut network, |_| false).unwrap();
    sim.crawler.check_invariants();
    println!("{:?} {:#?}", sim.exit, sim.snapshot());
    assert_eq!(sim.exit, Some(Exit::Done));
    judge(&site, &network, &disk);
}

#[test]
fn expired_captures_are_gone_and_nothing_else_is() {
    let site = Site::new(WebConfig::small(2, 300).without_traps(), 2);
    let mut setup = Setup::new(&site, Scope::Any, 7);
    setup.crawl.retention = Retention::Expire;
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let mut network = Network::new(site.web.clone(), 3);
    let mut sim = Sim::open(&site, &setup, &disk, START).unwrap();
    sim.run(&mut network, |_| false).unwrap();
    assert_eq!(sim.exit, Some(Exit::Done));
    let snapshot = sim.snapshot();
    let left = captures(&disk).unwrap().len() as u64;
    assert!(left < snapshot.captures, "{left} of {} captures are left", snapshot.captures);
    let names = disk.list(Path::new("archive")).unwrap();
    assert_eq!(
        names.iter().filter(|name| name.ends_with(".warc.gz")).count(),
        1,
        "the newest file stays: {names:?}"
    );
    let rows = snapshot.rows;
    let pages = disk.list(Path::new("corpus")).unwrap();
    let read =
        |name: &String| corpus::Reader::open(disk.as_ref(), &Path::new("corpus").join(name)).unwrap().count();
    assert_eq!(pages.iter().map(read).sum::<usize>() as u64, rows, "every row is there");
}
