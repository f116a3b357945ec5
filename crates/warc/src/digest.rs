use data_encoding::{BASE32, HEXLOWER_PERMISSIVE};
use sha1::{Digest, Sha1};

/// `sha1:` and the upper-case base32 of the SHA-1 of `parts` taken together: what CDX tools key on.
pub fn sha1_digest(parts: &[&[u8]]) -> String {
    format!("sha1:{}", BASE32.encode(&sha1_of(parts)))
}

/// How a digest in a header relates to the bytes it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigestMatch {
    /// It is theirs.
    Same,
    /// It is not.
    Different,
    /// An algorithm this crate does not compute (anything but SHA-1).
    Unverified,
    /// Not `algorithm:value`.
    Malformed,
}

/// Compares a labelled digest, SHA-1 in base32 or hexadecimal, with the bytes `parts` taken together.
pub fn compare_digest(label: &str, parts: &[&[u8]]) -> DigestMatch {
    let Some((algorithm, value)) = label.split_once(':') else { return DigestMatch::Malformed };
    if !algorithm.eq_ignore_ascii_case("sha1") && !algorithm.eq_ignore_ascii_case("sha-1") {
        let plain = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic());
        return if plain(algorithm) && plain(value) {
            DigestMatch::Unverified
        } else {
            DigestMatch::Malformed
        };
    }
    match sha1_value(value) {
        None => DigestMatch::Malformed,
        Some(wanted) if wanted == sha1_of(parts) => DigestMatch::Same,
        Some(_) => DigestMatch::Different,
    }
}

fn sha1_of(parts: &[&[u8]]) -> [u8; 20] {
    let mut hasher = Sha1::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

fn sha1_value(text: &str) -> Option<[u8; 20]> {
    let bytes = match text.len() {
        32 => BASE32.decode(text.to_ascii_uppercase().as_bytes()).ok()?,
        40 => HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?,
        _ => return None,
    };
    bytes.try_into().ok()
}
