//! Main text on the shared pages: pages per second of processor time, the two F1, and trafilatura and resiliparse on the
//! same pages in the same run, where `cargo xtask judges` has installed them.
//!
//! `cargo xtask bench text`. Every figure is of one core; the last line is JSON.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Page, by_ngrams, by_snippets, pages};
use meter::cpu_s;
use serde_json::{Map, Value, json};
use std::hint::black_box;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Rounds over all pages; the figure is that of the fastest, as others use the machine too.
const ROUNDS: usize = 5;

fn main() {
    let pages: Vec<Page> = ["articles.jsonl.gz", "snippets.jsonl.gz"].into_iter().flat_map(pages).collect();
    if pages.is_empty() {
        println!("{}", json!({}));
        return;
    }
    let bytes: usize = pages.iter().map(|page| page.html.len()).sum();
    println!("{} pages, mean {} KB", pages.len(), bytes / pages.len() / 1000);
    let mut figures = Map::new();
    let ours = Run {
        name: "drumlin".to_owned(),
        cpu_s: (0..ROUNDS).map(|_| round(&pages)).fold(f64::INFINITY, f64::min),
        texts: pages.iter().map(|page| prose::read(&page.html).text()).collect(),
    };
    ours.report(&pages, &mut figures);
    for theirs in others(&pages) {
        theirs.report(&pages, &mut figures);
    }
    println!("{}", Value::Object(figures));
}

/// One extractor over all pages.
struct Run {
    name: String,
    cpu_s: f64,
    texts: Vec<String>,
}

impl Run {
    fn report(&self, pages: &[Page], figures: &mut Map<String, Value>) {
        let each = || pages.iter().zip(self.texts.iter().cloned());
        let (articles, snippets) = (by_ngrams(each()), by_snippets(each()));
        let rate = pages.len() as f64 / self.cpu_s;
        println!("{:12} {rate:7.0} pages a second", self.name);
        println!("    articles F1 {:.4}, {articles:.4?}", articles.f1());
        println!("    snippets F1 {:.4}, {snippets:.4?}", snippets.f1());
        let figure = |value: f64| json!((value * 1e4).round() / 1e4);
        figures.insert(format!("{}_pages_per_cpu_s", self.name), json!(rate.round()));
        figures.insert(format!("{}_articles_f1", self.name), figure(articles.f1()));
        figures.insert(format!("{}_snippets_f1", self.name), figure(snippets.f1()));
    }
}

/// Seconds of processor time for the text of every page.
fn round(pages: &[Page]) -> f64 {
    let before = cpu_s();
    for page in pages {
        black_box(prose::read(&page.html).text());
    }
    cpu_s() - before
}

/// The extractors of `others.py`, one line of JSON each.
fn others(pages: &[Page]) -> Vec<Run> {
    let Some(python) = python() else {
        println!("without trafilatura and resiliparse: `cargo xtask judges` installs them");
        return Vec::new();
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bench_text/others.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let mut input = BufWriter::new(child.stdin.take().expect("a pipe"));
    for page in pages {
        writeln!(input, "{}", json!(page.html)).expect("a reader");
    }
    drop(input);
    let output = child.wait_with_output().expect("an end");
    String::from_utf8_lossy(&output.stdout).lines().map(run).collect()
}

fn run(line: &str) -> Run {
    let run: Value = serde_json::from_str(line).expect("JSON");
    let texts = run["texts"].as_array().expect("texts").iter();
    Run {
        name: run["name"].as_str().expect("a name").to_owned(),
        cpu_s: run["cpu_s"].as_f64().expect("seconds"),
        texts: texts.map(|text| text.as_str().unwrap_or_default().to_owned()).collect(),
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark is told where the judges are")]
fn python() -> Option<PathBuf> {
    let tools = std::env::var("DRUMLIN_TOOLS").ok()?;
    Some(PathBuf::from(tools).join("venv/bin/python")).filter(|python| python.exists())
}
