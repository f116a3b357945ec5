use crate::drum::Drum;
use crate::error::Result;
use crate::key_file::{KeyFileId, look_up};
use crate::names;
use crate::segment::Segment;
use crate::value::Value;

/// What a DRUM knows of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found<V> {
    /// Its value after the last merge of its bucket; `None` if it was not there.
    pub value: Option<V>,
    /// How many requests for it wait for a merge.
    pub waiting: u64,
}

impl<V: Value> Drum<V> {
    /// One key, for a person who asks: reads a block of its bucket's key file and all that waits there.
    pub fn look_up(&self, key: u64) -> Result<Found<V>> {
        let number = self.bucket_of(key);
        let bucket = &self.buckets[number];
        let stored: Vec<u64> = bucket
            .segments
            .iter()
            .map(|segment| self.count_in(number, segment, key))
            .collect::<Result<_>>()?;
        let waiting = stored.into_iter().sum::<u64>() + bucket.batch.count_of(key);
        Ok(Found { value: self.look_up_merged(number, key)?, waiting })
    }

    fn look_up_merged(&self, number: usize, key: u64) -> Result<Option<V>> {
        let Some(keys) = self.buckets[number].keys else { return Ok(None) };
        let id = KeyFileId {
            bucket: number as u32,
            bucket_bits: self.config.bucket_bits,
            value_bytes: V::SIZE as u16,
            generation: keys.generation,
        };
        look_up(&*self.disk, &self.dir.join(names::keys(number, keys.generation)), id, key)
    }

    fn count_in(&self, number: usize, segment: &Segment, key: u64) -> Result<u64> {
        let path = self.dir.join(names::segment(number, segment.generation));
        let mut waiting = 0;
        segment.snapshot(path).open(&*self.disk)?.for_each_block(V::SIZE, |columns, _| {
            waiting += columns.keys().filter(|asked| *asked == key).count() as u64;
        })?;
        Ok(waiting)
    }
}
