use crate::drum::Drum;
use crate::error::Result;
use crate::key_file::KeyFileId;
use crate::manifest::Manifest;
use crate::merge::{MergeJob, Merged};
use crate::names;
use crate::packing::Packing;
use crate::request::Verdict;
use crate::segment::Segment;
use crate::value::Value;
use std::collections::BTreeSet;
use std::io;
use std::marker::PhantomData;

impl<V: Value> Drum<V> {
    /// Takes what waits in `bucket` out of the way of new requests, for a [`MergeJob`]; `None` if nothing
    /// waits. The job must come back through [`Drum::finish_merge`] or [`Drum::abandon_merge`] before the
    /// bucket's next merge begins.
    pub fn start_merge(&mut self, bucket: usize) -> Result<Option<MergeJob<V>>> {
        assert!(self.buckets[bucket].merging.is_none(), "bucket {bucket} is being merged already");
        // What the job reads at once is not worth packing.
        self.seal_batch(bucket, Packing::Bare)?;
        self.buckets[bucket].batch.release();
        if self.buckets[bucket].segments.is_empty() {
            return Ok(None);
        }
        self.make_dir()?;
        let new_keys = self.key_file_id(bucket);
        let (dir, state) = (&self.dir, &mut self.buckets[bucket]);
        state.frozen = state.segments.len();
        state.merging = Some(new_keys.generation);
        let snapshot =
            |segment: &Segment| segment.snapshot(dir.join(names::segment(bucket, segment.generation)));
        Ok(Some(MergeJob {
            disk: self.disk.clone(),
            dir: dir.clone(),
            bucket,
            segments: state.segments.iter().map(snapshot).collect(),
            old_keys: state.keys,
            new_keys,
            value: PhantomData,
        }))
    }

    /// Makes the outcome of a job the state of its bucket. From here on, and from the next checkpoint on
    /// durably, its verdicts have been given.
    #[expect(clippy::needless_pass_by_value, reason = "an outcome counts once")]
    pub fn finish_merge(&mut self, merged: Merged) {
        let bucket = &mut self.buckets[merged.bucket];
        assert_eq!(bucket.merging, Some(merged.generation), "not the job that was started");
        let done = bucket.segments.drain(..bucket.frozen);
        self.retired.extend(done.map(|segment| names::segment(merged.bucket, segment.generation)));
        bucket.frozen = 0;
        bucket.merging = None;
        if let Some(keys) = merged.keys {
            let old = bucket.keys.replace(keys);
            self.retired.extend(old.map(|old| names::keys(merged.bucket, old.generation)));
        }
        self.traffic += merged.traffic;
        self.sweep_quietly();
    }

    /// Puts back what a job had taken, when it failed or was lost; the next merge takes it again.
    pub fn abandon_merge(&mut self, bucket: usize) {
        let state = &mut self.buckets[bucket];
        let generation = state.merging.take().expect("there is a merge to abandon");
        state.frozen = 0;
        self.retired.insert(names::keys(bucket, generation));
        self.sweep_quietly();
    }

    /// Merges a bucket here and now; whether or not it is due. After an error nothing has happened to it.
    pub fn merge_now(
        &mut self,
        bucket: usize,
        sink: impl FnMut(Verdict<'_, V>) -> io::Result<()>,
    ) -> Result<()> {
        let Some(job) = self.start_merge(bucket)? else { return Ok(()) };
        match job.run(sink) {
            Ok(merged) => self.finish_merge(merged),
            Err(error) => {
                self.abandon_merge(bucket);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Removes the files that neither the DRUM nor a manifest needs.
    pub(crate) fn sweep(&mut self) -> Result<()> {
        if self.retired.is_empty() {
            return Ok(());
        }
        let kept: BTreeSet<String> = self.cuts.iter().flat_map(Manifest::files).collect();
        let free: Vec<String> = self.retired.difference(&kept).cloned().collect();
        for name in free {
            let path = self.dir.join(&name);
            if self.disk.stat(&path)?.is_some() {
                self.disk.remove(&path)?;
            }
            self.retired.remove(&name);
        }
        Ok(())
    }

    /// What cannot be removed now stays retired: [`Drum::committed`] tries again and reports it.
    fn sweep_quietly(&mut self) {
        let _ = self.sweep();
    }

    fn key_file_id(&mut self, bucket: usize) -> KeyFileId {
        KeyFileId {
            bucket: bucket as u32,
            bucket_bits: self.config.bucket_bits,
            value_bytes: V::SIZE as u16,
            generation: self.new_generation(),
        }
    }
}
