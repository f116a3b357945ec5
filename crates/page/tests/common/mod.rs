//! Where the shared cases are, and how they are read.

use std::io::Read;
use std::path::PathBuf;

/// The cases of one file, one JSON value a line; nothing, and a line that says so, where the data is absent.
pub(crate) fn cases(name: &str) -> Vec<serde_json::Value> {
    let Some(path) = data_dir().map(|dir| dir.join("cases").join(name)).filter(|path| path.exists()) else {
        println!("skipped: no shared data with cases/{name}");
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

#[expect(clippy::disallowed_methods, reason = "tests may be told where their data is")]
fn data_dir() -> Option<PathBuf> {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    if beside.exists() { Some(beside) } else { std::env::var("DRUMLIN_DATA").ok().map(PathBuf::from) }
}
