//! Small values that the tests share.

use crate::orders::Orders;
use crate::saved::SavedPeers;
use crate::uplink::Outage;
use crate::{
    Addressed, CrawlConfig, Crawler, Loss, LostPage, Operator, PageText, Promise, Record, Retention, Rules,
    Says,
};
use archive::{Body, Capture, Intake, Location, Spool};
use bytes::Bytes;
use cluster::{NodeId, Numbers, Placement, SavedStream};
use control::{Bound, Changes, Command, Selection, Target};
use disk::{Disk, MemDisk};
use frontier::{
    Address, Attempt, BudgetFunction, CaptureSeq, Contact, DelayPolicy, Discovery, End, Failure, FailureKind,
    Fingerprint, FrontierConfig, Kind, Memory, NamedGroup, Origin, PageSubject, Paths, Reach, Redirect,
    Response, RetryPolicy, RobotsAnswer, RobotsRecord, SeedBudgets, Star, Stop, Subject, Yield,
};
use regex::Regex;
use robots::Robots;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use stdx::{Credit, Timestamp, WallTime};
use weburl::{Folding, KeyHash, Scope, ScopeRules, Url};

pub(super) const SEED: u64 = 7;
pub(super) const START: Timestamp = Timestamp::from_ms(1_700_000_000_000);

/// The program's defaults, for a crawl about `a.example`.
pub(super) fn config() -> CrawlConfig {
    let mut scope = ScopeRules::new(Scope::Domain);
    scope.add_seed(&url("http://a.example/"));
    CrawlConfig {
        frontier: FrontierConfig {
            delay: DelayPolicy::default(),
            retry: RetryPolicy::default(),
            seed: SEED,
            memory: Memory {
                resident_bytes: 1 << 20,
                buffer_bytes: 8 << 10,
                bucket_bytes: 1 << 20,
                recent_keys: 1 << 10,
            },
            paths: Paths::Any,
            star: Star { function: BudgetFunction::default(), seeds: SeedBudgets::Unlimited },
        },
        server_delay_ms: 250,
        server_floor_ms: 100,
        groups: Arc::default(),
        concurrency: 4,
        depth: None,
        limit: None,
        size_limit: None,
        time_limit_ms: None,
        patience_ms: 600_000,
        body_bytes: 16 << 20,
        fetch_ms: 60_000,
        parse_bytes: 2 << 20,
        text: PageText::Visible,
        link_bytes: 16 << 20,
        young_bytes: 1 << 20,
        parses: 64,
        unparsed: crate::limits::UNPARSED_CAPTURES,
        checkpoint_bytes: crate::limits::CHECKPOINT_BYTES,
        sitemaps: true,
        preference_files: false,
        keeps_cookies: false,
        retention: Retention::Keep,
        agent: "drumlin".to_owned(),
        operator: Operator::Named,
        rules: Arc::new(Rules { scope, folding: Folding::ALL, seed: SEED }),
        placement: Placement::alone(),
    }
}

/// The same, without URLs that this expression matches.
pub(super) fn config_without(expression: &str) -> CrawlConfig {
    let config = config();
    let expression = Regex::new(expression).expect("an expression");
    let scope = config.rules.scope.clone().exclude(vec![expression]);
    CrawlConfig { rules: Arc::new(Rules { scope, folding: Folding::ALL, seed: SEED }), ..config }
}

pub(super) fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

pub(super) fn key(text: &str) -> KeyHash {
    config().rules.key(&url(text))
}

pub(super) fn address() -> Address {
    Address { ip: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), reach: Reach::Public }
}

pub(super) fn location(n: u64) -> Location {
    Location {
        serial: 0,
        offset: 1000 * n,
        length: 900,
        response_offset: 1000 * n + 300,
        response_length: 500,
    }
}

