//! What the parse of one capture takes: pages and sitemaps that their authors meant badly, under a meter.

use archive::{Body, Capture};
use bytes::Bytes;
use crawler::{
    BudgetFunction, CaptureSeq, CrawlConfig, DelayPolicy, FrontierConfig, FrontierMemory, Material, PageText,
    ParseJob, Paths, Placement, Retention, RetryPolicy, Room, Rules, SeedBudgets, Source, Star, Wants,
    digest,
};
use flate2::Compression;
use flate2::write::GzEncoder;
use frontier::Kind;
use meter::Meter;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use stdx::WallTime;
use weburl::{Folding, Scope, ScopeRules};

#[global_allocator]
static METER: Meter = Meter::new();

fn frontier() -> FrontierConfig {
    FrontierConfig {
        delay: DelayPolicy::default(),
        retry: RetryPolicy::default(),
        seed: 7,
        memory: FrontierMemory { resident_bytes: 0, buffer_bytes: 0, bucket_bytes: 0, recent_keys: 0 },
        paths: Paths::Any,
        star: Star { function: BudgetFunction::default(), seeds: SeedBudgets::Unlimited },
    }
}

fn config() -> CrawlConfig {
    CrawlConfig {
        frontier: frontier(),
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
        link_bytes: 4 << 20,
        young_bytes: 1 << 20,
        parses: 4,
        unparsed: crawler::limits::UNPARSED_CAPTURES,
        checkpoint_bytes: 1 << 20,
        sitemaps: true,
        preference_files: false,
        keeps_cookies: false,
        retention: Retention::Keep,
        agent: "drumlin".to_owned(),
        operator: crawler::Operator::Named,
        rules: Arc::new(Rules { scope: ScopeRules::new(Scope::Any), folding: Folding::ALL, seed: 7 }),
        placement: Placement::alone(),
    }
}

/// With this configuration: the text as UTF-8, what is seen of it, 65,536 links of a page and those of them that are new.
const MOST_BYTES: usize = 24 << 20;

struct Case {
    name: &'static str,
    headers: &'static str,
    body: Vec<u8>,
    kind: Kind,
}

fn page(name: &'static str, body: Vec<u8>) -> Case {
    Case { name, headers: "Content-Type: text/html; charset=utf-8", body, kind: Kind::Page }
}

/// `unit` again and again, with a number in the place of `#`.
fn repeated(unit: &str, bytes: usize) -> Vec<u8> {
    let mut body = String::with_capacity(bytes + unit.len() + 8);
    for n in 0.. {
        if body.len() >= bytes {
            break;
        }
        body.push_str(&unit.replace('#', &format!("{n:x}")));
    }
    body.into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn cases() -> Vec<Case> {
    const SIZE: usize = 2 << 20;
    let latin =
        Case { headers: "Content-Type: text/html; charset=windows-1252", ..page("latin", vec![0x80; SIZE]) };
    let latin_links =
        Case { headers: latin.headers, ..page("latin links", [repeated("<a href=#\u{80}>", SIZE)].concat()) };
    let bomb = Case {
        headers: "Content-Type: text/html\r\nContent-Encoding: gzip",
        ..page("bomb", gzip(&repeated("<a href=#>", 64 << 20)))
    };
    let zstd = Case {
        headers: "Content-Type: text/html\r\nContent-Encoding: zstd",
        ..page("zstd", zstd::encode_all(repeated("<a href=#>", 32 << 20).as_slice(), 3).unwrap())
    };
    let sitemap = |name, unit: &str| Case { kind: Kind::Sitemap, ..page(name, repeated(unit, 16 << 20)) };
    vec![
        page("text", repeated("word ", SIZE)),
        page("links", repeated("<a href=#>", SIZE)),
        page("links and text", repeated("<a href=#>a link</a> ", SIZE)),
        page(
            "long base",
            [
                format!("<base href=http://a.example/{}/>", "x".repeat(7000)).into_bytes(),
                repeated("<a href=#>", SIZE),
            ]
            .concat(),
        ),
        page("paragraphs", repeated("<p>a", SIZE)),
        page("items", repeated("<ul><li>a", SIZE)),
        page("cells", repeated("<td>a link, <b>a", SIZE)),
        page("entities", repeated("&amp;", SIZE)),
        page("encoded", repeated("<a href=\"%C3%A9#é\">", SIZE)),
        page("nested", repeated("<div>", SIZE)),
        page("titles", repeated("<title>#", SIZE)),
        latin,
        latin_links,
        bomb,
        zstd,
        sitemap("sitemap", "<url><loc>http://a.example/#</loc></url>"),
        sitemap("long sitemap", &format!("<url><loc>http://a.example/#{}</loc></url>", "x".repeat(200))),
        sitemap("list", "http://a.example/#\n"),
    ]
}

fn peak(case: &Case, text: PageText) -> usize {
    let job = ParseJob {
        capture: CaptureSeq(1),
        source: Source::Stored,
        location: archive::Location {
            serial: 0,
            offset: 0,
            length: 0,
            response_offset: 0,
            response_length: 0,
        },
        kind: case.kind,
        depth: 0,
        hops: 0,
        wants: Wants { links: true, row: true },
        rules: config().rules,
    };
    let capture = Capture {
        url: "http://a.example/".to_owned(),
        started: WallTime::from_unix_ms(0),
        elapsed_ms: 0,
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        protocols: Vec::new(),
        cipher_suite: None,
        handshake: None,
        request_head: Bytes::new(),
        response_head: Bytes::from(format!("HTTP/1.1 200 OK\r\n{}\r\n\r\n", case.headers)),
        status: 200,
        body: Body::from(Bytes::from(case.body.clone())),
        truncated: None,
        cut_because: None,
        usage: None,
        unchanged: None,
    };
    let (material, config) =
        (Material::of(&capture, String::new(), String::new()), CrawlConfig { text, ..config() });
    METER.peak_while(|| digest(&job, &material, &config, &mut Room::default()).expect("memory can be read"))
}

#[test]
fn a_parse_takes_no_more_than_it_is_given() {
    for case in cases() {
        for text in [PageText::Visible, PageText::Main, PageText::Markdown] {
            let peak = peak(&case, text);
            let (peak_kib, body_kib) = (peak >> 10, case.body.len() >> 10);
            println!("{}, {text:?}: {peak_kib} KiB of {body_kib} KiB", case.name);
            assert!(peak <= MOST_BYTES, "{}, {text:?}: {peak_kib} KiB of {body_kib} KiB", case.name);
        }
    }
}
