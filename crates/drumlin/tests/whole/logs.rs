//! What `drumlin log` shows of crawls, also of one that was killed.

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
use stdx::WallTime;

/// Pages without end, one of them busy; a name that leads where nobody may go, and one that leads nowhere.
fn crawl() -> (Script, Crawl) {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        "/" => Reply::page(&["/1", "/busy", "http://refused.test/", "http://absent.test/"]),
        "/busy" => Reply::status(503),
        page => Reply::page(&[&format!("/{}", page[1..].parse::<u64>().unwrap_or(0) + 1)]),
    });
    let dns = names::serve(|name| match name {
        "a.test" => Some(Ipv4Addr::new(127, 0, 0, 9)),
        "refused.test" => Some(Ipv4Addr::new(10, 0, 0, 1)),
        _ => None,
    });
    let crawl = Crawl::new(dns, &[&server.url("a.test", "/")]);
    (server, crawl)
}

fn log(crawl: &Crawl, flags: &[&str]) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_drumlin"));
    output(command.arg("log").arg(crawl.dir()).args(flags)).lines().map(str::to_owned).collect()
}

fn objects(lines: &[String]) -> Vec<Value> {
    lines.iter().map(|line| serde_json::from_str(line).expect("a whole object")).collect()
}

#[test]
fn a_killed_crawl_has_told_what_it_did_in_whole_lines() {
    let (_server, crawl) = crawl();
    let run = crawl.start();
    let told = crawl.dir().join("log/events.jsonl");
    let tells = ["address-refused", "name-not-found", "overloaded"];
    let has_told = || {
        let events = fs::read_to_string(&told).unwrap_or_default();
        tells.iter().all(|what| events.contains(what))
    };
    assert!(await_until(Duration::from_mins(1), has_told));
    run.kill();
    let crawl = crawl.flag("--limit", "400");
    let ended = crawl.run();
    assert_eq!(ended.code, Some(4), "{ended:?}");

    let events = objects(&log(&crawl, &["--events"]));
    let named = |name: &str| events.iter().filter(|event| event["event"] == name).count();
    assert_eq!((named("started"), named("recovered"), named("promised"), named("ended")), (2, 2, 2, 1));
    let level = |kind: &str| &events.iter().find(|event| event["kind"] == kind).expect("told")["level"];
    assert_eq!((level("address-refused"), level("name-not-found")), (&"warn".into(), &"info".into()));
    let warned = objects(&log(&crawl, &["--events", "--level", "warn"]));
    assert!(!warned.is_empty() && warned.iter().all(|event| event["level"] == "warn"), "{warned:?}");

    let plain = log(&crawl, &[]);
    let file = fs::read_to_string(crawl.dir().join("crawl.log")).expect("a log");
    assert_eq!(plain, file.lines().collect::<Vec<_>>());
    let attempts = objects(&log(&crawl, &["--format", "json"]));
    let heritrix = log(&crawl, &["--format", "heritrix"]);
    assert_eq!((attempts.len(), heritrix.len()), (plain.len(), plain.len()));
    for (attempt, line) in attempts.iter().zip(&heritrix) {
        compare(attempt, line);
    }
}

/// A line in Heritrix's columns, split as its own reader does, against the same attempt as an object.
fn compare(attempt: &Value, line: &str) {
    let columns: Vec<&str> = line.split(' ').filter(|column| !column.is_empty()).collect();
    assert_eq!(columns.len(), 12, "{line}");
    assert_eq!(attempt["time"], columns[0]);
    assert!(WallTime::parse_iso(columns[0]).is_some() && line.as_bytes()[24] == b' ');
    let status: i64 = columns[1].parse().expect("a number");
    let expected = attempt["status"].as_i64().unwrap_or_else(|| match attempt["failure"].as_str() {
        Some("name-not-found") => -1,
        Some("address-refused") => -5001,
        other => panic!("{other:?}: {line}"),
    });
    assert_eq!(status, expected, "{line}");
    assert_eq!(columns[2].parse::<u64>().ok(), attempt["bytes"].as_u64(), "{line}");
    let (left_out, shown) = columns[4].split_once('+').unwrap_or(("0", columns[4]));
    let depth = left_out.parse::<u64>().expect("a number") + shown.trim_matches('-').len() as u64;
    assert_eq!(depth, attempt["depth"].as_u64().unwrap_or(1), "{line}");
    assert_eq!(columns[5], attempt["via"].as_str().unwrap_or("-"));
}
