//! What goes to disk from here: `docs/formats/frontier.md`. A golden file of each version is read for good;
//! `cargo test -p frontier --lib formats -- --ignored` writes those of the present one.

use super::world::{CONFIG, START, location_of, open, states};
use crate::Everything;
use crate::entry::Entry;
use crate::stored_host::{StoredHead, StoredHost};
use crate::url_record::{Answer, End as UrlEnd, UrlRecord};
use crate::{
    Attempt, CaptureSeq, Class, Contact, End, Error, Exclusion, Failure, FailureKind, Frontier,
    FrontierState, Kind, Origin, PageSubject, ParkReason, Pending, Reach, Response, Revival, RobotsAnswer,
    RobotsRecord, Stop, Subject, UrlState,
};
use disk::{MemDisk, OsDisk, replace_file};
use drum::Value;
use proptest::prelude::*;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdx::Timestamp;
use weburl::KeyHash;

const ENTRIES: &[u8] = include_bytes!("golden/entries-v1.bin");
const RECORDS: &[u8] = include_bytes!("golden/records-v1.bin");
const FIRST_HOST: &[u8] = include_bytes!("golden/host-v1.bin");
const SECOND_HOST: &[u8] = include_bytes!("golden/host-v2.bin");
const THIRD_HOST: &[u8] = include_bytes!("golden/host-v3.bin");
const FOURTH_HOST: &[u8] = include_bytes!("golden/host-v4.bin");
const FIFTH_HOST: &[u8] = include_bytes!("golden/host-v5.bin");
const HOST: &[u8] = include_bytes!("golden/host-v6.bin");
const FIRST_STATE: &[u8] = include_bytes!("golden/state-v1.bin");
/// Of version 2 with hosts of version 2, 3, 4 and 5.
const SECOND_STATE: &[u8] = include_bytes!("golden/state-v2.bin");
const THIRD_STATE: &[u8] = include_bytes!("golden/state-v2-host-v3.bin");
const FOURTH_STATE: &[u8] = include_bytes!("golden/state-v2-host-v4.bin");
const FIFTH_STATE: &[u8] = include_bytes!("golden/state-v2-host-v5.bin");
/// With hosts of version 5, and a retry that is not done.
const SIXTH_STATE: &[u8] = include_bytes!("golden/state-v3-host-v5.bin");
/// With hosts of version 6.
const STATE: &[u8] = include_bytes!("golden/state-v3.bin");

/// Behind the others: batches and records of crawls that know no votes are read as they were.
#[test]
fn a_vote_is_the_fifth_origin() {
    let bytes = |origin: Origin| postcard::to_allocvec(&origin).unwrap();
    assert_eq!(bytes(Origin::Voted("a".to_owned())), [4, 1, b'a']);
    assert_eq!(bytes(Origin::Document("a".to_owned())), [1, 1, b'a']);
}

fn pending(n: u64, origin: Origin) -> Pending {
    Pending {
        key: KeyHash(n << 40 | 7),
        url: format!("http://a.example/{n}"),
        depth: n as u32,
        hops: n as u8 % 3,
        attempts: n as u8 % 2,
        kind: if n == 2 { Kind::Sitemap } else { Kind::Page },
        due: if n % 2 == 1 { START + n } else { Timestamp::ZERO },
        order: n * 1000,
        origin,
    }
}

fn entries() -> Vec<Pending> {
    let via = || "http://b.example/page".to_owned();
    vec![
        pending(1, Origin::Seed),
        pending(2, Origin::Robots("http://a.example/robots.txt".into())),
        pending(3, Origin::Document(via())),
        pending(200, Origin::Sitemap(via())),
    ]
}

fn records() -> Vec<UrlRecord> {
    let answer = Answer { capture: CaptureSeq(9), location: location_of(CaptureSeq(9)), at: START };
    let ends = [
        UrlEnd::None,
        UrlEnd::Fetched(answer),
        UrlEnd::Excluded(Exclusion::Robots { line: 12 }),
        UrlEnd::Excluded(Exclusion::AddressRefused),
        UrlEnd::Excluded(Exclusion::RedirectLimit),
        UrlEnd::Parked(ParkReason::Status(503)),
        UrlEnd::Parked(ParkReason::Failed(FailureKind::Protocol)),
        UrlEnd::Parked(ParkReason::Host(FailureKind::NameNotFound)),
        UrlEnd::Parked(ParkReason::RobotsUnreachable),
        UrlEnd::Parked(ParkReason::CrawlDelay),
    ];
    ends.into_iter().zip(0..).map(|(end, depth)| UrlRecord { end, depth }).collect()
}

