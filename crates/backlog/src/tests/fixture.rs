use super::model::{DIR, TINY};
use crate::{Backlog, Job, Manifest, Outputs, Released, Result, Section};
use disk::{Disk, MemDisk, SharedDisk};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An empty backlog of small blocks in memory, and its disk.
pub(super) fn empty() -> (Backlog, MemDisk) {
    let disk = MemDisk::new();
    let shared: SharedDisk = Arc::new(disk.clone());
    (Backlog::open(shared, PathBuf::from(DIR), TINY, None).unwrap(), disk)
}

/// The backlog on `disk` as `manifest` says.
pub(super) fn reopen(disk: &MemDisk, manifest: &Manifest) -> Result<Backlog> {
    let shared: SharedDisk = Arc::new(disk.clone());
    Backlog::open(shared, PathBuf::from(DIR), TINY, Some(manifest))
}

/// What a job brings that has done nothing.
pub(super) fn nothing(job: &Job) -> Outputs {
    Outputs { directory: None, run: job.new_run(), queues: job.queues(), released: Released::default() }
}

/// Runs a job that changes its outputs as `fill` says.
pub(super) fn run_job<T>(backlog: &mut Backlog, fill: impl FnOnce(&Job, &mut Outputs) -> T) -> T {
    let job = backlog.start_job();
    let mut outputs = nothing(&job);
    let told = fill(&job, &mut outputs);
    let finished = job.finish(outputs).unwrap();
    backlog.finish_job(finished);
    backlog.check_invariants();
    told
}

/// Writes one section of `count` numbered entries in a job of its own.
pub(super) fn write_section(backlog: &mut Backlog, count: usize) -> Section {
    run_job(backlog, |_, outputs| {
        outputs.run.begin();
        (0..count).for_each(|nth| outputs.run.push(&numbered(nth)).unwrap());
        outputs.run.end().unwrap().unwrap()
    })
}

pub(super) fn numbered(nth: usize) -> Vec<u8> {
    format!("http://www.example.test/some/path/{nth}").into_bytes()
}

/// The entries of a section.
pub(super) fn scanned(backlog: &Backlog, section: Section) -> Vec<Vec<u8>> {
    let mut entries = Vec::new();
    backlog.scan_section(section, |entry| entries.push(entry.to_vec())).unwrap();
    entries
}

/// Names of the backlog's files.
pub(super) fn files(disk: &MemDisk) -> Vec<String> {
    disk.list(Path::new(DIR)).unwrap()
}

/// Makes a checkpoint of what there is: files that are not needed go.
pub(super) fn commit(backlog: &mut Backlog) {
    let cut = backlog.cut().unwrap();
    backlog.committed(&cut.manifest).unwrap();
}
