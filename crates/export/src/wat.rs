//! What there is to know of records without their payloads, as Common Crawl's WAT files say it.

mod container;
mod envelope;
mod html;

use crate::captures::{Records, warc_files};
use crate::error::{Error, Result};
use crate::limits::WRITE_BYTES;
use crate::new_file::{NewFile, or_withdraw, withdraw_others};
use control::Takedowns;
use disk::{Disk, Mode};
use serde_json::json;
use std::path::Path;
use stdx::WallTime;
use warc::{Description, Encoder, Fields, Record, RecordId, RecordType, Removal, Warcinfo};
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wat {
    /// Files: one for each of the archive.
    pub files: u64,
    /// Records: one for each request, response, revisit and metadata record.
    pub records: u64,
    /// Records that are not described, because they were taken down.
    pub withheld: u64,
    /// Bytes of the files.
    pub bytes: u64,
}

const ENDING: &str = ".warc.wat.gz";

/// Seeds of ids: a record's is made of what it describes, and a file's of its name and the first record of the other, so that they are
/// the same each time and those of another crawl are others.
const OF_FILE: u64 = 3;
const OF_RECORD: u64 = 4;

/// Describes the records of the archive in `from`, less what was `taken` down, as `metadata` records of JSON in `dir`, a file for
/// each file. `software` goes into their first records.
pub fn wat(disk: &dyn Disk, from: &Path, taken: &Takedowns, dir: &Path, software: &str) -> Result<Wat> {
    disk.create_dir(dir).map_err(Error::disk(dir))?;
    or_withdraw(write(disk, from, taken, dir, software), disk, dir)
}

fn write(disk: &dyn Disk, from: &Path, taken: &Takedowns, dir: &Path, software: &str) -> Result<Wat> {
    let mut written = Wat::default();
    let mut names = Vec::new();
    for name in warc_files(disk, from)? {
        let path = from.join(&name);
        let archive = disk.open(&path, Mode::Read).map_err(Error::disk(&path))?;
        let mut file = WatFile::create(disk, dir, &name, software)?;
        let mut records = Records::open(disk, path.clone())?;
        while let Some(record) = records.next()? {
            if record.target_uri().is_some_and(|url| taken.covering_text(url).is_some()) {
                written.withheld += 1;
                continue;
            }
            if Removal::of(&record).is_some() {
                continue;
            }
            let container = container::of(&*archive, &name, &record).map_err(Error::disk(&path))?;
            file.push(&record, &container)?;
        }
        let WatFile { name, out, records, .. } = file;
        written.files += 1;
        written.records += records;
        written.bytes += out.finish(disk)?;
        names.push(name);
    }
    withdraw_others(disk, dir, ENDING, &names)?;
    Ok(written)
}

struct WatFile<'a> {
    name: String,
    software: &'a str,
    out: NewFile,
    encoder: Encoder,
    pending: Vec<u8>,
    /// Of the first record, once another was read.
    id: Option<RecordId>,
    records: u64,
}

impl<'a> WatFile<'a> {
    fn create(disk: &dyn Disk, dir: &Path, of: &str, software: &'a str) -> Result<Self> {
        let name = format!("{}{ENDING}", of.trim_end_matches(".warc.gz"));
        let out = NewFile::create(disk, dir.join(&name))?;
        Ok(Self { name, software, out, encoder: Encoder::new(), pending: Vec::new(), id: None, records: 0 })
    }

    fn push(&mut self, record: &Record, container: &serde_json::Value) -> Result<()> {
        let Some(date) = record.date() else { return Ok(()) };
        let id = *self.id.get_or_insert_with(|| id_of_file(&self.name, record));
        match record.record_type() {
            RecordType::Warcinfo => self.begin(id, date),
            RecordType::Request | RecordType::Response | RecordType::Revisit | RecordType::Metadata => {
                self.describe(record, id, date, container);
            }
            _ => {}
        }
        self.write_pending()
    }

    /// The date is that of the file described: an export of the same archive is the same.
    fn begin(&mut self, id: RecordId, date: WallTime) {
        let mut fields = Fields::new();
        fields.push("software", self.software);
        self.encoder.warcinfo(&mut self.pending, &Warcinfo { id, date, filename: &self.name, fields });
    }

    fn describe(&mut self, record: &Record, file: RecordId, date: WallTime, container: &serde_json::Value) {
        let described = record.header.get("WARC-Record-ID").unwrap_or_default();
        let json = json!({ "Container": container, "Envelope": envelope::of(record) }).to_string();
        let description = Description {
            id: RecordId::from_value(xxh3_128_with_seed(described.as_bytes(), OF_RECORD)),
            url: record.target_uri().unwrap_or_default(),
            date,
            warcinfo: file,
            refers_to: described,
            json: &json,
        };
        self.encoder.description(&mut self.pending, &description);
        self.records += 1;
    }

    fn write_pending(&mut self) -> Result<()> {
        self.out.write(&self.pending)?;
        self.pending.clear();
        self.pending.shrink_to(WRITE_BYTES);
        Ok(())
    }
}

fn id_of_file(name: &str, first: &Record) -> RecordId {
    let of = [name, first.id().unwrap_or_default()].concat();
    RecordId::from_value(xxh3_128_with_seed(of.as_bytes(), OF_FILE))
}
