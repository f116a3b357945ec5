use crate::NodeError;
use crate::executor::Report;
use std::thread::{self, JoinHandle};

#[cfg(test)]
mod tests;

/// Held by whoever owes the loop answers. Panics in one thread are silent in all others, and the loop would wait for the answer
/// forever; so a panic ends the node, which says who it was.
pub(crate) struct Vigil {
    thread: &'static str,
    report: Report,
}

impl Vigil {
    /// Over somebody in the thread of this name.
    pub(crate) fn over(thread: &'static str, report: &Report) -> Self {
        Self { thread, report: report.clone() }
    }

    /// Starts that thread.
    pub(crate) fn spawn(self, body: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, NodeError> {
        let builder = thread::Builder::new().name(self.thread.to_owned());
        let watched = move || {
            let _vigil = self;
            body();
        };
        builder.spawn(watched).map_err(NodeError::system("starting a thread"))
    }
}

impl Drop for Vigil {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.report.failed(Err(NodeError::ThreadLost(self.thread)));
        }
    }
}
