//! What somebody new does who has read nothing but the README: each in one command, as it is written there.

use crate::support::crawl::Crawl;
use crate::support::edge::await_until;
use crate::support::names;
use crate::support::script::{Reply, Script};
use crate::support::tools::output;
use serde_json::Value;
use std::fs;
use std::net::Ipv4Addr;
use std::process::Command;
use std::time::Duration;

const README: &str = include_str!("../../../../README.md");
const LINKS: [&str; 8] = ["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/private"];
const SOON: Duration = Duration::from_mins(1);

fn server() -> Script {
    Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /private\n"),
        _ => Reply::page(&LINKS),
    })
}

/// What a command says; the README has it in these words.
fn told(words: &str, command: &[&str]) -> String {
    assert!(README.contains(words), "the README does not say `{words}`");
    output(Command::new(env!("CARGO_BIN_EXE_drumlin")).args(command))
}

#[test]
fn a_crawl_is_begun_stopped_steered_resumed_questioned_and_read() {
    let server = server();
    let dns = names::serve(|name| Some(Ipv4Addr::new(127, 0, 2, *name.as_bytes().first()?)));
    let seeds = ["a.test", "b.test"].map(|host| server.url(host, "/"));
    let crawl = Crawl::new(dns, &seeds.each_ref().map(String::as_str)).flag("--delay", "0.5");
    let dir = &*crawl.dir().display().to_string();

    assert!(
        README.contains("drumlin crawl --seeds list.txt --dir news") && README.contains("**Ctrl-C** once")
    );
    let run = crawl.start();
    assert!(await_until(SOON, || server.times("b.test", "/1") > 0), "nothing is fetched");
    run.interrupt();
    assert_eq!(run.wait().code, Some(130));
    let pages = |host: &str| LINKS.iter().map(|link| server.times(host, link)).sum::<usize>();
    let of_b = pages("b.test");
    assert!(of_b < 7, "it was stopped before its end");

    told("# steer a crawl, running or not; also exclude", &["ctl", dir, "exclude", "b.test"]);
    told("`drumlin resume DIR`", &["resume", dir, "-q"]);
    assert_eq!((pages("a.test"), pages("b.test")), (7, of_b), "all of the one, no more of the other");

    let why = |url: &str| told("drumlin explain URL|HOST --dir DIR", &["explain", url, "--dir", dir]);
    let forbidden = why(&server.url("a.test", "/private"));
    assert!(forbidden.contains("excluded: robots.txt line 2"), "{forbidden}");
    let excluded = why(&server.url("b.test", "/7"));
    assert!(excluded.contains("excluded by the operator: host b.test"), "{excluded}");

    told("drumlin report DIR", &["report", dir]);
    let page = fs::read_to_string(crawl.dir().join("report.html")).expect("a page");
    let numbers = fs::read(crawl.dir().join("report.json")).expect("its numbers");
    let numbers: Value = serde_json::from_slice(&numbers).expect("JSON");
    assert_eq!(numbers["figures"]["requests"]["contacts"], server.log().len());
    assert!(page.contains("Answers by status"), "{page}");
}
