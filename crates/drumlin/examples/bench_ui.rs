//! What it costs a large crawl to be looked at, and how the dashboard of one feels.
//!
//! `cargo xtask bench ui [--hosts N] [--pages N] [--seconds N] [--program FILE] [--dir DIR]`
//!
//! **The web**: simweb in another process, small pages on `--hosts` (100,000) registrable domains, each of them a seed. **The crawl**: the
//! program as it is shipped (or `--program`), with `--ui`. When it has fetched `--pages` (a million) it is left alone for `--seconds` (30),
//! then looked at by headless Chromium for about as long: charts, hosts sorted, searched, paged through, every other view.
//!
//! **Figures**: from an event to the next paint, as the page's own clock has it, at the median and at worst, and until the rows of a table
//! are new; the processor time of the threads that serve and ask (`ui`, `ui-ask`), and of the crawl's loop while it answers, as parts of all that
//! the process took meanwhile.
//!
//! Chromium, chromedriver and the judges' Python (`cargo xtask judges`) must be there.
#![expect(clippy::disallowed_methods, reason = "a measurement reads its environment and the clock")]

#[path = "bench_ui/crawl.rs"]
mod crawl;
#[path = "bench_ui/web.rs"]
mod web;

use clap::Parser;
use crawl::{Crawl, Used};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;
use web::Served;

/// One crawl, left alone and looked at.
#[derive(Parser)]
struct Arguments {
    /// Hosts that are known.
    #[arg(long, default_value_t = 100_000)]
    hosts: u32,
    /// Pages fetched before anything is measured.
    #[arg(long, default_value_t = 1_000_000)]
    pages: u64,
    /// How long it is left alone, and about how long it is looked at.
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// Instead of the program of this commit.
    #[arg(long)]
    program: Option<PathBuf>,
    /// Where the crawl is written; removed afterwards.
    #[arg(long, default_value = "target")]
    dir: PathBuf,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, rest @ ..] = &words[..]
        && word == web::SERVE
    {
        return web::serve(rest);
    }
    let arguments = Arguments::parse();
    let program = arguments.program.clone().unwrap_or_else(crawl::build);
    let place = arguments.dir.join(format!("bench-ui-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a directory to work in");
    let web = Served::start(arguments.hosts, arguments.pages);
    let crawl = Crawl::start(&program, &place, &web);
    crawl.wait_for(arguments.pages);
    let alone = crawl.measure(|| sleep(Duration::from_secs(arguments.seconds)));
    let mut felt = Value::Null;
    let watched = crawl.measure(|| felt = look(&crawl.address, arguments.seconds));
    let standing = crawl.standing();
    drop(crawl);
    std::fs::remove_dir_all(&place).expect("our own directory");
    println!("alone: {alone:?}\nlooked at: {watched:?}\nin the browser: {felt}");
    println!("{}", line(&standing, &alone, &watched, &felt));
}

/// The browser, and what it felt like.
fn look(address: &str, seconds: u64) -> Value {
    let tools = std::env::var("DRUMLIN_TOOLS").expect("cargo xtask judges, then cargo xtask bench ui");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bench_ui/look.py");
    let mut python = Command::new(PathBuf::from(tools).join("venv/bin/python"));
    let output = python.args([script, address, &seconds.to_string()]).output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn line(standing: &Value, alone: &Used, watched: &Used, felt: &Value) -> Value {
    let percent = |part: f64| (part / watched.process_s * 10_000.0).round() / 100.0;
    json!({
        "bench": "ui",
        "hosts": standing["snapshot"]["hosts"],
        "pages": standing["snapshot"]["pages"],
        "interactions": felt["interactions"],
        "paint_ms_median": felt["paint_ms_median"],
        "paint_ms_worst": felt["paint_ms_worst"],
        "rows_ms_median": felt["rows_ms_median"],
        "rows_ms_worst": felt["rows_ms_worst"],
        "serving_percent": percent(watched.serving_s),
        "asked_percent": percent(watched.asked_s),
        "cost_percent": percent(watched.serving_s + watched.asked_s),
        "cpu_us_a_page_alone": alone.a_page_us(),
        "cpu_us_a_page_looked_at": watched.a_page_us(),
    })
}