pub(super) fn capture(url: &str, head: &str, body: &str) -> Arc<Capture> {
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Arc::new(Capture {
        url: url.to_owned(),
        started: WallTime::from_unix_ms(START.as_ms()),
        elapsed_ms: 40,
        address: address().ip,
        protocols: vec!["http/1.1".to_owned()],
        cipher_suite: None,
        handshake: None,
        request_head: Bytes::from_static(b"GET / HTTP/1.1\r\n\r\n"),
        response_head: Bytes::from(format!("{head}\r\n\r\n")),
        status,
        body: Bytes::from(body.to_owned()).into(),
        truncated: None,
        cut_because: None,
        usage: None,
        unchanged: None,
    })
}

/// The same, with its body on disk.
pub(super) fn spooled(url: &str, head: &str, body: &str) -> Arc<Capture> {
    let body = spooled_to(MemDisk::new(), body.as_bytes());
    Arc::new(Capture { body, ..capture(url, head, "").as_ref().clone() })
}

/// A body that went to disk as it came.
pub(super) fn spooled_to(disk: impl Disk + 'static, mut bytes: &[u8]) -> Body {
    let spool = Spool::open(Arc::new(disk)).unwrap();
    let mut arriving = Intake::new(Credit::new(0), spool, 0).begin();
    while !bytes.is_empty() {
        bytes = &bytes[arriving.take(bytes)..];
        arriving.spill().unwrap();
    }
    arriving.finish_on_disk().unwrap()
}

pub(super) fn found(text: &str, depth: u32) -> Discovery {
    Discovery { url: text.to_owned(), key: key(text), depth, hops: 0, kind: Kind::Page }
}

pub(super) fn response(status: u16, redirect: Option<Redirect>, retry_after_ms: Option<u64>) -> End {
    let content_type = (status == 200).then(|| "text/html".to_owned());
    End::Captured(Response { status, bytes: 1234, content_type, redirect, retry_after_ms, truncated: false })
}

fn attempt(text: &str, second: u64, subject: Subject, end: End) -> Record {
    let started = START + 1000 * second;
    let contact = Some(Contact { address: address(), started, ended: started + 40 });
    let contact = contact.filter(|_| subject != Subject::Name);
    let attempt = Attempt { subject, url: text.to_owned(), contact, at: started + 40, end };
    Record::Attempt { shard: shard(text), attempt }
}

/// A link of the first page is fetched; or that page itself, which was a seed.
pub(super) fn page(text: &str, second: u64, end: End) -> Record {
    let is_seed = text == FIRST;
    let subject = PageSubject {
        key: key(text),
        depth: u32::from(!is_seed),
        hops: 0,
        attempts: 0,
        kind: Kind::Page,
        origin: if is_seed { Origin::Seed } else { Origin::Document(FIRST.to_owned()) },
    };
    attempt(text, second, Subject::Page(subject), end)
}

/// Discoveries of one host, as a journal of earlier programs has them.
pub(super) fn received(from: Option<CaptureSeq>, origin: Origin, discoveries: Vec<Discovery>) -> Record {
    Record::Received { shard: shard(&discoveries[0].url), from, origin, discoveries }
}

fn seed(text: &str) -> Record {
    received(None, Origin::Seed, vec![found(text, 0)])
}

fn shard(text: &str) -> u8 {
    config().rules.shard(url(text).host())
}

pub(super) fn robots(authority: &str, second: u64, answer: RobotsAnswer) -> Record {
    let record = RobotsRecord { authority: authority.to_owned(), fetched_at: START + 1000 * second, answer };
    Record::Robots { shard: shard(authority), record }
}

pub(super) fn failed(kind: FailureKind) -> End {
    End::Failed(Failure { kind, detail: "for people".to_owned() })
}

/// A page in whose place somebody wants proof of a person, in an hour.
pub(super) fn put_off() -> Record {
    let failure = Failure { kind: FailureKind::Blocked, detail: "for people".to_owned() };
    page("http://a.example/6", 21, End::PutOff { failure, retry_after_ms: 3_600_000 })
}

/// A page whose redirects have come back to where they began.
pub(super) fn led_in_a_circle() -> Record {
    let redirect = Redirect::Circle("http://a.example/5".to_owned());
    page("https://a.example/5", 20, response(301, Some(redirect), None))
}

