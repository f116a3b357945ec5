//! Cases of other projects, read where they are; absent data skips the test and says so.

use serde_json::Value;
use std::path::PathBuf;

/// The lines of a JSONL file of the shared cases; none when the data is not there.
pub(super) fn cases(name: &str) -> Vec<Value> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let named = std::env::var_os("DRUMLIN_DATA").map(PathBuf::from);
    let places = [Some(PathBuf::from(beside)), named];
    let found = places.into_iter().flatten().find_map(|dir| read(&dir.join("cases").join(name)));
    let Some(text) = found else {
        println!("skipped: {name} is not here");
        return Vec::new();
    };
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

fn read(path: &std::path::Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}
