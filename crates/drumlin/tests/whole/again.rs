//! A crawl that looks back on an earlier one: what has not changed is not sent again, and nothing is missing for it.

use crate::support::crawl::Crawl;
use crate::support::edge::{self, await_until};
use crate::support::names;
use crate::support::nginx::{Nginx, Site};
use crate::support::tools::{judge, output};
use crate::support::wayback::{Wayback, plain};
use corpus::Row;
use disk::OsDisk;
use simweb::server::{Running, ServerOptions, start};
use simweb::{Contact, HostMix, LeafMix, Scheme, WebConfig};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;
use warc::{Reader, Record, RecordType, RevisitProfile};

/// A web in which nothing changes, and everything has an entity tag.
fn web(seed: u64, pages: u64) -> Running {
    web_of(seed, pages, steady_hosts())
}

fn steady_hosts() -> HostMix {
    HostMix { https: 300, robots: 700, closed: 100, mirrors: 100, ..HostMix::default() }
}

fn web_of(seed: u64, pages: u64, hosts: HostMix) -> Running {
    let leaves = LeafMix { errors: 0, ruined: 0, ..LeafMix::wild() };
    let small = WebConfig::small(seed, pages);
    let config =
        WebConfig { http_port: 0, https_port: 0, crawl_delay_s: 0, domains: 12, hosts, leaves, ..small };
    start(config, ServerOptions::default()).expect("a free port")
}

fn crawl_of(server: &Running) -> Crawl {
    let seeds = server.web.seeds(1);
    let crawl = Crawl::new(server.dns, &[&seeds[0]]);
    let ca = crawl.file("ca.pem", &server.ca_pem);
    crawl.flag("--ca-file", &ca)
}

fn crawl_after(server: &Running, earlier: &Crawl) -> Crawl {
    crawl_of(server).flag("--earlier", &earlier.dir().display().to_string())
}

/// Runs a crawl to its end; what the server saw meanwhile.
fn run(crawl: &Crawl, server: &Running) -> Vec<Contact> {
    let before = server.log.len();
    let ended = crawl.run();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    server.settle().expect("the server answers");
    server.log.contacts().split_off(before)
}

/// Of an archive the URLs that were answered with status 200, by whether the payload is there.
fn kept(crawl: &Crawl) -> BTreeMap<String, bool> {
    let answers = answers(crawl);
    let pages = answers.iter().filter(|record| record.http().expect("HTTP").status() == Some(200));
    // What says of a revisit that its block was cut does not say it of the payload.
    let is_kept = |record: &Record| {
        record.record_type() == RecordType::Revisit || record.header.get("WARC-Truncated").is_none()
    };
    pages.map(|record| (record.target_uri().expect("a URL").to_owned(), is_kept(record))).collect()
}

fn url_of(contact: &Contact, server: &Running) -> String {
    let (scheme, port) = match contact.scheme {
        Scheme::Http => ("http", server.http_port()),
        Scheme::Https => ("https", server.https_port()),
    };
    format!("{scheme}://{}:{port}{}", contact.host, contact.target)
}

/// By URL: status, digest, type, charset, title, text.
type Rows = BTreeMap<String, [String; 6]>;

/// What the corpus says of each page, whenever and by whatever way it was found.
fn rows(crawl: &Crawl) -> Rows {
    let disk = OsDisk::new(crawl.dir()).expect("it is there");
    let paths = corpus::closed_files(&disk, Path::new("corpus")).expect("a corpus");
    let rows = paths.iter().flat_map(|path| corpus::Reader::open(&disk, path).expect("a file of ours"));
    let said = |row: Row| {
        let words = [
            row.status.to_string(),
            row.digest,
            row.content_type,
            row.charset,
            row.title.unwrap_or_default(),
            row.text,
        ];
        (row.url, words)
    };
    rows.map(|row| said(row.expect("readable"))).collect()
}

