//! A crawl of any length on a real disk, and what can be made of it.

use control::Takedowns;
use corpus::{CorpusLimits, Row, Writer};
use disk::{OsDisk, SharedDisk, replace_file};
use export::{Form, GraphConfig, OwnersConfig, Respect, WaczConfig, WatConfig};
use page::LinkKinds;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use stdx::{Rng, WallTime};
use tempfile::TempDir;
use warc::{Encoder, Exchange, Fields, Metadata, RecordId, Response, Sha1Digest, Warcinfo, archived_head};

/// What each export may take.
pub(crate) const MEMORY_BYTES: usize = 4 << 20;
/// What a crawl parses of a page.
const PARSED_BYTES: usize = 2 << 20;

/// Captures of one WARC file, and rows of one file of the corpus.
const FILE_PAGES: u64 = 250;
/// Links of a page, to as many hosts; every page has some that nobody else links to.
const LINKS: u64 = 40;
const WORDS: u64 = 3_000;

const INDEX: &str = "archive/index.cdxj";

/// Pages that have little in common, and a robots.txt for every tenth, which is never the same.
pub(crate) struct Crawl {
    disk: SharedDisk,
    bytes: u64,
    taken: Takedowns,
    _dir: TempDir,
}

/// One export of a crawl.
pub(crate) type Export = fn(&Crawl);

impl Crawl {
    /// All that are made of archives.
    pub(crate) const EXPORTS: [(&str, Export); 8] = [
        ("cdxj", Self::cdxj),
        ("index", Self::index),
        ("wat", Self::wat),
        ("wet", Self::wet),
        ("fineweb", |crawl| crawl.fineweb(Form::Parquet)),
        ("jsonl", |crawl| crawl.fineweb(Form::JsonLines)),
        ("wacz", Self::wacz),
        ("graph", Self::graph),
    ];

    /// Of so many pages.
    pub(crate) fn of(pages: u64) -> Self {
        let dir = TempDir::new().expect("a directory");
        let disk: SharedDisk = Arc::new(OsDisk::new(dir.path().to_owned()).expect("a directory"));
        disk.create_dir(Path::new("archive")).expect("a disk");
        let mut bytes = 0;
        for first in (0..pages).step_by(FILE_PAGES as usize) {
            let bodies: Vec<String> = (first..first + FILE_PAGES).map(body).collect();
            bytes += bodies.iter().map(|body| body.len() as u64).sum::<u64>();
            let path = format!("archive/test-20261120102804-{first:05}-here.warc.gz");
            replace_file(&*disk, Path::new(&path), &warc_file(first, &bodies)).expect("a disk");
        }
        let lines: String = (0..pages).map(line).collect();
        replace_file(&*disk, Path::new(INDEX), lines.as_bytes()).expect("a disk");
        let limits =
            CorpusLimits { row_group_bytes: 256 << 10, file_rows: FILE_PAGES, ..CorpusLimits::default() };
        let (mut writer, _) = Writer::open(Arc::clone(&disk), Path::new("corpus"), limits).expect("a disk");
        (0..pages).for_each(|nth| drop(writer.push(row(nth)).expect("a disk")));
        writer.close().expect("a disk");
        Self { disk, bytes, taken: Takedowns::default(), _dir: dir }
    }

    /// Of all pages together.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    fn owners(&self) -> OwnersConfig<'_> {
        OwnersConfig {
            archive: Path::new("archive"),
            scratch: Path::new("scratch"),
            memory_bytes: MEMORY_BYTES,
            parsed_bytes: PARSED_BYTES,
            agent: "drumlin",
            respect: Respect::Training,
            taken: &self.taken,
        }
    }

    fn cdxj(&self) {
        export::zipnum(&*self.disk, Path::new(INDEX), &self.taken, Path::new("cdxj")).expect("made");
    }

    fn index(&self) {
        export::cc_index(&*self.disk, Path::new(INDEX), &self.taken, Path::new("index"), MEMORY_BYTES)
            .expect("made");
    }

    fn wat(&self) {
        let config = WatConfig {
            archive: Path::new("archive"),
            parsed_bytes: PARSED_BYTES,
            software: "test",
            taken: &self.taken,
        };
        export::wat(&*self.disk, &config, Path::new("wat")).expect("made");
    }

    fn wet(&self) {
        export::wet(&*self.disk, Path::new("corpus"), &self.owners(), Path::new("wet"), "test")
            .expect("made");
    }

    fn fineweb(&self, form: Form) {
        let made =
            export::fineweb(&*self.disk, Path::new("corpus"), &self.owners(), Path::new("fineweb"), form);
        assert!(made.expect("made").rows > 0);
    }

    fn wacz(&self) {
        let config = WaczConfig {
            archive: Path::new("archive"),
            index: Path::new(INDEX),
            corpus: Path::new("corpus"),
            scratch: Path::new("scratch"),
            software: "test",
            taken: &self.taken,
        };
        export::wacz(&*self.disk, &config, Path::new("wacz/crawl.wacz")).expect("made");
    }

    fn graph(&self) {
        let config = GraphConfig {
            archive: Path::new("archive"),
            scratch: Path::new("scratch"),
            memory_bytes: MEMORY_BYTES,
            parsed_bytes: PARSED_BYTES,
            kinds: LinkKinds::ALL,
            with_redirects: true,
            taken: &self.taken,
        };
        export::graph(&*self.disk, &config, Path::new("graph")).expect("made");
    }
}

