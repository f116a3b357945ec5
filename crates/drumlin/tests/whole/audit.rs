//! What `drumlin audit` says of crawls over real sockets, and of journals and logs in which something was planted.

use crate::support::crawl::Crawl;
use crate::support::edge::{await_until, skip, unix_ms};
use crate::support::gaps::Seen;
use crate::support::names;
use crate::support::nginx::{Nginx, Site};
use crate::support::script::{Reply, Script};
use archive::{Archive, ArchiveConfig, Entry};
use crawler::Record;
use disk::{OsDisk, SharedDisk};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::net::Ipv4Addr;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use stdx::WallTime;
use tempfile::TempDir;

const HOST: &str = "a.test";

/// Nine pages on one host.
fn server() -> Script {
    Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /private\n"),
        "/" => Reply::page(&["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/private"]),
        _ => Reply::page(&[]),
    })
}

fn crawl(server: &Script) -> Crawl {
    let dns = names::serve(|_| Some(Ipv4Addr::new(127, 0, 0, 9)));
    Crawl::new(dns, &[&server.url(HOST, "/")]).flag("--delay", "0.3").flag("--ip-delay", "0.1")
}

/// What the audit says, and its exit code.
fn audit(crawl: &Crawl, flags: &[&str]) -> (Option<i32>, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_drumlin"));
    let output = command.arg("audit").arg(crawl.dir()).args(flags).arg("--json").output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let answer = serde_json::from_slice(&output.stdout);
    (output.status.code(), answer.unwrap_or_else(|error| panic!("{error}: {said}")))
}

/// The server's log as simweb writes it; its clock begins with the server.
fn simweb_log(log: &[Seen]) -> String {
    let mut text = String::new();
    for seen in log {
        let line = json!({
            "start_us": seen.start_us, "end_us": seen.end_us, "client_port": 1, "address": seen.address,
            "scheme": "http", "host": seen.host, "target": seen.target, "status": seen.status, "body_bytes": 1,
        });
        writeln!(text, "{line}").expect("a string takes any text");
    }
    text
}

#[test]
fn an_honest_crawl_is_proven_from_its_journal_and_from_the_servers_log() {
    let server = server();
    let crawl = crawl(&server);
    crawl.run_to_the_end();
    let log = crawl.file("server.log", &simweb_log(&server.log()));
    let (code, answer) = audit(&crawl, &["--server-log", &log]);
    assert_eq!((code, &answer["kept"]), (Some(0), &json!(true)), "{answer:#}");
    assert_eq!(answer["ledger"]["counts"]["contacts"], 10);
    assert_eq!(answer["server_log"]["matched"], 10);
    assert_eq!(answer["server_log"]["not_in_log"], 0);
}

#[test]
fn what_is_planted_in_a_log_is_found() {
    let server = server();
    let crawl = crawl(&server);
    crawl.run_to_the_end();
    let mut seen = server.log();
    let (mut secret, mut early) = (seen[4].clone(), seen[6].clone());
    secret.target = "/private".to_owned();
    (early.start_us, early.end_us) = (seen[5].end_us + 50_000, seen[5].end_us + 51_000);
    seen[6] = early;
    seen.insert(5, secret);
    let log = crawl.file("server.log", &simweb_log(&seen));
    let (code, answer) = audit(&crawl, &["--server-log", &log]);
    assert_eq!(code, Some(6));
    let counts = &answer["server_log"]["findings"]["counts"];
    assert_eq!(counts["unknown-contact"], 1, "{answer:#}");
    assert_eq!(counts["host-delay-at-server"].as_u64().map(|count| count >= 1), Some(true), "{answer:#}");
    assert_eq!(answer["ledger"]["findings"]["counts"], json!({}), "the ledger itself is sound");
}

