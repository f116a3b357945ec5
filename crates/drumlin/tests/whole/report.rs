//! What `drumlin report` says of a crawl over real sockets, beside what the server saw.

use crate::support::crawl::Crawl;
use crate::support::gaps::Seen;
use crate::support::names;
use crate::support::script::{Reply, Script};
use serde_json::{Value, json};
use std::fs;
use std::net::Ipv4Addr;
use std::process::Command;

const HOST: &str = "a.test";

/// Some pages, an absent one, a redirect, an error, one that calls its type names, and a host that does not exist.
fn server() -> Script {
    Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /private\n"),
        "/" => Reply::page(&["/1", "/2", "/gone", "/old", "/private", "/odd", "http://nobody.test/"]),
        "/gone" => Reply::status(404),
        "/old" => Reply::redirect(301, "/1"),
        "/odd" => Reply::text("odd").header("Content-Type", "text/<script>alert(1)</script>"),
        _ => Reply::page(&["/2"]),
    })
}

fn crawled(server: &Script) -> Crawl {
    let dns = names::serve(|name| (name == HOST).then_some(Ipv4Addr::new(127, 0, 0, 9)));
    let crawl = Crawl::new(dns, &[&server.url(HOST, "/")]).flag("--delay", "0.2").flag("--ip-delay", "0.1");
    crawl.run_to_the_end();
    crawl
}

/// What the program says; it succeeds.
fn report(crawl: &Crawl, flags: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_drumlin"));
    let output = command.arg("report").arg(crawl.dir()).args(flags).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The shortest time between an answer and the next request, in milliseconds.
fn shortest_gap_ms(log: &[Seen]) -> u64 {
    let gaps = log.windows(2).map(|two| two[1].start_us.saturating_sub(two[0].end_us));
    gaps.min().expect("some requests") / 1_000
}

#[test]
fn the_numbers_are_what_the_server_saw() {
    let server = server();
    let crawl = crawled(&server);
    let said: Value = serde_json::from_str(&report(&crawl, &["--json"])).expect("JSON");
    let log = server.log();
    let requests = &said["figures"]["requests"];
    assert_eq!(requests["contacts"], log.len());
    assert_eq!(requests["robots"], 1);
    for status in [200, 301, 404] {
        let seen = log.iter().filter(|seen| seen.status == status).count();
        assert_eq!(requests["statuses"][status.to_string()], seen, "{status}");
    }
    assert_eq!(requests["failures"]["name-not-found"]["blame"], "host");
    assert_eq!(requests["depths"], json!({"0": 1, "1": 5}));
    assert_eq!(requests["hosts"]["largest"], json!([{"name": HOST, "count": 6, "at_most": 6}]));
    assert_eq!(said["about"]["excluded"], json!([{"name": "robots", "count": 1}]));

    let gaps = &requests["gaps"];
    let told = gaps["between_ms"]["least"].as_u64().expect("a number");
    let seen = shortest_gap_ms(&log);
    assert!(told >= 200 && told <= seen + 2, "a gap of {told} ms is told, one of {seen} was seen");
    assert_eq!((&gaps["broken"], &gaps["between_ms"]["count"]), (&json!(0), &json!(log.len() - 1)));

    let stretches = requests["timeline"]["stretches"].as_array().expect("a list");
    let pages: u64 = stretches.iter().filter_map(|stretch| stretch["pages"].as_u64()).sum();
    assert_eq!(pages, 5, "as the status counts them, without the redirect");
    assert_eq!(said["figures"]["archive"]["records"], log.len());
}

#[test]
fn the_page_stands_alone_and_what_servers_say_is_text() {
    let crawl = crawled(&server());
    let told = report(&crawl, &[]);
    let places: Vec<&str> = told.lines().collect();
    let page = fs::read_to_string(places[0]).expect("the page");
    assert_eq!(places[0], crawl.dir().join("report.html").display().to_string());
    assert!(page.contains(HOST) && !page.contains("<script"));
    assert!(!page.contains("http:") && !page.contains("https:"));
    let beside: Value =
        serde_json::from_str(&fs::read_to_string(places[1]).expect("the numbers")).expect("JSON");
    assert_eq!(beside["figures"]["requests"]["pages"], 6);

    let elsewhere = crawl.file("elsewhere.html", "");
    report(&crawl, &["--out", &elsewhere]);
    assert_eq!(fs::read_to_string(elsewhere).expect("the page"), page, "the same crawl gives the same page");
}

/// The program, with these arguments and the crawl's directory behind `--dir`.
fn about_host(crawl: &Crawl, host: &str, flags: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_drumlin"));
    let output =
        command.args(["report", host, "--dir"]).arg(crawl.dir()).args(flags).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_webmaster_reads_what_their_server_saw() {
    let server = server();
    let crawl = crawled(&server);
    let log = server.log();
    let said: Value = serde_json::from_str(&about_host(&crawl, HOST, &["--json"])).expect("JSON");
    let account = &said["account"];
    let visits = account["visits"].as_array().expect("a list");
    let told: Vec<(&str, &str)> = visits
        .iter()
        .filter_map(|visit| Some((visit["url"].as_str()?, visit["outcome"].as_str()?)))
        .collect();
    let seen: Vec<(String, String)> =
        log.iter().map(|seen| (server.url(HOST, &seen.target), seen.status.to_string())).collect();
    assert!(
        told.iter().copied().eq(seen.iter().map(|(url, status)| (url.as_str(), status.as_str()))),
        "{told:?}"
    );
    let gaps: Vec<u64> = visits.iter().filter_map(|visit| visit["gap_ms"].as_u64()).collect();
    assert!(gaps.len() == log.len() - 1 && gaps.iter().all(|gap| *gap >= 200), "{gaps:?}");
    let rules = &account["rules"][format!("http://{HOST}:{}", server.port)];
    assert_eq!(rules["lines"], json!(["2: Disallow: /private"]));
    assert_eq!(said["who"]["contact"], "tests@drumlin.test");

    let text = about_host(&crawl, &server.url(HOST, "/1"), &[]);
    for part in ["User-agent: drumlin\n  Disallow: /", "2: Disallow: /private", "contact: tests@drumlin.test"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let nobody = about_host(&crawl, "other.test", &[]);
    assert!(nobody.starts_with("other.test: Nothing was asked of it."), "{nobody}");
    let mere_suffix = about_host(&crawl, "test", &["--json"]);
    assert!(mere_suffix.contains("\"contacts\":7"), "a host below it: {mere_suffix}");
}

#[test]
fn pages_for_webmasters_stand_alone() {
    let crawl = crawled(&server());
    let place = crawl.file("host.html", "");
    about_host(&crawl, HOST, &["--out", &place]);
    let page = fs::read_to_string(&place).expect("the page");
    assert!(
        page.contains("/private") && page.contains("mailto:tests@drumlin.test") && !page.contains("<script")
    );

    let flags = ["contact-page", "--contact", "https://example.org/bot", "--user-agent", "sandbot/2"];
    let output = Command::new(env!("CARGO_BIN_EXE_drumlin")).args(flags).output().expect("it runs");
    let page = String::from_utf8(output.stdout).expect("text");
    for part in [
        "sandbot/2 (+https://example.org/bot)",
        "User-agent: sandbot\nDisallow: /",
        "1.0 s between two requests",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

/// A calendar without end, held back; and a page that is taken down.
#[test]
fn traps_and_takedowns_are_counted() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        "/" => Reply::page(&["/1", "/kept", "/a/b/a/b/a/b/a/b/a/b/a/b"]),
        _ => Reply::page(&[]),
    });
    let crawl = crawled(&server);
    let taken = server.url(HOST, "/1");
    let mut ctl = Command::new(env!("CARGO_BIN_EXE_drumlin"));
    let said =
        ctl.arg("ctl").arg(crawl.dir()).args(["takedown", "--pattern", "/1$"]).output().expect("it runs");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));

    let said: Value = serde_json::from_str(&report(&crawl, &["--json"])).expect("JSON");
    assert_eq!(said["figures"]["taken_down"], json!({"withheld": 1, "purged": 0, "pages": 1}));
    let rules = said["about"]["traps"]["rules"].as_array().expect("a list");
    assert!(rules.iter().any(|rule| rule["rule"] == "repeats" && rule["held_back"] == 1), "{rules:?}");
    let pattern = &said["about"]["traps"]["patterns"][0];
    assert_eq!((&pattern["host"], &pattern["held_back"]), (&json!(HOST), &json!(1)), "{pattern}");
    let text = about_host(&crawl, HOST, &[]);
    assert!(text.contains("pattern /1$: 1 answer withheld from all that leaves us"), "{text}");
    assert!(text.contains(&taken), "that it was fetched stays known");
    for (url, answers) in [(&taken, 0), (&server.url(HOST, "/kept"), 1)] {
        let mut explain = Command::new(env!("CARGO_BIN_EXE_drumlin"));
        let said = explain.args(["explain", url, "--dir"]).arg(crawl.dir()).output().expect("it runs");
        let text = String::from_utf8_lossy(&said.stdout);
        assert!(text.contains("state      fetched: entry "), "{text}");
        assert_eq!(text.matches("  answer     ").count(), answers, "{text}");
    }
}