/// Records of the answers in an archive; every file of it is sound.
fn answers(crawl: &Crawl) -> Vec<Record> {
    let files = crawl.warc_files();
    let records = files.iter().flat_map(|path| {
        let bytes = fs::read(path).expect("a file");
        assert_eq!(warc::check(&bytes[..]).findings, [], "{}", path.display());
        Reader::new(&bytes[..]).map(|record| record.expect("sound")).collect::<Vec<_>>()
    });
    let is_answer =
        |record: &Record| matches!(record.record_type(), RecordType::Response | RecordType::Revisit);
    records.filter(is_answer).collect()
}

fn is_not_modified(record: &Record) -> bool {
    record.profile() == Some(RevisitProfile::ServerNotModified)
}

/// All that is in a directory, but for what says that somebody is there.
fn tree(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.is_file() {
                let bytes = fs::read(&path).expect("a file");
                found.insert(path, bytes);
            }
        }
    }
    found
}

/// The links between hosts, as an export has them.
fn graph(crawl: &Crawl) -> [String; 2] {
    let mut drumlin = Command::new(env!("CARGO_BIN_EXE_drumlin"));
    output(drumlin.args(["export", "graph", "--dir"]).arg(crawl.dir()));
    ["vertices.txt", "edges.txt"]
        .map(|name| fs::read_to_string(crawl.dir().join("export/graph").join(name)).expect("it was made"))
}

/// Two crawls have the same pages, and the same links lead from them. Under which of its names a page is asked for is a matter of
/// the order in which they are found.
fn check_same_pages(server: &Running, one: &Crawl, other: &Crawl) {
    let graphs = [graph(one), graph(other)];
    assert!(graphs[0] == graphs[1] && !graphs[0][1].is_empty(), "{graphs:?}");
    let (one, other) = (rows(one), rows(other));
    let pages = |rows: &Rows| -> BTreeSet<String> {
        rows.keys().map(|url| server.web.canonical(url).expect("a URL of the web")).collect()
    };
    let (ones, others) = (pages(&one), pages(&other));
    let lone: Vec<&String> = ones.symmetric_difference(&others).take(5).collect();
    assert!(lone.is_empty(), "only one has {lone:?}");
    let both = one.iter().filter_map(|(url, row)| Some((url, row, other.get(url)?)));
    let differ: Vec<&String> =
        both.clone().filter(|(_, one, other)| one != other).map(|(url, ..)| url).collect();
    assert!(differ.is_empty() && both.count() * 10 >= one.len() * 9, "{differ:?}");
}

#[test]
fn what_has_not_changed_is_not_sent_again_and_nothing_is_missing() {
    let server = web(31, 300);
    let first = crawl_of(&server);
    let sent = run(&first, &server);
    let before = tree(&first.dir());
    let second = crawl_after(&server, &first);
    let sent_again = run(&second, &server);
    assert!(tree(&first.dir()) == before, "a crawl has written to the one before it");

    let of = |contacts: &[Contact], status| contacts.iter().filter(|c| c.status == status).count();
    assert!(of(&sent_again, 304) >= 150, "{} answers of {} with 304", of(&sent_again, 304), sent_again.len());
    let kept = kept(&first);
    let asked: BTreeSet<String> = sent.iter().map(|contact| url_of(contact, &server)).collect();
    for contact in sent_again.iter().filter(|contact| !contact.target.starts_with("/robots")) {
        let url = url_of(contact, &server);
        match kept.get(&url) {
            Some(true) => assert_eq!((contact.status, contact.body_bytes), (304, 0), "{url}"),
            // Its kind is not kept.
            Some(false) => assert_eq!(contact.status, 200, "{url}"),
            // A page is sent whole under a name that nobody has asked for before.
            None => {
                assert!(contact.status != 304 && (contact.status != 200 || !asked.contains(&url)), "{url}");
            }
        }
    }

    assert!(rows(&first).len() >= 150);
    check_same_pages(&server, &first, &second);
    let answers = answers(&second);
    assert_eq!(answers.iter().filter(|record| is_not_modified(record)).count(), of(&sent_again, 304));

    let third = crawl_after(&server, &second);
    let sent = run(&third, &server);
    assert!(of(&sent, 304) * 10 >= of(&sent_again, 304) * 9);
    check_same_pages(&server, &second, &third);
}