fn attempt(url: &str, n: u64, end: End) -> Attempt {
    let subject = PageSubject {
        key: KeyHash(n),
        depth: 2,
        hops: 0,
        attempts: 0,
        kind: Kind::Page,
        origin: Origin::Document("http://b.example/".into()),
    };
    let address = crate::Address { ip: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), reach: Reach::Public };
    let contact = Some(Contact { address, started: START, ended: START + 40 });
    Attempt { subject: Subject::Page(subject), url: url.to_owned(), contact, at: START + 40, end }
}

fn answered(status: u16) -> End {
    let (redirect, retry_after_ms) = (None, None);
    End::Captured(Response {
        status,
        bytes: 1,
        content_type: None,
        redirect,
        retry_after_ms,
        truncated: false,
    })
}

/// A replay on an empty disk: hosts, rules, a retry, an answer that is not located, and what they bury.
fn shard() -> Frontier {
    let mut frontier = open(CONFIG, &MemDisk::new(), None);
    // What is replayed was accepted by the same rules.
    frontier.adopt(Arc::new(Everything)).unwrap();
    let rules = robots::Robots::parse(b"User-agent: *\nDisallow: /no", "drumlin");
    let answer = RobotsAnswer::Rules(Box::new(rules));
    let record = RobotsRecord { authority: "http://a.example".into(), fetched_at: START, answer };
    frontier.apply_robots(record).unwrap();
    let ends = [(1, answered(200)), (2, answered(500))];
    for (n, end) in ends {
        frontier.apply(&attempt(&format!("http://a.example/{n}"), n, end), CaptureSeq(n)).unwrap();
    }
    let failure = Failure { kind: FailureKind::ConnectRefused, detail: String::new() };
    frontier.apply(&attempt("http://c.example/", 3, End::Failed(failure)), CaptureSeq(3)).unwrap();
    frontier.resume(Stop::Unclean, START + 100, Arc::new(Everything)).unwrap();
    frontier
}

fn host() -> Vec<u8> {
    let frontier = shard();
    let (_, host) = frontier.hosts.iter().find(|(_, host)| host.record.name == "a.example").unwrap();
    host.encode()
}

fn framed(parts: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    parts.into_iter().flat_map(|part| [&(part.len() as u32).to_le_bytes()[..], &part].concat()).collect()
}

fn unframed(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while let Some((len, rest)) = bytes.split_first_chunk() {
        let (part, rest) = rest.split_at(u32::from_le_bytes(*len) as usize);
        parts.push(part);
        bytes = rest;
    }
    parts
}

fn encoded(record: &UrlRecord) -> Vec<u8> {
    let mut bytes = vec![0xFF; UrlRecord::SIZE];
    record.encode(&mut bytes);
    bytes
}

fn state() -> Vec<u8> {
    let mut shard = shard();
    shard.revive(Revival { number: 9, of: None });
    postcard::to_allocvec(&shard.cut().unwrap().state).unwrap()
}

#[test]
#[ignore = "writes the golden files"]
fn write_golden_files() {
    let dir = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/golden"));
    let disk = OsDisk::new(dir).unwrap();
    let write = |name: &str, bytes: Vec<u8>| replace_file(&disk, Path::new(name), &bytes).unwrap();
    write("entries-v1.bin", framed(entries().iter().map(Pending::encoded)));
    write("records-v1.bin", framed(records().iter().map(encoded)));
    write("host-v6.bin", host());
    write("state-v3.bin", state());
}

#[test]
fn entries_of_version_1_are_read_and_written_alike() {
    let read: Vec<Pending> =
        unframed(ENTRIES).into_iter().map(|bytes| Entry::parse(bytes).unwrap().to_pending()).collect();
    assert_eq!(read, entries());
    assert_eq!(framed(entries().iter().map(Pending::encoded)), ENTRIES);
}

#[test]
fn records_of_version_1_are_read_and_written_alike() {
    let read: Vec<UrlRecord> = unframed(RECORDS).into_iter().map(UrlRecord::decode).collect();
    assert_eq!(read, records());
    assert_eq!(framed(records().iter().map(encoded)), RECORDS);
}

#[track_caller]
fn check_host(bytes: &[u8]) -> StoredHost<'_> {
    let stored = StoredHost::parse(bytes).unwrap();
    let record = stored.record().unwrap();
    assert_eq!((record.name.as_str(), record.robots.len(), record.contacts), ("a.example", 1, 2));
    assert_eq!((stored.standing.pending, stored.queues.retries.len()), (1, 1));
    assert_eq!(stored.standing.class, Class::Low);
    let head = StoredHead::parse(bytes).unwrap().head;
    // Earlier programs counted other bytes.
    assert_eq!(crate::host::HostHead { robots_bytes: record.robots_bytes, ..head }, record.head);
    stored
}

#[test]
fn a_host_of_version_6_is_read_and_written_alike() {
    assert_eq!(host(), HOST);
    let mut stored = check_host(HOST);
    assert_eq!(stored.record().unwrap().address, Some("192.0.2.1".parse().unwrap()));
    assert_eq!(stored.encode(), HOST);
}

