//! A crawl that runs is looked at and spoken to: by its socket without a token, by loopback with one.

use crate::support::crawl::{Crawl, Run};
use crate::support::edge::await_until;
use crate::support::http::{Answer, Client};
use crate::support::names;
use crate::support::script::{Reply, Script};
use crate::support::tools::{judge, output, system};
use serde_json::{Value, json};
use std::net::Ipv4Addr;
use std::time::Duration;

const LINKS: [&str; 8] = ["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"];
const SOON: Duration = Duration::from_mins(1);

/// Pages with links to each other on three hosts, one of which does not answer pages.
fn server() -> Script {
    Script::start(|ask| match (ask.host, ask.target) {
        (_, "/robots.txt") | ("broken.test", _) => Reply::status(404),
        _ => Reply::html(page()),
    })
}

fn page() -> String {
    let links = LINKS.map(|link| format!("<a href=\"{link}\">{link}</a>")).concat();
    format!("<!doctype html><title>Hills &amp; <b>more</b></title><p>A drumlin is a hill. {links}")
}

/// Slow enough to be looked at, and done within a minute.
fn crawl(server: &Script) -> Crawl {
    let dns = names::serve(|name| Some(Ipv4Addr::new(127, 0, 1, *name.as_bytes().first()?)));
    let seeds = ["a.test", "c.test", "broken.test"].map(|host| server.url(host, "/"));
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    Crawl::new(dns, &seeds).flag("--delay", "1").flag("--ip-delay", "0.1")
}

/// Waits until the crawl listens and has fetched pages.
fn received(crawl: &Crawl) -> Client {
    let client = Client::of_socket(&crawl.dir().join("state/control.sock"));
    let has_pages =
        || client.look("/api/v1/snapshot").is_some_and(|said| said["snapshot"]["pages"].as_u64() > Some(3));
    assert!(await_until(SOON, has_pages), "nobody answers");
    client
}

fn stop(run: Run<'_>) {
    run.interrupt();
    assert_eq!(run.wait().code, Some(130));
}

fn rows<'a>(said: &'a Value, name: &str) -> &'a [Value] {
    said[name].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn everything_that_goes_on_can_be_seen() {
    let server = server();
    let crawl = crawl(&server);
    let run = crawl.start();
    let client = received(&crawl);
    let look = |path: &str| client.look(path).unwrap_or_else(|| panic!("{path} is not answered"));

    let snapshot = look("/api/v1/snapshot");
    assert_eq!(snapshot["mode"], "running");
    assert!(snapshot["snapshot"]["resources"]["fetch"]["count"].as_u64() > Some(3), "{snapshot:#}");
    let hosts = look("/api/v1/hosts?sort=name");
    let names: Vec<&str> = rows(&hosts, "rows").iter().filter_map(|row| row["host"].as_str()).collect();
    assert_eq!(names, ["a.test", "broken.test", "c.test"]);
    let first = look("/api/v1/hosts?sort=name&limit=2");
    let after = url_encoded(first["next"].as_str().expect("there is another page"));
    let second = look(&format!("/api/v1/hosts?sort=name&limit=2&after={after}"));
    assert_eq!((&second["rows"][0]["host"], &second["next"]), (&Value::from("c.test"), &Value::Null));
    assert_eq!(look("/api/v1/hosts?q=broken")["matching"], 1);

    let pages = look("/api/v1/pages");
    let page = &pages["pages"][0];
    assert_eq!(page["title"], "Hills & <b>more</b>");
    assert!(page["text"].as_str().is_some_and(|text| text.contains("A drumlin is a hill.")), "{page:#}");
    assert_eq!(page["links_found"], 8);
    let errors = look("/api/v1/errors");
    assert!(rows(&errors, "recent").iter().any(|row| row["cause"] == "404"), "{errors:#}");
    let ledger = look("/api/v1/ledger");
    let delays: Vec<&str> =
        rows(&ledger, "contacts").iter().filter_map(|row| row["delay"].as_str()).collect();
    assert!(delays.contains(&"host-delay") && delays.contains(&"first"), "{delays:?}");
    let outputs = look("/api/v1/outputs");
    assert!(rows(&outputs, "outputs").iter().any(|row| row["path"] == "*.log"), "{outputs:#}");
    let explained = look(&format!("/api/v1/explain?url={}", url_encoded(&server.url("a.test", "/"))));
    let text = explained["text"].as_str().expect("a text");
    assert!(text.contains("fetched: entry ") && text.contains("answer     200, "), "{text}");
    assert!(text.contains("; its record begins at byte "), "in a file that is still being written: {text}");
    let metrics = client.get("/metrics").body;
    assert!(metrics.contains("\ndrumlin_fetch_duration_seconds_bucket{le=\"+Inf\"} "), "{metrics}");
    let limit = metrics.lines().find_map(|line| line.strip_prefix("drumlin_memory_bodies_limit_bytes "));
    let limit: u64 = limit.expect("the share of bodies").parse().expect("a number");
    assert!(limit > 100 << 20, "a share of `memory`, whatever has been taken of it: {limit}");
    stop(run);
    assert!(!crawl.dir().join("state/control.sock").exists(), "the socket goes with the crawl");
}

