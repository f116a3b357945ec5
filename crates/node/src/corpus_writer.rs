use crate::NodeError;
use crate::executor::Report;
use corpus::{Closed, Row, Writer};
use crawler::Event;
use crossbeam_channel::Receiver;
use std::ops::ControlFlow;

/// What the corpus thread is asked to do, in order.
pub(crate) enum CorpusCommand {
    Push(Box<Row>),
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
            let done = self.perform(command).map(ControlFlow::Continue);
            if self.report.failed(done).is_break() {
                return;
            }
        }
    }

    fn perform(&mut self, command: CorpusCommand) -> Result<(), NodeError> {
        match command {
            CorpusCommand::Push(row) => {
                let closed = self.writer.push(*row)?;
                self.closed(closed);
            }
            CorpusCommand::Close => {
                let closed = self.writer.close()?;
                self.closed(closed);
                self.report.event(Event::RowsDone);
            }
        }
        Ok(())
    }

    fn closed(&self, closed: Option<Closed>) {
        if let Some(closed) = closed {
            let spans = closed.captures.spans().map(|span| (*span.start(), *span.end()));
            self.report.event(Event::RowsClosed(spans.collect()));
        }
    }
}
