//! Crawls that are made to stall, each in its own way, have the cause named by `drumlin status`.

use crate::support::crawl::Crawl;
use crate::support::edge::{await_until, pause};
use crate::support::http::Client;
use crate::support::names;
use crate::support::script::{Reply, Script};
use crate::support::tools::output;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::process::Command;
use std::time::Duration;

/// What the program says of a crawl; nothing before it says anything.
fn status(crawl: &Crawl) -> Option<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_drumlin"))
        .arg("status")
        .arg(crawl.dir())
        .arg("--json")
        .output()
        .expect("it runs");
    output.status.success().then(|| serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// Hosts `a.test` and so on, each at an address of its own.
fn crawl(server: &Script, hosts: &[&str]) -> Crawl {
    let dns = names::serve(|name| Some(Ipv4Addr::new(127, 0, 1, *name.as_bytes().first()?)));
    let seeds: Vec<String> = hosts.iter().map(|host| server.url(host, "/")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    Crawl::new(dns, &seeds)
}

/// Waits until a crawl that runs is said to be held back by this; gives all that is said then.
fn held_back_by(crawl: &Crawl, what: &str) -> Value {
    let run = crawl.start();
    let mut said = Value::Null;
    let is_named = || {
        said = status(crawl).unwrap_or_default();
        said["run"]["state"] == "running" && said["bottleneck"]["what"] == what
    };
    assert!(await_until(Duration::from_mins(1), is_named), "not {what}: {said:#}");
    run.interrupt();
    assert_eq!(run.wait().code, Some(130));
    said
}

/// What is said of a crawl that has ended with this code.
fn after(crawl: &Crawl, code: i32) -> Value {
    let ended = crawl.run();
    assert_eq!(ended.code, Some(code), "{ended:?}");
    status(crawl).expect("an answer")
}

const HOSTS: [&str; 4] = ["a.test", "b.test", "c.test", "d.test"];

#[test]
fn a_robots_txt_that_fails() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(500),
        _ => Reply::page(&[]),
    });
    let crawl = crawl(&server, &HOSTS).config("[retry]\nbase = 60\n");
    let said = held_back_by(&crawl, "robots");
    assert_eq!(said["bottleneck"]["hosts"], 4, "{said:#}");
    let stopped = status(&crawl).expect("an answer");
    assert_eq!(stopped["run"], json!({ "state": "ended", "exit": "interrupted" }));
    assert_eq!(stopped["bottleneck"]["what"], "robots", "{stopped:#}");
    assert_eq!(stopped["waiting"].as_array().map(Vec::len), Some(4), "{stopped:#}");
}

/// Rules that lie on a host which the operator excluded: said where the crawl stands as it is said of the host.
#[test]
fn an_exclusion_is_named_behind_a_robots_txt_that_cannot_be_had() {
    let server = Script::start(|ask| match (ask.host, ask.target) {
        ("a.test", "/robots.txt") => Reply::redirect(301, &format!("http://b.test:{}/robots.txt", ask.port)),
        (_, "/robots.txt") => Reply::status(500),
        _ => Reply::page(&[]),
    });
    let crawl = crawl(&server, &["a.test", "c.test"]).config("[retry]\nbase = 60\n");
    let excluded = crawl.file("excluded.txt", "b.test\n");
    let crawl = crawl.flag("--exclude-hosts", &excluded);
    let failures = json!({ "the redirect leads to a host that you excluded": 1, "status 500": 1 });
    let said = held_back_by(&crawl, "robots");
    assert_eq!(said["snapshot"]["strain"]["robots"], failures, "{said:#}");
    let stopped = status(&crawl).expect("an answer");
    assert_eq!(stopped["snapshot"]["strain"]["robots"], failures, "{stopped:#}");
    for host in stopped["waiting"].as_array().expect("a list") {
        assert!(failures.get(host["because"].as_str().expect("why")).is_some(), "{host}");
    }
    let dir = crawl.dir().display().to_string();
    for words in [&["status", &dir][..], &["explain", &server.url("a.test", "/"), "--dir", &dir]] {
        let mut drumlin = Command::new(env!("CARGO_BIN_EXE_drumlin"));
        let said = output(drumlin.args(words));
        assert!(said.contains("the redirect leads to a host that you excluded"), "{said}");
    }
    assert_eq!(server.times("b.test", "/robots.txt"), 0);
}

