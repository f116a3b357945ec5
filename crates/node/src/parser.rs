use crate::NodeError;
use crate::executor::Report;
use crate::limits::PANIC_CHARS;
use crate::rows::Rows;
use crate::witness::Witnessed;
use archive::{Capture, StoredGroup};
use crawler::{CrawlConfig, Digested, Event, Loss, LostPage, Material, ParseJob, Room, Source};
use crossbeam_channel::Receiver;
use std::any::Any;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// A capture on its way to a parser.
pub(crate) struct ParseTask {
    pub(crate) job: ParseJob,
    /// Where to read it, if the job does not hold it.
    pub(crate) stored: Option<StoredGroup>,
    pub(crate) record_id: String,
    pub(crate) warc_file: String,
}

/// How a capture is parsed: [`crawler::digest`], but in tests.
pub(crate) type Digest = fn(&ParseJob, &Material<'_>, &CrawlConfig, &mut Room) -> io::Result<Digested>;

/// One thread of the parse pool: a capture in, an event and perhaps a row out.
pub(crate) struct Parser {
    pub(crate) config: CrawlConfig,
    pub(crate) rows: Rows,
    pub(crate) witnessed: Witnessed,
    pub(crate) report: Report,
    pub(crate) room: Room,
    pub(crate) digest: Digest,
}

impl Parser {
    /// Serves until nobody asks any more, or something fails.
    pub(crate) fn serve(mut self, tasks: &Receiver<ParseTask>) {
        for task in tasks {
            let done = self.parse(task).map(|digested| self.deliver(digested));
            if self.report.failed(done).is_break() {
                return;
            }
        }
    }

    /// Parses a capture, and lets go of it before anybody is told, since what is fetched next may need its memory.
    fn parse(&mut self, task: ParseTask) -> Result<Digested, NodeError> {
        let ParseTask { job, stored, record_id, warc_file } = task;
        let capture: Arc<Capture> = match (&job.source, stored) {
            (Source::Held(capture), _) => capture.clone(),
            (Source::Stored, Some(stored)) => match stored.read() {
                Ok(stored) => Arc::new(stored.capture),
                // Nothing can be derived from what is gone.
                Err(archive::Error::TakenDown { .. }) => return Ok(Digested::nothing(&job)),
                Err(archive::Error::Dangling { url, what: detail, .. }) => {
                    return Ok(Digested::lost(&job, LostPage { url, why: Loss::OriginalGone, detail }));
                }
                Err(error) => return Err(error.into()),
            },
            (Source::Stored, None) => unreachable!("what is stored comes with its place"),
        };
        let material = Material::of(&capture, record_id, warc_file);
        let parsed = AssertUnwindSafe(|| (self.digest)(&job, &material, &self.config, &mut self.room));
        match catch_unwind(parsed) {
            Ok(digested) => digested.map_err(NodeError::system("reading a body back")),
            Err(panic) => Ok(self.give_up(&job, &capture.url, panic.as_ref())),
        }
    }

    /// A page that the parser cannot take costs itself and nothing else, now or after a restart.
    fn give_up(&mut self, job: &ParseJob, url: &str, panic: &(dyn Any + Send)) -> Digested {
        // What the panic left in there is anybody's guess.
        self.room = Room::default();
        let detail = format!("the parser panicked: {}", said_by(panic));
        Digested::lost(job, LostPage { url: url.to_owned(), why: Loss::ParserPanicked, detail })
    }

    fn deliver(&self, digested: Digested) -> ControlFlow<()> {
        self.witnessed.digested(&digested);
        if let Some(row) = digested.row
            && self.rows.push(row).is_err()
        {
            return ControlFlow::Break(());
        }
        self.report.event(Event::Parsed(digested.parsed));
        ControlFlow::Continue(())
    }
}

/// The start of a panic's message: it may quote the page.
fn said_by(panic: &(dyn Any + Send)) -> String {
    let constant = panic.downcast_ref::<&str>().copied();
    let message = constant.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    message.unwrap_or("nothing to read").chars().take(PANIC_CHARS).collect()
}
