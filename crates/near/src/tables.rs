use crate::error::Result;
use crate::join::{Join, key};
use crate::manifest::Manifest;
use crate::table_file::{TableId, TableReader, TableWriter};
use crate::traffic::Traffic;
use disk::SharedDisk;
use std::path::{Path, PathBuf};

/// One for each 16 bits of a fingerprint.
pub(crate) const TABLES: usize = 4;

const MANIFEST: &str = "manifest";
const SUFFIX: &str = ".near";

/// A text's fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// `SimHash`: texts that share most of their words differ in few bits.
    pub fingerprint: u64,
    /// Of the text.
    pub id: u64,
}

/// Two texts whose fingerprints differ in at most [`crate::limits::DISTANCE`] bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    /// The one in the tables, or the other of the batch.
    pub known: u64,
    /// The one of the batch.
    pub new: u64,
    /// Bits in which they differ.
    pub distance: u32,
}

/// Fingerprints on disk, in four orders: by their first 16 bits, by the second, and so on. A batch is joined with each table in
/// one sequential pass, as a DRUM does it.
///
/// Of equal fingerprints the tables keep the first; the others are matched with it and left out, so that copies in
/// any number cost nothing. Memory: 80 bytes an entry of a batch with the batch itself, and 3 MiB.
pub struct Tables {
    disk: SharedDisk,
    dir: PathBuf,
    manifest: Manifest,
    traffic: Traffic,
}

impl Tables {
    /// The tables in `dir`, which is made if needed; whatever else of theirs lies there is removed.
    pub fn open(disk: SharedDisk, dir: &Path) -> Result<Self> {
        disk.create_dir(dir)?;
        let manifest = Manifest::read(&*disk, &dir.join(MANIFEST))?;
        let tables = Self { disk, dir: dir.to_owned(), manifest, traffic: Traffic::default() };
        tables.remove_others()?;
        Ok(tables)
    }

    /// Distinct fingerprints.
    pub fn len(&self) -> u64 {
        self.manifest.entries
    }

    /// Whether nothing was added yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes moved since the tables were opened.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Shows `found` every fingerprint of the tables and of the batch itself that is near one of the batch.
    pub fn look_up(&mut self, batch: &[Entry], mut found: impl FnMut(Match) -> Result<()>) -> Result<()> {
        let batch = distinct(batch, &mut found)?;
        (0..TABLES).try_for_each(|table| {
            let sorted = in_order_of(&batch, table);
            self.pass(table, &sorted, None, &mut found)
        })
    }

    /// The same, and the batch is in the tables afterwards, durably. After an error it is not; the call may be repeated, and tells
    /// all matches again.
    pub fn add(&mut self, batch: &[Entry], mut found: impl FnMut(Match) -> Result<()>) -> Result<()> {
        if batch.is_empty() {
            return Ok(());
        }
        let batch = distinct(batch, &mut found)?;
        let generation = self.manifest.generation + 1;
        let mut entries = 0;
        for table in 0..TABLES {
            let sorted = in_order_of(&batch, table);
            let id = TableId { table: table as u16, generation };
            let mut writer = TableWriter::create(&*self.disk, &self.dir.join(id.file_name()), id)?;
            self.pass(table, &sorted, Some(&mut writer), &mut found)?;
            entries = writer.finish(&mut self.traffic)?;
        }
        self.disk.sync_dir(&self.dir)?;
        let manifest = Manifest { generation, entries };
        manifest.replace(&*self.disk, &self.dir.join(MANIFEST))?;
        self.manifest = manifest;
        self.remove_others()
    }

    /// Removes all files.
    pub fn remove(mut self) -> Result<()> {
        self.manifest = Manifest::default();
        self.manifest.replace(&*self.disk, &self.dir.join(MANIFEST))?;
        self.remove_others()?;
        Ok(self.disk.remove(&self.dir.join(MANIFEST))?)
    }

