use crate::NodeError;
use crate::executor::Report;
use corpus::{Closed, CorpusLimits, Held, Row, Writer};
use crawler::Event;
use crossbeam_channel::Receiver;
use disk::SharedDisk;
use std::ops::ControlFlow;
use std::path::Path;

#[cfg(test)]
mod tests;

/// What the corpus thread is asked to do, in order.
pub(crate) enum CorpusCommand {
    Push(Vec<Row>),
    Close,
}

/// The corpus of a crawl, whose files are not looked at before somebody needs them.
pub(crate) struct Corpus {
    disk: SharedDisk,
    limits: CorpusLimits,
    writer: Option<Writer>,
}

impl Corpus {
    pub(crate) fn new(disk: SharedDisk, limits: CorpusLimits) -> Self {
        Self { disk, limits, writer: None }
    }

    /// Opens it, and tells what it holds.
    pub(crate) fn open(&mut self) -> Result<Held, NodeError> {
        let (writer, held) = Writer::open(self.disk.clone(), Path::new("corpus"), self.limits)?;
        self.writer = Some(writer);
        Ok(held)
    }

    fn writer(&mut self) -> Result<&mut Writer, NodeError> {
        if self.writer.is_none() {
            self.open()?;
        }
        Ok(self.writer.as_mut().expect("just opened"))
    }
}

/// The one owner of the corpus.
pub(crate) struct CorpusWriter {
    pub(crate) corpus: Corpus,
    pub(crate) report: Report,
}

impl CorpusWriter {
    /// Serves until nobody asks any more, or something fails.
    pub(crate) fn serve(mut self, commands: &Receiver<CorpusCommand>) {
        for command in commands {
            if self.perform(command).is_break() {
                return;
            }
        }
    }

    /// A failure is told once: the loop may be waiting for this very thread, and takes no more than there is room for. What is behind a row
    /// that fails is derived again when the crawl goes on.
    fn perform(&mut self, command: CorpusCommand) -> ControlFlow<()> {
        let done = match command {
            CorpusCommand::Push(rows) => rows.into_iter().try_for_each(|row| self.push(row)),
            CorpusCommand::Close => self.close(),
        };
        self.report.failed(done.map(ControlFlow::Continue))
    }

    fn push(&mut self, row: Row) -> Result<(), NodeError> {
        let closed = self.corpus.writer()?.push(row)?;
        self.closed(closed);
        Ok(())
    }

    fn close(&mut self) -> Result<(), NodeError> {
        if let Some(writer) = &mut self.corpus.writer {
            let closed = writer.close()?;
            self.closed(closed);
        }
        self.report.event(Event::RowsDone);
        Ok(())
    }

    fn closed(&self, closed: Option<Closed>) {
        if let Some(closed) = closed {
            let spans = closed.captures.spans().map(|span| (*span.start(), *span.end()));
            self.report.event(Event::RowsClosed(spans.collect()));
        }
    }
}