/// Writes the last page of the crawl into its journal once more, as if it had been fetched again a moment later.
fn forge(crawl: &Crawl) {
    let disk: SharedDisk = Arc::new(OsDisk::new(crawl.dir()).expect("the crawl's directory"));
    let attempt = archive::ledger(Arc::clone(&disk)).expect("a journal").filter_map(|entry| {
        let entry = entry.expect("a sound journal");
        let record = Record::decode(entry.seq, &entry.record).expect("a record");
        if let Record::Attempt { shard, attempt } = record { Some((shard, attempt)) } else { None }
    });
    let (shard, mut attempt) = attempt.last().expect("attempts");
    let contact = attempt.contact.as_mut().expect("a contact");
    let took_ms = contact.ended.since_ms(contact.started);
    contact.started = contact.ended + 100;
    contact.ended = contact.started + took_ms;
    let entry = Entry { record: Record::Attempt { shard, attempt }.encode(), capture: None };
    let wall = WallTime::from_unix_ms(unix_ms());
    let config = ArchiveConfig::new("drumlin", "test", 1, weburl::surt);
    let mut archive = Archive::open(disk, config, wall).expect("an archive").archive;
    archive.commit(wall, &[entry]).expect("a commit");
}

#[test]
fn what_is_planted_in_a_journal_is_found() {
    let server = server();
    let crawl = crawl(&server);
    crawl.run_to_the_end();
    assert_eq!(audit(&crawl, &[]).0, Some(0));
    forge(&crawl);
    let (code, answer) = audit(&crawl, &[]);
    assert_eq!(code, Some(6));
    let expected = json!({ "host-delay": 1, "domain-rate": 1, "fetched-twice": 1 });
    assert_eq!(answer["ledger"]["findings"]["counts"], expected, "{answer:#}");
    let log = crawl.file("server.log", &simweb_log(&server.log()));
    let (_, answer) = audit(&crawl, &["--server-log", &log]);
    assert_eq!(answer["server_log"]["findings"]["counts"], json!({}), "the server saw nothing of it");
}

#[test]
fn a_crawl_that_was_killed_and_goes_on_keeps_its_promises() {
    let server = server();
    let crawl = crawl(&server);
    let run = crawl.start();
    assert!(await_until(Duration::from_mins(1), || server.log().len() >= 4), "it begins");
    run.kill();
    crawl.run_to_the_end();
    let log = crawl.file("server.log", &simweb_log(&server.log()));
    let (code, answer) = audit(&crawl, &["--server-log", &log]);
    assert_eq!(code, Some(0), "{answer:#}");
    assert_eq!(answer["ledger"]["counts"]["promises"], 2, "by each run");
    let told = |key: &str| answer["server_log"][key].as_u64().expect("a count");
    assert_eq!(told("matched") + told("lost_in_crash"), server.log().len() as u64, "{answer:#}");
}

#[test]
fn the_log_of_nginx_tells_whole_seconds_and_no_host() {
    let root = TempDir::with_prefix("drumlin-audit-").expect("a temporary directory");
    let write = |name: &str, text: &str| fs::write(root.path().join(name), text).expect("a file");
    let links: Vec<String> = (1..=12).map(|n| format!("<a href={n}.html>{n}</a>")).collect();
    write("index.html", &format!("{}<a href=gone.html>gone</a>", links.concat()));
    (1..=12).for_each(|n| write(&format!("{n}.html"), "<p>A page."));
    let address = Ipv4Addr::new(127, 0, 0, 11);
    let site = Site { name: HOST, address, root: root.path().to_owned(), lines: "" };
    let Some(nginx) = Nginx::start(&[site]) else { return skip("nginx") };
    let dns = names::serve(move |_| Some(address));
    let crawl = Crawl::new(dns, &[&format!("http://{HOST}:{}/", nginx.port)]).flag("--delay", "0.3");
    crawl.run_to_the_end();
    let log = nginx.combined().display().to_string();
    let (code, answer) = audit(&crawl, &["--server-log", &log, "--log-host", HOST]);
    assert_eq!((code, &answer["server_log"]["matched"]), (Some(0), &json!(15)), "{answer:#}");
    let planted = fs::read_to_string(&log).expect("a log").replace("/6.html", "/other.html");
    let log = crawl.file("planted.log", &planted);
    let host = format!("{}:{}", HOST.to_uppercase(), nginx.port);
    let (code, answer) =
        audit(&crawl, &["--server-log", &log, "--log-host", &host, "--clock-tolerance", "0"]);
    assert_eq!(code, Some(6));
    assert_eq!(answer["server_log"]["findings"]["counts"], json!({ "unknown-contact": 1 }), "{answer:#}");
    assert_eq!(answer["server_log"]["not_in_log"], 1, "{answer:#}");
}
