use crate::NodeError;
use crate::executor::Report;
use crate::limits::{COMMIT_AT_ONCE, COMMIT_EVERY, WORK_SHOWN_EVERY_MS};
use crate::parser::ParseTask;
use crate::witness::Witnessed;
use archive::{Archive, Entry, Standing};
use crawler::{Checkpoint, Commitment, CrawlLog, Event, ParseJob, Parsed, Source};
use crossbeam_channel::{Receiver, Sender};
use fetch::Clock;
use std::ops::ControlFlow;
use std::time::Duration;
use stdx::{Step, Timestamp};

/// What the archive thread is asked to do, in order.
pub(crate) enum ArchiveCommand {
    Commit(Vec<Entry>),
    Checkpoint(Checkpoint),
    Parse(ParseJob),
    Expire { before: u32 },
    Finish,
}

/// The one owner of the archive and of the crawl log.
pub(crate) struct Archivist {
    pub(crate) archive: Archive,
    pub(crate) log: CrawlLog,
    pub(crate) clock: Clock,
    /// When the last commit was done.
    pub(crate) committed: Option<Timestamp>,
    pub(crate) parsers: Sender<ParseTask>,
    pub(crate) witnessed: Witnessed,
    pub(crate) report: Report,
}

impl Archivist {
    /// Serves until nobody asks any more, or something fails.
    pub(crate) fn serve(mut self, commands: &Receiver<ArchiveCommand>) {
        for command in commands {
            let done = self.perform(command, commands);
            if self.report.failed(done).is_break() {
                return;
            }
        }
    }

    fn perform(
        &mut self,
        command: ArchiveCommand,
        later: &Receiver<ArchiveCommand>,
    ) -> Result<ControlFlow<()>, NodeError> {
        match command {
            ArchiveCommand::Commit(entries) => return self.commit_in_time(&entries, later),
            ArchiveCommand::Checkpoint(checkpoint) => self.checkpoint(&checkpoint)?,
            ArchiveCommand::Parse(job) => return self.pass_on(job),
            ArchiveCommand::Expire { before } => {
                self.archive.expire_before(before)?;
            }
            ArchiveCommand::Finish => self.finish()?,
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Lets some time pass between two commits of little, in which more gathers for the next. Captures are passed on meanwhile; whatever
    /// else is asked for comes after the commit.
    fn commit_in_time(
        &mut self,
        entries: &[Entry],
        later: &Receiver<ArchiveCommand>,
    ) -> Result<ControlFlow<()>, NodeError> {
        let mut next = None;
        while let Ok(command) = later.recv_timeout(self.until_commit(entries.len())) {
            match command {
                ArchiveCommand::Parse(job) => {
                    if self.pass_on(job)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                other => {
                    next = Some(other);
                    break;
                }
            }
        }
        self.commit(entries)?;
        self.committed = Some(self.clock.now());
        next.map_or(Ok(ControlFlow::Continue(())), |command| self.perform(command, later))
    }

    fn until_commit(&self, entries: usize) -> Duration {
        let Some(committed) = self.committed.filter(|_| entries < COMMIT_AT_ONCE) else {
            return Duration::ZERO;
        };
        let since = Duration::from_millis(self.clock.now().since_ms(committed));
        COMMIT_EVERY.saturating_sub(since)
    }

    fn commit(&mut self, entries: &[Entry]) -> Result<(), NodeError> {
        let committed = self.archive.commit(self.clock.wall(), entries)?;
        let records = entries.iter().map(|entry| entry.record.as_slice());
        self.log.append(committed.first_seq, records).map_err(NodeError::system("writing crawl.log"))?;
        self.witnessed.committed(committed.first_seq, entries);
        let journal_bytes = entries.iter().map(|entry| entry.record.len() as u64).sum();
        let archive::Committed { first_seq, locations } = committed;
        self.report.event(Event::Committed(Commitment { first_seq, locations, journal_bytes }));
        Ok(())
    }

    fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), NodeError> {
        let Checkpoint { covers, clean, state } = checkpoint;
        let standing = if *clean { Standing::Clean } else { Standing::Running };
        self.archive.checkpoint(*covers, standing, state)?;
        self.report.event(Event::Checkpointed);
        Ok(())
    }

    /// Gives a capture to the parsers, or where to read it if it is no longer in memory. Nothing can be derived from one
    /// that has expired.
    fn pass_on(&mut self, job: ParseJob) -> Result<ControlFlow<()>, NodeError> {
        let Some(warc_file) = self.archive.file_name(job.location.serial).map(str::to_owned) else {
            self.report.event(Event::Parsed(Parsed::nothing(job.capture)));
            return Ok(ControlFlow::Continue(()));
        };
        let stored = match job.source {
            Source::Held(_) => None,
            Source::Stored => Some(self.archive.stored(job.location)?),
        };
        let record_id = self.archive.record_id(job.location);
        let sent = self.parsers.send(ParseTask { job, stored, record_id, warc_file });
        Ok(if sent.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    }

    fn finish(&mut self) -> Result<(), NodeError> {
        let mut shown = Shown::by(&self.report, self.clock);
        self.archive.finish_watched(&mut |step| shown.step(step))?;
        self.log.sync().map_err(NodeError::system("writing crawl.log"))?;
        self.report.event(Event::Finished);
        Ok(())
    }
}

/// Steps of work that holds up the end, told as often as somebody can read.
struct Shown {
    report: Report,
    clock: Clock,
    next: Timestamp,
}

impl Shown {
    fn by(report: &Report, clock: Clock) -> Self {
        Self { report: report.clone(), clock, next: clock.now() }
    }

    fn step(&mut self, step: Step) {
        let now = self.clock.now();
        if now >= self.next {
            self.next = now + WORK_SHOWN_EVERY_MS;
            self.report.working(step);
        }
    }
}
