//! The rolling WARC files.

use crate::absent::absent_files;
use crate::archive::Kept;
use crate::config::ArchiveConfig;
use crate::error::Result;
use crate::group::{ArchivedResponse, GroupEncoder};
use crate::ids::{GroupPlace, RecordIds};
use crate::index::LineSorter;
use crate::layout::{self, ARCHIVE_DIR, NameState, RUN_DIR, WarcName, closed_path, open_path};
use crate::limits::WRITE_BYTES;
use crate::location::{Location, WarcPosition};
use crate::original::Original;
use crate::tail::Tail;
use disk::{Mode, SharedDisk};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use stdx::WallTime;

/// Appends groups to the newest file and begins another when that is full.
///
/// `position` is what is committed: [`WarcLog::settle`] moves it on after the journal has named it,
/// [`WarcLog::roll_back`] cuts the files back to it.
pub(crate) struct WarcLog {
    disk: SharedDisk,
    groups: GroupEncoder,
    /// Names of all files, closed and open, by serial.
    names: BTreeMap<u32, String>,
    /// Files with `.open`, ascending; the last is being written, the others are full.
    open: Vec<OpenFile>,
    position: Option<WarcPosition>,
    next_serial: u32,
    /// The name an attempt to begin the next file has used: whatever that left behind, the next attempt
    /// takes it over, so that no serial ever has two files.
    next_name: Option<String>,
}

struct OpenFile {
    serial: u32,
    name: String,
    tail: Tail,
    /// 0 while nothing in it is committed.
    committed: u64,
    index: LineSorter,
    /// Lines of the index that are held and committed.
    committed_lines: usize,
}

impl WarcLog {
    /// Goes on after `files`, which are all closed and committed up to `position`.
    pub(crate) fn new(
        disk: SharedDisk,
        ids: RecordIds,
        files: &[WarcName],
        position: Option<WarcPosition>,
    ) -> Self {
        let names = files.iter().map(|file| (file.serial, file.name.clone())).collect();
        let next_serial = position.map_or(0, |position| position.serial + 1);
        Self {
            disk,
            groups: GroupEncoder::new(ids),
            names,
            open: Vec::new(),
            position,
            next_serial,
            next_name: None,
        }
    }

    /// The final name of a file.
    pub(crate) fn name(&self, serial: u32) -> Option<&str> {
        self.names.get(&serial).map(String::as_str)
    }

    /// Where a file lies at this moment.
    pub(crate) fn path(&self, serial: u32) -> Option<PathBuf> {
        let name = self.name(serial)?;
        let is_open = self.open.iter().any(|file| file.serial == serial);
        Some(if is_open { open_path(name) } else { closed_path(name) })
    }

    /// Names of the files that are closed, ascending.
    pub(crate) fn closed(&self) -> impl Iterator<Item = &str> {
        let is_open = |serial: &u32| self.open.iter().any(|file| file.serial == *serial);
        self.names.iter().filter(move |(serial, _)| !is_open(serial)).map(|(_, name)| name.as_str())
    }

    /// Appends the group of a capture, in a new file where the last is full; as a revisit where there is an original.
    pub(crate) fn append(
        &mut self,
        now: WallTime,
        kept: &Kept,
        archived: &ArchivedResponse,
        original: Option<&Original>,
        config: &ArchiveConfig,
    ) -> Result<Location> {
        if self.open.last().is_none_or(|file| file.is_full(config.max_file_bytes)) {
            self.begin_file(now, config)?;
        }
        let file = self.open.last_mut().expect("just begun");
        let place = GroupPlace { serial: file.serial, offset: file.tail.len(), filename: &file.name };
        let group = self.groups.append(&mut file.tail, place, kept, archived, original)?;
        file.index.push(group.index.line(&(config.surt)(&kept.capture.url)));
        file.tail.write_pending(WRITE_BYTES)?;
        Ok(group.location)
    }

    /// Makes all that was appended durable, names too; gives how far the files reach.
    pub(crate) fn sync(&mut self) -> Result<Option<WarcPosition>> {
        for file in self.open.iter_mut().filter(|file| file.tail.len() > file.committed) {
            file.tail.sync()?;
        }
        if self.open.iter().any(|file| file.committed == 0) {
            self.disk.sync_dir(Path::new(ARCHIVE_DIR))?;
        }
        Ok(self.reach())
    }

    fn reach(&self) -> Option<WarcPosition> {
        let last = self.open.last().map(|file| WarcPosition { serial: file.serial, length: file.tail.len() });
        last.or(self.position)
    }

    /// What was synced is committed. Full files are closed.
    pub(crate) fn settle(&mut self, config: &ArchiveConfig) {
        self.position = self.reach();
        for file in &mut self.open {
            file.committed = file.tail.len();
            // Lines that cannot go to disk now stay; the next settling tries again.
            let _ = file.index.spill_beyond_bound(self.disk.as_ref());
            file.committed_lines = file.index.held();
        }
        let full = self.open.iter().take_while(|file| file.is_full(config.max_file_bytes)).count();
        // The commit stands whether a full file loses its suffix now or later: `finish` and the next
        // settling try again, and report.
        let _ = self.close_first(full);
    }

    /// Cuts off everything since the last [`Self::settle`].
    pub(crate) fn roll_back(&mut self) -> Result<()> {
        while let Some(file) = self.open.pop_if(|file| file.committed == 0) {
            self.next_serial = file.serial;
            self.names.remove(&file.serial);
            let path = open_path(&file.name);
            self.next_name = Some(file.name);
            if self.disk.stat(&path)?.is_some() {
                self.disk.remove(&path)?;
            }
        }
        match self.open.last_mut() {
            Some(file) => file.roll_back(),
            None => Ok(()),
        }
    }

