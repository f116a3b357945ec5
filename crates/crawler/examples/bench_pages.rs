//! What a page costs after it was fetched: decoding, links, visible text, fingerprint, and apart from these its article, beside
//! lexbor (by selectolax), resiliparse and trafilatura on the same pages in the same run, where `cargo xtask judges` has installed them.
//!
//! `cargo xtask bench pages`. Every figure is processor time of one core; the last line is JSON. Each does what it does: the others
//! neither resolve links nor tell languages, and lexbor's text is that of all nodes.

use data_encoding::BASE64;
use meter::cpu_s;
use page::{Document, Header, LinkKinds, Page, Settings, fingerprint, parse};
use serde_json::{Map, Value, json};
use std::hint::black_box;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use weburl::Url;

/// Rounds over all pages; the figure is that of the fastest, as others use the machine too.
const ROUNDS: usize = 5;

const FILES: [&str; 3] =
    ["cases/html-links-real.jsonl.gz", "extract/articles.jsonl.gz", "extract/snippets.jsonl.gz"];

/// A saved page as it came.
struct Saved {
    url: Url,
    content_type: &'static str,
    body: Vec<u8>,
}

/// What is done to a page.
struct Job {
    name: &'static str,
    does: fn(&Saved),
}

const JOBS: [Job; 3] = [
    Job { name: "drumlin_links_text", does: |page| drop(black_box(read(page))) },
    Job { name: "drumlin_links_text_fingerprint", does: |page| _ = black_box(fingerprint(&read(page).text)) },
    Job { name: "drumlin_article", does: article },
];

fn main() {
    let pages: Vec<Saved> = FILES.into_iter().flat_map(saved).collect();
    if pages.is_empty() {
        println!("{}", json!({}));
        return;
    }
    let bytes: usize = pages.iter().map(|page| page.body.len()).sum();
    println!("{} pages, mean {} KB", pages.len(), bytes / pages.len() / 1000);
    let mut figures = Map::new();
    let mut report = |name: &str, cpu_s: f64| {
        let us = cpu_s * 1e6 / pages.len() as f64;
        println!("{name:32} {us:8.0} µs a page, {:6.0} pages a second", 1e6 / us);
        figures.insert(format!("{name}_us"), json!(us.round()));
    };
    for Job { name, does } in JOBS {
        report(name, (0..ROUNDS).map(|_| round(&pages, does)).fold(f64::INFINITY, f64::min));
    }
    for theirs in others(&pages) {
        report(theirs["name"].as_str().expect("a name"), theirs["cpu_s"].as_f64().expect("seconds"));
    }
    println!("{}", Value::Object(figures));
}

fn read(saved: &Saved) -> Page {
    let headers = [Header { name: "Content-Type", value: saved.content_type }];
    let document = Document { url: &saved.url, headers: &headers, body: &saved.body[..] };
    parse(&document, &Settings { kinds: LinkKinds::PAGES, ..Settings::default() })
}

fn article(saved: &Saved) {
    let charset = page::charset::sniff(&saved.body, Some(saved.content_type));
    black_box(prose::read(&charset.decode(&saved.body)).text());
}

/// Seconds of processor time for every page.
fn round(pages: &[Saved], does: fn(&Saved)) -> f64 {
    let before = cpu_s();
    pages.iter().for_each(does);
    cpu_s() - before
}

/// The pages of one file of the shared data; nothing, and a line that says so, where it is absent.
fn saved(name: &str) -> Vec<Saved> {
    testdata::lines(name).iter().map(one).collect()
}

fn one(case: &Value) -> Saved {
    let url = Url::parse(case["url"].as_str().unwrap_or_default());
    let url = url.unwrap_or_else(|_| Url::parse("http://page.test/").expect("a URL"));
    if let Some(html) = case["html"].as_str() {
        return Saved { url, content_type: "text/html; charset=utf-8", body: html.as_bytes().to_vec() };
    }
    let coded = case["html_b64"].as_str().expect("a page");
    Saved { url, content_type: "text/html", body: BASE64.decode(coded.as_bytes()).expect("base64") }
}

/// What `others.py` says, one line of JSON each.
fn others(pages: &[Saved]) -> Vec<Value> {
    let python = variable("DRUMLIN_TOOLS").map(|tools| PathBuf::from(tools).join("venv/bin/python"));
    let Some(python) = python.filter(|python| python.exists()) else {
        println!("without the others: `cargo xtask judges` installs them");
        return Vec::new();
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bench_pages/others.py");
    let mut command = Command::new(python);
    command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("Python starts");
    let mut input = BufWriter::new(child.stdin.take().expect("a pipe"));
    for page in pages {
        writeln!(input, "{}", BASE64.encode(&page.body)).expect("a reader");
    }
    drop(input);
    let output = child.wait_with_output().expect("an end");
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[expect(clippy::disallowed_methods, reason = "a benchmark is told where the pages and the judges are")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