/// A page whose host has set a cookie and wants to see it.
pub(super) fn asked_again() -> Record {
    page("http://a.example/7", 22, response(302, Some(Redirect::Again), None))
}

/// The first page of the crawl that follows.
pub(super) const FIRST: &str = "http://a.example/1";

/// A small crawl as its journal has it, with every kind of record, entry 1 first.
pub(super) fn journal() -> Vec<Record> {
    let a = |n: u32| format!("http://a.example/{n}");
    let rules = "User-agent: *\nDisallow: /no\nAllow: /no/yes$\nCrawl-delay: 2\nSitemap: /s.xml";
    let rules = Robots::parse(rules.as_bytes(), "drumlin");
    let other = Redirect::OtherKey("http://b.example/".to_owned());
    let same = Redirect::SameKey("https://a.example/4".to_owned());
    let subject = Subject::Robots { authority: "http://a.example".to_owned() };
    let links = (2..9).map(|n| found(&a(n), 1)).collect();
    let sitemap = Discovery { kind: Kind::Sitemap, ..found("http://a.example/s.xml", 0) };
    let robots_txt = Origin::Robots("http://a.example/robots.txt".to_owned());
    let gave = Yield::Content(Fingerprint(0x0123_4567_89AB_CDEF));
    vec![
        seed(FIRST),
        attempt("http://a.example/robots.txt", 0, subject, response(200, None, None)),
        robots("http://a.example", 0, RobotsAnswer::Rules(Box::new(rules))),
        page(&a(1), 3, response(200, None, None)),
        received(Some(CaptureSeq(4)), Origin::Document(FIRST.to_owned()), links),
        Record::Parsed {
            capture: CaptureSeq(4),
            says: Some(Says { shard: shard(FIRST), url: FIRST.to_owned(), gave }),
            out_of_scope: vec![("outside scope domain".to_owned(), 3)],
        },
        page(&a(2), 6, response(301, Some(other), None)),
        page(&a(3), 9, response(302, Some(Redirect::Nowhere), None)),
        page(&a(4), 12, response(308, Some(same), None)),
        page(&a(5), 15, response(500, None, None)),
        page(&a(6), 18, failed(FailureKind::ResponseTimeout)),
        page(&a(7), 21, response(404, None, None)),
        page(&a(8), 24, response(503, None, Some(60_000))),
        Record::Rows { captures: vec![(4, 4)] },
        robots("https://a.example", 90, RobotsAnswer::Absent { status: 404 }),
        received(None, robots_txt, vec![sitemap]),
        seed("http://b.example/"),
        attempt("http://b.example/", 25, Subject::Name, failed(FailureKind::NameServer)),
        robots(
            "http://b.example",
            26,
            RobotsAnswer::Unreachable { detail: "status 500".to_owned(), retry_after_ms: Some(5000) },
        ),
        seed("http://c.example/"),
        attempt("http://c.example/", 27, Subject::Name, failed(FailureKind::AddressRefused)),
        Record::Scope { fingerprint: 99 },
    ]
}

/// What the journal of a node among several holds besides.
pub(super) fn between_nodes() -> Vec<Record> {
    let (from, to) = (NodeId(2), NodeId(2));
    let origin = || Origin::Document(FIRST.to_owned());
    let discoveries = || vec![found("http://d.example/", 1)];
    vec![
        Record::Began { run: 3 },
        Record::Sent { to, number: 0, shard: 0xE7, origin: origin(), discoveries: discoveries() },
        Record::Taken { from, number: 41, shard: 0x1C, origin: origin(), discoveries: discoveries() },
        Record::Acknowledged { by: NodeId(2), numbers: vec![0, 300] },
    ]
}

