use crate::{Backlog, Config, Job, Outputs, Released};
use disk::{MemDisk, SharedDisk};
use std::path::PathBuf;
use std::sync::Arc;

/// An empty backlog in memory, and its disk.
pub(super) fn empty(config: Config) -> (Backlog, MemDisk) {
    let disk = MemDisk::new();
    let shared: SharedDisk = Arc::new(disk.clone());
    (Backlog::open(shared, PathBuf::from("shard"), config, None).unwrap(), disk)
}

/// What a job brings that has done nothing.
pub(super) fn nothing(job: &Job) -> Outputs {
    Outputs { directory: None, run: job.new_run(), queues: job.queues(), released: Released::default() }
}

/// Runs a job that changes its outputs as `fill` says.
pub(super) fn run_job(backlog: &mut Backlog, fill: impl FnOnce(&Job, &mut Outputs)) {
    let job = backlog.start_job();
    let mut outputs = nothing(&job);
    fill(&job, &mut outputs);
    let finished = job.finish(outputs).unwrap();
    backlog.finish_job(finished);
    backlog.check_invariants();
}
