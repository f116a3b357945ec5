//! Crawls that look back on one that is not what it was.

use crate::support::crawl::{Crawl, Ended};
use crate::support::names;
use crate::support::script::{Reply, Script};
use crate::support::tools::output;
use disk::OsDisk;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::Command;

const HOST: &str = "a.test";
const PAGES: [&str; 4] = ["/", "/one", "/two", "/three"];
const ABORTED: i32 = 6;

/// Four pages that never change.
fn server() -> Script {
    Script::start(|ask| {
        let reply = match ask.target {
            target if !PAGES.contains(&target) => return Reply::status(404),
            _ if ask.known == "\"1\"" => Reply::not_modified(),
            target => Reply::html(format!("<a href=/one>1</a><p>what {target} says. ").repeat(40)),
        };
        reply.header("ETag", "\"1\"")
    })
}

fn crawl(server: &Script) -> Crawl {
    let dns = names::serve(|name| (name == HOST).then_some(Ipv4Addr::new(127, 0, 0, 9)));
    let seeds = PAGES.map(|page| server.url(HOST, page));
    Crawl::new(dns, &seeds.each_ref().map(String::as_str))
}

fn crawl_after(server: &Script, earlier: &Crawl) -> Crawl {
    crawl(server).flag("--earlier", &earlier.dir().display().to_string())
}

/// It runs until it is done.
fn done(crawl: &Crawl) -> Ended {
    let ended = crawl.run();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    ended
}

/// Text by URL.
fn rows(crawl: &Crawl) -> BTreeMap<String, String> {
    let disk = OsDisk::new(crawl.dir()).expect("it is there");
    let paths = corpus::closed_files(&disk, Path::new("corpus")).expect("a corpus");
    let rows = paths.iter().flat_map(|path| corpus::Reader::open(&disk, path).expect("a file of ours"));
    rows.map(|row| row.expect("readable")).map(|row| (row.url, row.text)).collect()
}

/// WARC files and what is in them.
fn archived(crawl: &Crawl) -> BTreeMap<PathBuf, Vec<u8>> {
    let names = fs::read_dir(crawl.dir().join("archive")).expect("an archive");
    let paths = names.map(|entry| entry.expect("an entry").path());
    paths.map(|path| (path.clone(), fs::read(path).expect("a file"))).collect()
}

/// How often a page was asked for by those who did not know it.
fn sent(server: &Script) -> usize {
    server.log().iter().filter(|seen| seen.status == 200).count()
}

fn told(crawl: &Crawl, command: &str, arguments: &[&str]) -> String {
    output(Command::new(env!("CARGO_BIN_EXE_drumlin")).arg(command).arg(crawl.dir()).args(arguments))
}

/// URLs of pages that the log of events calls lost.
fn lost(crawl: &Crawl) -> BTreeSet<String> {
    let events = fs::read_to_string(crawl.dir().join("log/events.jsonl")).expect("events");
    let events = events.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let lost = events.filter(|event| event["event"] == "page-lost" && event["kind"] == "original-gone");
    lost.map(|event| event["url"].as_str().expect("a URL").to_owned()).collect()
}

#[test]
fn pages_whose_originals_are_gone_are_counted_and_the_crawl_goes_on() {
    let server = server();
    let first = crawl(&server);
    done(&first);
    let second = crawl_after(&server, &first);
    done(&second);
    assert_eq!((sent(&server), rows(&second)), (4, rows(&first)));
    first.warc_files().iter().for_each(|path| fs::remove_file(path).expect("a file"));
    // Under other rules links are derived from the archive again.
    let second = second.flag("--exclude", "/three$");
    let ended = done(&second);
    assert_eq!(ended.end["summary"]["failures"]["original-gone"], 4, "{ended:?}");
    assert_eq!((lost(&second).len(), rows(&second).len(), sent(&server)), (4, 4, 4));
    // So are they by who reports.
    let report: Value = serde_json::from_str(&told(&second, "report", &["--json"])).expect("JSON");
    let failures = &report["figures"]["requests"]["failures"];
    assert_eq!(failures["original-gone"], json!({ "count": 4, "blame": "policy" }), "{failures}");
    let of_host = |host: &str| {
        let dir = second.dir().display().to_string();
        let said = Command::new(env!("CARGO_BIN_EXE_drumlin"))
            .args(["report", host, "--dir", &dir, "--json"])
            .output();
        let report: Value = serde_json::from_slice(&said.expect("a report").stdout).expect("JSON");
        report["account"]["failures"]["original-gone"].clone()
    };
    assert_eq!((of_host(HOST), of_host("b.test")), (json!(4), Value::Null));
    // Each is counted once, and a crawl behind it has them all.
    assert_eq!(done(&second).end["summary"]["failures"]["original-gone"], 4);
    let third = crawl_after(&server, &second);
    done(&third);
    assert_eq!((sent(&server), rows(&third)), (8, rows(&first)));
}