#[test]
fn a_crawl_that_looks_back_is_killed_and_loses_nothing() {
    let server = web(32, 200);
    let first = crawl_of(&server);
    let all = run(&first, &server).len();
    let second = crawl_after(&server, &first);
    for kill in 1..6 {
        let until = server.log.len() + all / 8;
        let mut run = second.start();
        assert!(await_until(Duration::from_mins(2), || server.log.len() >= until), "kill {kill}");
        assert!(!run.is_over(), "the crawl was over before kill {kill}");
        run.kill();
    }
    run(&second, &server);
    check_same_pages(&server, &first, &second);
    assert!(answers(&second).iter().filter(|record| is_not_modified(record)).count() >= 100);
}

/// By what its hosts say: how often pages were answered with 200 and with 304.
fn answers_by_validators(server: &Running, contacts: &[Contact]) -> BTreeMap<String, [usize; 2]> {
    let web = &server.web;
    let says = |host| (web.name_of(host), format!("{:?}", web.character(host).validators));
    let known: BTreeMap<String, String> = web.hosts().map(says).collect();
    let mut found: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let pages = contacts.iter().filter(|contact| !contact.target.starts_with("/robots"));
    for contact in pages.filter(|contact| matches!(contact.status, 200 | 304)) {
        let said = &known[&contact.host];
        found.entry(said.clone()).or_default()[usize::from(contact.status == 304)] += 1;
    }
    found
}

#[test]
fn hosts_that_have_dates_or_lie_give_the_same_pages_again() {
    let server = web_of(34, 400, HostMix { dated: 400, liars: 400, https: 0, ..steady_hosts() });
    let first = crawl_of(&server);
    let sent = answers_by_validators(&server, &run(&first, &server));
    let second = crawl_after(&server, &first);
    let again = answers_by_validators(&server, &run(&second, &server));
    for said in ["Tags", "Dates", "Shared"] {
        let is_asked_about = sent[said][0] >= 5 && sent[said][1] == 0 && again[said][1] >= 5;
        assert!(is_asked_about, "{said}: {sent:?}, then {again:?}");
    }
    // What is no page of theirs has tags that hold.
    let [sent_again, not_sent] = again["Restless"];
    assert!(sent["Restless"][1] == 0 && sent_again > 5 * not_sent, "{sent:?}, then {again:?}");
    assert!(sent["Eager"][1] >= 5 && again["Eager"][1] >= 5, "{sent:?}, then {again:?}");
    check_same_pages(&server, &first, &second);
}

/// A server that we did not write: what is changed is sent, what is not is not.
#[test]
fn nginx_sends_what_has_changed_and_nothing_else() {
    let room = TempDir::with_prefix("drumlin-again-").expect("a temporary directory");
    let write = |name: &str, text: &str| fs::write(room.path().join(name), text).expect("a file");
    let words = "Dunes wander where the wind goes, and nobody asks them. ".repeat(60);
    write(
        "index.html",
        &format!("<a href=one.html>one</a> <a href=two.html>two</a> <a href=three.html>three</a> {words}"),
    );
    for name in ["one", "two", "three"] {
        write(&format!("{name}.html"), &format!("<title>{name}</title><p>{name}: {words}"));
    }
    let address = Ipv4Addr::LOCALHOST;
    // Compressed as it is sent, so that its entity tags are weak.
    let lines = "gzip on; gzip_min_length 1;";
    let site = Site { name: "dunes.test", address, root: room.path().to_owned(), lines };
    let Some(nginx) = Nginx::start(&[site]) else { return };
    let crawl = || {
        let dns = names::serve(|name| (name == "dunes.test").then_some(Ipv4Addr::LOCALHOST));
        Crawl::new(dns, &[&format!("http://dunes.test:{}/", nginx.port)]).flag("--scope", "host")
    };
    let first = crawl();
    assert_eq!(first.run().code, Some(0));
    write("two.html", "<title>two</title><p>Another two.");
    let second = crawl().flag("--earlier", &first.dir().display().to_string());
    assert_eq!(second.run().code, Some(0));
    let mut seen: Vec<(String, u16)> =
        nginx.log().into_iter().skip(5).map(|seen| (seen.target, seen.status)).collect();
    seen.sort();
    let wanted =
        [("/", 304), ("/one.html", 304), ("/robots.txt", 404), ("/three.html", 304), ("/two.html", 200)];
    assert_eq!(seen, wanted.map(|(target, status)| (target.to_owned(), status)));
    let (was, is) = (rows(&first), rows(&second));
    let changed: Vec<&String> =
        is.iter().filter(|(url, row)| was.get(*url) != Some(row)).map(|(url, _)| url).collect();
    assert!(
        was.len() == 4 && is.len() == 4 && changed.len() == 1 && changed[0].ends_with("/two.html"),
        "{changed:?}"
    );
}