/// Slots that the last commit has just freed are no news: a look comes after what could be begun, and so names what is waited for.
#[test]
fn no_look_shows_a_free_slot_beside_a_host_that_is_due() {
    let leaves: Vec<String> = (0..2_000).map(|leaf| format!("/{leaf}")).collect();
    let server = Script::start(move |ask| match ask.target {
        "/" => Reply::page(&leaves.iter().map(String::as_str).collect::<Vec<_>>()),
        _ => Reply::page(&[]),
    });
    let crawl = crawl(&server, &HOSTS).flag("--concurrency", "2");
    let run = crawl.start();
    let mut looks = BTreeSet::new();
    let are_enough = || {
        let said = status(&crawl).unwrap_or_default();
        let (snapshot, strain) = (&said["snapshot"], &said["snapshot"]["strain"]);
        if said["run"]["state"] == "running" && snapshot["pages"] != 0 {
            let number = |value: &Value| value.as_u64().expect("a number");
            let taken = number(&snapshot["in_flight"]) + number(&strain["captures_uncommitted"]);
            let turn = strain["waits"]["turn"]["first_ms"].as_u64();
            let is_due = turn.is_some_and(|first_ms| first_ms <= number(&snapshot["now_ms"]));
            assert!(!is_due || taken >= number(&strain["slots"]), "{said:#}");
            looks.insert(number(&snapshot["now_ms"]));
        }
        looks.len() >= 8
    };
    assert!(await_until(Duration::from_mins(1), are_enough), "it ended before");
    run.interrupt();
    assert_eq!(run.wait().code, Some(130));
}

#[test]
fn a_crawl_that_was_killed_says_so() {
    let server = Script::start(|_| Reply::page(&["/1", "/2"]));
    let crawl = crawl(&server, &HOSTS).flag("--delay", "2");
    let run = crawl.start();
    assert!(await_until(Duration::from_mins(1), || status(&crawl)
        .is_some_and(|said| said["snapshot"]["pages"] != 0)));
    run.kill();
    let said = status(&crawl).expect("an answer");
    assert_eq!(said["run"], json!({ "state": "stopped" }), "{said:#}");
}

#[test]
fn servers_that_want_to_be_left_alone() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        _ => Reply::status(503).header("Retry-After", "600"),
    });
    let said = held_back_by(&crawl(&server, &HOSTS), "overload");
    assert_eq!(said["bottleneck"]["hosts"], 4, "{said:#}");
}

#[test]
fn name_servers_that_are_slow() {
    let server = Script::start(|_| Reply::page(&[]));
    let dns = names::serve(|_| {
        pause(Duration::from_secs(20));
        None
    });
    let seeds: Vec<String> = HOSTS.iter().map(|host| server.url(host, "/")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    held_back_by(&Crawl::new(dns, &seeds), "dns");
}

#[test]
fn one_host_that_is_left() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        _ => Reply::page(&["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"]),
    });
    let crawl = crawl(&server, &HOSTS[..1]).flag("--delay", "2");
    let said = held_back_by(&crawl, "one-host");
    assert!(said["bottleneck"]["urls"].as_u64().is_some_and(|urls| urls > 0), "{said:#}");
}

#[test]
fn several_hosts_at_their_delays() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        _ => Reply::page(&["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"]),
    });
    held_back_by(&crawl(&server, &HOSTS).flag("--delay", "2"), "politeness");
}

#[test]
fn a_disk_without_room() {
    let server = Script::start(|_| Reply::page(&[]));
    let crawl = crawl(&server, &HOSTS).config("low_disk = \"9000T\"\n");
    let said = after(&crawl, 5);
    assert_eq!(said["run"], json!({ "state": "ended", "exit": "disk-full" }));
    assert_eq!(said["bottleneck"]["what"], "disk-full", "{said:#}");
}

#[test]
fn everything_parked() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        _ => Reply::status(500),
    });
    let crawl = crawl(&server, &HOSTS).config("[retry]\nattempts = 1\n");
    let said = after(&crawl, 0);
    assert_eq!(said["bottleneck"], json!({ "what": "all-parked", "parked": 4 }), "{said:#}");
}

#[test]
fn a_limit_that_is_reached_and_a_crawl_that_is_done() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        "/" => Reply::page(&["/1", "/2"]),
        _ => Reply::page(&[]),
    });
    let limited = crawl(&server, &HOSTS[..1]).flag("--limit", "2");
    let said = after(&limited, 4);
    assert_eq!(said["bottleneck"], json!({ "what": "limit", "pages": 2 }), "{said:#}");
    let said = after(&crawl(&server, &HOSTS[..1]), 0);
    assert_eq!(said["bottleneck"], json!({ "what": "nothing-left" }), "{said:#}");
    assert_eq!(said["snapshot"]["pages"], 3, "{said:#}");
}