#[test]
fn pages_that_were_taken_down_are_shown_no_more() {
    let server = server();
    let crawl = crawl(&server);
    let run = crawl.start();
    let client = received(&crawl);
    let shown = || {
        let said = client.look("/api/v1/pages").unwrap_or_default();
        let hosts =
            rows(&said, "pages").iter().filter_map(|page| page["url"].as_str()?.split(['/', ':']).nth(3));
        hosts.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(await_until(SOON, || !shown().is_empty()), "a page");
    let host = shown().remove(0);
    assert_eq!(client.command(&format!(r#"{{"takedown": {{"host": "{host}"}}}}"#)).status, 200);
    assert!(!shown().contains(&host), "{host} is shown");
    stop(run);
}

#[test]
fn a_crawl_is_paused_and_goes_on_and_excludes() {
    let server = server();
    let crawl = crawl(&server);
    let run = crawl.start();
    let client = received(&crawl);
    let mode = || client.look("/api/v1/snapshot").map(|said| said["mode"].clone()).unwrap_or_default();
    assert_eq!(client.command("\"pause\"").status, 200);
    assert!(await_until(SOON, || mode() == "paused"));
    assert_eq!(client.command("\"resume\"").status, 200);
    assert!(await_until(SOON, || mode() == "running"));
    assert_eq!(client.command(r#"{"exclude": {"host": "c.test"}}"#).status, 200);
    let Answer { status, body, .. } = client.command(r#"{"set": {}}"#);
    assert_eq!((status, body.as_str()), (409, "\"no_change\""));
    assert_eq!(client.command("\"stop\"").status, 200);
    assert_eq!(run.wait().code, Some(130));
}

#[test]
fn browsers_come_in_by_loopback_and_change_nothing_without_the_token() {
    let server = server();
    let crawl = crawl(&server).flag("--ui=127.0.0.1:0", "--verbose");
    let run = crawl.start();
    let by_socket = received(&crawl);
    let Shown { address, token } = shown(&crawl);
    let stranger = Client::of_address(&address, None);
    assert!(stranger.get("/").body.contains("<title>Drumlin</title>"));
    assert_eq!(stranger.get("/api/v1/snapshot").status, 200);
    assert_eq!(stranger.command("\"pause\"").status, 401);
    let operator = Client::of_address(&address, Some(&token));
    assert_eq!(operator.command("\"pause\"").status, 200);
    assert_eq!(by_socket.command("\"resume\"").status, 200);
    stop(run);
}

/// Where the dashboard is, as it was printed.
struct Shown {
    address: String,
    token: String,
}

fn shown(crawl: &Crawl) -> Shown {
    let said = crawl.said();
    let found = said.lines().find_map(|line| line.split_once("http://")?.1.split_once("/#token="));
    let (address, token) = found.unwrap_or_else(|| panic!("no address was shown: {said}"));
    Shown { address: address.to_owned(), token: token.to_owned() }
}

/// `browser.py` does what a person would, and says what it saw.
#[test]
fn a_browser_shows_it_and_steers_it() {
    let (Some(mut python), Some(_), Some(_)) = (judge("python"), system("chromium"), system("chromedriver"))
    else {
        return;
    };
    let server = server();
    let crawl = crawl(&server).flag("--delay", "12").flag("--ui=127.0.0.1:0", "--verbose");
    let run = crawl.start();
    received(&crawl);
    let Shown { address, token } = shown(&crawl);
    python.arg("tests/whole/browser.py").arg(format!("http://{address}/#token={token}"));
    let said = output(python.arg(server.url("127.0.0.1", "/")));
    let seen: Value = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"));
    for fact in [
        "asks_for_the_token",
        "what_is_none_is_refused",
        "a_wrong_one_is_refused",
        "address_shows_no_token",
        "paused",
        "focus_goes_on",
        "resumed",
        "focus_is_visible",
    ] {
        assert_eq!(seen[fact], true, "{fact}: {seen:#}");
    }
    assert_eq!(seen["still"], "running", "{seen:#}");
    assert_eq!(seen["another_site"], json!(["blocked", "blocked", "blocked"]), "{seen:#}");
    assert_eq!(seen["sorted_by_name"], json!(["a.test", "broken.test", "c.test"]), "{seen:#}");
    assert_eq!(seen["found"], json!(["broken.test"]), "{seen:#}");
    assert_eq!(seen["skipped_to"], json!(["#hosts", "main"]), "{seen:#}");
    assert_eq!(seen["title"], "Hills & <b>more</b>", "{seen:#}");
    assert_eq!((&seen["markup_made_of_text"], &seen["links"]), (&json!(0), &json!(8)), "{seen:#}");
    assert!(seen["text"].as_str().is_some_and(|text| text.contains("A drumlin is a hill.")), "{seen:#}");
    assert_eq!((&seen["too_wide"], &seen["nameless"]), (&json!({}), &json!([])), "{seen:#}");
    assert_eq!((&seen["sideways"], &seen["out_of_reach"]), (&json!({}), &json!({})), "{seen:#}");
    assert_eq!((&seen["heads_without_scope"], &seen["errors"]), (&json!(0), &json!([])), "{seen:#}");
    assert_ne!(seen["paper_dark"], seen["paper_light"], "{seen:#}");
    stop(run);
}

fn url_encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |encoded, byte| format!("{encoded}%{byte:02X}"))
}
