//! Drumlin's crawl.

use crate::copies;
use crate::process::{self, Spent};
use crate::web::{Served, Visited};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program of this commit, as it is shipped.
pub(crate) fn build() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    let built = command.args(["build", "--release", "--locked", "--package", "drumlin"]).status();
    assert!(built.expect("cargo").success(), "the program does not build");
    let this = std::env::current_exe().expect("this program");
    this.parent().and_then(Path::parent).expect("target/release/examples").join("drumlin")
}

pub(crate) struct Crawl<'a> {
    pub(crate) program: &'a Path,
    pub(crate) place: &'a Path,
    pub(crate) web: &'a Served,
}

/// A crawl that has ended.
pub(crate) struct Crawled {
    pub(crate) spent: Spent,
    pub(crate) visited: Visited,
    /// What knowing what comes again takes.
    pub(crate) copies: Value,
    archive_bytes: u64,
    corpus_bytes: u64,
}

impl Crawl<'_> {
    /// The crawl of this web into this directory.
    pub(crate) fn command(&self, dir: &Path) -> Command {
        let mut command = Command::new(self.program);
        command.args(["crawl", &self.web.seed, "--scope", "any", "--contact", "bench@drumlin.example"]);
        command.args([
            "--delay",
            "0",
            "--ip-delay",
            "0",
            "--allow-ip",
            "127.0.0.0/8",
            "--dns",
            &self.web.dns,
        ]);
        command.args(["--concurrency", "256"]);
        command.arg("--ca-file").arg(&self.web.authority).arg("--dir").arg(dir);
        command
    }

    pub(crate) fn run(&self) -> Crawled {
        let (dir, mark) = (self.place.join("crawl"), self.web.mark());
        let mut command = self.command(&dir);
        command.arg("--quiet");
        let spent = process::run(&mut command);
        assert!(spent.succeeded, "the crawl failed");
        let [archive_bytes, corpus_bytes] = ["archive", "corpus"].map(|part| size_of(&dir.join(part)));
        let visited = self.web.since(mark);
        let copies = copies::of(self.program, &dir);
        fs::remove_dir_all(&dir).expect("our own directory");
        Crawled { spent, visited, copies, archive_bytes, corpus_bytes }
    }
}

impl Crawled {
    pub(crate) fn json(&self) -> Value {
        let pages = self.visited.pages.len() as f64;
        let a_page_us = |seconds: f64| (seconds / pages * 1e6).round();
        let threads =
            self.spent.threads.iter().map(|(name, seconds)| (name.clone(), json!(a_page_us(*seconds))));
        let threads: serde_json::Map<String, Value> = threads.collect();
        json!({
            "pages": pages,
            "fetches": self.visited.fetches,
            "cpu_us_a_page": a_page_us(self.spent.cpu_s()),
            "user_us_a_page": a_page_us(self.spent.user_s),
            "system_us_a_page": a_page_us(self.spent.system_s),
            "threads_us_a_page": threads,
            "peak_memory_bytes": self.spent.peak_bytes,
            "wall_s": self.spent.wall_s,
            "connections": self.visited.connections.len(),
            "body_bytes_a_page": (self.visited.body_bytes as f64 / pages).round(),
            "archive_bytes_a_page": (self.archive_bytes as f64 / pages).round(),
            "corpus_bytes_a_page": (self.corpus_bytes as f64 / pages).round(),
        })
    }
}

fn size_of(dir: &Path) -> u64 {
    let files = fs::read_dir(dir).into_iter().flatten().flatten();
    files.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
}
