//! What servers ask for beyond the delays, judged from their logs.

use crate::support::crawl::Crawl;
use crate::support::gaps::{Seen, too_close};
use crate::support::names;
use crate::support::script::{Ask, Reply, Script};
use std::net::Ipv4Addr;

/// Crawls what a script serves: every host of `.test` at an address of its own.
fn crawl(server: &Script) -> Crawl {
    let dns = names::serve(|name| {
        let host = name.strip_suffix(".test")?;
        Some(Ipv4Addr::new(127, 0, 0, *host.as_bytes().first()?))
    });
    Crawl::new(dns, &[&server.url("a.test", "/")])
}

fn host(seen: &Seen) -> &str {
    &seen.host
}

fn address(seen: &Seen) -> &str {
    &seen.address
}

/// Eight pages a host, on hosts that share an address by their first letter.
fn eight_pages(ask: &Ask<'_>) -> Reply {
    let away = |host: &str| format!("http://{host}:{}/", ask.port);
    let (ash, birch) = (away("ash.test"), away("birch.test"));
    let links = ["/1", "/2", "/3", "/4", "/5", "/6", "/7", &ash, &birch];
    if ask.target == "/robots.txt" { Reply::status(404) } else { Reply::page(&links) }
}

#[test]
fn hosts_and_addresses_are_left_alone_for_their_delays() {
    let server = Script::start(eight_pages);
    crawl(&server).flag("--delay", "0.3").flag("--ip-delay", "0.1").run_to_the_end();
    let log = server.log();
    assert_eq!(log.len(), 3 * 9);
    assert_eq!(too_close(&log, host, 300), [""; 0]);
    assert_eq!(too_close(&log, address, 100), [""; 0]);
}

#[test]
fn a_crawl_delay_holds_from_the_answer_that_names_it() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::text("User-agent: *\nCrawl-delay: 0.7\n"),
        _ => Reply::page(&["/1", "/2", "/3"]),
    });
    crawl(&server).run_to_the_end();
    assert_eq!(server.log().len(), 5);
    assert_eq!(too_close(&server.log(), host, 700), [""; 0]);
}

#[test]
fn retry_after_is_waited_for_by_the_whole_host() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        "/busy" if ask.times == 0 => Reply::status(503).header("Retry-After", "2"),
        "/busy" => Reply::page(&[]),
        _ => Reply::page(&["/busy", "/1", "/2", "/3", "/4", "/5"]),
    });
    let holdings = crawl(&server).run_to_the_end();
    let log = server.log();
    let refused = log.iter().find(|seen| seen.status == 503).expect("a refusal");
    let next = log.iter().filter(|seen| seen.start_us > refused.start_us).map(|seen| seen.start_us).min();
    let wait_us = next.expect("it came back") - refused.end_us;
    assert!(wait_us >= 2_000_000, "it came back after {wait_us} µs");
    assert_eq!(holdings.pages().filter(|page| page.url.ends_with("/busy") && page.status == 200).count(), 1);
}

#[test]
fn too_many_requests_slow_down_without_a_date_too() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        _ if ask.times == 0 => Reply::status(429),
        _ => Reply::page(&[]),
    });
    let settings = "[retry]\nbase = 0.1\noverload = 1.5\n";
    crawl(&server).config(settings).run_to_the_end();
    let log = server.log();
    assert_eq!(log.len(), 3);
    assert_eq!(too_close(&log[1..], host, 1_500), [""; 0]);
}

#[test]
fn a_robots_txt_that_fails_forbids_everything() {
    for status in [500, 503] {
        let server = Script::start(move |ask| match ask.target {
            "/robots.txt" => Reply::status(status),
            _ => Reply::page(&[]),
        });
        let crawl = crawl(&server);
        assert_eq!(crawl.run().code, Some(0));
        let log = server.log();
        assert!(log.iter().all(|seen| seen.target == "/robots.txt"), "{log:?}");
        assert!((2..=5).contains(&log.len()), "it is asked for again, and not for ever: {}", log.len());
        assert_eq!(crawl.holdings().pages().count(), 0);
    }
}

#[test]
fn a_robots_txt_that_recovers_allows_again() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" if ask.times == 0 => Reply::status(500),
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /private\n"),
        _ => Reply::page(&["/private", "/open"]),
    });
    crawl(&server).run_to_the_end();
    let targets: Vec<String> = server.log().into_iter().map(|seen| seen.target).collect();
    assert_eq!(targets, ["/robots.txt", "/robots.txt", "/", "/open"]);
}

#[test]
fn a_missing_robots_txt_allows_everything() {
    for status in [401, 403, 404, 410] {
        let server = Script::start(move |ask| match ask.target {
            "/robots.txt" => Reply::status(status),
            _ => Reply::page(&[]),
        });
        assert_eq!(crawl(&server).run_to_the_end().pages().count(), 1, "{status}");
    }
}

#[test]
fn a_robots_txt_may_stand_on_another_host() {
    let server = Script::start(|ask| match (ask.host, ask.target) {
        ("a.test", "/robots.txt") => Reply::redirect(301, &format!("http://b.test:{}/rules.txt", ask.port)),
        ("b.test", "/rules.txt") => Reply::text("User-agent: *\nDisallow: /private\n"),
        _ => Reply::page(&["/private", "/open"]),
    });
    crawl(&server).flag("--delay", "0.3").run_to_the_end();
    let log = server.log();
    let asked: Vec<(&str, &str)> =
        log.iter().map(|seen| (seen.host.as_str(), seen.target.as_str())).collect();
    let wanted = [("a.test", "/robots.txt"), ("b.test", "/rules.txt"), ("a.test", "/"), ("a.test", "/open")];
    assert_eq!(asked, wanted);
    assert_eq!(too_close(&log, host, 300), [""; 0]);
}

#[test]
fn names_that_lead_into_private_networks_are_not_contacted() {
    let server = Script::start(|_| Reply::page(&[]));
    let dns =
        names::serve(|name| Some(if name == "a.test" { [10, 1, 2, 3] } else { [169, 254, 169, 254] }.into()));
    let seeds = [server.url("a.test", "/"), server.url("metadata.test", "/"), server.url("127.0.0.1", "/")];
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let crawl = Crawl::new(dns, &seeds).flag("--allow-ip", "127.9.0.0/16");
    assert_eq!(crawl.run().code, Some(0));
    assert_eq!((server.log().len(), crawl.holdings().captures.len()), (0, 0));
}
