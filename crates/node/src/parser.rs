use crate::corpus_writer::CorpusCommand;
use crate::executor::Report;
use archive::Capture;
use crawler::{CrawlConfig, Event, Material, ParseJob, digest};
use crossbeam_channel::{Receiver, Sender};
use std::sync::Arc;

/// A capture on its way to a parser.
pub(crate) struct ParseTask {
    pub(crate) job: ParseJob,
    pub(crate) capture: Arc<Capture>,
    pub(crate) record_id: String,
    pub(crate) warc_file: String,
}

/// One thread of the parse pool: a capture in, an event and perhaps a row out.
pub(crate) struct Parser {
    pub(crate) config: CrawlConfig,
    pub(crate) rows: Sender<CorpusCommand>,
    pub(crate) report: Report,
}

impl Parser {
    /// Serves until nobody asks any more.
    pub(crate) fn serve(self, tasks: &Receiver<ParseTask>) {
        for ParseTask { job, capture, record_id, warc_file } in tasks {
            let material = Material::of(&capture, record_id, warc_file);
            let digested = digest(&job, &material, &self.config);
            if let Some(row) = digested.row
                && self.rows.send(CorpusCommand::Push(Box::new(row))).is_err()
            {
                return;
            }
            self.report.event(Event::Parsed(digested.parsed));
        }
    }
}
