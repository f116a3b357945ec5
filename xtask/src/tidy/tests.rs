//! Every check can fail, and holds its peace where it should.

use super::{Check, bans, layers, pages, ring, sizes};
use crate::tree::{File, Tree};

/// The findings of a check on a tree of `(path, text)`, as `path:line`.
#[track_caller]
fn check(check: Check, files: &[(&str, &str)], want: &[&str]) {
    let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
    let tree = Tree { files: files.iter().map(file).collect() };
    let found: Vec<String> =
        check(&tree).iter().map(|finding| format!("{}:{}", finding.path, finding.line)).collect();
    assert_eq!(found, want);
}

#[test]
fn arrows() {
    let manifest = |text| ("crates/page/Cargo.toml", text);
    check(layers::arrows, &[manifest("[dependencies]\nstdx.workspace = true\nserde = \"1\"")], &[]);
    check(
        layers::arrows,
        &[manifest("[dependencies]\nwarc.workspace = true")],
        &["crates/page/Cargo.toml:2"],
    );
    check(
        layers::arrows,
        &[manifest("[dev-dependencies]\nfetch = { path = \"\" }")],
        &["crates/page/Cargo.toml:2"],
    );
    check(layers::arrows, &[manifest("[lints]\nwarc = true\n[features]\nnode = []")], &[]);
    check(layers::arrows, &[("crates/crawler/Cargo.toml", "[dependencies]\nsnapshot.workspace = true")], &[]);
    check(
        layers::arrows,
        &[("crates/snapshot/Cargo.toml", "[dependencies]\ncrawler = 1")],
        &["crates/snapshot/Cargo.toml:2"],
    );
    check(
        layers::arrows,
        &[("crates/sim/Cargo.toml", "[dependencies]\ncrawler = 1\nfetch = 1")],
        &["crates/sim/Cargo.toml:3"],
    );
    check(
        layers::arrows,
        &[("crates/drumlin/Cargo.toml", "[dev-dependencies]\nsim = 1")],
        &["crates/drumlin/Cargo.toml:2"],
    );
    check(layers::arrows, &[("crates/newcomer/Cargo.toml", "")], &["crates/newcomer/Cargo.toml:1"]);
}

#[test]
fn runtimes() {
    let text = "[dependencies]\ntokio.workspace = true\n[dev-dependencies]\nrand = \"1\"";
    check(layers::runtimes, &[("crates/crawler/Cargo.toml", text)], &["crates/crawler/Cargo.toml:2"]);
    check(layers::runtimes, &[("crates/simweb/Cargo.toml", text), ("crates/fetch/Cargo.toml", text)], &[]);
}

#[test]
fn lengths() {
    check(sizes::too_long, &[("crates/a/src/b.rs", &"x\n".repeat(500))], &[]);
    check(sizes::too_long, &[("crates/a/src/b.rs", &"x\n".repeat(501))], &["crates/a/src/b.rs:501"]);
    check(sizes::warnings, &[("crates/a/src/b.rs", &"x\n".repeat(401))], &["crates/a/src/b.rs:401"]);
    check(sizes::too_long, &[("docs/long.md", &"x\n".repeat(501))], &[]);
}

#[test]
fn file_system() {
    let text = "// std::fs is for others\nuse std::fs;\n";
    check(bans::file_system, &[("crates/page/src/lib.rs", text)], &["crates/page/src/lib.rs:2"]);
    let excused = [
        "crates/disk/src/os.rs",
        "crates/page/tests/a.rs",
        "crates/page/src/tests.rs",
        "crates/drumlin/src/main.rs",
    ];
    check(bans::file_system, &excused.map(|path| (path, text)), &[]);
}

#[test]
fn ambient() {
    let text = "fn now() {\n    std::time::Instant::now();\n}";
    check(bans::ambient, &[("crates/crawler/src/lib.rs", text)], &["crates/crawler/src/lib.rs:2"]);
    check(
        bans::ambient,
        &[("crates/simweb/src/page.rs", "HashMap::new()")],
        &["crates/simweb/src/page.rs:1"],
    );
    check(bans::ambient, &[("crates/fetch/src/lib.rs", text), ("crates/simweb/src/server.rs", text)], &[]);
}