fn url(nth: u64) -> String {
    format!("http://h{:07}.test/{nth:07}", nth / 10)
}

fn id(nth: u64) -> RecordId {
    RecordId::from_value(u128::from(nth + 1) << 8)
}

fn body(nth: u64) -> String {
    let mut rng = Rng::new(nth);
    let links = (0..LINKS).map(|_| format!("<a href='http://x{}.test/'>l</a>\n", rng.below(1 + nth * 10)));
    let links: String = links.collect();
    format!("<!doctype html><title>{nth}</title>{links}<p>{}", words(&mut rng))
}

fn words(rng: &mut Rng) -> String {
    (0..WORDS).map(|_| format!("{:05x} ", rng.below(1 << 20))).collect::<Vec<_>>().concat()
}

fn row(nth: u64) -> Row {
    Row {
        capture: nth,
        id: id(nth).to_string(),
        url: url(nth),
        status: 200,
        fetched: WallTime::from_unix_ms(1_795_170_484_000),
        text: words(&mut Rng::new(nth)),
        ..Row::default()
    }
}

fn line(nth: u64) -> String {
    let fields = "\"mime\": \"text/html\", \"status\": \"200\", \"length\": \"1\", \"offset\": \"2\", \"filename\": \"a.warc.gz\"";
    format!("test,h{:07})/{nth:07} 20261120102804 {{\"url\": \"{}\", {fields}}}\n", nth / 10, url(nth))
}

fn warc_file(first: u64, bodies: &[String]) -> Vec<u8> {
    let (mut out, mut encoder) = (Vec::new(), Encoder::new());
    let date = WallTime::from_unix_ms(1_795_170_484_000);
    let fields = Fields::new();
    encoder.warcinfo(
        &mut out,
        &Warcinfo { id: RecordId::from_value(1), date, filename: "test.warc.gz", fields },
    );
    for (body, nth) in bodies.iter().zip(first..) {
        put(&mut encoder, &mut out, &Answer { id: id(nth), url: &url(nth), body, hops: "L" });
        if nth % 10 == 0 {
            let (url, body) = (
                format!("http://h{:07}.test/robots.txt", nth / 10),
                format!("Content-Usage: /{nth} bots=n\n"),
            );
            put(
                &mut encoder,
                &mut out,
                &Answer { id: id(nth + (1 << 40)), url: &url, body: &body, hops: "P" },
            );
        }
    }
    out
}

struct Answer<'a> {
    id: RecordId,
    url: &'a str,
    body: &'a str,
    hops: &'a str,
}

fn put(encoder: &mut Encoder, out: &mut Vec<u8>, answer: &Answer<'_>) {
    let exchange = Exchange {
        url: answer.url,
        date: WallTime::from_unix_ms(1_795_170_484_000),
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        protocols: &["http/1.1".to_owned()],
        cipher_suite: None,
        warcinfo: Some(RecordId::from_value(1)),
    };
    let payload_len = answer.body.len() as u64;
    let response = Response {
        id: answer.id,
        head: &archived_head(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n",
            payload_len,
        ),
        payload_len,
        payload_digest: Sha1Digest::of(answer.body.as_bytes()),
        block_digest: None,
        truncated: None,
        payload_type: None,
    };
    encoder.response(out, &exchange, &response, answer.body.as_bytes());
    let mut fields = Fields::new();
    fields.push("hopsFromSeed", answer.hops);
    let metadata = Metadata { id: RecordId::from_value(2), response: answer.id, fields };
    encoder.metadata(out, &exchange, &metadata);
}
