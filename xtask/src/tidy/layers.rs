//! Arrows point to lower levels only; siblings never see each other.

use super::Finding;
use crate::tree::{File, Tree};

/// The crates from the ground up. `stdx` lies under the rest of its level.
const LEVELS: [&[&str]; 9] = [
    &["stdx", "meter", "testdata"],
    &["fuzz"],
    &["disk", "weburl", "markup"],
    &["robots", "page", "prose", "warc", "drum", "near", "backlog", "plan", "simweb", "control"],
    &["frontier", "archive", "corpus", "cluster"],
    &["crawler", "export", "snapshot", "ledger", "report", "logs"],
    &["fetch", "ui"],
    &["node"],
    &["drumlin"],
];

/// The highest index in [`LEVELS`] of the pure cores: levels 0 to 3 of ARCHITECTURE.md.
const CORES: usize = 5;

/// The simulator plays everything above the cores itself.
const SIMULATOR: &str = "sim";

/// Arrows that the levels forbid and that stand all the same.
const EXCUSED: [Excuse; 4] = [
    Excuse { from: "crawler", to: "snapshot", _reason: "the machine fills in the values that people see" },
    Excuse { from: "ledger", to: "crawler", _reason: "what it judges are the machine's records" },
    Excuse { from: "report", to: "ledger", _reason: "what it counts are the ledger's contacts" },
    Excuse { from: "logs", to: "crawler", _reason: "what it shows are the machine's records" },
];

struct Excuse {
    from: &'static str,
    to: &'static str,
    _reason: &'static str,
}

/// What a pure core may not even depend on.
const RUNTIMES: [&str; 9] = [
    "tokio",
    "hyper",
    "hickory-resolver",
    "rand",
    "getrandom",
    "reqwest",
    "mio",
    "async-std",
    "crossbeam-channel",
];

/// Not a core: it is pure, and a thin server beside it speaks HTTP.
const SERVES: &str = "simweb";

/// Dependencies on our own crates that point sideways or up, and crates that no level knows.
pub(super) fn arrows(tree: &Tree) -> Vec<Finding> {
    tree.manifests().flat_map(arrows_of).collect()
}

/// Runtimes, sockets and ambient randomness among the dependencies of a core.
pub(super) fn runtimes(tree: &Tree) -> Vec<Finding> {
    let cores =
        tree.manifests().filter(|file| file.krate().is_some_and(|name| is_core(name) && name != SERVES));
    cores.flat_map(runtimes_of).collect()
}

/// Whether a crate is of levels 0 to 3.
pub(super) fn is_core(name: &str) -> bool {
    level(name).is_some_and(|level| level <= CORES)
}

fn arrows_of(manifest: &File) -> Vec<Finding> {
    let from = manifest.krate().unwrap_or_default();
    if from != SIMULATOR && level(from).is_none() {
        return vec![Finding::new(
            manifest,
            1,
            format!("`{from}` has no level: give it one in xtask/src/tidy/layers.rs"),
        )];
    }
    let ours = dependencies(manifest).into_iter().filter(|dependency| is_ours(dependency.name));
    let wrong = ours.filter(|dependency| !may_use(from, dependency.name));
    let what = |to: &str| format!("`{from}` may not use `{to}`: arrows point to lower levels only");
    wrong.map(|dependency| Finding::new(manifest, dependency.line, what(dependency.name))).collect()
}

fn runtimes_of(manifest: &File) -> Vec<Finding> {
    let found = dependencies(manifest).into_iter().filter(|dependency| !dependency.for_tests);
    let banned = found.filter(|dependency| RUNTIMES.contains(&dependency.name));
    let what = |name: &str| format!("a pure core may not use `{name}`");
    banned.map(|dependency| Finding::new(manifest, dependency.line, what(dependency.name))).collect()
}

fn may_use(from: &str, to: &str) -> bool {
    let excused = EXCUSED.iter().any(|excuse| excuse.from == from && excuse.to == to);
    let below = match (level(from), level(to)) {
        (None, Some(to)) => to <= CORES,
        (Some(from), Some(to)) => to < from,
        (_, None) => false,
    };
    excused || below
}

fn is_ours(name: &str) -> bool {
    name == SIMULATOR || name == "xtask" || level(name).is_some()
}

fn level(name: &str) -> Option<usize> {
    LEVELS.iter().position(|crates| crates.contains(&name))
}

struct Dependency<'a> {
    name: &'a str,
    line: usize,
    for_tests: bool,
}

fn dependencies(manifest: &File) -> Vec<Dependency<'_>> {
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines() {
        let text = line.text.trim();
        if let Some(header) = text.strip_prefix('[') {
            section = header.trim_end_matches(']');
            continue;
        }
        let end = text.find(['.', '=', ' ']).unwrap_or(0);
        if section.ends_with("dependencies") && end > 0 && !text.starts_with('#') {
            let for_tests = section.ends_with("dev-dependencies");
            found.push(Dependency { name: &text[..end], line: line.number, for_tests });
        }
    }
    found
}