#[test]
fn environment() {
    let text = "std::env::var(\"HOME\")";
    check(bans::environment, &[("crates/fetch/src/lib.rs", text)], &["crates/fetch/src/lib.rs:1"]);
    check(bans::environment, &[("crates/drumlin/src/main.rs", text)], &[]);
    check(bans::environment, &[("crates/fetch/src/lib.rs", "env!(\"CARGO_PKG_VERSION\")")], &[]);
}

#[test]
fn unfinished() {
    check(bans::unfinished, &[("crates/a/src/tests.rs", "\ntodo!()")], &["crates/a/src/tests.rs:2"]);
}

#[test]
fn machine_paths() {
    check(bans::machine_paths, &[("README.md", "see /home/someone/x")], &["README.md:1"]);
    check(bans::machine_paths, &[("a.rs", "open(\"/work/x\")")], &["a.rs:1"]);
    check(bans::machine_paths, &[("a.rs", "https://example.org/home/x and ../work/x")], &[]);
}

#[test]
fn formats() {
    let page = ("docs/formats/journal.md", "");
    let source = ("crates/archive/src/journal.rs", "//! docs/formats/journal.md\nconst MAGIC: u32 = 1;");
    check(pages::formats, &[page, source], &[]);
    check(pages::formats, &[source], &["crates/archive/src/journal.rs:1"]);
    let unnamed = ("crates/archive/src/log.rs", "const LOG_MAGIC: u32 = 1;");
    check(pages::formats, &[page, unnamed], &["crates/archive/src/log.rs:1"]);
    check(pages::formats, &[("crates/warc/src/gzip.rs", unnamed.1)], &[]);
    check(
        pages::formats,
        &[page, unnamed, ("crates/archive/src/lib.rs", "//! docs/formats/journal.md")],
        &[],
    );
}

#[test]
fn links() {
    let page = ("docs/a.md", "[b](formats/b.md#part), [it](../README.md), [out](https://example.org/x.md)");
    let there = [page, ("docs/formats/b.md", ""), ("README.md", "[docs](docs/)")];
    check(pages::links, &there, &[]);
    check(pages::links, &[page, there[2]], &["docs/a.md:1"]);
}

#[test]
fn book() {
    let chapter = ("docs/a.md", "");
    check(pages::book, &[("docs/SUMMARY.md", "- [A](a.md)"), chapter], &[]);
    check(pages::book, &[("docs/SUMMARY.md", "- [B](b.md)"), chapter], &["docs/a.md:1"]);
    check(pages::book, &[("docs/SUMMARY.md", ""), ("README.md", "")], &[]);
}

#[test]
fn crate_docs() {
    check(pages::crate_docs, &[("crates/a/src/lib.rs", "mod x;")], &["crates/a/src/lib.rs:1"]);
    check(pages::crate_docs, &[("crates/a/src/lib.rs", "//! Promises.")], &[]);
}

#[test]
fn maps() {
    let lines = |of: fn(u32) -> String| (0..19).map(of).collect::<String>();
    let few = lines(|number| format!("mod part_{number};\n"));
    let map = lines(|number| format!("//! `part_{number}` is a part.\n"));
    check(pages::maps, &[("crates/a/src/lib.rs", &few)], &[]);
    check(pages::maps, &[("crates/a/src/lib.rs", &format!("{map}{few}pub mod limits;\nmod tests;"))], &[]);
    let forgotten = format!("{map}{few}mod part;\npub mod limits;");
    check(pages::maps, &[("crates/a/src/main.rs", &forgotten)], &["crates/a/src/main.rs:39"]);
}

#[test]
fn features() {
    let five = "[features]\ndefault = []\na = []\nb = []\nc = []\nd = []\ne = []\n[lib]\nf = 1";
    check(pages::features, &[("crates/a/Cargo.toml", five)], &[]);
    let files = [("crates/a/Cargo.toml", five), ("crates/b/Cargo.toml", "[features]\ng = []")];
    let want = [3, 4, 5, 6, 7].map(|line| format!("crates/a/Cargo.toml:{line}"));
    let mut want: Vec<&str> = want.iter().map(String::as_str).collect();
    want.push("crates/b/Cargo.toml:2");
    check(pages::features, &files, &want);
}

#[test]
fn ring_in_the_build() {
    assert_eq!(ring::findings("stdx v0.1.0\nstring v1.0.0\nrustls v0.23.0\n").len(), 0);
    assert_eq!(ring::findings("stdx v0.1.0\nring v0.17.14\nring v0.17.14\n").len(), 1);
}
