//! Invariants as absences: words that may not stand in the sources, and where they may all the same.

use super::Finding;
use super::layers::is_core;
use crate::tree::{File, Line, Tree};

/// Where a ban does not hold, and why.
struct Excuse {
    /// The path begins with this.
    path: &'static str,
    _reason: &'static str,
}

const fn excuse(path: &'static str, reason: &'static str) -> Excuse {
    Excuse { path, _reason: reason }
}

const FILE_SYSTEM: [&str; 3] = ["std::fs", "tokio::fs", "std::{fs"];
const FILE_SYSTEM_EXCUSED: [Excuse; 7] = [
    excuse("crates/disk/", "it is the seam"),
    excuse("crates/simweb/src/bin/", "the web server's own program"),
    excuse("crates/simweb/src/server", "it writes the certificates that its visitors trust"),
    excuse(
        "crates/drumlin/",
        "the program reads files that its user names: seeds, configuration, exclusions",
    ),
    excuse("crates/testdata/", "for tests only: it reads what is not a crawl's"),
    excuse("crates/meter/", "what the kernel counts is told in /proc; for tests and benchmarks only"),
    excuse("xtask/", "it reads the tree and knows no crate of ours"),
];

const AMBIENT: [&str; 16] = [
    "Instant::now",
    "SystemTime::now",
    "thread::sleep",
    "thread::spawn",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "std::env",
    "getrandom",
    "thread_rng",
    "RandomState",
    "HashMap::new()",
    "HashSet::new()",
    "collections::HashMap",
    "collections::HashSet",
    "tokio::",
];
const AMBIENT_EXCUSED: [Excuse; 7] = [
    excuse("crates/fuzz/src/until.rs", "for tests only: a long run ends when its time is up"),
    excuse("crates/fuzz/src/watch.rs", "for tests only: what hangs is seen from beside it"),
    excuse("crates/testdata/", "for tests only: who runs them says where the data is"),
    excuse("crates/stdx/src/map.rs", "it gives the standard tables their fixed hasher"),
    excuse("crates/simweb/src/server", "the thin server beside the pure web: real sockets, real time"),
    excuse("crates/simweb/src/serve", "the thin server beside the pure web: real sockets, real time"),
    excuse("crates/simweb/src/hostile", "a server at its worst, on real sockets"),
];

const ENVIRONMENT: [&str; 5] = ["env::var", "env::args", "env::current_dir", "env::temp_dir", "env::set_var"];
const ENVIRONMENT_EXCUSED: [Excuse; 4] = [
    excuse("crates/fuzz/src/until.rs", "for tests only: who starts a long run says how long"),
    excuse("crates/testdata/", "for tests only: who runs them says where the data is"),
    excuse("crates/drumlin/", "the program is what reads the environment"),
    excuse("xtask/", "a program of its own"),
];

const UNFINISHED: [&str; 4] = ["todo!(", "unimplemented!(", "dbg!(", "FIXME"];
const UNFINISHED_EXCUSED: [Excuse; 1] = [excuse("xtask/src/tidy/", "it names them")];

const MACHINE_PATHS: [&str; 4] = ["/work/", "/home/", "/root/", "/Users/"];
const MACHINE_PATHS_EXCUSED: [Excuse; 2] =
    [excuse("xtask/src/tidy/", "it names them"), excuse("Cargo.lock", "it has no paths")];

/// `std::fs` outside `disk`.
pub(super) fn file_system(tree: &Tree) -> Vec<Finding> {
    let what = "bytes at rest are reached through `disk`, nowhere else";
    banned(tree.shipped(), &FILE_SYSTEM, &FILE_SYSTEM_EXCUSED, what)
}

/// Clock, sleep, threads, sockets, environment and chance in the cores.
pub(super) fn ambient(tree: &Tree) -> Vec<Finding> {
    let what = "time, chance and the outside world are arguments in levels 0 to 3";
    banned(tree.shipped().filter(|file| file.krate().is_some_and(is_core)), &AMBIENT, &AMBIENT_EXCUSED, what)
}

/// The environment, outside the program.
pub(super) fn environment(tree: &Tree) -> Vec<Finding> {
    banned(tree.shipped(), &ENVIRONMENT, &ENVIRONMENT_EXCUSED, "only the program reads the environment")
}

/// What was put off.
pub(super) fn unfinished(tree: &Tree) -> Vec<Finding> {
    banned(tree.rust(), &UNFINISHED, &UNFINISHED_EXCUSED, "finish it, or leave it out")
}

/// Absolute paths of somebody's machine, in any file. In the middle of a URL they are none.
pub(super) fn machine_paths(tree: &Tree) -> Vec<Finding> {
    let files = tree.files.iter().filter(|file| !is_excused(file, &MACHINE_PATHS_EXCUSED));
    let found = |file| {
        lines_of(file).filter(|line| MACHINE_PATHS.iter().any(|path| begins_somewhere(line.text, path)))
    };
    let finding = |file, line: &Line<'_>| Finding::new(file, line.number, "a path of one machine");
    files.flat_map(|file| found(file).map(|line| finding(file, &line)).collect::<Vec<_>>()).collect()
}

fn banned<'a>(
    files: impl Iterator<Item = &'a File>,
    words: &[&str],
    excused: &[Excuse],
    what: &str,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.filter(|file| !is_excused(file, excused)) {
        for line in file.code() {
            if let Some(word) = words.iter().find(|word| line.text.contains(**word)) {
                findings.push(Finding::new(file, line.number, format!("`{word}`: {what}")));
            }
        }
    }
    findings
}

fn is_excused(file: &File, excused: &[Excuse]) -> bool {
    excused.iter().any(|excuse| file.path.starts_with(excuse.path))
}

fn lines_of(file: &File) -> impl Iterator<Item = Line<'_>> {
    file.lines()
}

fn begins_somewhere(text: &str, path: &str) -> bool {
    let continues = |before: char| before.is_alphanumeric() || "._-~*/:{}<>)".contains(before);
    text.match_indices(path).any(|(at, _)| !text[..at].ends_with(continues))
}
