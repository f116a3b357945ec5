//! `drumlin status`, `drumlin explain` and `drumlin ui` look: not a byte of the crawl's directory changes, and nobody notices.

use crate::support::crawl::Crawl;
use crate::support::edge::await_until;
use crate::support::http::Client;
use crate::support::names;
use crate::support::script::{Reply, Script};
use crawler::{Record, Stop};
use disk::OsDisk;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

const HOST: &str = "a.test";

/// Nine pages on one host.
fn server() -> Script {
    Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        "/" => Reply::page(&["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"]),
        _ => Reply::page(&[]),
    })
}

fn crawl(server: &Script) -> Crawl {
    let dns = names::serve(|_| Some(Ipv4Addr::new(127, 0, 0, 9)));
    Crawl::new(dns, &[&server.url(HOST, "/")])
}

fn status(crawl: &Crawl) -> Output {
    drumlin(&["status", &crawl.dir().display().to_string(), "--json"])
}

fn explain(crawl: &Crawl, server: &Script) -> Output {
    drumlin(&["explain", &server.url(HOST, "/8"), "--dir", &crawl.dir().display().to_string()])
}

fn drumlin(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_drumlin")).args(args).output().expect("it runs")
}

/// What a file or a directory was like.
#[derive(Debug, PartialEq, Eq)]
struct State {
    modified: SystemTime,
    /// None of a directory.
    bytes: Option<Vec<u8>>,
}

/// Everything at and below `path`.
fn states(path: &Path) -> BTreeMap<PathBuf, State> {
    let found = fs::metadata(path).expect("it is there");
    let modified = found.modified().expect("file systems here know");
    let bytes = found.is_file().then(|| fs::read(path).expect("it can be read"));
    let mut all = BTreeMap::from([(path.to_owned(), State { modified, bytes })]);
    if found.is_dir() {
        for entry in fs::read_dir(path).expect("it can be listed") {
            all.extend(states(&entry.expect("an entry").path()));
        }
    }
    all
}

/// Looks at a crawl that does not run in both ways.
fn look_and_change_nothing(crawl: &Crawl, server: &Script) {
    let before = states(&crawl.dir());
    for output in [status(crawl), explain(crawl, server)] {
        assert!(output.status.success(), "{output:?}");
        let after = states(&crawl.dir());
        let changed: Vec<_> =
            after.iter().filter(|(path, state)| before.get(*path) != Some(*state)).collect();
        assert!(changed.is_empty() && after.len() == before.len(), "{:?}", changed.iter().map(|c| c.0));
    }
}

/// How the run before each run had stopped, by the journal.
fn stops(crawl: &Crawl) -> Vec<Stop> {
    let disk = OsDisk::new(crawl.dir()).expect("a directory");
    let entries = archive::ledger(Arc::new(disk)).expect("a journal").map(|entry| entry.expect("an entry"));
    let records = entries.map(|entry| Record::decode(entry.seq, &entry.record).expect("a record"));
    let stop = |record| if let Record::Promised { promise } = record { Some(promise.stop) } else { None };
    records.filter_map(stop).collect()
}

#[test]
fn a_look_at_a_crawl_that_was_stopped_leaves_it_as_it_was() {
    let server = server();
    let crawl = crawl(&server).flag("--limit", "3");
    assert_eq!(crawl.run().code, Some(4));
    look_and_change_nothing(&crawl, &server);
    let crawl = crawl.flag("--limit", "100");
    assert_eq!(crawl.run().code, Some(0));
    look_and_change_nothing(&crawl, &server);
    assert_eq!(stops(&crawl), [Stop::Clean, Stop::Clean]);
    assert_eq!(crawl.holdings().statuses().len(), 9);
}

