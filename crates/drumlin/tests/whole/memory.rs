//! A crawl under a hard limit of the kernel's, of a web whose frontier and bodies take a multiple of it.

use crate::support::confine::Confinement;
use crate::support::crawl::{Crawl, Ended};
use crate::support::edge::{await_until, is_nightly};
use crate::support::names;
use crate::support::script::{Ask, Reply, Script};
use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::time::Duration;

/// What crawls are told, and what the kernel grants: the least, and twice that.
const LEAST_BYTES: u64 = 64 << 20;
const MORE_BYTES: u64 = 128 << 20;

/// What nobody needs whose disk is used: nothing is spilled.
const PLENTY: &str = "16G";

/// Links of a page, all to pages that nobody has heard of.
const LINKS: u64 = 500;

/// One page in so many is long, and its end is late in coming: of these, many are under way at once.
const LONG_ONE_IN: u64 = 10;

/// Bytes of a long page: just too short to be put to disk for its length alone.
const LONG_BYTES: usize = 1000 << 10;

/// How late their end is.
const LATE: Duration = Duration::from_millis(500);

const DOMAINS: u64 = 400;

/// Longer than the long form takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(15);

/// A web without end, by numbers: page n links to pages around `n · LINKS`.
fn endless(ask: &Ask<'_>) -> Reply {
    let number = ask.target.rsplit('/').next().and_then(|word| word.parse::<u64>().ok());
    match number {
        Some(n) if n % LONG_ONE_IN == 1 => {
            Reply::html(format!("<p>{}", "w ".repeat(LONG_BYTES / 2))).late(LATE)
        }
        Some(n) => Reply::html(links(n, ask.port)),
        None => Reply::status(404),
    }
}

fn links(n: u64, port: u16) -> String {
    let mut page = "<!doctype html><title>A page</title>\n".to_owned();
    for m in (1..=LINKS).map(|link| n.wrapping_mul(LINKS).wrapping_add(link)) {
        // What a compressor cannot guess.
        let noise = m.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let _ = writeln!(
            page,
            "<a href=\"http://d{}.test:{port}/{noise:016x}/{:016x}/{m}\">",
            m % DOMAINS,
            !noise
        );
    }
    page
}

fn crawl(server: &Script, pages: u64) -> Crawl {
    // An address a domain: none waits for another.
    let address = |name: &str| {
        let domain: u16 = name.strip_prefix('d')?.strip_suffix(".test")?.parse().ok()?;
        let [high, low] = domain.to_be_bytes();
        Some(Ipv4Addr::new(127, 1, high, low))
    };
    let seeds: Vec<String> = (2..9).map(|n| server.url(&format!("d{n}.test"), &format!("/{n}"))).collect();
    Crawl::new(names::serve(address), &seeds.iter().map(String::as_str).collect::<Vec<_>>())
        .flag("--limit", &pages.to_string())
        .flag("--concurrency", "200")
}

/// The crawl's end, and the most it had resident.
fn run_within(crawl: &Crawl, confinement: &Confinement) -> (Ended, u64) {
    let mut run = crawl.start_within(confinement);
    let mut peak = 0;
    let ended = await_until(PATIENCE, || {
        peak = peak.max(run.peak_bytes().unwrap_or(0));
        run.is_over()
    });
    assert!(ended, "a crawl does not end");
    (run.wait(), peak)
}

/// The kernel's limit on memory is the crawl's own.
#[track_caller]
fn check_that_it_fits(memory_bytes: u64) {
    let server = Script::start(endless);
    let confinement = Confinement::of(memory_bytes);
    let bounded = crawl(&server, pages()).flag("--memory", &memory_bytes.to_string());
    let (ended, peak) = run_within(&bounded, &confinement);
    let urls = pages() * LINKS / LONG_ONE_IN * (LONG_ONE_IN - 1);
    println!("{} pages, some {urls} URLs known, at most {} MiB resident", pages(), peak >> 20);
    assert_eq!(ended.code, Some(4), "it comes to its limit on pages: {ended:?}");
}

fn pages() -> u64 {
    if is_nightly() { 6_000 } else { 1_500 }
}

#[test]
fn a_crawl_keeps_within_its_memory() {
    check_that_it_fits(MORE_BYTES);
}

#[test]
fn a_crawl_keeps_within_the_least_memory() {
    check_that_it_fits(LEAST_BYTES);
}

#[test]
fn a_crawl_that_spills_nothing_does_not_fit() {
    let server = Script::start(endless);
    let confinement = Confinement::of(MORE_BYTES);
    let unbounded = crawl(&server, pages()).flag("--memory", PLENTY);
    let (ended, peak) = run_within(&unbounded, &confinement);
    println!("with --memory {PLENTY} ended by {:?} after {} MiB resident", ended.signal, peak >> 20);
    assert!(ended.signal.is_some(), "what keeps all of it in memory does not fit: {ended:?}");
}
