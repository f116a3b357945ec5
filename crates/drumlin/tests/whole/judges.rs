//! Other people's readers on what a crawl wrote.

use crate::support::crawl::Crawl;
use crate::support::holdings::{Capture, Holdings};
use crate::support::tools::{judge, output};
use crate::support::wayback::{Wayback, plain};
use flate2::read::GzDecoder;
use serde_json::Value;
use simweb::server::{Running, ServerOptions, start};
use simweb::{HostMix, LeafMix, WebConfig};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

/// A crawl over HTTP and HTTPS of pages, texts, images, redirects, errors and bodies that are cut.
fn crawled() -> (Crawl, Holdings) {
    let hosts = HostMix { https: 500, robots: 500, ..HostMix::default() };
    let leaves = LeafMix { documents: 200, errors: 0, ruined: 30, ..LeafMix::wild() };
    let config = WebConfig {
        http_port: 0,
        https_port: 0,
        crawl_delay_s: 0,
        hosts,
        leaves,
        ..WebConfig::small(31, 120)
    };
    let server: Running = start(config, ServerOptions::default()).expect("a free port");
    let seeds = server.web.seeds(1);
    let crawl = Crawl::new(server.dns, &[&seeds[0]]);
    let ca = crawl.file("ca.pem", &server.ca_pem);
    // What drips is cut off soon.
    let crawl = crawl.flag("--ca-file", &ca).config("[retry]\nbase = 0.2\nmax = 1\n[page]\ntime = 1\n");
    let holdings = crawl.run_to_the_end();
    assert!(
        holdings.captures.iter().any(|capture| capture.url.starts_with("https:") && capture.status == 200)
    );
    (crawl, holdings)
}

#[test]
fn warcio_finds_every_digest_right() {
    let Some(mut warcio) = judge("warcio") else { return };
    let (crawl, holdings) = crawled();
    let said = output(warcio.args(["check", "--verbose"]).args(crawl.warc_files()));
    let passed = said.matches("digest pass").count();
    assert!(passed >= holdings.captures.len(), "{passed} of {}\n{said}", holdings.captures.len());
    assert!(!said.contains("fail"), "{said}");
}

const FASTWARC: &str = "
import sys
from fastwarc.warc import ArchiveIterator, WarcRecordType
for name in sys.argv[1:]:
    responses = 0
    for record in ArchiveIterator(open(name, 'rb'), parse_http=False):
        assert record.verify_block_digest(consume=False), record.record_id
        if record.record_type == WarcRecordType.response:
            record.parse_http()
            assert record.verify_payload_digest(), record.record_id
        responses += record.record_type in (WarcRecordType.response, WarcRecordType.revisit)
    print(responses)
";

#[test]
fn fastwarc_reads_every_record_and_its_digests() {
    let Some(mut python) = judge("python") else { return };
    let (crawl, holdings) = crawled();
    let said = output(python.args(["-c", FASTWARC]).args(crawl.warc_files()));
    let responses: usize = said.lines().map(|line| line.parse::<usize>().expect("a number")).sum();
    assert_eq!(responses, holdings.captures.len());
}

/// A CDXJ line: its key and time, and the fields both indexers write.
fn cdxj(line: &str) -> (String, BTreeMap<String, String>) {
    let brace = line.find('{').unwrap_or_else(|| panic!("a line of CDXJ: {line}"));
    let fields: BTreeMap<String, String> =
        serde_json::from_str(&line[brace..]).expect("all values are strings");
    (line[..brace].trim().to_owned(), fields)
}

#[test]
fn cdxj_indexer_writes_the_same_index() {
    let Some(mut indexer) = judge("cdxj-indexer") else { return };
    let (crawl, holdings) = crawled();
    let ours = fs::read_to_string(crawl.dir().join("archive/index.cdxj")).expect("an index");
    let theirs = output(indexer.arg("--sort").args(crawl.warc_files()));
    let by_place = |text: &str| -> BTreeMap<u64, (String, BTreeMap<String, String>)> {
        text.lines().map(cdxj).map(|line| (line.1["offset"].parse().expect("a number"), line)).collect()
    };
    let (ours, theirs) = (by_place(&ours), by_place(&theirs));
    assert_eq!(ours.len(), holdings.captures.len());
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
    let bare = |digest: &String| digest.trim_start_matches("sha1:").to_owned();
    for (place, (key, fields)) in &theirs {
        let (our_key, our_fields) = &ours[place];
        assert_eq!(our_key, key);
        for name in ["url", "length", "filename", "status", "mime"] {
            assert_eq!(our_fields.get(name), fields.get(name), "{name} of {key}");
        }
        assert_eq!(our_fields.get("digest").map(bare), fields.get("digest").map(bare), "{key}");
    }
}

