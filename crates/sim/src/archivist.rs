use crate::parser::Parser;
use crate::structure::Structure;
use crate::{Failed, Setup};
use archive::{Archive, Committed, Entry, ReplayEntry, Standing};
use corpus::{Closed, Held, Writer};
use crawler::{Checkpoint, Commitment, CrawlLog, Event, Material, ParseJob, Parsed, Source};
use disk::SharedDisk;
use simweb::Web;
use std::path::Path;
use stdx::WallTime;

/// Who writes: the archive, the log of attempts and the corpus, one action after the other.
pub(crate) struct Archivist {
    archive: Archive,
    log: CrawlLog,
    writer: Writer,
    parser: Parser,
    disk: SharedDisk,
}

impl Archivist {
    /// An archive that is open, the corpus beside it, with what it holds, and the log, brought up to the journal.
    pub(crate) fn open(archive: Archive, disk: &SharedDisk, setup: &Setup) -> Result<(Self, Held), Failed> {
        let (writer, held) = Writer::open(disk.clone(), Path::new("corpus"), setup.corpus)?;
        let mut log = CrawlLog::open(disk.clone(), Path::new("crawl.log"), setup.log_file_bytes)?;
        for entry in archive::ledger_from(disk.clone(), log.next_seq())? {
            let entry = entry?;
            log.append(entry.seq, [entry.record.as_slice()])?;
        }
        let parser = Parser::new(setup.crawl.clone());
        Ok((Self { archive, log, writer, parser, disk: disk.clone() }, held))
    }

    pub(crate) fn commit(&mut self, now: WallTime, entries: &[Entry]) -> Result<Vec<Event>, Failed> {
        let Committed { first_seq, locations } = self.archive.commit(now, entries)?;
        let records = entries.iter().map(|entry| entry.record.as_slice());
        self.log.append(first_seq, records)?;
        let journal_bytes = entries.iter().map(|entry| entry.record.len() as u64).sum();
        Ok(vec![Event::Committed(Commitment { first_seq, locations, journal_bytes })])
    }

    pub(crate) fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<Vec<Event>, Failed> {
        let standing = if checkpoint.clean { Standing::Clean } else { Standing::Running };
        let Checkpoint { covers, state, .. } = checkpoint;
        self.archive.checkpoint(*covers, standing, state)?;
        Ok(vec![Event::Checkpointed])
    }

    pub(crate) fn expire(&mut self, before: u32) -> Result<Vec<Event>, Failed> {
        self.archive.expire_before(before)?;
        Ok(Vec::new())
    }

    /// About so many bytes of the journal from this entry on; one entry at least.
    pub(crate) fn read_journal(&mut self, from: u64, bytes: usize) -> Result<Vec<Event>, Failed> {
        let mut entries: Vec<ReplayEntry> = Vec::new();
        let mut read = 0;
        for entry in archive::ledger_from(self.disk.clone(), from)? {
            let entry = entry?;
            if read >= bytes {
                break;
            }
            if entry.seq >= from {
                read += entry.record.len();
                entries.push(entry);
            }
        }
        Ok(vec![Event::JournalRead(entries)])
    }

    /// A parse of which there may be a row.
    pub(crate) fn parse(&mut self, job: &ParseJob, web: Option<&Web>) -> Result<Vec<Event>, Failed> {
        let Some(file) = self.archive.file_name(job.location.serial).map(str::to_owned) else {
            return Ok(vec![Event::Parsed(Parsed::nothing(job.capture))]);
        };
        let stored;
        let capture = match &job.source {
            Source::Held(held) => held.as_ref(),
            Source::Stored => match self.archive.read(job.location) {
                Err(archive::Error::TakenDown { .. }) => {
                    return Ok(vec![Event::Parsed(Parsed::nothing(job.capture))]);
                }
                read => {
                    stored = read?.capture;
                    &stored
                }
            },
        };
        if let Some(web) = web.filter(|_| Structure::has_all_of(job, capture)) {
            return Ok(vec![Event::Parsed(self.parser.page(job, capture, web))]);
        }
        let material = Material::of(capture, self.archive.record_id(job.location), file);
        let digested = self.parser.digest(job, &material)?;
        let closed = digested.row.map(|row| self.writer.push(row)).transpose()?.flatten();
        Ok([Event::Parsed(digested.parsed)].into_iter().chain(closed.as_ref().map(rows_closed)).collect())
    }

    pub(crate) fn close_rows(&mut self) -> Result<Vec<Event>, Failed> {
        let closed = self.writer.close()?;
        Ok(closed.as_ref().map(rows_closed).into_iter().chain([Event::RowsDone]).collect())
    }

    pub(crate) fn finish(&mut self) -> Result<Vec<Event>, Failed> {
        self.archive.finish()?;
        self.log.sync()?;
        Ok(vec![Event::Finished])
    }
}

fn rows_closed(closed: &Closed) -> Event {
    Event::RowsClosed(closed.captures.spans().map(|span| (*span.start(), *span.end())).collect())
}
