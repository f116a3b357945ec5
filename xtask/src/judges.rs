//! The outside programs that judge what Drumlin writes: installed where that is possible.

use crate::python::Environment;
use crate::run;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// A directory with `venv/`, a Python environment with the packages of `xtask/judges.txt`, and what is missing.
pub(crate) struct Judges {
    /// Given to the suites as `DRUMLIN_TOOLS`.
    pub(crate) dir: PathBuf,
    /// Programs that the suites will have to do without.
    pub(crate) missing: Vec<&'static str>,
}

/// Programs of the system: the name, and the Debian package it comes in.
const SYSTEM: [Program; 7] = [
    Program { name: "nginx", package: "nginx" },
    Program { name: "wget", package: "wget" },
    Program { name: "python3", package: "python3" },
    // Its library tells datatrove what a payload is.
    Program { name: "file", package: "file" },
    Program { name: "valgrind", package: "valgrind" },
    Program { name: "chromium", package: "chromium" },
    Program { name: "chromedriver", package: "chromium-driver" },
];

/// Programs of the Python environment that show that it is whole.
const PYTHON: [&str; 7] = ["warcio", "fastwarc", "cdxj-indexer", "wayback", "wacz", "trafilatura", "python"];

const JUDGES: Environment = Environment { name: "venv", requirements: "xtask/judges.txt" };
/// Not for the suites: made on demand.
const RIVALS: Environment = Environment { name: "rivals", requirements: "xtask/rivals.txt" };
const TRIES: usize = 3;

struct Program {
    name: &'static str,
    package: &'static str,
}

/// Installs the judges, and says how to lend them to a single suite.
pub(crate) fn task() -> ExitCode {
    let judges = provide();
    println!("judges: DRUMLIN_TOOLS={}", judges.dir.display());
    if judges.missing.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("judges: missing: {}", judges.missing.join(", "));
    ExitCode::FAILURE
}

/// Installs the crawlers that `cargo xtask bench crawl` is run beside.
pub(crate) fn rivals_task() -> ExitCode {
    let dir = run::target_dir().join("tools");
    RIVALS.provide(&dir);
    if RIVALS.is_current(&dir) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Installs what is missing: Debian packages as root, Python packages in an environment of their own.
pub(crate) fn provide() -> Judges {
    let absent = absent_programs();
    if !absent.is_empty() || !has_venv_module() {
        install_packages(&absent);
    }
    let dir = run::target_dir().join("tools");
    JUDGES.provide(&dir);
    let mut missing: Vec<&str> = absent_programs().iter().map(|program| program.name).collect();
    missing.extend(PYTHON.iter().filter(|name| !JUDGES.programs(&dir).join(name).exists()));
    Judges { dir, missing }
}

impl Judges {
    /// What is installed already.
    pub(crate) fn at_hand() -> Option<Self> {
        let dir = run::target_dir().join("tools");
        JUDGES.is_current(&dir).then_some(Self { dir, missing: Vec::new() })
    }

    /// Lets a command find them: `DRUMLIN_TOOLS`, and the search path.
    pub(crate) fn lend(&self, command: &mut Command) {
        let mut path = vec![JUDGES.programs(&self.dir), RIVALS.programs(&self.dir)];
        path.extend(search_path());
        command.env("DRUMLIN_TOOLS", &self.dir);
        if let Ok(path) = std::env::join_paths(path) {
            command.env("PATH", path);
        }
    }
}

fn absent_programs() -> Vec<&'static Program> {
    let found = |program: &&Program| search_path().iter().any(|dir| dir.join(program.name).is_file());
    SYSTEM.iter().filter(|program| !found(program)).collect()
}

/// `PATH`, and the place of servers, which is not on everybody's.
fn search_path() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut dirs: Vec<PathBuf> = std::env::split_paths(&path).collect();
    dirs.push(PathBuf::from("/usr/sbin"));
    dirs
}

fn has_venv_module() -> bool {
    let output = run::program("python3").args(["-c", "import venv, ensurepip"]).output();
    output.is_ok_and(|output| output.status.success())
}

fn install_packages(absent: &[&Program]) {
    if !is_root() {
        println!("judges: not root, so Debian packages are not installed");
        return;
    }
    let packages: Vec<&str> = absent.iter().map(|program| program.package).chain(["python3-venv"]).collect();
    println!("judges: installing {}", packages.join(" "));
    let apt = |args: &[&str]| {
        // A run level that starts no services: an installed nginx should not begin to listen.
        run::succeeds(
            run::program("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").env("RUNLEVEL", "1"),
        )
    };
    let install = [&["install", "-y", "-qq", "--no-install-recommends"], packages.as_slice()].concat();
    let installed = (0..TRIES).any(|_| apt(&["update", "-qq"]) && apt(&install));
    if !installed {
        println!("judges: the packages could not be installed");
    }
}

fn is_root() -> bool {
    run::output(run::program("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}
