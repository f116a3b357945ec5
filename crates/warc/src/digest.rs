mod together;

pub use together::ResponseDigests;

use data_encoding::{BASE32, BASE32_NOPAD, BASE64_NOPAD, HEXLOWER_PERMISSIVE};
use sha1::digest::Output;
use sha1::{Digest, Sha1};
use sha2::{Sha256, Sha512};
use std::fmt;

const LABEL: &str = "sha1:";

/// Algorithms as labels name them.
const SHA1: [&str; 2] = ["sha1", "sha-1"];
const SHA256: [&str; 2] = ["sha256", "sha-256"];
const SHA512: [&str; 2] = ["sha512", "sha-512"];

/// A SHA-1, shown as `sha1:` and upper-case base32: what CDX tools key on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sha1Digest([u8; 20]);

impl Sha1Digest {
    /// As it is.
    pub fn bytes(self) -> [u8; 20] {
        self.0
    }

    /// Of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        sha1_digest(&[bytes])
    }

    /// Appends it as it is shown.
    pub fn write(self, text: &mut String) {
        text.push_str(LABEL);
        BASE32.encode_append(&self.0, text);
    }

    /// Out of a header: SHA-1 in base32, base64 or hexadecimal.
    pub fn from_label(label: &str) -> Option<Self> {
        let (algorithm, value) = label.split_once(':')?;
        is_one_of(SHA1, algorithm).then(|| sha1_value(value))?.map(Self)
    }
}

impl fmt::Display for Sha1Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = [0; 32];
        BASE32.encode_mut(&self.0, &mut letters);
        f.write_str(LABEL)?;
        f.write_str(str::from_utf8(&letters).expect("letters and digits"))
    }
}

/// Makes the SHA-1 of bytes as they come.
#[derive(Debug, Clone, Default)]
pub struct Sha1Stream(Sha1);

impl Sha1Stream {
    /// Takes the next bytes in.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all of them.
    pub fn finish(self) -> Sha1Digest {
        Sha1Digest(self.0.finalize().into())
    }
}

/// The digest of `parts` taken together.
pub fn sha1_digest(parts: &[&[u8]]) -> Sha1Digest {
    Sha1Digest(hash::<Sha1>(parts).into())
}

/// How a digest in a header relates to the bytes it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigestMatch {
    /// It is theirs.
    Same,
    /// It is not.
    Different,
    /// An algorithm this crate does not compute: anything but SHA-1, SHA-256 and SHA-512.
    Unverified,
    /// Not `algorithm:value`.
    Malformed,
}

/// Compares a labelled digest (SHA-1, SHA-256 or SHA-512, in base16, base32 or base64) with the bytes `parts` taken together.
pub fn compare_digest(label: &str, parts: &[&[u8]]) -> DigestMatch {
    let Some((algorithm, value)) = label.split_once(':') else { return DigestMatch::Malformed };
    let Some(found) = digest_by(algorithm, parts) else {
        let plain = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic());
        return if plain(algorithm) && plain(value) {
            DigestMatch::Unverified
        } else {
            DigestMatch::Malformed
        };
    };
    match value_of(value, found.len()) {
        None => DigestMatch::Malformed,
        Some(wanted) if wanted == found => DigestMatch::Same,
        Some(_) => DigestMatch::Different,
    }
}

fn digest_by(algorithm: &str, parts: &[&[u8]]) -> Option<Vec<u8>> {
    if is_one_of(SHA1, algorithm) {
        Some(hash::<Sha1>(parts).to_vec())
    } else if is_one_of(SHA256, algorithm) {
        Some(hash::<Sha256>(parts).to_vec())
    } else if is_one_of(SHA512, algorithm) {
        Some(hash::<Sha512>(parts).to_vec())
    } else {
        None
    }
}

fn hash<D: Digest>(parts: &[&[u8]]) -> Output<D> {
    parts.iter().fold(D::new(), D::chain_update).finalize()
}

fn is_one_of(names: [&str; 2], algorithm: &str) -> bool {
    names.iter().any(|name| algorithm.eq_ignore_ascii_case(name))
}

fn sha1_value(text: &str) -> Option<[u8; 20]> {
    value_of(text, 20)?.try_into().ok()
}

/// A digest of so many bytes in base16, base32 or base64: its length tells which.
fn value_of(text: &str, bytes: usize) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    match digits.len() {
        length if length == 2 * bytes => HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok(),
        length if length == (8 * bytes).div_ceil(5) => {
            BASE32_NOPAD.decode(digits.to_ascii_uppercase().as_bytes()).ok()
        }
        length if length == (8 * bytes).div_ceil(6) => BASE64_NOPAD.decode(digits.as_bytes()).ok(),
        _ => None,
    }
}
