use crate::capture::{Capture, CaptureMeta};
use crate::checkpoint::{self, Standing};
use crate::config::ArchiveConfig;
use crate::error::{Error, Result};
use crate::frame::{EntryRef, NewFrame, entry_bytes};
use crate::group::ArchivedResponse;
use crate::ids::{GroupPlace, RecordIds, Role};
use crate::index;
use crate::journal::Journal;
use crate::layout::{CHECKPOINT, path_of_serial};
use crate::limits::FRAME_BYTES;
use crate::location::Location;
use crate::purge;
use crate::recover::{self, Opened};
use crate::revisits::Revisits;
use crate::stored::{StoredCapture, StoredGroup};
use crate::warclog::WarcLog;
use disk::{Mode, SharedDisk, replace_file_by_parts};
use std::path::Path;
use std::sync::Arc;
use stdx::{WallTime, Watch, nobody};

/// The log of one crawl. One owner commits; everything it has committed is durable.
pub struct Archive {
    disk: SharedDisk,
    config: ArchiveConfig,
    ids: RecordIds,
    journal: Journal,
    warc: WarcLog,
    revisits: Revisits,
}

/// One entry of a batch.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What the journal keeps; opaque here.
    pub record: Vec<u8>,
    /// What the WARC keeps, if anything.
    pub capture: Option<Kept>,
}

/// A capture to be archived.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The exchange.
    pub capture: Arc<Capture>,
    /// What the crawl knows about it.
    pub meta: CaptureMeta,
}

/// What a commit gave its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committed {
    /// The number of the first entry; the others follow.
    pub first_seq: u64,
    /// For each entry where its capture went.
    pub locations: Vec<Option<Location>>,
}

impl Archive {
    /// Opens the archive below the disk's root (`archive/`, `state/`), made if there is none, and recovers
    /// what an earlier run left. The caller holds the directory's lock.
    pub fn open(disk: SharedDisk, config: ArchiveConfig, now: WallTime) -> Result<Opened> {
        Self::open_watched(disk, config, now, &mut nobody)
    }

    /// [`Self::open`], while somebody watches how far it is.
    pub fn open_watched(
        disk: SharedDisk,
        config: ArchiveConfig,
        now: WallTime,
        watch: &mut Watch<'_>,
    ) -> Result<Opened> {
        recover::open(disk, config, now, watch)
    }

    pub(crate) fn new(
        disk: SharedDisk,
        config: ArchiveConfig,
        ids: RecordIds,
        journal: Journal,
        warc: WarcLog,
        revisits: Revisits,
    ) -> Self {
        Self { disk, config, ids, journal, warc, revisits }
    }

    /// The number the next entry will have.
    pub fn next_seq(&self) -> u64 {
        self.journal.next_seq()
    }

    /// Makes a batch durable, all or nothing: captures to the WARC and synced, then one journal frame,
    /// synced. After an error nothing of the batch counts and the same batch can be committed again: at
    /// once, or when there is room again ([`Error::is_disk_full`]).
    pub fn commit(&mut self, now: WallTime, batch: &[Entry]) -> Result<Committed> {
        let bytes: usize = batch.iter().map(|entry| entry_bytes(entry.record.len())).sum();
        if bytes > FRAME_BYTES {
            return Err(Error::BatchTooLarge { bytes, limit: FRAME_BYTES });
        }
        if batch.is_empty() {
            return Ok(Committed { first_seq: self.next_seq(), locations: Vec::new() });
        }
        self.heal()?;
        let committed = self.try_commit(now, batch);
        if committed.is_err() {
            // The first error is the one to report; what cannot be cut off now is cut off before the
            // next commit, or at the next open.
            let _ = self.heal();
        }
        committed
    }

    fn try_commit(&mut self, now: WallTime, batch: &[Entry]) -> Result<Committed> {
        let first_seq = self.journal.next_seq();
        let mut locations = Vec::with_capacity(batch.len());
        for entry in batch {
            let location = entry.capture.as_ref().map(|kept| self.append(now, kept));
            locations.push(location.transpose()?);
        }
        let warc = self.warc.sync()?;
        let entries: Vec<EntryRef<'_>> = batch
            .iter()
            .zip(&locations)
            .map(|(entry, location)| EntryRef { record: &entry.record, location: *location })
            .collect();
        self.journal.append(&NewFrame { first_seq, committed: now, warc, entries: &entries })?;
        self.warc.settle(&self.config);
        self.revisits.settle();
        Ok(Committed { first_seq, locations })
    }

