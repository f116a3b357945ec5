//! Revisit records as we write them, in the hands of those that replay them.

use crate::support::tools::{judge, output};
use crate::support::wayback::Wayback;
use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use stdx::WallTime;
use tempfile::TempDir;
use warc::{
    Encoder, Exchange, Fields, IndexEntry, Reader, RecordId, Response, Revisit, RevisitProfile, Sha1Digest,
    Warcinfo, archived_head, sha1_digest,
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
    let digest = sha1_digest(&[BODY]);
    let response = Response {
        id: id(2),
        head: &head,
        payload_len: BODY.len() as u64,
        payload_digest: Sha1Digest::from_label(&digest).expect("a digest"),
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
        refers_to: Some(id(2)),
        payload_digest: &digest,
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