#[test]
fn pywb_replays_pages_through_our_index() {
    let Some(wayback) = judge("wayback") else { return };
    let (crawl, holdings) = crawled();
    let room = crawl.dir().with_file_name("wayback");
    let index = crawl.dir().join("archive/index.cdxj");
    let wayback = Wayback::start(wayback, &room, &crawl.warc_files(), &index);
    let pages: Vec<&Capture> = holdings.pages().filter(|page| is_whole_page(page)).collect();
    assert!(pages.len() >= 20);
    let (http, https): (Vec<&Capture>, Vec<&Capture>) =
        pages.into_iter().partition(|page| page.url.starts_with("http:"));
    for page in http.iter().take(3).chain(https.iter().take(3)) {
        assert!(wayback.replay(&page.url) == plain(&page.payload), "{}", page.url);
    }
}

fn is_whole_page(page: &Capture) -> bool {
    page.status == 200 && !page.truncated && page.content_type.starts_with("text/html")
}

const DUCKDB: &str = "
import duckdb, json, sys
rows = duckdb.sql(f\"select * exclude (text, fetched), length(text) as text_length from '{sys.argv[1]}' order by url\")
for row in rows.fetchall():
    print(json.dumps(dict(zip(rows.columns, row)), default=str))
";

#[test]
fn duckdb_reads_a_corpus_with_a_row_a_page() {
    let Some(mut python) = judge("python") else { return };
    let (crawl, holdings) = crawled();
    let said = output(python.args(["-c", DUCKDB]).arg(crawl.dir().join("corpus/pages-*.parquet")));
    let rows: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let is_text = |page: &&Capture| {
        page.status == 200 && page.content_type.starts_with("text/") && says_something(page)
    };
    let mut wanted: Vec<&Capture> = holdings.pages().filter(is_text).collect();
    wanted.sort_by(|a, b| a.url.cmp(&b.url));
    let urls = |rows: &[Value]| rows.iter().map(|row| text(row, "url").to_owned()).collect::<Vec<_>>();
    assert_eq!(urls(&rows), wanted.iter().map(|page| page.url.clone()).collect::<Vec<_>>());
    for (row, page) in rows.iter().zip(wanted) {
        let place = (text(row, "warc_file"), row["warc_offset"].as_u64(), row["warc_length"].as_u64());
        assert_eq!(place, (page.file.as_str(), Some(page.offset), Some(page.length)), "{row}");
        assert_eq!(format!("<{}>", text(row, "id")), page.id);
        assert!(text(row, "digest").starts_with("sha1:"), "of the payload: {row}");
        assert_eq!(row["truncated"].is_string(), page.truncated, "{row}");
        assert_points_at_its_record(&crawl.dir(), row, page);
    }
    let is_empty = |row: &&Value| row["text_length"].as_u64() == Some(0) && !row["truncated"].is_string();
    assert_eq!(rows.iter().find(is_empty), None);
}

/// What broke off before anything of it could be unpacked is no text.
fn says_something(page: &Capture) -> bool {
    let is_packed = page.payload.starts_with(&[0x1F, 0x8B]);
    let unpacks = || GzDecoder::new(&page.payload[..]).read(&mut [0]).is_ok_and(|bytes| bytes > 0);
    !page.truncated || if is_packed { unpacks() } else { !page.payload.is_empty() }
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row[name].as_str().unwrap_or_else(|| panic!("{name} of {row}"))
}

/// What a reader does who has nothing but the row: the bytes at its place are a gzip file of the record.
fn assert_points_at_its_record(dir: &Path, row: &Value, page: &Capture) {
    let bytes = fs::read(dir.join("archive").join(text(row, "warc_file"))).expect("a WARC file");
    let (at, length) = (row["warc_offset"].as_u64(), row["warc_length"].as_u64());
    let (at, length) = (at.expect("a number") as usize, length.expect("a number") as usize);
    let mut record = Vec::new();
    GzDecoder::new(&bytes[at..at + length]).read_to_end(&mut record).expect("a whole gzip member");
    let record = String::from_utf8_lossy(&record);
    let head = record.split("\r\n\r\n").next().expect("a head");
    let kind = if page.is_revisit { "revisit" } else { "response" };
    let is_of_kind = head.contains(&format!("\r\nWARC-Type: {kind}\r\n"));
    assert!(head.starts_with("WARC/1.1\r\n") && is_of_kind, "{head}");
    assert!(head.contains(&format!("\r\nWARC-Target-URI: {}\r\n", text(row, "url"))), "{head}");
}