#[test]
fn a_look_at_a_crawl_that_was_killed_leaves_the_pieces() {
    let server = server();
    let crawl = crawl(&server).flag("--delay", "0.5");
    let run = crawl.start();
    assert!(await_until(Duration::from_mins(1), || is_at_work(&crawl)));
    assert!(explain(&crawl, &server).status.success());
    run.kill();
    look_and_change_nothing(&crawl, &server);
    assert_eq!(crawl.run().code, Some(0));
    assert_eq!(stops(&crawl), [Stop::Clean, Stop::Unclean]);
    assert_eq!(crawl.holdings().statuses().len(), 9);
}

/// Whether a crawl that runs has fetched something and says so.
fn is_at_work(crawl: &Crawl) -> bool {
    let said: serde_json::Value = serde_json::from_slice(&status(crawl).stdout).unwrap_or_default();
    said["run"]["state"] == "running" && said["snapshot"]["pages"].as_u64().is_some_and(|pages| pages > 0)
}

#[test]
fn a_crawl_that_runs_does_not_notice() {
    let server = server();
    let crawl = crawl(&server).flag("--delay", "0.3");
    let mut run = crawl.start();
    let mut seen = 0;
    while !run.is_over() {
        seen += u32::from(is_at_work(&crawl));
        explain(&crawl, &server);
    }
    assert!(seen > 0);
    assert_eq!(run.wait().code, Some(0));
    assert_eq!(crawl.holdings().statuses().len(), 9);
}

#[test]
fn several_look_at_once_and_whoever_crawls_waits_for_them() {
    let server = server();
    let crawl = crawl(&server).flag("--limit", "3");
    assert_eq!(crawl.run().code, Some(4));
    let disk = OsDisk::new(crawl.dir()).expect("a directory");
    let looking = disk.lock_shared("crawl.lock").expect("nobody crawls");
    look_and_change_nothing(&crawl, &server);
    let mut run = crawl.start();
    for _ in 0..10 {
        assert!(!run.is_over(), "it waits");
        look_and_change_nothing(&crawl, &server);
    }
    drop(looking);
    assert_eq!(run.wait().code, Some(4));
}

/// A dashboard of a crawl, which is there until this is dropped.
struct Showing {
    process: Child,
    address: String,
    /// What it goes on to say has somewhere to go.
    _said: BufReader<ChildStderr>,
}

impl Showing {
    fn of(crawl: &Crawl) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_drumlin"))
            .args(["ui", &crawl.dir().display().to_string(), "--listen", "127.0.0.1:0"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut said = BufReader::new(process.stderr.take().expect("piped"));
        let mut line = String::new();
        said.read_line(&mut line).expect("it says where it is");
        let address = line.split_once("http://").and_then(|(_, rest)| rest.split_once("/#token="));
        let address = address.unwrap_or_else(|| panic!("no address: {line}")).0.to_owned();
        Self { process, address, _said: said }
    }

    fn mode(&self) -> Value {
        let client = Client::of_address(&self.address, None);
        client.look("/api/v1/snapshot").map(|said| said["mode"].clone()).unwrap_or_default()
    }
}

impl Drop for Showing {
    fn drop(&mut self) {
        let _ = self.process.kill().and_then(|()| self.process.wait());
    }
}

#[test]
fn a_dashboard_keeps_nobody_from_going_on_and_shows_who_does() {
    let server = server();
    let crawl = crawl(&server).flag("--limit", "3");
    assert_eq!(crawl.run().code, Some(4));
    let showing = Showing::of(&crawl);
    let shows = |mode: &str| await_until(Duration::from_mins(1), || showing.mode() == mode);
    assert!(shows("still"), "{}", showing.mode());
    let crawl = crawl.flag("--limit", "100").flag("--delay", "1");
    let run = crawl.start();
    assert!(shows("running"), "{}", showing.mode());
    run.interrupt();
    assert_eq!(run.wait().code, Some(130));
    assert!(shows("still"), "{}", showing.mode());
    assert_eq!(stops(&crawl), [Stop::Clean, Stop::Clean]);
}