/// A page that is there by its status, and says what the host says of pages that are not.
#[test]
fn soft_404s_are_counted() {
    let server = Script::start(|ask| match ask.target {
        "/" => Reply::page(&["/missing", "/a"]),
        "/a" => Reply::page(&["/b"]),
        "/b" => Reply::page(&["/old/1", "/old/2"]),
        "/missing" => nothing_here().with_status(404),
        "/old/1" | "/old/2" => nothing_here(),
        _ => Reply::status(404),
    });
    let dns = names::serve(|name| (name == "soft.test").then_some(Ipv4Addr::new(127, 0, 0, 8)));
    let crawl = Crawl::new(dns, &[&server.url("soft.test", "/")]).flag("--delay", "0.1");
    let ended = crawl.run();
    assert_eq!((ended.code, &ended.end["summary"]["soft_404s"]), (Some(0), &json!(2)), "{ended:?}");
    let said: Value = serde_json::from_str(&report(&crawl, &["--json"])).expect("JSON");
    assert_eq!(said["about"]["soft_404s"], 2);
    let told = report(&crawl, &[]);
    let page = fs::read_to_string(told.lines().next().expect("a path")).expect("the page");
    assert!(page.contains("Soft 404s"));
}

fn nothing_here() -> Reply {
    Reply::html(format!(
        "<title>Sorry</title><p>{}",
        "What you look for has moved, or was never with us. ".repeat(9)
    ))
}