/// Only a run counts them, so that what it said last is all there is.
#[test]
fn turns_handed_back_are_known_of_the_last_run() {
    let server = Script::start(|_| Reply::page(&[]));
    let crawl = crawl(&server, &HOSTS[..1]);
    let said = after(&crawl, 0);
    assert!(said["snapshot"]["resources"]["handed_back"].is_u64(), "{said:#}");
    let told = crawl.dir().join("state/status.json");
    let mut edited: Value = serde_json::from_slice(&std::fs::read(&told).expect("a file")).expect("JSON");
    edited["snapshot"]["resources"]["handed_back"] = json!(1_234);
    std::fs::write(&told, edited.to_string()).expect("a file");
    let drumlin = |words: &[&str]| {
        output(Command::new(env!("CARGO_BIN_EXE_drumlin")).args(words).current_dir(crawl.dir()))
    };
    assert!(drumlin(&["status", "."]).contains("1,234 turns of the last run handed back"));
    let report: Value = serde_json::from_str(&drumlin(&["report", ".", "--json"])).expect("JSON");
    assert_eq!(report["about"]["handed_back"], 1_234);
}

/// Two megabytes of markup that is all structure: as much work for a parser as a page may be.
fn heavy() -> String {
    let mut body = "<!doctype html><title>Heavy</title>".to_owned();
    let mut number = 0;
    while body.len() < 2_000_000 {
        number += 1;
        let _ = write!(
            body,
            "<div><h2>T {number}</h2><p>A <b>few</b> words <a href=\"#{number}\">here</a>.<table><tr><td>1<td>2</table></div>"
        );
    }
    body
}

#[test]
fn parsers_that_are_slow() {
    let body = heavy();
    let links: Vec<String> = (0..400).map(|page| format!("/{page}")).collect();
    let server = Script::start(move |ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        "/" => Reply::page(&links.iter().map(String::as_str).collect::<Vec<_>>()),
        _ => Reply::html(body.clone()),
    });
    let crawl = crawl(&server, &HOSTS).flag("--text", "markdown").flag("--memory", "256M");
    let run = crawl.start();
    let mut said = Value::Null;
    let is_named = || {
        said = status(&crawl).unwrap_or_default();
        said["run"]["state"] == "running" && said["bottleneck"]["what"] == "parser"
    };
    assert!(await_until(Duration::from_mins(1), is_named), "{said:#}");
    assert!(said["bottleneck"]["unparsed"].as_u64().is_some_and(|unparsed| unparsed > 1), "{said:#}");
    // What waits for the parsers would take minutes.
    run.kill();
}

#[test]
fn a_crawl_that_was_paused() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        _ => Reply::page(&["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"]),
    });
    let crawl = crawl(&server, &HOSTS).flag("--delay", "2");
    let run = crawl.start();
    assert!(await_until(Duration::from_mins(1), || status(&crawl)
        .is_some_and(|said| said["snapshot"]["pages"] != 0)));
    let client = Client::of_socket(&crawl.dir().join("state/control.sock"));
    let mut said = Value::Null;
    for (word, is_paused) in
        [("\"pause\"", true), ("\"resume\"", false)].repeat(4).into_iter().chain([("\"pause\"", true)])
    {
        assert_eq!(client.command(word).status, 200);
        said = status(&crawl).expect("what the command did, at once");
        assert_eq!(said["bottleneck"]["what"] == "paused", is_paused, "after {word}: {said:#}");
    }
    assert!(said["because"].as_str().is_some_and(|because| because.contains("operator")), "{said:#}");
    run.interrupt();
    assert_eq!(run.wait().code, Some(130));
}

/// The crawl's own budget. That of a domain never stalls a crawl with free slots, which fetches beyond it: what is put off is a number.
#[test]
fn a_budget_that_is_used_up() {
    let links: Vec<String> = (0..60).map(|page| format!("/{page}")).collect();
    let server = Script::start(move |ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        "/" => Reply::page(&links.iter().map(String::as_str).collect::<Vec<_>>()),
        _ => Reply::page(&[]),
    });
    for budget in [["--time-limit", "2s"], ["--size-limit", "1K"]] {
        let crawl = crawl(&server, &HOSTS[..2]).flag("--delay", "1").flag(budget[0], budget[1]);
        let said = after(&crawl, 4);
        assert_eq!(said["bottleneck"], json!({ "what": "spent" }), "{said:#}");
        let put_off = said["snapshot"]["strain"]["put_off"].as_u64();
        assert!(put_off > Some(0) || budget[0] == "--size-limit", "{said:#}");
    }
}
