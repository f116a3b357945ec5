//! A URL that waits, as bytes: the same in the seen-set's buckets, in sections, queues and the directory. Drawn in
//! `docs/formats/frontier.md`.

use crate::{Class, Discovered, Kind, Origin, Pending, Source};
use stdx::Timestamp;
use stdx::wire::{Fields, put_bytes, put_varint};
use weburl::KeyHash;

const SEED: u8 = 0;
const DOCUMENT: u8 = 1;
const ROBOTS: u8 = 2;
const SITEMAP: u8 = 3;
const ORIGIN_MASK: u8 = 0b11;
const IS_SITEMAP: u8 = 0b100;
const TRIED: u8 = 0b1000;
/// The key in front of an entry, where it stands there.
pub(crate) const KEY_BYTES: usize = 8;
/// 2^48 discoveries a shard.
const ORDER_BYTES: usize = 6;

/// An entry whose parts lie in the bytes it was read from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) key: KeyHash,
    pub(crate) order: u64,
    pub(crate) depth: u32,
    pub(crate) hops: u8,
    pub(crate) attempts: u8,
    pub(crate) kind: Kind,
    pub(crate) due: Timestamp,
    pub(crate) url: &'a str,
    origin: u8,
    via: &'a str,
}

impl<'a> Entry<'a> {
    /// Reads an entry; `None` if it is damaged.
    pub(crate) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let (key, body) = bytes.split_first_chunk::<KEY_BYTES>()?;
        Self::parse_body(KeyHash(u64::from_le_bytes(*key)), body)
    }

    /// Reads an entry whose key is known from elsewhere.
    pub(crate) fn parse_body(key: KeyHash, body: &'a [u8]) -> Option<Self> {
        let (body, order) = body.split_last_chunk::<ORDER_BYTES>()?;
        let mut fields = Fields::new(body);
        let flags = fields.u8()?;
        let (depth, hops) = (u32::try_from(fields.varint()?).ok()?, fields.u8()?);
        let tried = flags & TRIED != 0;
        let attempts = if tried { fields.u8()? } else { 0 };
        let due = if tried { Timestamp::from_ms(fields.varint()?) } else { Timestamp::ZERO };
        let origin = flags & ORIGIN_MASK;
        let via = if origin == SEED { 0 } else { usize::try_from(fields.varint()?).ok()? };
        let (via, url) = std::str::from_utf8(fields.rest()).ok()?.split_at_checked(via)?;
        let kind = if flags & IS_SITEMAP != 0 { Kind::Sitemap } else { Kind::Page };
        let mut wide = [0; 8];
        wide[..ORDER_BYTES].copy_from_slice(order);
        let order = u64::from_le_bytes(wide);
        Some(Self { key, order, depth, hops, attempts, kind, due, url, origin, via })
    }

    pub(crate) fn class(&self) -> Class {
        Class::of(self.kind, self.depth, self.url)
    }

    pub(crate) fn is_seed(&self) -> bool {
        self.origin == SEED
    }

    /// A URL of which no more is known.
    pub(crate) fn of(key: KeyHash, url: &'a str) -> Self {
        let (kind, due) = (Kind::Page, Timestamp::ZERO);
        Self { key, order: 0, depth: 0, hops: 0, attempts: 0, kind, due, url, origin: SEED, via: "" }
    }

    /// Who named it.
    pub(crate) fn source(&self) -> Source {
        if self.origin == SITEMAP { Source::Sitemap } else { Source::Linked }
    }

    pub(crate) fn to_pending(self) -> Pending {
        Pending {
            key: self.key,
            url: self.url.to_owned(),
            depth: self.depth,
            hops: self.hops,
            attempts: self.attempts,
            kind: self.kind,
            due: self.due,
            order: self.order,
            origin: match self.origin {
                SEED => Origin::Seed,
                DOCUMENT => Origin::Document(self.via.to_owned()),
                ROBOTS => Origin::Robots(self.via.to_owned()),
                _ => Origin::Sitemap(self.via.to_owned()),
            },
        }
    }
}

/// Appends a discovery, its key left out. What the links of a page share comes first: neighbours are stored by what they
/// don't.
pub(crate) fn put_discovery(out: &mut Vec<u8>, discovery: Discovered<'_>, origin: &Origin, order: u64) {
    out.push(origin_code(origin) | kind_flag(discovery.kind));
    put_varint(out, u64::from(discovery.depth));
    out.push(discovery.hops);
    put_end(out, origin, discovery.url, order);
}

/// Appends a URL that waits, its key in front.
pub(crate) fn put_pending(out: &mut Vec<u8>, pending: &Pending) {
    out.extend_from_slice(&pending.key.0.to_le_bytes());
    let tried = pending.attempts > 0 || pending.due > Timestamp::ZERO;
    let flags = origin_code(&pending.origin) | kind_flag(pending.kind);
    out.push(if tried { flags | TRIED } else { flags });
    put_varint(out, u64::from(pending.depth));
    out.push(pending.hops);
    if tried {
        out.push(pending.attempts);
        put_varint(out, pending.due.as_ms());
    }
    put_end(out, &pending.origin, &pending.url, pending.order);
}

fn put_end(out: &mut Vec<u8>, origin: &Origin, url: &str, order: u64) {
    if let Some(via) = origin.via() {
        put_bytes(out, via.as_bytes());
    }
    out.extend_from_slice(url.as_bytes());
    out.extend_from_slice(&order.to_le_bytes()[..ORDER_BYTES]);
}

fn origin_code(origin: &Origin) -> u8 {
    match origin {
        Origin::Seed => SEED,
        Origin::Document(_) | Origin::Voted(_) => DOCUMENT,
        Origin::Robots(_) => ROBOTS,
        Origin::Sitemap(_) => SITEMAP,
    }
}

fn kind_flag(kind: Kind) -> u8 {
    match kind {
        Kind::Page => 0,
        Kind::Sitemap => IS_SITEMAP,
    }
}

impl Pending {
    /// As it would be read.
    pub(crate) fn entry(&self) -> Entry<'_> {
        let (origin, via) = (origin_code(&self.origin), self.origin.via().unwrap_or(""));
        let Self { key, ref url, depth, hops, attempts, kind, due, order, .. } = *self;
        Entry { key, order, depth, hops, attempts, kind, due, url, origin, via }
    }

    /// As bytes, for a block.
    pub(crate) fn encoded(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.encoded_bytes());
        put_pending(&mut out, self);
        out
    }

    /// Room that is enough for most, as bytes.
    pub(crate) fn encoded_bytes(&self) -> usize {
        self.url.len() + self.origin.via().map_or(0, str::len) + 32
    }

    /// What it takes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of::<Self>() + self.url.len() + self.origin.via().map_or(0, str::len)) as u64
    }

    /// Which front queue it is in.
    pub(crate) fn class(&self) -> Class {
        Class::of(self.kind, self.depth, &self.url)
    }
}
