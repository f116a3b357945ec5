//! What hosts and domains are known by on disk: seeded hashes, so that a shard is a range of them.

use backlog::Key;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The host of a URL that has been parsed before, as a slice of it; a trailing dot is no part of it: one host, one clock.
pub(crate) fn host_of(url: &str) -> &str {
    let rest = without_scheme(url);
    let end = match rest.strip_prefix('[') {
        Some(address) => address.find(']').map(|end| end + 2),
        None => rest.bytes().position(|byte| matches!(byte, b':' | b'/' | b'?' | b'#')),
    };
    weburl::without_root_dot(&rest[..end.unwrap_or(rest.len())])
}

/// What follows `http://` or `https://`.
pub(crate) fn without_scheme(url: &str) -> &str {
    url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or(url)
}

/// The hash of a host's registrable domain; its top 8 bits are the shard.
pub(crate) fn domain_hash(host: &str, seed: u64) -> u64 {
    xxh3_64_with_seed(weburl::pld(host).as_bytes(), seed)
}

/// Where a host stands in the directory.
pub(crate) fn host_key(host: &str, seed: u64) -> Key {
    Key { group: domain_hash(host, seed), host: host_hash(host, seed) }
}

/// Zero is the domain's own.
pub(crate) fn host_hash(host: &str, seed: u64) -> u64 {
    xxh3_64_with_seed(host.as_bytes(), seed).max(1)
}

/// A link from one domain to another (IRLbot §VI-B).
pub(crate) fn edge_hash(from: u64, to: u64) -> u64 {
    xxh3_64_with_seed(&from.to_le_bytes(), to)
}

/// A path to a URL, for the cache of recent ones. The low half is that of the key, by which all paths to it are forgotten at once.
pub(crate) fn path_hash(key: u64, depth: u32) -> u64 {
    key ^ u64::from(depth.wrapping_mul(0x9E37_79B9)) << 32
}
