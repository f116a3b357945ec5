use crate::drum::Drum;
use crate::error::Result;
use crate::key_file::{KeyFileId, KeyReader};
use crate::names;
use crate::requests::{Requests, take_value};
use crate::segment::Segment;
use crate::value::Value;

impl<V: Value> Drum<V> {
    /// Shows `see` every key that has been merged, with its value, in ascending order.
    pub fn scan(&self, mut see: impl FnMut(u64, V)) -> Result<()> {
        for (number, bucket) in self.buckets.iter().enumerate() {
            let Some(keys) = bucket.keys else { continue };
            let id = KeyFileId {
                bucket: number as u32,
                bucket_bits: self.config.bucket_bits,
                value_bytes: V::SIZE as u16,
                generation: keys.generation,
            };
            let path = self.dir.join(names::keys(number, keys.generation));
            let mut reader = KeyReader::<V>::open(&*self.disk, path, id, keys.len)?;
            while let Some(block) = reader.next_block()? {
                let mut values = block.values.as_slice();
                block.keys.iter().for_each(|key| see(*key, take_value(&mut values)));
            }
        }
        Ok(())
    }

    /// Shows `see` every request that waits for a merge, and those of one that runs: the key, and what it brings. In the
    /// order of discovery within a bucket.
    pub fn scan_waiting(&self, mut see: impl FnMut(u64, Option<V>)) -> Result<()> {
        for (number, bucket) in self.buckets.iter().enumerate() {
            for segment in &bucket.segments {
                self.scan_segment(number, segment, &mut see)?;
            }
            bucket.batch.requests().for_each(|(key, value)| see(key, value));
        }
        Ok(())
    }

    fn scan_segment(
        &self,
        number: usize,
        segment: &Segment,
        see: &mut impl FnMut(u64, Option<V>),
    ) -> Result<()> {
        let snapshot = segment.snapshot(self.dir.join(names::segment(number, segment.generation)));
        let requests = Requests::<V>::read(&[snapshot.open(&*self.disk)?])?;
        requests.keys.iter().zip(&requests.outcomes).for_each(|(key, outcome)| see(*key, outcome.update));
        Ok(())
    }
}