/// Wherever the crawl died: each page has its row or is named as lost, those that were not asked for yet are fetched as they are.
#[test]
fn nothing_else_is_lost_when_the_originals_go_while_a_crawl_is_dead() {
    let server = server();
    let first = crawl(&server);
    done(&first);
    let (archive, away) = (first.dir().join("archive"), first.dir().join("away"));
    let (mut call, mut deaths, mut losses) = (1_u64, 0, 0);
    loop {
        let second = crawl_after(&server, &first);
        let ended = second.start_with(&[("DRUMLIN_ABORT_AT_DISK_CALL", call.to_string())]).wait();
        if ended.signal != Some(ABORTED) {
            break;
        }
        call += 1 + call / 12;
        if !second.dir().join("state/earlier").exists() {
            // It has not begun yet.
            continue;
        }
        fs::rename(&archive, &away).expect("a directory");
        fs::create_dir(&archive).expect("a directory");
        done(&second);
        fs::remove_dir_all(&archive).expect("a directory");
        fs::rename(&away, &archive).expect("a directory");
        let (lost, rows) = (lost(&second), rows(&second));
        let all: BTreeSet<String> = lost.iter().cloned().chain(rows.into_keys()).collect();
        assert_eq!(all.len(), 4, "at call {call}: {all:?}");
        (deaths, losses) = (deaths + 1, losses + lost.len());
    }
    assert!(deaths >= 10 && losses > 0, "{losses} pages were lost in {deaths} deaths");
}

#[test]
fn a_crawl_whose_earlier_one_is_gone_says_so_before_it_asks_anybody() {
    let server = server();
    let first = crawl(&server);
    done(&first);
    let second = crawl_after(&server, &first);
    done(&second);
    let (asked, whole) = (server.log().len(), archived(&second));
    let away = first.dir().with_file_name("away");
    fs::rename(first.dir(), &away).expect("a directory");
    let third = crawl_after(&server, &second);
    for ended in [second.run(), third.run()] {
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.said.contains(&first.dir().display().to_string()), "{}", ended.said);
    }
    let mut retry = Command::new(env!("CARGO_BIN_EXE_drumlin"));
    let retried = retry.arg("retry").arg("--dir").arg(second.dir()).output().expect("it runs");
    assert_eq!(retried.status.code(), Some(2), "who only gives an order loses nothing either");
    assert_eq!(server.log().len(), asked);
    fs::rename(away, first.dir()).expect("a directory");
    done(&second);
    assert!(archived(&second) == whole, "a refusal has changed the archive");
}

#[test]
fn an_archive_that_expires_takes_nothing_from_the_earlier_one() {
    let server = server();
    let first = crawl(&server);
    done(&first);
    let kept = archived(&first);
    let second = crawl_after(&server, &first).flag("--archive", "expire");
    done(&second);
    assert_eq!((sent(&server), rows(&second)), (4, rows(&first)));
    assert!(archived(&first) == kept && archived(&second).keys().all(|path| !path.ends_with(".warc.gz")));
    // What has expired nobody can be asked about.
    let third = crawl_after(&server, &second);
    done(&third);
    assert_eq!(rows(&third), rows(&first));
}

