//! What must be written down, and what must stay few.

use super::Finding;
use crate::tree::{File, Tree};

/// Features in the whole workspace, `default` not counted.
const FEATURES: usize = 5;

const FORMATS: &str = "docs/formats/";
const SUMMARY: &str = "docs/SUMMARY.md";

/// A crate of more modules needs a map.
const MODULES: usize = 20;

/// Modules whose names say all.
const PLAIN: [&str; 3] = ["error", "limits", "tests"];

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

/// Links of a page to other files lead somewhere.
pub(super) fn links(tree: &Tree) -> Vec<Finding> {
    tree.pages().flat_map(|page| dead_links(tree, page)).collect()
}

/// Every page of `docs/` is a chapter of the book.
pub(super) fn book(tree: &Tree) -> Vec<Finding> {
    let Some(summary) = tree.files.iter().find(|file| file.path == SUMMARY) else { return Vec::new() };
    let chapters: Vec<String> = summary.lines().flat_map(|line| targets(line.text)).collect();
    let pages = tree.pages().filter(|file| file.path != SUMMARY);
    let left_out = pages.filter(|page| {
        page.path.strip_prefix("docs/").is_some_and(|path| !chapters.iter().any(|chapter| chapter == path))
    });
    left_out
        .map(|page| Finding::new(page, 1, format!("no chapter of the book: name it in {SUMMARY}")))
        .collect()
}

fn dead_links(tree: &Tree, page: &File) -> Vec<Finding> {
    let dir = page.path.rsplit_once('/').map_or("", |(dir, _)| dir);
    let mut findings = Vec::new();
    for line in page.lines() {
        for target in targets(line.text) {
            let path = resolved(dir, &target);
            let is_there = |file: &File| file.path == path || file.path.starts_with(&format!("{path}/"));
            if !tree.files.iter().any(is_there) {
                findings.push(Finding::new(page, line.number, format!("{target} is not there")));
            }
        }
    }
    findings
}

/// Where the links of a line lead, as far as that is a file; without fragments.
fn targets(line: &str) -> Vec<String> {
    let links = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let paths = links.map(|(target, _)| target.split('#').next().unwrap_or(target));
    paths.filter(|path| !path.is_empty() && !path.contains(':')).map(str::to_owned).collect()
}

fn resolved(dir: &str, target: &str) -> String {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// `lib.rs` begins with the crate's promise.
pub(super) fn crate_docs(tree: &Tree) -> Vec<Finding> {
    let libraries = tree.files.iter().filter(|file| file.path.ends_with("/src/lib.rs"));
    let silent = libraries.filter(|file| !file.text.starts_with("//! "));
    silent.map(|file| Finding::new(file, 1, "begin with the crate's promise: `//! …`")).collect()
}

/// The documentation of a crate with many modules says of each what it is about.
pub(super) fn maps(tree: &Tree) -> Vec<Finding> {
    let is_root = |file: &&File| file.path.ends_with("/src/lib.rs") || file.path.ends_with("/src/main.rs");
    tree.files.iter().filter(is_root).flat_map(modules_left_out).collect()
}

fn modules_left_out(root: &File) -> Vec<Finding> {
    let docs = root.lines().map_while(|line| line.text.strip_prefix("//!"));
    let map = docs.collect::<Vec<_>>().join("\n");
    let modules: Vec<(usize, &str)> =
        root.code().filter_map(|line| Some((line.number, module_named(line.text)?))).collect();
    let is_left_out =
        |name: &str| modules.len() > MODULES && !PLAIN.contains(&name) && !map.contains(&format!("`{name}`"));
    let left_out = modules.iter().filter(|(_, name)| is_left_out(name));
    left_out
        .map(|(line, name)| Finding::new(root, *line, format!("name `{name}` in the crate's map")))
        .collect()
}

/// The module that this line says is in a file of its own.
fn module_named(line: &str) -> Option<&str> {
    line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ")?.strip_suffix(';')
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
