//! The shared cases, which live outside the repository.

use serde_json::Value;
use std::io::Read as _;
use std::path::PathBuf;

/// What a gzip member begins with.
pub(super) const GZIP: [u8; 2] = [0x1F, 0x8B];

/// The cases of one file; `None`, with a line that says so, where the data is not at hand.
pub(super) fn cases(name: &str) -> Option<Vec<Value>> {
    let Ok(bytes) = std::fs::read(directory().join("cases").join(name)) else {
        println!("skipped: no cases/{name} here; DRUMLIN_DATA names the data's directory");
        return None;
    };
    let text = String::from_utf8(if bytes.starts_with(&GZIP) { gunzip(&bytes) } else { bytes }).unwrap();
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The bytes of a field that is either text or, as `name_b64`, base64.
pub(super) fn bytes(case: &Value, name: &str) -> Vec<u8> {
    case[name].as_str().map_or_else(
        || base64(case[format!("{name}_b64")].as_str().unwrap()),
        |text| text.as_bytes().to_vec(),
    )
}

pub(super) fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut out).unwrap();
    out
}

#[expect(clippy::disallowed_methods, reason = "tests are told where the shared data is")]
fn directory() -> PathBuf {
    std::env::var("DRUMLIN_DATA").map_or_else(
        |_| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    )
}

fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let sextets: Vec<u32> =
        text.chars().filter_map(|c| ALPHABET.find(c)).map(|index| u32::try_from(index).unwrap()).collect();
    let group = |chunk: &[u32]| {
        let bits = chunk.iter().fold(0, |bits, sextet| bits << 6 | sextet) << (6 * (4 - chunk.len()));
        bits.to_be_bytes()[1..chunk.len()].to_vec()
    };
    sextets.chunks(4).flat_map(group).collect()
}
