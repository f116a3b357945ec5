use psl::{List, Psl, Type};
use serde::{Deserialize, Serialize};
use std::fmt;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Which edition of the public suffix list is compiled in. The `psl` crate is published anew whenever the list
/// changes, so its version is the list's date; `cargo update -p psl` refreshes it.
pub const LIST_VERSION: &str = "psl 2.1.246";

/// The registrable domain of a host by the whole list, private section included: `alice.github.io` for
/// `www.alice.github.io`. `None` for public suffixes themselves, addresses and malformed names. An unlisted
/// top-level domain counts as a suffix (the list's implicit rule `*`). The host is lower case, in Unicode or
/// Punycode; a trailing dot is ignored.
pub fn registrable_domain(host: &str) -> Option<&str> {
    let name = well_formed(host)?;
    let suffix = suffix_of(name)?;
    one_label_more(name, suffix.len)
}

/// [`registrable_domain`], or the host itself where there is none: what scope `domain` and `--contact` compare.
pub fn site(host: &str) -> &str {
    registrable_domain(host).unwrap_or(host)
}

/// The pay-level domain: what somebody paid a registry for. The registrable domain by the list's ICANN section
/// alone (`github.io` for `alice.github.io`), or the host itself where there is none.
pub fn pld(host: &str) -> &str {
    let Some(name) = well_formed(host) else { return host };
    icann_suffix_length(name).and_then(|length| one_label_more(name, length)).unwrap_or(host)
}

/// The owner of a host: one of the 256 parts of a crawl, by its PLD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Shard(pub u8);

impl Shard {
    /// How many there are, in every crawl.
    pub const COUNT: usize = 256;

    /// The shard that owns a host: the top 8 bits of the seeded hash of its PLD, so that a shard is a range of
    /// PLD hashes and hosts of one domain are never parted.
    pub fn of(host: &str, seed: u64) -> Self {
        Self((xxh3_64_with_seed(pld(host).as_bytes(), seed) >> 56) as u8)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02x}", self.0)
    }
}

/// A suffix by its length in bytes, and the section that lists it.
struct Suffix {
    len: usize,
    section: Option<Type>,
}

fn suffix_of(name: &str) -> Option<Suffix> {
    let info = List.find(name.as_bytes().rsplit(|byte| *byte == b'.'));
    (info.len > 0).then_some(Suffix { len: info.len, section: info.typ })
}

/// The longest suffix that the ICANN section (or the implicit rule) gives: private ones are shortened until
/// what remains is no longer private.
fn icann_suffix_length(name: &str) -> Option<usize> {
    let mut rest = name;
    loop {
        let suffix = suffix_of(rest)?;
        let text = &name[name.len() - suffix.len..];
        match (suffix.section, text.split_once('.')) {
            (Some(Type::Private), Some((_, parent))) => rest = parent,
            _ => return Some(suffix.len),
        }
    }
}

fn one_label_more(name: &str, suffix_length: usize) -> Option<&str> {
    let above = name[..name.len() - suffix_length].strip_suffix('.')?;
    let label = above.bytes().rposition(|byte| byte == b'.').map_or(0, |dot| dot + 1);
    (label < above.len()).then(|| &name[label..])
}

/// The name without its trailing dot, unless it is an address or has empty labels.
fn well_formed(host: &str) -> Option<&str> {
    let name = host.strip_suffix('.').unwrap_or(host);
    let (mut label_bytes, mut is_number) = (0, true);
    // Names are short, and every link has one: this is quicker than to look for one thing after the other.
    for byte in name.bytes() {
        match byte {
            b':' => return None,
            b'.' if label_bytes == 0 => return None,
            b'.' => (label_bytes, is_number) = (0, true),
            _ => (label_bytes, is_number) = (label_bytes + 1, is_number && byte.is_ascii_digit()),
        }
    }
    // A last label of digits is an address's.
    (!is_number).then_some(name)
}