#[test]
fn hosts_of_versions_2_to_5_are_read_and_written_as_version_6() {
    for (bytes, troubles) in [(SECOND_HOST, 0), (THIRD_HOST, 0), (FOURTH_HOST, 1), (FIFTH_HOST, 1)] {
        let mut stored = check_host(bytes);
        let record = stored.record().unwrap();
        let unknown = (record.refusals, record.resting.len(), record.address_failed, record.sitemaps);
        assert_eq!((record.troubles, unknown), (troubles, (0, 0, false, 0)));
        check_host(&stored.encode());
        assert_eq!(stored.encode()[0], HOST[0]);
    }
}

#[test]
fn a_host_of_version_1_is_read_and_written_as_version_6() {
    let mut stored = check_host(FIRST_HOST);
    assert_eq!(stored.record().unwrap().address, None);
    check_host(&stored.encode());
    assert_eq!(stored.encode()[0], HOST[0]);
}

#[test]
fn older_states_are_read() {
    check_state(FIRST_STATE);
    check_state(SECOND_STATE);
    check_state(THIRD_STATE);
    check_state(FOURTH_STATE);
    check_state(FIFTH_STATE);
    check_state(SIXTH_STATE);
}

#[test]
fn the_state_of_version_3_is_read_and_written_alike() {
    assert_eq!(state(), STATE);
    let saved: FrontierState = postcard::from_bytes(STATE).unwrap();
    let mut back = check_state(STATE);
    back.revive_on(Revival { number: 9, of: None });
    assert_eq!(back.cut().unwrap().state, saved);
}

#[track_caller]
fn check_state(bytes: &[u8]) -> Frontier {
    let saved: FrontierState = postcard::from_bytes(bytes).unwrap();
    let back = open(CONFIG, &MemDisk::new(), Some(&saved));
    back.check_invariants();
    let states = states(&back);
    assert!(matches!(states[&KeyHash(1)], UrlState::Fetched { depth: 2, location: None, .. }));
    assert!(matches!(&states[&KeyHash(2)], UrlState::Pending { pending, .. } if pending.attempts == 1));
    assert!(matches!(&states[&KeyHash(3)], UrlState::Pending { pending, .. } if pending.attempts == 0));
    back
}

#[test]
fn what_is_damaged_or_newer_is_refused() {
    let FrontierState { bytes } = postcard::from_bytes(STATE).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        let refused = Frontier::open(
            CONFIG,
            Arc::new(MemDisk::new()),
            PathBuf::from("shard"),
            Some(&FrontierState { bytes: damaged }),
        );
        match refused.unwrap_err() {
            Error::Damaged { .. } => {}
            Error::Version { found, .. } => assert_eq!((at, found), (8, 2)),
            other => panic!("byte {at}: {other}"),
        }
    }
    let mut newer = HOST.to_vec();
    newer[0] = 7;
    assert!(StoredHost::parse(&newer).is_err());
}

proptest! {
    #[test]
    fn an_entry_survives_its_bytes(
        key: u64, depth: u32, hops: u8, attempts: u8, due: u64, order in 0..1_u64 << 48, url in "\\PC{0,40}", via in "\\PC{0,20}", origin in 0..4_u8
    ) {
        let origin = match origin {
            0 => Origin::Seed,
            1 => Origin::Document(via),
            2 => Origin::Robots(via),
            _ => Origin::Sitemap(via),
        };
        let due = Timestamp::from_ms(due);
        let pending = Pending { key: KeyHash(key), url, depth, hops, attempts, kind: Kind::Page, due, order, origin };
        let bytes = pending.encoded();
        prop_assert_eq!(Entry::parse(&bytes).unwrap().to_pending(), pending);
    }

    #[test]
    fn no_bytes_are_too_wild_to_be_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = (Entry::parse(&bytes), StoredHost::parse(&bytes).is_ok(), StoredHead::parse(&bytes).is_ok());
    }

    #[test]
    fn the_host_of_a_url_is_found_in_its_text(host in "[a-z]{1,8}(\\.[a-z]{1,5}){0,3}\\.?", port in 0..3_u16, tail in "[/?#][a-z:/@?]{0,12}") {
        let port = if port == 0 { String::new() } else { format!(":{}", 8000 + port) };
        let url = weburl::Url::parse(&format!("http://{host}{port}{tail}")).unwrap();
        prop_assert_eq!(crate::identity::host_of(url.as_str()), weburl::without_root_dot(url.host()));
    }
}

#[test]
fn a_host_is_the_same_however_often_its_name_is_read() {
    for host in ["a.test", "a.test.", "a.test..", "a..", ".", "..", "..."] {
        let once = weburl::without_root_dot(host);
        assert_eq!(crate::identity::host_of(&format!("http://{once}/")), once, "{host}");
    }
}
