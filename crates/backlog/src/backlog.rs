mod cut;
mod jobs;
mod queues;
mod sections;

use crate::config::Config;
use crate::directory::{DirectoryReader, DirectoryView, Key, Record, look_up};
use crate::entries::Entries;
use crate::error::Result;
use crate::manifest::Manifest;
use crate::names;
use crate::queue::QueueId;
use crate::recovery::cut_back;
use crate::run::RunSet;
use crate::store::Store;
use disk::SharedDisk;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;

/// The files of one shard as one durable whole: a directory, runs and queues. In memory are a few numbers a file, and of
/// each queue at most 16 KiB that are not written yet.
pub struct Backlog {
    store: Store,
    /// What is written; a manifest is a copy of it.
    now: Manifest,
    /// What the owner has appended and is not written.
    pending: BTreeMap<QueueId, Entries>,
    running: Option<Running>,
    /// Files that are durable, and how much of each, as the last committed manifest has them.
    durable: BTreeMap<String, u64>,
    /// Files that a manifest in the caller's hands names.
    kept: BTreeSet<String>,
}

/// The job that runs.
struct Running {
    generations: Range<u64>,
    /// Files that it may read.
    pinned: BTreeSet<String>,
}

impl Backlog {
    /// Opens what is in `dir` as `manifest` says, or an empty backlog, and removes what is not part of it. Everything
    /// after the manifest's cut is undone. The directory is made if it is absent.
    pub fn open(disk: SharedDisk, dir: PathBuf, config: Config, manifest: Option<&Manifest>) -> Result<Self> {
        config.assert_within_limits();
        disk.create_dir(&dir)?;
        let store = Store { disk, dir, config };
        let now = manifest.cloned().unwrap_or_else(Manifest::empty);
        cut_back(&store, &now)?;
        let durable = now.files();
        let kept = durable.keys().cloned().collect();
        Ok(Self { store, now, pending: BTreeMap::new(), running: None, durable, kept })
    }

    /// The payload of one record of the directory: one read of a block. For people.
    pub fn look_up(&self, key: Key) -> Result<Option<Vec<u8>>> {
        self.now.directory.map_or(Ok(None), |cut| look_up(&self.store, cut, key))
    }

    /// Shows `see` every record of the directory, first to last. For people.
    pub fn scan_directory(&self, mut see: impl FnMut(Record<'_>)) -> Result<()> {
        let mut reader = DirectoryReader::open(&self.store, self.now.directory)?;
        while let Some(record) = reader.next()? {
            see(record);
        }
        Ok(())
    }

    /// The directory as it is now, for somebody else to read.
    pub fn view_directory(&self) -> DirectoryView {
        DirectoryView { store: self.store.clone(), cut: self.now.directory }
    }

    /// Records in the directory.
    pub fn records(&self) -> u64 {
        self.now.directory.map_or(0, |cut| cut.records)
    }

    /// Bytes of the directory's file: what a job that rewrites it reads, and about what it writes.
    pub fn directory_bytes(&self) -> u64 {
        self.now.directory.map_or(0, |cut| cut.len)
    }

    /// Bytes of all files that are in use.
    pub fn disk_bytes(&self) -> u64 {
        self.now.files().values().sum()
    }

    /// The runs, and how much of each is pointed at.
    pub fn runs(&self) -> &RunSet {
        &self.now.runs
    }

    /// Panics if the parts contradict each other.
    pub fn check_invariants(&self) {
        self.now.check_invariants();
        assert!(self.pending.values().all(|batch| !batch.is_empty()), "a batch has entries");
        let set_aside = self.running.as_ref().map_or(0, |running| running.generations.end);
        assert!(set_aside <= self.now.next_generation);
    }

    /// Removes the files that nobody needs: neither the backlog, nor its job, nor a manifest.
    fn sweep(&self) -> Result<()> {
        let now = self.now.files();
        for name in self.store.disk.list(&self.store.dir)? {
            let Some(generation) = names::generation(&name) else { continue };
            let of_job = self.running.as_ref().is_some_and(|running| running.needs(&name, generation));
            if !(now.contains_key(&name) || self.kept.contains(&name) || of_job) {
                self.store.disk.remove(&self.store.path(&name))?;
            }
        }
        Ok(())
    }

    /// What cannot be removed now goes with the next sweep; [`Self::committed`] reports it.
    fn sweep_quietly(&self) {
        let _ = self.sweep();
    }
}

impl Running {
    /// Whether the job reads or writes a file.
    fn needs(&self, name: &str, generation: u64) -> bool {
        self.pinned.contains(name) || self.generations.contains(&generation)
    }
}
