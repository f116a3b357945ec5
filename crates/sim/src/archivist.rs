use crate::Failed;
use archive::{Archive, Committed, Entry, ReplayEntry, Standing};
use crawler::{Checkpoint, Commitment, CrawlLog, Event};
use disk::SharedDisk;
use std::path::Path;
use stdx::WallTime;

/// Who writes: the archive and the log of attempts, one action after the other.
pub(crate) struct Archivist {
    pub(crate) archive: Archive,
    log: CrawlLog,
    disk: SharedDisk,
}

impl Archivist {
    /// An archive that is open, and the log beside it, brought up to the journal.
    pub(crate) fn open(archive: Archive, disk: &SharedDisk, log_file_bytes: u64) -> Result<Self, Failed> {
        let mut log = CrawlLog::open(disk.clone(), Path::new("crawl.log"), log_file_bytes)?;
        for entry in archive::ledger_from(disk.clone(), log.next_seq())? {
            let entry = entry?;
            log.append(entry.seq, [entry.record.as_slice()])?;
        }
        Ok(Self { archive, log, disk: disk.clone() })
    }

    pub(crate) fn commit(&mut self, now: WallTime, entries: &[Entry]) -> Result<Option<Event>, Failed> {
        let Committed { first_seq, locations } = self.archive.commit(now, entries)?;
        let records = entries.iter().map(|entry| entry.record.as_slice());
        self.log.append(first_seq, records)?;
        let journal_bytes = entries.iter().map(|entry| entry.record.len() as u64).sum();
        Ok(Some(Event::Committed(Commitment { first_seq, locations, journal_bytes })))
    }

    pub(crate) fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<Option<Event>, Failed> {
        let standing = if checkpoint.clean { Standing::Clean } else { Standing::Running };
        let Checkpoint { covers, state, sync, .. } = checkpoint;
        self.archive.checkpoint(*covers, standing, state, sync)?;
        Ok(Some(Event::Checkpointed))
    }

    pub(crate) fn expire(&mut self, before: u32) -> Result<Option<Event>, Failed> {
        self.archive.expire_before(before)?;
        Ok(None)
    }

    /// About so many bytes of the journal from this entry on; one entry at least.
    pub(crate) fn read_journal(&mut self, from: u64, bytes: usize) -> Result<Option<Event>, Failed> {
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
        Ok(Some(Event::JournalRead(entries)))
    }

    pub(crate) fn finish(&mut self) -> Result<Option<Event>, Failed> {
        self.archive.finish()?;
        self.log.sync()?;
        Ok(Some(Event::Finished))
    }
}