    /// Closes every file; the next append begins a new one.
    pub(crate) fn close(&mut self) -> Result<()> {
        self.close_first(self.open.len())
    }

    /// Forgets and removes closed files before `serial`, with their index runs; the newest stays, since
    /// the journal names it.
    pub(crate) fn expire_before(&mut self, serial: u32) -> Result<u64> {
        let keep_from = self.position.map_or(0, |position| position.serial).min(serial);
        let open_from = self.open.first().map_or(u32::MAX, |file| file.serial);
        let old = self.names.range(..keep_from.min(open_from));
        let old: Vec<(u32, String)> = old.map(|(serial, name)| (*serial, name.clone())).collect();
        if old.is_empty() {
            return Ok(0);
        }
        self.remove_runs(&old)?;
        for (serial, name) in &old {
            self.disk.remove(&closed_path(name))?;
            self.names.remove(serial);
        }
        self.disk.sync_dir(Path::new(ARCHIVE_DIR))?;
        Ok(old.len() as u64)
    }

    /// Durably, before the files go: a file whose run is there and that is not is one that somebody lost.
    fn remove_runs(&self, files: &[(u32, String)]) -> Result<()> {
        for run in files.iter().map(|(_, name)| layout::run_path(name)) {
            if self.disk.stat(&run)?.is_some() {
                self.disk.remove(&run)?;
            }
        }
        Ok(self.disk.sync_dir(Path::new(RUN_DIR))?)
    }

    fn begin_file(&mut self, now: WallTime, config: &ArchiveConfig) -> Result<()> {
        let serial = self.next_serial;
        let new_name = || layout::warc_name(&config.prefix, now, serial, &config.host);
        let name = self.next_name.get_or_insert_with(new_name).clone();
        let file = self.disk.open(&open_path(&name), Mode::Truncate)?;
        self.next_name = None;
        let mut tail = Tail::new(file);
        self.groups.warcinfo(tail.pending(), GroupPlace { serial, offset: 0, filename: &name }, now, config);
        self.names.insert(serial, name.clone());
        self.next_serial += 1;
        let index = LineSorter::new(&name, config.index_bytes);
        self.open.push(OpenFile { serial, name, tail, committed: 0, index, committed_lines: 0 });
        Ok(())
    }

    fn close_first(&mut self, count: usize) -> Result<()> {
        for _ in 0..count {
            let file = &self.open[0];
            assert_eq!(file.committed, file.tail.len(), "only what is committed is closed");
            self.disk.rename(&open_path(&file.name), &closed_path(&file.name))?;
            let file = self.open.remove(0);
            self.disk.sync_dir(Path::new(ARCHIVE_DIR))?;
            file.index.finish(self.disk.as_ref(), file.committed)?;
        }
        Ok(())
    }
}

impl OpenFile {
    fn is_full(&self, max_bytes: u64) -> bool {
        self.tail.len() >= max_bytes
    }

    fn roll_back(&mut self) -> Result<()> {
        self.index.truncate(self.committed_lines);
        Ok(self.tail.roll_back(self.committed)?)
    }
}

/// Closes the files of an earlier run, cut back to `position`; removes what was never committed.
/// Gives the files that remain.
pub(crate) fn recover_files(
    disk: &SharedDisk,
    found: Vec<WarcName>,
    position: Option<WarcPosition>,
) -> Result<Vec<WarcName>> {
    let mut kept = Vec::new();
    for file in found {
        let path =
            if file.state == NameState::Open { open_path(&file.name) } else { closed_path(&file.name) };
        let committed = position.filter(|position| file.serial <= position.serial);
        match committed {
            None if file.state == NameState::Closed => {
                return Err(crate::Error::inconsistent(&path, "the journal does not know this WARC file"));
            }
            None => disk.remove(&path)?,
            Some(position) => {
                if file.serial == position.serial {
                    cut(disk, &path, position.length, file.state)?;
                }
                if file.state == NameState::Open {
                    disk.rename(&path, &closed_path(&file.name))?;
                }
                kept.push(file);
            }
        }
    }
    disk.sync_dir(Path::new(ARCHIVE_DIR))?;
    require_newest(disk, &kept, position)?;
    Ok(kept)
}

fn cut(disk: &SharedDisk, path: &Path, length: u64, state: NameState) -> Result<()> {
    let there = disk.stat(path)?.unwrap_or(0);
    if there < length {
        return Err(crate::Error::corrupt(path, there, "the file is shorter than what was committed"));
    }
    if there > length && state == NameState::Closed {
        return Err(crate::Error::corrupt(path, length, "a closed file is longer than what was committed"));
    }
    let mut file = disk.open(path, Mode::Write)?;
    if there > length {
        file.set_len(length)?;
    }
    // Also when there is nothing to cut: a run that was killed may have cut, and not come to the sync.
    Ok(file.sync()?)
}

/// The file that the journal ends with is there, or was closed once: then it is [absent](absent_files), and the next is written beside it.
fn require_newest(disk: &SharedDisk, kept: &[WarcName], position: Option<WarcPosition>) -> Result<()> {
    let Some(position) = position else { return Ok(()) };
    if kept.iter().any(|file| file.serial == position.serial) {
        return Ok(());
    }
    let absent = absent_files(disk.as_ref())?;
    if absent.iter().filter_map(|name| layout::parse_warc_name(name)).any(|it| it.serial == position.serial) {
        return Ok(());
    }
    Err(crate::Error::inconsistent(
        &layout::path_of_serial(position.serial),
        "this WARC file is named in the journal but missing",
    ))
}
