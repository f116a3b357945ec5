//! What must be written down, and what must stay few.

use super::Finding;
use crate::tree::{File, Tree};

/// Features in the whole workspace, `default` not counted.
const FEATURES: usize = 5;

const FORMATS: &str = "docs/formats/";

/// Crates whose magics are other people's formats: gzip members, images, archives.
const FOREIGN: [&str; 3] = ["warc", "page", "fetch"];

/// Every format has its page: a source that defines a magic names one, and pages that are named exist.
pub(super) fn formats(tree: &Tree) -> Vec<Finding> {
    let missing = tree.rust().flat_map(|file| missing_pages(tree, file));
    let unnamed = tree
        .shipped()
        .filter(|file| file.krate().is_some())
        .filter_map(|file| magic_without_page(tree, file));
    missing.chain(unnamed).collect()
}

/// `lib.rs` begins with the crate's promise.
pub(super) fn crate_docs(tree: &Tree) -> Vec<Finding> {
    let libraries = tree.files.iter().filter(|file| file.path.ends_with("/src/lib.rs"));
    let silent = libraries.filter(|file| !file.text.starts_with("//! "));
    silent.map(|file| Finding::new(file, 1, "begin with the crate's promise: `//! …`")).collect()
}

/// More features than a reader can hold in mind.
pub(super) fn features(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.files.iter().filter(|file| file.path.ends_with("Cargo.toml"));
    let all: Vec<Finding> = manifests.flat_map(features_of).collect();
    if all.len() > FEATURES { all } else { Vec::new() }
}

fn features_of(manifest: &File) -> Vec<Finding> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        let text = line.text.trim();
        if text.starts_with('[') {
            inside = text == "[features]";
        } else if let Some((name, _)) =
            text.split_once('=').filter(|(name, _)| inside && name.trim() != "default")
        {
            let what = format!("feature `{}`: the workspace has more than {FEATURES}", name.trim());
            found.push(Finding::new(manifest, line.number, what));
        }
    }
    found
}

fn missing_pages(tree: &Tree, file: &File) -> Vec<Finding> {
    if file.path.starts_with("xtask/") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for line in file.lines() {
        for page in pages_named(line.text) {
            if !tree.files.iter().any(|file| file.path == page) {
                findings.push(Finding::new(file, line.number, format!("{page} is not there")));
            }
        }
    }
    findings
}

fn pages_named(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(FORMATS).filter_map(|(at, _)| {
        let end = text[at..].find(".md")?;
        Some(&text[at..at + end + ".md".len()])
    })
}

/// The page may be named in the file itself or in a file of the same crate's root.
fn magic_without_page(tree: &Tree, file: &File) -> Option<Finding> {
    let magic = file.code().find(|line| line.text.contains("const") && line.text.contains("MAGIC"))?;
    let krate = file.krate().filter(|krate| !FOREIGN.contains(krate))?;
    let root = format!("crates/{krate}/src/lib.rs");
    let names_page = |file: &File| file.lines().any(|line| pages_named(line.text).next().is_some());
    let named = names_page(file) || tree.files.iter().any(|file| file.path == root && names_page(file));
    (!named).then(|| {
        Finding::new(file, magic.number, format!("name the page under {FORMATS} that draws this format"))
    })
}
