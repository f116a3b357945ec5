//! The shared cases, which live outside the repository.

use serde_json::Value;

/// The bytes of a field that is either text or, as `name_b64`, base64.
pub(super) fn bytes(case: &Value, name: &str) -> Vec<u8> {
    case[name].as_str().map_or_else(
        || base64(case[format!("{name}_b64")].as_str().unwrap()),
        |text| text.as_bytes().to_vec(),
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