/// What a run begins with.
pub(super) fn promised() -> Record {
    let promise = Promise {
        began: START,
        stop: Stop::Unclean,
        delay: DelayPolicy::default(),
        server_ms: 250,
        server_floor_ms: 100,
        overload_ms: 60_000,
        fetch_ms: 120_000,
        agent: "drumlin".to_owned(),
    };
    Record::Promised { promise }
}

/// What it has promised to hosts that the operator named.
pub(super) fn grouped() -> Record {
    let hosts = ["*.uni.example", "library.example"].map(|host| host.parse().unwrap()).to_vec();
    Record::Grouped { groups: vec![NamedGroup { name: "uni".to_owned(), hosts, interval_ms: 2_000 }] }
}

/// The links of a page, for two shards, as earlier programs wrote them.
pub(super) fn listed() -> Record {
    let origin = Origin::Document(FIRST.to_owned());
    Record::Listed { from: Some(CaptureSeq(4)), origin, discoveries: for_two_shards() }
}

/// … and as those of today do.
pub(super) fn discovered() -> Record {
    let origin = Origin::Document(FIRST.to_owned());
    Record::Discovered { from: Some(CaptureSeq(4)), origin, discoveries: for_two_shards().into() }
}

fn for_two_shards() -> Vec<Addressed> {
    let addressed = |text: &str| Addressed { shard: shard(text), discovery: found(text, 1) };
    let mut discoveries =
        ["http://d.example/", "http://e.example/", "http://d.example/2"].map(addressed).to_vec();
    discoveries.sort_by_key(|sent| sent.shard);
    discoveries
}

/// A page that had not changed, and whose original is gone.
pub(super) fn lost() -> Record {
    let (why, detail) = (Loss::OriginalGone, "the file of its original is gone".to_owned());
    let page = LostPage { url: FIRST.to_owned(), why, detail };
    Record::Lost { at: START + 95_000, capture: CaptureSeq(4), page }
}

/// What a checkpoint of a node among several holds besides.
pub(super) fn saved_peers() -> SavedPeers {
    let numbers = |numbers: &[u64]| {
        let mut all = Numbers::default();
        assert!(numbers.iter().all(|number| all.insert(*number)));
        all
    };
    let stream = SavedStream {
        peer: NodeId(2),
        next: 5,
        acknowledged: numbers(&[0, 1, 3]),
        first_entry: 300,
        taken: numbers(&[0, 2]),
    };
    SavedPeers { nodes: vec![NodeId(1), NodeId(2)], run: 3, streams: vec![stream] }
}

/// What operators may say, one of each kind.
pub(super) fn commands() -> Vec<Record> {
    let host = |name: &str| Target::Host(name.parse().unwrap());
    let changes = Changes { delay_ms: Some(2_000), limit: Some(Bound::AtMost(9)), ..Changes::default() };
    let was = Changes { delay_ms: Some(1_000), limit: Some(Bound::Unlimited), ..Changes::default() };
    let at = START + 90_000;
    let said = |command: Command| Record::Control { at, command, instead_of: Changes::default() };
    vec![
        said(Command::Pause),
        said(Command::Resume),
        said(Command::Stop),
        said(Command::Exclude(host("out.example"))),
        said(Command::Exclude(Target::Domain("out.example".parse().unwrap()))),
        said(Command::Readmit(host("out.example"))),
        said(Command::Takedown(Target::Pattern("/private/".parse().unwrap()))),
        Record::Control { at, command: Command::Set(changes), instead_of: was },
        said(Command::Seeds(vec!["http://late.example/".to_owned()])),
        said(Command::Retry(Selection::All)),
        said(Command::Retry(Selection::Target(host("a.example")))),
        Record::Purged { at, through: 46 },
    ]
}

/// What holds of them.
pub(super) fn orders() -> Orders {
    let mut crawler = Crawler::empty(config(), Arc::new(MemDisk::new()));
    for (seq, record) in (41..).zip(commands()) {
        crawler.apply(record, CaptureSeq(seq)).unwrap();
    }
    crawler.orders
}

pub(super) fn outage() -> Outage {
    Outage { since: START, because: "connect: timed out".to_owned() }
}
