//! How the cost of a page grows with the pages that have been crawled: one crawl, looked at whenever their number has doubled. The files of its
//! archive are verified and removed as they close, so that a million pages need no room.

use crate::crawl::Crawl;
use crate::process::{Spent, spent_by};
use crate::web::Served;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

/// Pages at the first look.
const FIRST: u64 = 1_000;

/// Answers a connection.
const ANSWERS: u32 = 20;

/// How hard bodies are compressed: each is made for one answer, and shall not take longer than the crawl.
const LEVEL: u8 = 1;

/// What the program exits with where a limit ended the crawl.
const LIMIT_REACHED: i32 = 4;

/// How often the archive is looked at.
const EVERY: Duration = Duration::from_secs(1);

/// Crawls so many pages of a web that has twice as many: hosts do not run out at the end.
pub(crate) fn run(program: &Path, place: &Path, pages: u64) -> Value {
    let web = Served::start(place, 2 * pages, ANSWERS, LEVEL);
    let dir = place.join("crawl");
    let mut command = Crawl { program, place, web: &web }.command(&dir);
    command.args(["--json", "--limit", &pages.to_string()]).stdin(Stdio::null()).stdout(Stdio::piped());
    let (mut process, ended) = (command.spawn().expect("the program"), AtomicBool::new(false));
    let (steps, verified) = thread::scope(|scope| {
        let verifier = scope.spawn(|| verify_and_remove(&dir.join("archive"), &ended));
        let steps = watch(&mut process);
        ended.store(true, Ordering::Relaxed);
        (steps, verifier.join().expect("sound files"))
    });
    let code = process.wait().expect("our own child").code();
    assert_eq!(code, Some(LIMIT_REACHED), "how the crawl ended");
    json!({
        "bench": "crawl", "growth_to": pages, "answers_a_connection": ANSWERS, "steps": steps,
        "files_verified_and_removed": verified.files, "digests_verified": verified.digests,
    })
}

/// What had been spent by then.
struct Look {
    pages: u64,
    spent: Spent,
}

/// Reads what it prints a second, until it ends, and tells of each doubling of the pages.
fn watch(process: &mut Child) -> Vec<Value> {
    let lines = BufReader::new(process.stdout.take().expect("piped")).lines();
    let (mut steps, mut before, mut next) = (Vec::new(), None, FIRST);
    for line in lines {
        let event: Value = serde_json::from_str(&line.expect("text")).expect("an object a line");
        let Some(pages) = event["pages"].as_u64().filter(|pages| *pages >= next) else { continue };
        let Some(spent) = spent_by(process.id()) else { continue };
        let look = Look { pages, spent };
        if let Some(before) = &before {
            steps.push(step(before, &look));
            println!("{}", steps[steps.len() - 1]);
        }
        (before, next) = (Some(look), 2 * next);
    }
    steps
}

/// From one look to the next.
fn step(from: &Look, to: &Look) -> Value {
    let a_page_us = |seconds: f64| (seconds / (to.pages - from.pages) as f64 * 1e7).round() / 10.0;
    let threads = to.spent.threads.iter().map(|(name, seconds)| {
        let before = from.spent.threads.get(name).copied().unwrap_or(0.0);
        (name.clone(), json!(a_page_us(seconds - before)))
    });
    let threads: Map<String, Value> = threads.collect();
    json!({
        "from": from.pages, "to": to.pages, "cpu_us_a_page": a_page_us(to.spent.cpu_s() - from.spent.cpu_s()),
        "system_us_a_page": a_page_us(to.spent.system_s - from.spent.system_s), "threads_us_a_page": threads,
        "pages_per_s": (to.pages - from.pages) as f64 / (to.spent.wall_s - from.spent.wall_s),
    })
}

#[derive(Default)]
struct Verified {
    files: u64,
    digests: u64,
}

/// Every file but the last that is closed: what is about to be parsed may have to be read from that.
fn verify_and_remove(archive: &Path, ended: &AtomicBool) -> Verified {
    let mut verified = Verified::default();
    while !ended.load(Ordering::Relaxed) {
        let mut closed: BTreeSet<PathBuf> = closed_files(archive).collect();
        closed.pop_last();
        for path in closed {
            let report = warc::check(BufReader::new(File::open(&path).expect("an archive")));
            assert!(report.findings.is_empty(), "{}: {:?}", path.display(), report.findings);
            fs::remove_file(&path).expect("our own file");
            verified.files += 1;
            verified.digests += report.digests_verified;
        }
        sleep(EVERY);
    }
    verified
}

fn closed_files(archive: &Path) -> impl Iterator<Item = PathBuf> {
    let paths = fs::read_dir(archive).into_iter().flatten().flatten().map(|entry| entry.path());
    paths.filter(|path| path.to_string_lossy().ends_with(".warc.gz"))
}