#[test]
fn a_page_that_had_not_changed_is_taken_down_and_purged() {
    let server = server();
    let first = crawl(&server);
    done(&first);
    let second = crawl_after(&server, &first);
    done(&second);
    let kept = archived(&first);
    told(&second, "ctl", &["takedown", "--pattern", "/two$"]);
    told(&second, "purge", &[]);
    assert!(archived(&first) == kept, "a purge has changed the earlier crawl");
    let two = server.url(HOST, "/two");
    assert!(!rows(&second).contains_key(&two) && rows(&second).len() == 3);
    let mut answers = Vec::new();
    for path in second.warc_files() {
        let bytes = fs::read(&path).expect("a file");
        assert_eq!(warc::check(&bytes[..]).findings, [], "{}", path.display());
        let records = warc::Reader::new(&bytes[..]).map(|record| record.expect("sound"));
        answers.extend(records.filter_map(|record| record.target_uri().map(str::to_owned)));
    }
    assert!(answers.contains(&server.url(HOST, "/one")) && !answers.contains(&two), "{answers:?}");
    // Nothing of it comes back by other rules, nor is it lost.
    let second = second.flag("--exclude", "/three$");
    assert_eq!(done(&second).end["summary"]["failures"]["original-gone"], Value::Null);
    assert!(!rows(&second).contains_key(&two));
}

const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";

/// Servers that say the truth about what has changed, by a date alone, and some that do not.
fn about_changes() -> Script {
    let words = |n: usize| Reply::html(format!("<p>what was said {n} times. ").repeat(40));
    Script::start(move |ask| match ask.target {
        "/dated" if ask.since == DATE.to_ascii_lowercase() => Reply::not_modified(),
        "/dated" => words(0).header("Last-Modified", DATE),
        // It has never sent anything.
        "/eager" => Reply::not_modified(),
        "/restless" => words(1).header("ETag", &format!("\"{}\"", ask.times)),
        "/another" if ask.known == "\"1\"" => Reply::not_modified().header("ETag", "\"2\""),
        "/stuck" | "/another" => words(ask.times).header("ETag", "\"1\""),
        _ => Reply::status(404),
    })
}

#[test]
fn servers_that_lie_about_what_has_changed_are_asked_until_they_send_it() {
    let server = about_changes();
    let pages = ["/dated", "/eager", "/restless", "/stuck", "/another"];
    let crawl = || {
        let dns = names::serve(|name| (name == HOST).then_some(Ipv4Addr::new(127, 0, 0, 9)));
        let seeds = pages.map(|page| server.url(HOST, page));
        Crawl::new(dns, &seeds.each_ref().map(String::as_str))
    };
    let first = crawl();
    assert_eq!(done(&first).end["summary"]["failures"], json!({"not-modified": 5}));
    let second = crawl().flag("--earlier", &first.dir().display().to_string());
    assert_eq!(done(&second).end["summary"]["failures"], json!({"not-modified": 6}));
    let seen =
        |page| server.log().into_iter().filter(move |seen| seen.target == page).map(|seen| seen.status);
    assert_eq!(
        pages.map(|page| seen(page).collect::<Vec<_>>()),
        [vec![200, 304], vec![304; 10], vec![200, 200], vec![200, 200], vec![200, 304, 200],]
    );
    let (was, is) = (rows(&first), rows(&second));
    let same = |page| was.get(&server.url(HOST, page)) == is.get(&server.url(HOST, page));
    assert_eq!((was.len(), is.len(), pages.map(same)), (4, 4, [true, true, true, false, false]));
}

#[test]
fn an_export_says_what_is_in_the_earlier_archive() {
    let server = server();
    let first = crawl(&server);
    done(&first);
    let second = crawl_after(&server, &first);
    done(&second);
    let packed = |crawl: &Crawl| {
        let mut drumlin = Command::new(env!("CARGO_BIN_EXE_drumlin"));
        output(drumlin.args(["export", "wacz", "--dir"]).arg(crawl.dir()))
    };
    assert!(!packed(&first).contains("304"));
    assert!(packed(&second).contains("4 captures are 304s"), "{}", packed(&second));
}
