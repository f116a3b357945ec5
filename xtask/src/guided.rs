//! `cargo xtask release`: the program optimised for what a crawl was seen to do (profile-guided optimisation). It is built so that it
//! counts what it does, crawls synthetic webs (`training`), and is built again by what was counted.

mod training;

use crate::run;
use anyhow::{Context as _, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::SystemTime;

/// The program that crawls.
const PROGRAM: [&str; 4] = ["--package", "drumlin", "--bin", "drumlin"];
/// A crawl in virtual time, which takes the frontier further in a minute than a real one in a day.
const SIMULATION: [&str; 5] = ["--package", "sim", "--all-features", "--example", "bench_simulated"];

/// Builds the program, and says where it is.
pub(crate) fn task() -> Result<ExitCode> {
    let guide = Guide::trained()?;
    let mut command = run::cargo();
    guide.lend(&mut command);
    ensure!(run::succeeds(command.args(BUILD).args(PROGRAM)), "the program does not build");
    println!("xtask: {}", guide.place.join("use").join(&guide.target).join("release/drumlin").display());
    Ok(ExitCode::SUCCESS)
}

const BUILD: [&str; 3] = ["build", "--release", "--locked"];

/// What programs were counted to do.
pub(crate) struct Guide {
    place: PathBuf,
    /// The triple that is built for. Naming it keeps build scripts and macros, which run while building, from counting too.
    target: String,
}

impl Guide {
    /// By the source as it is: who has trained since it changed need not again.
    pub(crate) fn trained() -> Result<Self> {
        let guide = Self { place: run::target_dir().join("guided"), target: host()? };
        let merge = profdata()?;
        let [program, simulation] =
            [(PROGRAM.as_slice(), "drumlin"), (&SIMULATION, "examples/bench_simulated")];
        let programs = training::Programs {
            drumlin: guide.counting(program)?,
            simulation: guide.counting(simulation)?,
            web: web()?,
        };
        if !programs.are_older_than(&guide.profile()) {
            let place = guide.place.join("training");
            let counted = training::run(&programs, &place)?;
            let mut command = run::program(merge);
            command.args(["merge", "--sparse", "--output"]).arg(guide.profile()).arg(counted);
            ensure!(run::succeeds(&mut command), "what was counted can't be put together");
            fs::remove_dir_all(place)?;
        }
        Ok(guide)
    }

    /// Has a cargo build by it, beside the ordinary builds.
    pub(crate) fn lend(&self, command: &mut Command) {
        self.flags(command, "use", &format!("-Cprofile-use={}", self.profile().display()));
    }

    fn profile(&self) -> PathBuf {
        self.place.join("profile.profdata")
    }

    /// Builds what counts.
    fn counting(&self, (package, file): (&[&str], &str)) -> Result<PathBuf> {
        let mut command = run::cargo();
        self.flags(&mut command, "count", "-Cprofile-generate");
        ensure!(run::succeeds(command.args(BUILD).args(package)), "{file} does not build");
        Ok(self.place.join("count").join(&self.target).join("release").join(file))
    }

    fn flags(&self, command: &mut Command, kind: &str, flag: &str) {
        command.env("RUSTFLAGS", flag);
        command.env("CARGO_BUILD_TARGET", &self.target).env("CARGO_TARGET_DIR", self.place.join(kind));
    }
}

/// The web that is crawled, as it is built anyway.
fn web() -> Result<PathBuf> {
    let package = ["--package", "simweb", "--bin", "simweb"];
    ensure!(run::succeeds(run::cargo().args(BUILD).args(package)), "simweb does not build");
    Ok(run::target_dir().join("release/simweb"))
}

/// The triple of this machine.
fn host() -> Result<String> {
    let said = run::output(run::program("rustc").arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not say for what it compiles")?.to_owned())
}

/// The toolchain's own program that puts counts together; installed where it is missing.
fn profdata() -> Result<PathBuf> {
    let root = run::output(run::program("rustc").args(["--print", "sysroot"]))?;
    let program = Path::new(root.trim()).join("lib/rustlib").join(host()?).join("bin/llvm-profdata");
    let is_there = program.exists()
        || run::succeeds(run::program("rustup").args(["component", "add", "llvm-tools"])) && program.exists();
    ensure!(is_there, "{} is missing: rustup component add llvm-tools", program.display());
    Ok(program)
}

/// When a file was last written; never, if it is not there.
fn written(file: &Path) -> SystemTime {
    file.metadata().and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}