    /// Archives a capture, whole or as a revisit.
    fn append(&mut self, now: WallTime, kept: &Kept) -> Result<Location> {
        let archived = ArchivedResponse::of(&kept.capture)?;
        let original = self.revisits.original_of(&kept.capture, &self.warc);
        let location = self.warc.append(now, kept, &archived, original.as_ref(), &self.config)?;
        if original.is_none() {
            self.revisits.appended(kept, self.record_id(location), location, &self.warc);
        }
        Ok(location)
    }

    /// Cuts off what a failed commit left: the journal first and durably, since a frame in it may name
    /// what is then cut off the WARC.
    fn heal(&mut self) -> Result<()> {
        self.revisits.roll_back();
        self.journal.heal()?;
        self.warc.roll_back()
    }

    /// Replaces the checkpoint, atomically. `state` is what the entries up to `covers_seq` have led to; all
    /// of them must be committed, and every file that it names [durable](disk::Disk::make_durable).
    pub fn checkpoint(&mut self, covers_seq: u64, standing: Standing, state: &[u8]) -> Result<()> {
        assert!(covers_seq < self.next_seq(), "a checkpoint covers only what is committed");
        self.heal()?;
        let replay_from = self.journal.position_of(covers_seq);
        let header = checkpoint::header(standing, covers_seq, replay_from, self.journal.end(), state);
        replace_file_by_parts(self.disk.as_ref(), Path::new(CHECKPOINT), &[&header, state])?;
        self.journal.checkpointed(covers_seq);
        Ok(())
    }

    /// Finds a capture again; nothing of it is read yet, so that whoever needs it can do that elsewhere.
    pub fn stored(&self, location: Location) -> Result<StoredGroup> {
        let path = self.warc.path(location.serial);
        let Some(path) = path else {
            let path = path_of_serial(location.serial);
            return Err(Error::not_stored(&path, location, "there is no such file"));
        };
        let file = self.disk.open(&path, Mode::Read)?;
        if location.offset.saturating_add(location.length) > file.len()? {
            return Err(Error::not_stored(&path, location, "the file ends before it"));
        }
        Ok(StoredGroup::new(self.disk.clone(), path, file, location))
    }

    /// Reads a capture back; the body, where it is long, as it is asked for.
    pub fn read(&self, location: Location) -> Result<StoredCapture> {
        self.stored(location)?.read()
    }

    /// The name a WARC file has or will have when closed, without its directory.
    pub fn file_name(&self, serial: u32) -> Option<&str> {
        self.warc.name(serial)
    }

    /// `urn:uuid:…` of the response or revisit record at `location`, without reading it. Its file must [be there](Self::file_name).
    pub fn record_id(&self, location: Location) -> String {
        let filename = self.warc.name(location.serial).unwrap_or_default();
        let group = GroupPlace { serial: location.serial, offset: location.offset, filename };
        self.ids.id(group, Role::Response).to_string()
    }

    /// Closes the open WARC file and brings `archive/index.cdxj` up to date, in bounded memory. The archive
    /// can go on afterwards, in a new file.
    pub fn finish(&mut self) -> Result<()> {
        self.finish_watched(&mut nobody)
    }

    /// [`Self::finish`], while somebody watches how far it is.
    pub fn finish_watched(&mut self, watch: &mut Watch<'_>) -> Result<()> {
        self.heal()?;
        self.warc.close()?;
        let kept =
            purge::closed_files(self.disk.as_ref())?.into_iter().filter(|name| purge::is_kept_file(name));
        let names: Vec<String> = self.warc.closed().map(str::to_owned).chain(kept).collect();
        index::build(self.disk.as_ref(), &names, &self.config, watch)
    }

    /// Removes closed WARC files with serials below `serial`, whose captures are all parsed and exported;
    /// the newest file stays, and so do all while one that stays may have a revisit of what is in them. Gives how many went.
    /// The index forgets them at the next [`Self::finish`].
    pub fn expire_before(&mut self, serial: u32) -> Result<u64> {
        self.heal()?;
        if self.revisits.may_expire_before(serial) { self.warc.expire_before(serial) } else { Ok(0) }
    }
}
