use crate::NodeError;
use crate::executor::Report;
use crawler::Event;
use crossbeam_channel::Receiver;
use disk::SharedDisk;
use std::ops::ControlFlow;
use std::path::PathBuf;
use stdx::Step;

#[cfg(test)]
mod tests;

/// Files of a checkpoint, and whether people wait for it.
pub(crate) struct SyncTask {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) last: bool,
}

/// Makes the files of checkpoints durable, while commits go on.
pub(crate) struct Syncer {
    pub(crate) disk: SharedDisk,
    pub(crate) report: Report,
}

impl Syncer {
    /// Serves until nobody asks any more, or something fails.
    pub(crate) fn serve(self, syncs: &Receiver<SyncTask>) {
        for sync in syncs {
            let made = self.make_durable(&sync).map(|()| ControlFlow::Continue(()));
            if self.report.failed(made).is_break() {
                return;
            }
        }
    }

    fn make_durable(&self, SyncTask { files, last }: &SyncTask) -> Result<(), NodeError> {
        if *last {
            self.report.working(Step::items("making the state durable, files", 0, files.len() as u64));
        }
        self.disk.make_durable(files).map_err(NodeError::system("making the state durable"))?;
        self.report.event(Event::MadeDurable);
        Ok(())
    }
}
