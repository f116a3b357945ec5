//! CPU per page of [`page::parse`] on saved pages, by stage, beside html5ever's tree of the same pages.
//!
//! `cargo run --release -p page --example scan_rate -- shared/data/cases/html-links-real.jsonl.gz`

use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::RcDom;
use page::{Document, Header, Settings, parse};
use std::hint::black_box;
use std::io::Read;
use std::time::Instant;
use weburl::Url;

const ROUNDS: u32 = 20;

struct Saved {
    url: Url,
    body: Vec<u8>,
}

fn main() {
    let path = std::env::args().nth(1).expect("the case file as argument");
    let pages = saved_pages(&path);
    let bytes: usize = pages.iter().map(|page| page.body.len()).sum();
    println!("{} pages, mean {:.1} KB", pages.len(), bytes as f64 / pages.len() as f64 / 1e3);
    let headers = [Header { name: "content-type", value: "text/html" }];
    let settings = Settings::default();
    let read =
        |page: &Saved| parse(&Document { url: &page.url, headers: &headers, body: &page.body }, &settings);
    let texts: Vec<String> = pages.iter().map(|page| read(page).text).collect();
    let links: Vec<Vec<String>> =
        pages.iter().map(|page| read(page).links.iter().map(|l| l.url.to_string()).collect()).collect();

    let whole = time(&pages, read);
    let charset =
        time(&pages, |page| page::charset::sniff(&page.body, Some("text/html")).decode(&page.body).len());
    let language = time(&texts, |text| page::language::detect(text));
    let fingerprint = time(&texts, |text| page::fingerprint(text));
    let urls = time(&links, |links| links.iter().filter(|link| Url::parse(link).is_ok()).count());
    let tree = time(&pages, |page| {
        let dom = html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default());
        dom.one(String::from_utf8_lossy(&page.body).as_ref())
    });
    println!("parse, all of it        {whole:8.1} µs a page");
    println!("  charset and decoding  {charset:8.1}");
    println!("  language              {language:8.1}");
    println!("  parsing the URLs      {urls:8.1}");
    println!("  scan: links and text  {:8.1}", whole - charset - language - urls);
    println!("fingerprint             {fingerprint:8.1}");
    println!("html5ever's tree        {tree:8.1}");
}

fn saved_pages(path: &str) -> Vec<Saved> {
    let bytes = std::fs::read(path).expect("a readable file");
    let mut lines = String::new();
    flate2::read::MultiGzDecoder::new(bytes.as_slice())
        .read_to_string(&mut lines)
        .expect("gzipped JSON lines");
    let page = |line: &str| {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let body = case["html_b64"].as_str().expect("a body").as_bytes();
        let url = Url::parse(case["url"].as_str().expect("a URL")).expect("a URL");
        Saved { url, body: data_encoding::BASE64.decode(body).expect("base64") }
    };
    lines.lines().map(page).collect()
}

/// Microseconds an item, the best of several rounds.
#[expect(clippy::disallowed_methods, reason = "an example that measures reads the clock")]
fn time<T, R>(items: &[T], work: impl Fn(&T) -> R) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for item in items {
            black_box(work(item));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e6 / items.len() as f64
}
