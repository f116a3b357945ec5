use crate::limits::AUX_RECKONED;
use crate::names;
use disk::Damage;
use std::collections::BTreeSet;
use stdx::wire::{Fields, put_varint, put_varints};

const MAGIC: [u8; 8] = *b"DRUMmani";
const VERSION: u8 = 2;
/// Without bytes of aux.
const FIRST_VERSION: u8 = 1;

/// An exact cut of a DRUM: which files hold it, and how much of each counts. Kept by the caller, in a
/// checkpoint that is replaced atomically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    pub(crate) bucket_bits: u8,
    pub(crate) value_bytes: u16,
    pub(crate) next_generation: u64,
    pub(crate) buckets: Vec<BucketCut>,
}

/// One bucket's part of the cut.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct BucketCut {
    pub(crate) keys: Option<KeysCut>,
    pub(crate) segments: Vec<SegmentCut>,
}

/// A finished key file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeysCut {
    pub(crate) generation: u64,
    pub(crate) len: u64,
    pub(crate) keys: u64,
}

/// The part of a bucket file that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SegmentCut {
    pub(crate) generation: u64,
    pub(crate) len: u64,
    pub(crate) entries: u64,
    /// Of their aux, unpacked.
    pub(crate) aux_bytes: u64,
}

impl Manifest {
    /// The cut in which nothing has happened.
    pub(crate) fn empty(bucket_bits: u8, value_bytes: u16) -> Self {
        let buckets = vec![BucketCut::default(); 1 << bucket_bits];
        Self { bucket_bits, value_bytes, next_generation: 1, buckets }
    }

    /// Keys in the key files of the cut.
    pub fn keys(&self) -> u64 {
        self.buckets.iter().filter_map(|bucket| Some(bucket.keys?.keys)).sum()
    }

    /// Requests that wait in the buckets of the cut.
    pub fn waiting(&self) -> u64 {
        self.buckets.iter().flat_map(|bucket| &bucket.segments).map(|segment| segment.entries).sum()
    }

    /// Names, within the DRUM's directory, of the files that hold the cut.
    pub fn files(&self) -> BTreeSet<String> {
        self.buckets.iter().enumerate().flat_map(|(bucket, cut)| cut.files(bucket)).collect()
    }

    /// The manifest as bytes, with magic, version and checksum; see `docs/formats/drum.md`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&[VERSION, self.bucket_bits]);
        out.extend_from_slice(&self.value_bytes.to_le_bytes());
        put_varint(&mut out, self.next_generation);
        self.buckets.iter().for_each(|bucket| bucket.append_to(&mut out));
        out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
        out
    }

    /// Reads what [`Manifest::to_bytes`] gave.
    pub fn from_bytes(bytes: &[u8]) -> crate::Result<Self> {
        Ok(Self::parse(bytes).map_err(|damage| damage.in_file("manifest"))?)
    }

    fn parse(bytes: &[u8]) -> Result<Self, Damage> {
        let magic_fits = bytes.starts_with(&MAGIC);
        let version =
            *bytes.get(MAGIC.len()).filter(|_| magic_fits).ok_or(Damage::Bad("not a DRUM's manifest"))?;
        if !(FIRST_VERSION..=VERSION).contains(&version) {
            return Err(Damage::Version { found: u16::from(version), known: u16::from(VERSION) });
        }
        let (body, checksum) = bytes.split_last_chunk().ok_or(Damage::Bad("too short"))?;
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(Damage::Bad("its checksum does not fit"));
        }
        Self::parse_body(version, &body[MAGIC.len() + 1..]).ok_or(Damage::Bad("its fields do not fit"))
    }

    fn parse_body(version: u8, body: &[u8]) -> Option<Self> {
        let mut fields = Fields::new(body);
        let bucket_bits = fields.u8().filter(|bits| *bits <= crate::limits::MAX_BUCKET_BITS)?;
        let (value_bytes, next_generation) = (fields.u16()?, fields.varint()?);
        let bucket = |_: u32| BucketCut::parse(version, &mut fields);
        let buckets = (0..1 << bucket_bits).map(bucket).collect::<Option<_>>()?;
        fields.is_empty().then_some(Self { bucket_bits, value_bytes, next_generation, buckets })
    }
}

impl BucketCut {
    fn files(&self, bucket: usize) -> impl Iterator<Item = String> {
        let keys = self.keys.iter().map(move |cut| names::keys(bucket, cut.generation));
        keys.chain(self.segments.iter().map(move |cut| names::segment(bucket, cut.generation)))
    }

    fn append_to(&self, out: &mut Vec<u8>) {
        put_varint(out, u64::from(self.keys.is_some()));
        if let Some(keys) = self.keys {
            put_varints(out, [keys.generation, keys.len, keys.keys]);
        }
        put_varint(out, self.segments.len() as u64);
        for segment in &self.segments {
            put_varints(out, [segment.generation, segment.len, segment.entries, segment.aux_bytes]);
        }
    }

    fn parse(version: u8, fields: &mut Fields) -> Option<Self> {
        let keys = match fields.varint()? {
            0 => None,
            _ => {
                Some(KeysCut { generation: fields.varint()?, len: fields.varint()?, keys: fields.varint()? })
            }
        };
        let count = fields.varint()?;
        let segments = (0..count).map(|_| SegmentCut::parse(version, fields)).collect::<Option<_>>()?;
        Some(Self { keys, segments })
    }
}

impl SegmentCut {
    fn parse(version: u8, fields: &mut Fields) -> Option<Self> {
        let (generation, len, entries) = (fields.varint()?, fields.varint()?, fields.varint()?);
        let aux_bytes = match version {
            FIRST_VERSION => len.saturating_mul(AUX_RECKONED),
            _ => fields.varint()?,
        };
        Some(Self { generation, len, entries, aux_bytes })
    }
}
