//! What a checkpoint holds of a frontier, on what nobody wrote.

use disk::{MemDisk, Overlay, SharedDisk};
use frontier::{
    Address, Attempt, BudgetFunction, CaptureSeq, Contact, DelayPolicy, Discovery, End, Error, Everything,
    Failure, FailureKind, Frontier, FrontierConfig, FrontierState, Kind, Memory, Origin, PageSubject, Paths,
    Reach, Response, RetryPolicy, RobotsAnswer, RobotsRecord, SeedBudgets, Star, Stop, Subject,
};
use fuzz::Fuzz;
use meter::Meter;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;
use stdx::Timestamp;
use weburl::{Folding, Key, KeyHash, Url};
use xxhash_rust::xxh3::xxh3_64;

#[global_allocator]
static METER: Meter = Meter::new();

const SEED: u64 = 7;
const START: Timestamp = Timestamp::from_ms(1_700_000_000_000);

const CONFIG: FrontierConfig = FrontierConfig {
    delay: DelayPolicy { host_ms: 1000, host_floor_ms: 500, group_ms: 250, stranger_factor: 1 },
    retry: RetryPolicy { base_ms: 10_000, factor: 3, max_ms: 3_600_000, attempts: 5, overload_ms: 60_000 },
    seed: SEED,
    memory: Memory { resident_bytes: 1 << 20, buffer_bytes: 4 << 10, bucket_bytes: 1 << 20, recent_keys: 64 },
    paths: Paths::Any,
    star: Star { function: BudgetFunction::Unlimited, seeds: SeedBudgets::Unlimited },
};

fn open(disk: &SharedDisk, state: Option<&FrontierState>) -> Result<Frontier, Error> {
    // Opening removes what the state does not name.
    let forgotten = Arc::new(Overlay::new(disk.clone()));
    Frontier::open(CONFIG, forgotten, PathBuf::from("shard"), state)
}

/// The state as the checkpoint has it, without its length and without its checksum.
fn unsealed(state: &FrontierState) -> Vec<u8> {
    let bytes: Vec<u8> = postcard::from_bytes(&postcard::to_allocvec(state).expect("bytes")).expect("bytes");
    bytes[..bytes.len() - 8].to_vec()
}

/// With a checksum that fits, or nothing would be read.
fn sealed(body: &[u8]) -> FrontierState {
    let bytes = [body, &xxh3_64(body).to_le_bytes()].concat();
    postcard::from_bytes(&postcard::to_allocvec(&bytes).expect("bytes")).expect("bytes")
}

fn key(url: &str) -> KeyHash {
    Key::of(&Url::parse(url).expect("a URL"), &Folding::ALL).hash(SEED)
}

fn attempt(url: &str, end: End) -> Attempt {
    let origin = Origin::Document("http://b.example/".into());
    let subject = PageSubject { key: key(url), depth: 2, hops: 0, attempts: 0, kind: Kind::Page, origin };
    let address = Address { ip: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), reach: Reach::Public };
    let contact = Some(Contact { address, started: START, ended: START + 40 });
    Attempt { subject: Subject::Page(subject), url: url.to_owned(), contact, at: START + 40, end }
}

fn answered(status: u16) -> End {
    let (content_type, redirect, retry_after_ms) = (None, None, None);
    End::Captured(Response { status, bytes: 1, content_type, redirect, retry_after_ms, truncated: false })
}

/// Hosts that have rules, retries, answers and failures, and what is not decided yet.
fn written(disk: &SharedDisk) -> Result<FrontierState, Error> {
    let mut frontier = Frontier::open(CONFIG, disk.clone(), PathBuf::from("shard"), None)?;
    frontier.adopt(Arc::new(Everything))?;
    let rules = robots::Robots::parse(b"User-agent: *\nDisallow: /no\nCrawl-delay: 2", "drumlin");
    let answer = RobotsAnswer::Rules(Box::new(rules));
    frontier.apply_robots(RobotsRecord {
        authority: "http://a.example".into(),
        fetched_at: START,
        answer,
    })?;
    let failure = Failure { kind: FailureKind::ConnectRefused, detail: String::new() };
    let ends = [
        ("http://a.example/1", answered(200)),
        ("http://a.example/2?x=3", answered(500)),
        ("http://www.a.example/", answered(404)),
        ("http://c.example/", End::Failed(failure)),
    ];
    for (n, (url, end)) in (1..).zip(ends) {
        frontier.apply(&attempt(url, end), CaptureSeq(n))?;
    }
    let url = "http://d.example/".to_owned();
    let found = Discovery { key: key(&url), url, depth: 0, hops: 0, kind: Kind::Page };
    frontier.admit(&[found], &Origin::Seed)?;
    frontier.resume(Stop::Unclean, START + 100, Arc::new(Everything))?;
    Ok(frontier.cut()?.state)
}

/// A host that bears another's name would be contacted under the other's clock.
fn misplaced(seed: &[u8]) -> Vec<u8> {
    let (right, wrong) = (&b"www.a.example"[..], b"www.x.example");
    let at = seed.windows(right.len()).position(|window| window == right).expect("a host of this name");
    [&seed[..at], wrong, &seed[at + right.len()..]].concat()
}

#[test]
fn frontier_states() {
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let seed = unsealed(&written(&disk).expect("a disk without faults"));
    assert!(open(&disk, Some(&sealed(&seed))).is_ok(), "what was written is read");
    let misplaced = misplaced(&seed);
    assert!(matches!(open(&disk, Some(&sealed(&misplaced))), Err(Error::Damaged { .. })));
    Fuzz::new("frontier_states").seeds([seed, misplaced]).executions(2_000).run(|input| {
        let state = sealed(input);
        let peak = METER.peak_while(|| {
            if let Ok(mut frontier) = open(&disk, Some(&state)) {
                let again = frontier.cut().expect("a disk without faults").state;
                assert!(again.len() < 64 * input.len() + (1 << 20));
            }
        });
        assert!(peak <= 256 * input.len() + (8 << 20), "{peak} bytes for {}", input.len());
    });
}
