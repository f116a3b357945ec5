//! Revisit records as we write them, in the hands of those that replay them.

use crate::support::crawl::Crawl;
use crate::support::holdings::{Capture, Holdings};
use crate::support::tools::{judge, output};
use crate::support::wayback::{Wayback, plain};
use corpus::Row;
use disk::OsDisk;
use simweb::server::{ServerOptions, start};
use simweb::{HostMix, WebConfig};
use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use stdx::WallTime;
use tempfile::TempDir;
use warc::{
    Encoder, Exchange, Fields, IndexEntry, Reader, RecordId, Response, Revisit, RevisitProfile, Sha1Digest,
    Warcinfo, archived_head,
};

const ORIGINAL: &str = "http://first.test/page";
const COPY: &str = "http://second.test/copy";
const BODY: &[u8] = b"<!doctype html><title>Dunes</title><p>Sand that wanders, slowly.";
const NAME: &str = "revisits.warc.gz";

fn at(minute: u64) -> WallTime {
    WallTime::from_unix_ms(1_795_170_480_000 + minute * 60_000)
}

fn exchange(url: &str, date: WallTime) -> Exchange<'_> {
    let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
    Exchange { url, date, address, protocols: &[], cipher_suite: None, warcinfo: None }
}

/// A page; another URL with the same bytes; and the page again, which has not changed.
fn archive() -> Vec<u8> {
    let (mut out, mut encoder) = (Vec::new(), Encoder::new());
    let id = RecordId::from_value;
    let info = Warcinfo { id: id(1), date: at(0), filename: NAME, fields: Fields::new() };
    encoder.warcinfo(&mut out, &info);
    let head = archived_head(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", BODY.len() as u64);
    let response = Response {
        id: id(2),
        head: &head,
        payload_len: BODY.len() as u64,
        payload_digest: Sha1Digest::of(BODY),
        block_digest: None,
        truncated: None,
        payload_type: Some("text/html"),
    };
    encoder.response(&mut out, &exchange(ORIGINAL, at(1)), &response, BODY);
    let same = Revisit {
        id: id(3),
        profile: RevisitProfile::IdenticalPayloadDigest,
        head: &head,
        refers_to_url: ORIGINAL,
        refers_to_date: at(1),
        refers_to: Some(&id(2).bracketed()),
        refers_to_place: None,
        payload_digest: Sha1Digest::of(BODY),
        payload_type: Some("text/html"),
    };
    encoder.revisit(&mut out, &exchange(COPY, at(2)), &same);
    let unchanged = Revisit {
        id: id(4),
        profile: RevisitProfile::ServerNotModified,
        head: b"HTTP/1.1 304 Not Modified\r\nETag: \"dunes\"\r\n\r\n",
        ..same
    };
    encoder.revisit(&mut out, &exchange(ORIGINAL, at(3)), &unchanged);
    out
}

/// The archive in a directory, with its index beside it.
struct Laid {
    room: TempDir,
    file: PathBuf,
    index: PathBuf,
}

fn laid_out() -> Laid {
    let room = TempDir::with_prefix("drumlin-").expect("a temporary directory");
    let bytes = archive();
    let (file, index) = (room.path().join(NAME), room.path().join("index.cdxj"));
    fs::write(&file, &bytes).expect("a file in a temporary directory");
    let entries = Reader::new(&bytes[..]).map(Result::unwrap);
    let entries = entries.filter_map(|record| IndexEntry::of(&record, NAME));
    let mut lines: Vec<String> = entries.map(|entry| entry.line(&weburl::surt(&entry.url)) + "\n").collect();
    assert_eq!(lines.len(), 3);
    lines.sort();
    fs::write(&index, lines.concat()).expect("a file in a temporary directory");
    Laid { room, file, index }
}

#[test]
fn both_profiles_are_sound() {
    let report = warc::check(&archive()[..]);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let Some(mut warcio) = judge("warcio") else { return };
    let laid = laid_out();
    let said = output(warcio.args(["check", "--verbose"]).arg(&laid.file));
    assert!(!said.contains("fail"), "{said}");
}

/// What has not changed pywb shows as the 304 that it was: only the first profile stands for a body.
#[test]
fn pywb_replays_what_a_revisit_refers_to() {
    let Some(wayback) = judge("wayback") else { return };
    let Laid { room, file, index } = laid_out();
    let wayback = Wayback::start(wayback, &room.path().join("wayback"), &[file], &index);
    assert_eq!(wayback.replay(COPY), BODY);
}

/// A web of which half of the hosts are mirrors of others.
fn mirrored() -> (Crawl, Holdings) {
    let hosts = HostMix { mirrors: 500, ..HostMix::default() };
    let config =
        WebConfig { http_port: 0, https_port: 0, crawl_delay_s: 0, hosts, ..WebConfig::small(5, 300) };
    let server = start(config.without_traps(), ServerOptions::default()).expect("a free port");
    let seeds = server.web.seeds(4);
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let crawl = Crawl::new(server.dns, &seeds).flag("--scope", "any");
    let holdings = crawl.run_to_the_end();
    (crawl, holdings)
}

/// Revisits, whose originals [`Holdings`] has found, next to whole captures.
fn revisits(holdings: &Holdings) -> Vec<&Capture> {
    let revisits: Vec<&Capture> = holdings.pages().filter(|page| page.is_revisit).collect();
    assert!(revisits.len() >= 5, "{} revisits of {} captures", revisits.len(), holdings.captures.len());
    revisits
}

#[test]
fn a_crawl_archives_once_what_came_twice_and_has_a_row_for_each() {
    let (crawl, holdings) = mirrored();
    let revisits = revisits(&holdings);
    let whole = |payload: &[u8]| {
        let same = holdings.pages().filter(|page| !page.is_revisit && page.payload == payload);
        same.count()
    };
    for revisit in &revisits {
        assert_eq!(whole(&revisit.payload), 1, "{}", revisit.url);
    }
    let rows = rows(&crawl);
    for page in revisits.iter().filter(|page| page.status == 200) {
        let row = rows.iter().find(|row| format!("<{}>", row.id) == page.id).expect("a row");
        assert_eq!((&row.url, row.warc_offset), (&page.url, page.offset));
        assert!(
            !row.text.is_empty() && rows.iter().any(|other| other.id != row.id && other.digest == row.digest)
        );
    }
}

fn rows(crawl: &Crawl) -> Vec<Row> {
    let disk = OsDisk::new(crawl.dir()).expect("it is there");
    let paths = corpus::closed_files(&disk, Path::new("corpus")).expect("a corpus");
    let rows = paths.iter().flat_map(|path| corpus::Reader::open(&disk, path).expect("a file of ours"));
    rows.map(|row| row.expect("readable")).collect()
}

#[test]
fn pywb_replays_the_revisits_of_a_crawl() {
    let Some(wayback) = judge("wayback") else { return };
    let (crawl, holdings) = mirrored();
    let room = crawl.dir().with_file_name("wayback");
    let wayback =
        Wayback::start(wayback, &room, &crawl.warc_files(), &crawl.dir().join("archive/index.cdxj"));
    let revisits = revisits(&holdings);
    for page in revisits.iter().filter(|page| page.status == 200).take(5) {
        assert!(wayback.replay(&page.url) == plain(&page.payload), "{}", page.url);
    }
}

#[test]
fn warcio_finds_no_fault_in_the_revisits_of_a_crawl() {
    let Some(mut warcio) = judge("warcio") else { return };
    let (crawl, holdings) = mirrored();
    revisits(&holdings);
    let said = output(warcio.args(["check", "--verbose"]).args(crawl.warc_files()));
    assert!(!said.contains("fail"), "{said}");
}
