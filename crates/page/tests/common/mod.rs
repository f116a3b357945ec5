//! Where the shared cases are, and how they are read.

use std::io::Read;
use std::path::PathBuf;

/// One JSON value a line of a file; nothing, and a line that says so, where the data is absent.
pub(crate) fn cases(name: &str) -> Vec<serde_json::Value> {
    let Some(path) = data_dir().map(|dir| dir.join(name)).filter(|path| path.exists()) else {
        println!("skipped: no shared data with {name}");
        return Vec::new();
    };
    let bytes = std::fs::read(&path).expect("a readable case file");
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect("gzipped UTF-8");
    } else {
        text = String::from_utf8(bytes).expect("UTF-8");
    }
    text.lines().map(|line| serde_json::from_str(line).expect("one JSON value a line")).collect()
}

fn data_dir() -> Option<PathBuf> {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    if beside.exists() { Some(beside) } else { variable("DRUMLIN_DATA").map(PathBuf::from) }
}

/// An environment variable.
#[expect(clippy::disallowed_methods, reason = "the suites are told by their runner what there is")]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
