use crate::*;
use disk::SharedDisk;
use std::path::PathBuf;

/// The files of one shard: a directory, runs and queues, as one durable whole.
pub struct Backlog {}

impl Backlog {
    /// Opens what is in `dir` as `manifest` says, or an empty one, and removes what is not part of it. Everything
    /// that happened after the manifest's cut is undone. The directory is made if it is absent.
    pub fn open(
        _disk: SharedDisk,
        _dir: PathBuf,
        _config: Config,
        _manifest: Option<&Manifest>,
    ) -> Result<Self> {
        todo!()
    }

    /// Names everything so far, and the files that must be synced (each, and then the directories they are in) before
    /// the manifest may be relied upon. Writes what is in memory, syncs nothing. A job that runs is not part of the
    /// cut. May be repeated after an error. The files stay until a later cut is [committed](Self::committed).
    pub fn cut(&mut self) -> Result<Cut> {
        todo!()
    }

    /// The caller's checkpoint with `manifest` is durable, its files were synced, and it replaces every earlier one:
    /// files that only those named are removed. An error means that one could not be; it is tried again later.
    pub fn committed(&mut self, _manifest: &Manifest) -> Result<()> {
        todo!()
    }

    /// Begins a job. It must come back through [`Self::finish_job`] or [`Self::abandon_job`] before the next begins.
    /// It sees what is written: [`Self::flush`] first if it is to read all that was appended to a queue.
    pub fn start_job(&mut self) -> Job {
        todo!()
    }

    /// Makes the outcome of the job the state: directory, run, queues and released bytes at once.
    pub fn finish_job(&mut self, _finished: Finished) {
        todo!()
    }

    /// Forgets a job that failed or was lost, and removes what it wrote.
    pub fn abandon_job(&mut self) {
        todo!()
    }

    /// Whether a job runs.
    pub fn has_job(&self) -> bool {
        todo!()
    }

    /// Appends an entry (at most 1 MiB) to a queue. After an error it was not taken. During a job it stands behind
    /// whatever the job appends.
    pub fn append(&mut self, _queue: QueueId, _entry: &[u8]) -> Result<()> {
        todo!()
    }

    /// Writes what was appended and is in memory.
    pub fn flush(&mut self) -> Result<()> {
        todo!()
    }

    /// Entries that wait in a queue.
    pub fn queue_len(&self, _queue: QueueId) -> u64 {
        todo!()
    }

    /// Shows `see` every entry of a queue, first to last; takes none. For people.
    pub fn scan_queue(&self, _queue: QueueId, _see: impl FnMut(&[u8])) -> Result<()> {
        todo!()
    }

    /// The payload of one record of the directory: one read of a block. For people.
    pub fn look_up(&self, _key: Key) -> Result<Option<Vec<u8>>> {
        todo!()
    }

    /// Records in the directory.
    pub fn records(&self) -> u64 {
        todo!()
    }

    /// Bytes of the directory's file.
    pub fn directory_bytes(&self) -> u64 {
        todo!()
    }

    /// Reads the first block of a section and takes it off: its bytes count as dead. After an error nothing has
    /// happened.
    pub fn take_head(&mut self, _section: Section) -> Result<Head> {
        todo!()
    }

    /// The same without taking it off.
    pub fn read_head(&self, _section: Section) -> Result<Head> {
        todo!()
    }

    /// Shows `see` every entry of a section, first to last. For people.
    pub fn scan_section(&self, _section: Section, _see: impl FnMut(&[u8])) -> Result<()> {
        todo!()
    }

    /// A section is no longer pointed at.
    pub fn release(&mut self, _section: Section) {
        todo!()
    }

    /// The owner's pointer after a finished job has copied `from` to `to` while the owner went on reading: `now` is
    /// what the owner still had of `from`. Returns the same entries of `to`; the rest of `to` and all of `from` are
    /// released.
    pub fn relocate(&mut self, _from: Section, _to: Section, _now: Option<Section>) -> Option<Section> {
        todo!()
    }

    /// The runs, and how much of each is pointed at.
    pub fn runs(&self) -> &RunSet {
        todo!()
    }

    /// Bytes of all files.
    pub fn disk_bytes(&self) -> u64 {
        todo!()
    }

    /// Panics if the parts contradict each other.
    pub fn check_invariants(&self) {
        todo!()
    }
}
