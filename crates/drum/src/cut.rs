use crate::bucket::Bucket;
use crate::drum::Drum;
use crate::error::Result;
use crate::manifest::Manifest;
use crate::value::Value;
use std::path::PathBuf;

/// An exact cut of a DRUM, written and not yet durable.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "the manifest of a cut is what a checkpoint keeps"]
pub struct Cut {
    /// Names the cut. Nobody may rely on it before `sync` is durable.
    pub manifest: Manifest,
    /// Files, relative to the disk, [to be made durable](disk::Disk::make_durable).
    pub sync: Vec<PathBuf>,
}

impl<V: Value> Drum<V> {
    /// Writes everything so far and names it; syncs nothing. A merge that is running is not part of the cut:
    /// what it took waits again. May be repeated after an error.
    ///
    /// The files of the manifest stay until a later one is [committed](Drum::committed).
    pub fn cut(&mut self) -> Result<Cut> {
        for bucket in 0..self.buckets.len() {
            self.seal_batch(bucket, self.config.packing)?;
            self.write_out(bucket)?;
            self.buckets[bucket].batch.release();
        }
        let manifest = Manifest {
            bucket_bits: self.config.bucket_bits,
            value_bytes: V::SIZE as u16,
            next_generation: self.next_generation,
            buckets: self.buckets.iter().map(Bucket::cut).collect(),
        };
        self.cuts.push(manifest.clone());
        let undurable = self.buckets.iter().enumerate().flat_map(|(n, bucket)| bucket.undurable_files(n));
        Ok(Cut { sync: undurable.map(|name| self.dir.join(name)).collect(), manifest })
    }

    /// The caller's checkpoint with `manifest`, of a cut of this DRUM, is durable and replaces every earlier
    /// one: files that only those named are removed. An error means that one could not be; it is tried again
    /// later.
    pub fn committed(&mut self, manifest: &Manifest) -> Result<()> {
        let nth = self.cuts.iter().rposition(|cut| cut == manifest).expect("a cut of this DRUM's");
        self.cuts.drain(..nth);
        self.buckets.iter_mut().zip(&manifest.buckets).for_each(|(bucket, cut)| bucket.committed(cut));
        self.sweep()
    }
}
