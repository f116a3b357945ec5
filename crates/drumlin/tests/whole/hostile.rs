//! A crawl of hosts at their worst, with an honest one among them: it ends, every host's behaviour is reported by name,
//! nothing private is contacted, and the honest host is crawled whole.

use crate::support::crawl::Crawl;
use crate::support::names;
use crate::support::script::{Reply, Script};
use simweb::hostile::{Malice, start};
use std::fs;
use std::net::Ipv4Addr;

const HONEST_PAGES: usize = 40;

/// What the log is to say of the front page of a malice.
const REPORTS: [(Malice, &str); 22] = [
    (Malice::TlsAlert, "tls"),
    (Malice::TlsOverlong, "tls"),
    (Malice::DripHead, "response-timeout"),
    (Malice::DripBody, "200"),
    (Malice::EndlessHeaders, "protocol"),
    (Malice::EndlessBody, "200"),
    (Malice::ChunkNonsense, "200"),
    (Malice::LengthNegative, "protocol"),
    (Malice::LengthTwice, "protocol"),
    (Malice::GzipBomb, "200"),
    (Malice::BrotliBomb, "200"),
    (Malice::InterimStorm, "protocol"),
    (Malice::RedirectLoop, "302"),
    (Malice::RedirectChain, "302"),
    (Malice::Reset, "disconnected"),
    (Malice::Silence, "response-timeout"),
    (Malice::OtherProtocol, "protocol"),
    (Malice::NestedTags, "200"),
    (Malice::EvilUrls, "200"),
    (Malice::RobotsHtml, "200"),
    (Malice::RobotsBinary, "200"),
    (Malice::RobotsEndless, "200"),
];

/// Hosts whose every request fails have no robots.txt to go by; the log has that instead of their front page.
fn is_reported(log: &str, malice: Malice, said: &str) -> bool {
    let host = format!("://{}:", malice.host());
    log.lines().filter(|line| line.contains(&host)).any(|line| line.split(' ').nth(2) == Some(said))
}

fn scheme_of(malice: Malice) -> &'static str {
    if matches!(malice, Malice::TlsAlert | Malice::TlsOverlong) { "https" } else { "http" }
}

fn honest() -> Script {
    Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        "/" => Reply::page(&["/0"]),
        target => {
            let number: usize = target.trim_start_matches('/').parse().expect("a page of the host");
            let next = format!("/{}", number + 1);
            if number + 2 < HONEST_PAGES { Reply::page(&[&next]) } else { Reply::page(&[]) }
        }
    })
}

#[test]
fn a_crawl_of_the_hostile_web_ends_and_says_what_it_met() {
    let (hostile, honest) = (start().expect("a free port"), honest());
    let dns = names::serve(|name| {
        Malice::of_host(name)
            .map(Malice::address)
            .or_else(|| (name == "honest.test").then_some(Ipv4Addr::new(127, 0, 0, 2)))
    });
    let mut seeds: Vec<String> = Malice::ALL
        .into_iter()
        // A million links are as many honest pages.
        .filter(|malice| *malice != Malice::MillionLinks)
        .map(|malice| hostile.url(scheme_of(malice), malice, "/"))
        .collect();
    seeds.push(honest.url("honest.test", "/"));
    let crawl = Crawl::new(dns, &seeds.iter().map(String::as_str).collect::<Vec<_>>())
        .config("[retry]\nbase = 0.1\nmax = 0.2\nattempts = 2\n[page]\nbody = \"1M\"\ntime = 2\n")
        .flag("--concurrency", "64");
    let holdings = crawl.run_to_the_end();
    let log = fs::read_to_string(crawl.dir().join("crawl.log")).expect("a log");
    for (malice, said) in REPORTS {
        assert!(is_reported(&log, malice, said), "{malice:?}: no `{said}` in\n{log}");
    }
    let statuses = holdings.statuses();
    let of_honest = statuses.iter().filter(|(url, _)| url.contains("//honest.test:")).count();
    assert_eq!(of_honest, HONEST_PAGES);
    let hops = statuses.iter().filter(|(url, _)| url.contains("redirect-chain.test")).count();
    assert_eq!(hops, 11, "the URL and ten hops, each to another host");
    assert!(log.lines().all(|line| {
        let address = line.split(' ').nth(5).expect("an address");
        address == "-" || address.starts_with("127.")
    }));
}
