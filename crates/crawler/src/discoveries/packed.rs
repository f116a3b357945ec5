//! Discoveries as the journal has them: each URL as how much of the one before it begins with, and the rest. The links of a page
//! are much alike, and most of a journal is links. Drawn in `docs/formats/records.md`.

use super::{Discoveries, Kept};
use crate::limits::DISCOVERY_BYTES_PER_RECORD;
use frontier::{Discovered, Kind};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use stdx::wire::{Fields, put_varint, put_varints, shared_prefix};
use weburl::KeyHash;

const IS_SITEMAP: u64 = 1;
const HAS_HOPS: u64 = 2;
const DEPTH_SHIFT: u32 = 2;
/// Bytes of a discovery, but for rare ones: its rest is half of it.
const ABOUT_BYTES: usize = 32;

impl Serialize for Discoveries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.pack())
    }
}

impl<'de> Deserialize<'de> for Discoveries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&[u8]>::deserialize(deserializer)?;
        Self::unpack(bytes).ok_or_else(|| D::Error::custom("its discoveries do not fit together"))
    }
}

impl Discoveries {
    fn pack(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.len() * ABOUT_BYTES);
        let mut before = "";
        for batch in self.by_shard() {
            out.push(batch.shard);
            put_varint(&mut out, batch.list.len() as u64);
            for discovery in batch.iter() {
                put(&mut out, discovery, before);
                before = discovery.url;
            }
        }
        out
    }

    /// `None` if these are not what [`Discoveries::pack`] made, nor ever could be.
    fn unpack(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields::new(bytes);
        let (mut urls, mut list) = (Vec::new(), Vec::new());
        while !fields.is_empty() {
            let shard = fields.u8()?;
            for _ in 0..fields.varint()? {
                let kept = read(&mut fields, shard, &mut urls, list.last())?;
                list.push(kept);
                (list.len() == 1 || urls.len() <= DISCOVERY_BYTES_PER_RECORD).then_some(())?;
            }
        }
        let urls = String::from_utf8(urls).ok()?;
        list.iter().all(|kept| urls.is_char_boundary(kept.end)).then_some(Self { urls, list })
    }
}

/// Appends a discovery that comes behind one of the URL `before`.
fn put(out: &mut Vec<u8>, discovery: Discovered<'_>, before: &str) {
    let Discovered { url, key, depth, hops, kind } = discovery;
    let sitemap = if kind == Kind::Sitemap { IS_SITEMAP } else { 0 };
    let redirected = if hops > 0 { HAS_HOPS } else { 0 };
    put_varint(out, u64::from(depth) << DEPTH_SHIFT | redirected | sitemap);
    if hops > 0 {
        out.push(hops);
    }
    let shared = shared_prefix(before.as_bytes(), url.as_bytes());
    let rest = &url.as_bytes()[shared..];
    put_varints(out, [shared as u64, rest.len() as u64]);
    out.extend_from_slice(&key.0.to_le_bytes());
    out.extend_from_slice(rest);
}

/// Reads one; its URL goes behind those of the others.
fn read(fields: &mut Fields<'_>, shard: u8, urls: &mut Vec<u8>, before: Option<&Kept>) -> Option<Kept> {
    let head = fields.varint()?;
    let depth = u32::try_from(head >> DEPTH_SHIFT).ok()?;
    let hops = if head & HAS_HOPS != 0 { fields.u8()? } else { 0 };
    let kind = if head & IS_SITEMAP != 0 { Kind::Sitemap } else { Kind::Page };
    let [shared, rest] = fields.varints()?;
    let (shared, rest) = (usize::try_from(shared).ok()?, usize::try_from(rest).ok()?);
    let key = KeyHash(fields.u64()?);
    let before = before.map_or(0..0, |kept| kept.start..kept.end);
    let start = urls.len();
    (shared <= before.len()).then(|| urls.extend_from_within(before.start..before.start + shared))?;
    urls.extend_from_slice(fields.bytes(rest)?);
    Some(Kept { key, start, end: urls.len(), depth, shard, hops, kind })
}
