//! The shared data of tests and benchmarks: suites of other projects, saved pages, files of other crawlers. It is not in the repository, but
//! in the directory that `DRUMLIN_DATA` names, or else in `shared/data` beside the workspace. Where it is absent a line says so,
//! and whoever asked has nothing to do. For tests only: what is there and cannot be read is a panic.

use serde_json::Value;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// What a gzip member begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A file or a directory of the shared data, if it is there.
pub fn path(name: impl AsRef<Path>) -> Option<PathBuf> {
    let path = directory().join(&name);
    let is_there = path.exists();
    if !is_there {
        println!("skipped: {} is not here; DRUMLIN_DATA names the data's directory", name.as_ref().display());
    }
    is_there.then_some(path)
}

/// The text of a file, unpacked if it is gzip.
pub fn text(name: impl AsRef<Path>) -> Option<String> {
    let bytes = std::fs::read(path(name)?).expect("a readable file");
    Some(String::from_utf8(unpacked(bytes)).expect("UTF-8"))
}

/// The JSON value on each line of a file; none where it is absent.
pub fn lines(name: impl AsRef<Path>) -> Vec<Value> {
    let text = text(name).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON value")).collect()
}

/// The lines of a suite of cases.
pub fn cases(name: &str) -> Vec<Value> {
    lines(Path::new("cases").join(name))
}

/// What is in gzip, or else the bytes as they are.
pub fn unpacked(bytes: Vec<u8>) -> Vec<u8> {
    if !bytes.starts_with(&GZIP) {
        return bytes;
    }
    let mut out = Vec::new();
    flate2::read::MultiGzDecoder::new(&*bytes).read_to_end(&mut out).expect("whole gzip");
    out
}

#[expect(clippy::disallowed_methods, reason = "tests are told where the shared data is")]
fn directory() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    std::env::var("DRUMLIN_DATA").map_or_else(|_| beside.into(), PathBuf::from)
}
