//! A small DRUM beside its model: since the requests of a key are merged in the order in which they were
//! appended, whenever that is, each verdict is known the moment its request is appended.

use crate::{Config, Drum, Manifest, Packing, Request, Value, Verdict};
use disk::SharedDisk;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A sum: a request that is merged twice or not at all shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sum(pub(super) u32);

impl Value for Sum {
    const SIZE: usize = 4;
    fn encode(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.0.to_le_bytes());
    }
    fn decode(bytes: &[u8]) -> Self {
        Self(u32::from_le_bytes(bytes.try_into().unwrap()))
    }
    fn merge(self, update: Self) -> Self {
        Self(self.0 + update.0)
    }
}

/// A verdict that outlives its aux.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) key: u64,
    pub(super) before: Option<Sum>,
    pub(super) update: Option<Sum>,
    pub(super) aux: Vec<u8>,
}

impl From<Verdict<'_, Sum>> for Told {
    fn from(verdict: Verdict<'_, Sum>) -> Self {
        let Verdict { key, before, update, aux } = verdict;
        Self { key, before, update, aux: aux.to_vec() }
    }
}

/// Verdicts by bucket, in order.
pub(super) type Log = BTreeMap<usize, Vec<Told>>;

#[derive(Default, Clone)]
pub(super) struct Model {
    pub(super) values: BTreeMap<u64, Sum>,
    pub(super) verdicts: Log,
}

impl Model {
    pub(super) fn append(&mut self, bucket: usize, key: u64, request: Request<Sum>, aux: &[u8]) {
        let before = self.values.get(&key).copied();
        let update = request.value().copied();
        if request.op().checks() {
            self.verdicts.entry(bucket).or_default().push(Told { key, before, update, aux: aux.to_vec() });
        }
        if let Some(update) = update {
            self.values.insert(key, before.map_or(update, |value| value.merge(update)));
        }
    }
}

pub(super) fn tiny(bucket_bits: u8) -> Config {
    Config { bucket_bits, buffer_bytes: 256, bucket_bytes: 32 << 10, packing: Packing::Packed }
}

pub(super) fn open(
    disk: &SharedDisk,
    config: Config,
    manifest: Option<&Manifest>,
) -> crate::Result<Drum<Sum>> {
    Drum::open(disk.clone(), PathBuf::from("seen"), config, manifest)
}

/// Merges until nothing waits.
pub(super) fn merge_all(drum: &mut Drum<Sum>, log: &mut Log) -> crate::Result<()> {
    while let Some(bucket) = drum.fullest() {
        merge(drum, bucket, log)?;
    }
    Ok(())
}

/// Merges one bucket; its verdicts count only if that succeeds.
pub(super) fn merge(drum: &mut Drum<Sum>, bucket: usize, log: &mut Log) -> crate::Result<()> {
    let mut told = Vec::new();
    drum.merge_now(bucket, |verdict| {
        told.push(verdict.into());
        Ok(())
    })?;
    if !told.is_empty() {
        log.entry(bucket).or_default().extend(told);
    }
    Ok(())
}

pub(super) fn check_equal(drum: &Drum<Sum>, model: &Model) {
    assert_eq!(drum.keys(), model.values.len() as u64);
    for (key, value) in &model.values {
        assert_eq!(drum.look_up(*key).unwrap().value, Some(*value), "key {key:x}");
    }
    drum.check_invariants();
}

/// A durable cut; committing it is the caller's.
pub(super) fn checkpoint(drum: &mut Drum<Sum>, disk: &SharedDisk) -> crate::Result<Manifest> {
    let cut = drum.cut()?;
    disk.make_durable(&cut.sync)?;
    Ok(cut.manifest)
}
