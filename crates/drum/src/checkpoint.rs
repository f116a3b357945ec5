use crate::drum::Drum;
use crate::error::Result;
use crate::manifest::Manifest;
use crate::names;
use crate::value::Value;
use disk::Mode;

impl<V: Value> Drum<V> {
    /// Makes everything so far durable and names it. A merge that is running is not part of the cut: what it
    /// took waits again. May be repeated after an error.
    ///
    /// The files of the manifest stay until a later one is [committed](Drum::committed).
    pub fn checkpoint(&mut self) -> Result<Manifest> {
        for bucket in 0..self.buckets.len() {
            self.seal_batch(bucket)?;
            self.write_out(bucket)?;
            self.sync_bucket(bucket)?;
        }
        if self.names_dirty {
            self.disk.sync_dir(&self.dir)?;
            self.names_dirty = false;
        }
        let manifest = Manifest {
            bucket_bits: self.config.bucket_bits,
            value_bytes: V::SIZE as u16,
            next_generation: self.next_generation,
            buckets: self.buckets.iter().map(crate::bucket::Bucket::cut).collect(),
        };
        self.kept.extend(manifest.files());
        Ok(manifest)
    }

    /// The caller's checkpoint with `manifest`, the latest, is durable and replaces every earlier one: files
    /// that only those named are removed. An error means that one could not be; it is tried again later.
    pub fn committed(&mut self, manifest: &Manifest) -> Result<()> {
        self.kept = manifest.files();
        self.sweep()
    }

    fn sync_bucket(&mut self, number: usize) -> Result<()> {
        let bucket = &mut self.buckets[number];
        for segment in &mut bucket.segments {
            segment.sync(&*self.disk, &self.dir.join(names::segment(number, segment.generation)))?;
        }
        if let Some(keys) = bucket.keys.filter(|_| bucket.keys_dirty) {
            self.disk.open(&self.dir.join(names::keys(number, keys.generation)), Mode::Write)?.sync()?;
            bucket.keys_dirty = false;
        }
        Ok(())
    }
}
