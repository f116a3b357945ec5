//! What is run so that it can be counted: crawls of synthetic webs whose pages are made of what saved pages are made of, and what people
//! do with a crawl afterwards. No benchmark measures these webs: their seeds are others.

use super::written;
use crate::run;
use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What is run: two that count, and the web that they visit.
pub(super) struct Programs {
    pub(super) drumlin: PathBuf,
    pub(super) simulation: PathBuf,
    pub(super) web: PathBuf,
}

impl Programs {
    /// Whether they are what a profile was made by.
    pub(super) fn are_older_than(&self, profile: &Path) -> bool {
        written(profile) > written(&self.drumlin).max(written(&self.simulation))
    }
}

/// A web, by its seed and what simweb is told.
struct Site {
    seed: &'static str,
    options: &'static [&'static str],
}

/// Large pages of good servers; then all that can be wrong with a web, over connections that serve ten pages.
const SITES: [Site; 2] = [
    Site { seed: "7001", options: &["--pages", "2000", "--size", "real", "--temper", "calm"] },
    Site { seed: "7002", options: &["--pages", "20000", "--temper", "wild"] },
];

/// What comes after a crawl, in its directory.
const AFTERWARDS: [&[&str]; 7] = [
    &["status"],
    &["audit"],
    &["duplicates", "--dir"],
    &["export", "wet", "--dir"],
    &["export", "wat", "--dir"],
    &["export", "fineweb", "--dir"],
    &["export", "graph", "--dir"],
];

/// A crawl of pages nobody sees the end of is ended by its clock, and says so by its exit code (4).
const TIME_LIMIT: &str = "45s";
const ENDED: [i32; 2] = [0, 4];

/// Runs everything in `place`; the directory of what was counted.
pub(super) fn run(programs: &Programs, place: &Path) -> Result<PathBuf> {
    println!("xtask: training");
    if place.exists() {
        fs::remove_dir_all(place)?;
    }
    let counted = place.join("counted");
    fs::create_dir_all(&counted)?;
    for site in &SITES {
        visit(programs, site, place, &counted)?;
    }
    let mut simulation = counting(&programs.simulation, &counted);
    simulation.args(["--pages", "30000", "--seed", "7003", "--dir"]).arg(place.join("simulated"));
    succeed(&mut simulation)?;
    Ok(counted)
}

fn visit(programs: &Programs, site: &Site, place: &Path, counted: &Path) -> Result<()> {
    let served = Served::start(&programs.web, site, place)?;
    let dir = place.join(site.seed);
    let mut crawl = counting(&programs.drumlin, counted);
    crawl.args(["crawl", &served.seed, "--scope", "any", "--contact", "https://drumlin.example/training"]);
    crawl.args(["--delay", "0", "--ip-delay", "0", "--allow-ip", "127.0.0.0/8", "--dns", &served.dns]);
    crawl.args(["--time-limit", TIME_LIMIT, "--concurrency", "256", "--quiet", "--ca-file"]);
    succeed(crawl.arg(&served.authority).arg("--dir").arg(&dir))?;
    for words in AFTERWARDS {
        succeed(counting(&programs.drumlin, counted).args(words).arg(&dir))?;
    }
    Ok(())
}

/// A program whose counts go there when it ends.
fn counting(program: &Path, counted: &Path) -> Command {
    let mut command = run::program(program);
    command.env("LLVM_PROFILE_FILE", counted.join("%p.profraw")).stdout(Stdio::null());
    command
}

fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("running {command:?}"))?;
    ensure!(status.code().is_some_and(|code| ENDED.contains(&code)), "{command:?}: {status}");
    Ok(())
}

/// A web that is served until this is dropped.
struct Served {
    process: Child,
    seed: String,
    dns: String,
    authority: PathBuf,
}

impl Served {
    fn start(program: &Path, site: &Site, place: &Path) -> Result<Self> {
        let authority = place.join("authority.pem");
        let mut command = run::program(program);
        command.args(["--seed", site.seed, "--answers-a-connection", "10"]).args(site.options);
        command.arg("--ca-out").arg(&authority).stdout(Stdio::piped());
        let mut process = command.spawn().context("starting simweb")?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("no output of simweb")?).read_line(&mut line)?;
        let ready: Value = serde_json::from_str(&line).context("what simweb says")?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Ok(Self { process, seed: text(&ready["seeds"][0]), dns: text(&ready["dns"]), authority })
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill().and_then(|()| self.process.wait());
    }
}
