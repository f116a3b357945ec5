use crate::executor::Report;
use crawler::{Event, Work};
use crossbeam_channel::Receiver;

/// One thread of the pool that does the work of shards.
pub(crate) struct Worker {
    pub(crate) report: Report,
}

impl Worker {
    /// Serves until nobody asks any more.
    pub(crate) fn serve(self, tasks: &Receiver<Box<Work>>) {
        for work in tasks {
            self.report.event(Event::Worked(Box::new(work.perform())));
        }
    }
}