    /// Through one table, from front to back.
    fn pass(
        &mut self,
        table: usize,
        batch: &[Entry],
        writer: Option<&mut TableWriter>,
        found: &mut impl FnMut(Match) -> Result<()>,
    ) -> Result<()> {
        tell_within(table, batch, found)?;
        let mut pass = Pass { join: Join::new(table, batch), batch, waiting: batch, writer };
        if let Some(mut reader) = self.reader(table)? {
            let mut block = Vec::new();
            loop {
                reader.next_block(&mut block)?;
                if block.is_empty() {
                    break;
                }
                block.iter().try_for_each(|old| pass.meet(*old, found))?;
            }
            self.traffic.read += reader.offset();
        }
        pass.finish()
    }

    fn reader(&self, table: usize) -> Result<Option<TableReader>> {
        let Manifest { generation, entries } = self.manifest;
        let id = TableId { table: table as u16, generation };
        let open = || TableReader::open(&*self.disk, &self.dir.join(id.file_name()), id, entries);
        (generation > 0).then(open).transpose()
    }

    fn remove_others(&self) -> Result<()> {
        let generation = self.manifest.generation;
        let ours: Vec<_> =
            (0..TABLES as u16).map(|table| TableId { table, generation }.file_name()).collect();
        let names = self.disk.list(&self.dir)?;
        let others = names.iter().filter(|name| name.ends_with(SUFFIX) && !ours.contains(name));
        others.map(|name| self.dir.join(name)).try_for_each(|path| Ok(self.disk.remove(&path)?))
    }
}

/// Entries of a batch that are near each other.
fn tell_within(table: usize, batch: &[Entry], found: &mut impl FnMut(Match) -> Result<()>) -> Result<()> {
    let mut told = Ok(());
    Join::new(table, batch).within(|place, hit| {
        let (one, other) = (batch[place].id, batch[hit.place].id);
        tell(&mut told, found, Match { known: one.min(other), new: one.max(other), distance: hit.distance });
    });
    told
}

/// A batch on its way along a table.
struct Pass<'a> {
    join: Join<'a>,
    batch: &'a [Entry],
    /// What is not yet written.
    waiting: &'a [Entry],
    writer: Option<&'a mut TableWriter>,
}

impl Pass<'_> {
    /// The next entry of the table: what is near it is told, what comes before it is written, and then itself. A
    /// fingerprint that it has is left out.
    fn meet(&mut self, old: Entry, found: &mut impl FnMut(Match) -> Result<()>) -> Result<()> {
        let mut told = Ok(());
        self.join.probe(old.fingerprint, |hit| {
            let new = self.batch[hit.place].id;
            tell(&mut told, found, Match { known: old.id, new, distance: hit.distance });
        });
        told?;
        let Some(writer) = &mut self.writer else { return Ok(()) };
        while let Some((first, later)) = self.waiting.split_first()
            && first.fingerprint <= old.fingerprint
        {
            if first.fingerprint < old.fingerprint {
                writer.push(*first)?;
            }
            self.waiting = later;
        }
        writer.push(old)
    }

    fn finish(self) -> Result<()> {
        let Some(writer) = self.writer else { return Ok(()) };
        self.waiting.iter().try_for_each(|entry| writer.push(*entry))
    }
}

/// The first of each fingerprint; the others are told.
fn distinct(batch: &[Entry], found: &mut impl FnMut(Match) -> Result<()>) -> Result<Vec<Entry>> {
    let mut sorted = batch.to_vec();
    sorted.sort_unstable();
    let copies = sorted.chunk_by(|a, b| a.fingerprint == b.fingerprint);
    copies.into_iter().try_for_each(|copies| {
        let known = copies[0].id;
        copies[1..].iter().try_for_each(|copy| found(Match { known, new: copy.id, distance: 0 }))
    })?;
    sorted.dedup_by_key(|entry| entry.fingerprint);
    Ok(sorted)
}

fn in_order_of(batch: &[Entry], table: usize) -> Vec<Entry> {
    let keyed = batch.iter().map(|entry| Entry { fingerprint: key(entry.fingerprint, table), id: entry.id });
    let mut sorted: Vec<Entry> = keyed.collect();
    sorted.sort_unstable();
    sorted
}

/// The first error is kept; after it nothing is told.
fn tell(told: &mut Result<()>, found: &mut impl FnMut(Match) -> Result<()>, what: Match) {
    if told.is_ok() {
        *told = found(what);
    }
}
