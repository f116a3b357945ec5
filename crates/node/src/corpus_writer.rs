use crate::NodeError;
use crate::executor::Report;
use corpus::{Closed, Row, Writer};
use crawler::Event;
use crossbeam_channel::Receiver;
use std::ops::ControlFlow;

#[cfg(test)]
mod tests;

/// What the corpus thread is asked to do, in order.
pub(crate) enum CorpusCommand {
    Push(Vec<Row>),
    Close,
}

/// The one owner of the corpus.
pub(crate) struct CorpusWriter {
    pub(crate) writer: Writer,
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
        let closed = self.writer.push(row)?;
        self.closed(closed);
        Ok(())
    }

    fn close(&mut self) -> Result<(), NodeError> {
        let closed = self.writer.close()?;
        self.closed(closed);
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
