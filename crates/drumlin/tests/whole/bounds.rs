//! Where a crawl ends: limits, depth, patience, Ctrl-C.

use crate::support::crawl::{Crawl, Ended};
use crate::support::edge::{await_until, now, pause};
use crate::support::names;
use crate::support::script::{Reply, Script};
use simweb::server::{Running, ServerOptions, start};
use simweb::{Plan, Scope, WebConfig};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A calm web of small pages on some forty hosts.
fn web(pages: u64) -> Running {
    let config = WebConfig { http_port: 0, https_port: 0, domains: 40, ..WebConfig::small(11, pages).calm() };
    start(config, ServerOptions::default()).expect("a free port")
}

fn crawl(server: &Running, seeds: u32) -> Crawl {
    let seeds = server.web.seeds(seeds);
    Crawl::new(server.dns, &seeds.iter().map(String::as_str).collect::<Vec<_>>())
}

fn script_crawl(server: &Script, seeds: &[&str]) -> Crawl {
    let dns = names::serve(|_| Some(Ipv4Addr::new(127, 0, 0, 2)));
    let seeds: Vec<String> = seeds.iter().map(|host| server.url(host, "/")).collect();
    Crawl::new(dns, &seeds.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Captures that `--limit` counts: final and no redirects, and neither robots.txt nor sitemaps.
fn pages(crawl: &Crawl) -> usize {
    let holdings = crawl.holdings();
    let counts = |status| !matches!(status, 300..400 | 429 | 500..);
    holdings.pages().filter(|page| counts(page.status) && !page.url.contains("sitemap")).count()
}

fn awaits_requests(server: &Running, count: usize) {
    assert!(await_until(Duration::from_mins(1), || server.log.len() >= count), "no request number {count}");
}

#[test]
fn a_limit_is_exact_at_any_concurrency_and_across_kills() {
    let server = web(500);
    let crawl = crawl(&server, 40).flag("--limit", "100").flag("--concurrency", "64");
    for requests in [30, 60, 90] {
        let run = crawl.start();
        awaits_requests(&server, requests);
        run.kill();
    }
    assert_eq!(crawl.run().code, Some(4));
    assert_eq!(pages(&crawl), 100);
    let before = server.log.len();
    assert_eq!(crawl.run().code, Some(4), "the limit stays reached");
    assert_eq!((pages(&crawl), server.log.len()), (100, before));
    let more = crawl.flag("--limit", "150");
    assert_eq!((more.run().code, pages(&more)), (Some(4), 150));
}

#[test]
fn a_limit_in_one_run_is_exact_too() {
    let server = web(500);
    for (limit, concurrency) in [("1", "64"), ("97", "256"), ("100", "1")] {
        let crawl = crawl(&server, 40).flag("--limit", limit).flag("--concurrency", concurrency);
        assert_eq!(crawl.run().code, Some(4));
        assert_eq!(pages(&crawl).to_string(), limit);
    }
}

#[test]
fn depth_counts_links_from_the_seeds() {
    let server = web(400);
    let seeds = server.web.seeds(1);
    let crawl = crawl(&server, 1).flag("--depth", "1");
    let holdings = crawl.run_to_the_end();
    let truth = server.web.truth(&Plan { seeds: &seeds, scope: Scope::Any, depth: Some(1) });
    let mut found: Vec<String> =
        holdings.pages().map(|page| server.web.canonical(&page.url).expect("a URL of the web")).collect();
    found.sort();
    let wanted: Vec<&String> = truth.urls.keys().collect();
    assert_eq!(found.iter().collect::<Vec<_>>(), wanted);
    assert!(wanted.len() > 10 && truth.urls.values().any(|fate| fate.depth == 1), "{}", wanted.len());
}

#[test]
fn a_long_retry_after_does_not_hold_a_crawl_open() {
    let server = Script::start(|ask| match (ask.host, ask.target) {
        (_, "/robots.txt") => Reply::status(404),
        ("busy.test", _) => Reply::status(503).header("Retry-After", "3600"),
        _ => Reply::page(&["/1", "/2"]),
    });
    let crawl = script_crawl(&server, &["busy.test", "idle.test"]).flag("--patience", "5");
    let begun = now();
    let Ended { code, end, .. } = crawl.run();
    assert!(begun.elapsed() < Duration::from_secs(30), "it took {:?}", begun.elapsed());
    assert_eq!(code, Some(3), "{end}");
    let waiting = end["waiting"].as_array().expect("a list");
    assert_eq!((waiting.len(), waiting[0]["host"].as_str()), (1, Some("busy.test")), "{end}");
    assert_eq!(crawl.holdings().pages().filter(|page| page.status == 200).count(), 3);
    let before = server.log().len();
    assert_eq!(crawl.run().code, Some(3));
    assert_eq!(server.log().len(), before, "it is not asked before its time, by a later run either");
}

#[test]
fn control_c_drains_and_the_same_command_goes_on() {
    let server = web(400);
    let crawl = crawl(&server, 1);
    let run = crawl.start();
    awaits_requests(&server, 60);
    run.interrupt();
    let ended = run.wait();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    let before = crawl.holdings();
    let asked = server.log.contacts().iter().filter(|contact| contact.target != "/robots.txt").count();
    assert_eq!(before.pages().count(), asked, "what was under way was finished and kept");
    let seeds = server.web.seeds(1);
    let truth = server.web.truth(&Plan { seeds: &seeds, scope: Scope::Any, depth: None });
    assert!(before.pages().count() < truth.urls.len());
    let after = crawl.run_to_the_end();
    assert_eq!(after.repeated(), [""; 0]);
    assert_eq!(after.pages().count(), truth.urls.len());
    let asked = server.log.contacts().iter().filter(|contact| contact.target != "/robots.txt").count();
    assert_eq!(asked, truth.urls.len(), "nothing was asked for twice");
}

#[test]
fn control_c_twice_stops_now() {
    let asked = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&asked);
    let server = Script::start(move |ask| {
        if ask.target == "/" {
            seen.store(true, Ordering::SeqCst);
            pause(Duration::from_secs(20));
        }
        Reply::status(404)
    });
    let crawl = script_crawl(&server, &["slow.test"]);
    let run = crawl.start();
    assert!(await_until(Duration::from_mins(1), || asked.load(Ordering::SeqCst)), "no request");
    let begun = now();
    run.interrupt();
    pause(Duration::from_millis(200));
    run.interrupt();
    assert_eq!(run.wait().code, Some(130));
    assert!(begun.elapsed() < Duration::from_secs(10), "it took {:?}", begun.elapsed());
}