const REVISITS: &str = "
import json, sys
from warcio.archiveiterator import ArchiveIterator
found = []
for name in sys.argv[1:]:
    for record in ArchiveIterator(open(name, 'rb'), check_digests='raise'):
        header = record.rec_headers.get_header
        if record.rec_type == 'revisit' and header('WARC-Profile').endswith('/server-not-modified'):
            found.append([header('WARC-Target-URI'), header('WARC-Refers-To-Target-URI'), record.http_headers.get_statuscode(),
                          bool(header('WARC-Refers-To-Date')), len(record.content_stream().read())])
print(json.dumps(found))
";

#[test]
fn warcio_reads_the_revisits_and_pywb_replays_them_from_both_archives() {
    let (Some(mut python), Some(mut warcio), Some(wayback)) =
        (judge("python"), judge("warcio"), judge("wayback"))
    else {
        return;
    };
    let server = web(33, 60);
    let first = crawl_of(&server);
    run(&first, &server);
    // Archives tell captures apart by the second.
    edge::pause(Duration::from_millis(1_100));
    let second = crawl_after(&server, &first);
    run(&second, &server);
    let said = output(warcio.args(["check", "--verbose"]).args(second.warc_files()));
    assert!(!said.contains("fail"), "{said}");
    let said = output(python.args(["-c", REVISITS]).args(second.warc_files()));
    let found: Vec<(String, String, String, bool, usize)> = serde_json::from_str(&said).expect("JSON");
    assert_eq!(found.len(), answers(&second).iter().filter(|record| is_not_modified(record)).count());
    assert!(found.len() >= 30);
    for (url, refers_to, status, is_dated, bytes) in &found {
        assert!(refers_to == url && status == "304" && *is_dated && *bytes == 0, "{url}");
    }

    let lines = [&first, &second]
        .map(|crawl| fs::read_to_string(crawl.dir().join("archive/index.cdxj")).expect("an index"));
    let mut lines: Vec<&str> = lines.iter().flat_map(|lines| lines.lines()).collect();
    lines.sort_unstable();
    let index = second.dir().with_file_name("both.cdxj");
    fs::write(&index, lines.join("\n") + "\n").expect("a file");
    let files = [first.warc_files(), second.warc_files()].concat();
    let room = second.dir().with_file_name("wayback");
    let wayback = Wayback::start(wayback, &room, &files, &index);
    // What has not changed pywb shows as the 304 that it was; what it was, at the moment when it was sent.
    let wholes = answers(&first);
    let wholes = wholes.iter().filter(|record| record.record_type() == RecordType::Response);
    let unchanged: BTreeSet<&str> = found.iter().map(|(url, ..)| url.as_str()).collect();
    for whole in wholes.filter(|record| unchanged.contains(record.target_uri().expect("a URL"))).take(5) {
        let (url, date) = (whole.target_uri().expect("a URL"), whole.date().expect("a date"));
        assert_eq!(wayback.status(url), "304", "{url}");
        let payload = plain(whole.http().expect("HTTP").payload);
        assert!(wayback.replay_of(&date.digits14(), url) == payload, "{url}");
    }
}
