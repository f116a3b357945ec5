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

/// Of what, and with what.
#[derive(Debug, Clone, Copy)]
pub struct WatConfig<'a> {
    /// The directory of the WARC files.
    pub archive: &'a Path,
    /// Bytes of a page that the crawl parses, `[page] parse`: what it reads is read here too.
    pub parsed_bytes: usize,
    /// What goes into the first records.
    pub software: &'a str,
    /// What is not described.
    pub taken: &'a Takedowns,
}

const ENDING: &str = ".warc.wat.gz";

/// Seeds of ids: a record's is made of what it describes, and a file's of its name and the first record of the other, so that they are
/// the same each time and those of another crawl are others.
const OF_FILE: u64 = 3;
const OF_RECORD: u64 = 4;

/// Describes the records of an archive, less what was taken down, as `metadata` records of JSON in `dir`, a file for each file.
pub fn wat(disk: &dyn Disk, config: &WatConfig<'_>, dir: &Path) -> Result<Wat> {
    disk.create_dir(dir).map_err(Error::disk(dir))?;
    or_withdraw(write(disk, config, dir), disk, dir)
}

fn write(disk: &dyn Disk, config: &WatConfig<'_>, dir: &Path) -> Result<Wat> {
    let mut written = Wat::default();
    let mut names = Vec::new();
    for name in warc_files(disk, config.archive)? {
        let path = config.archive.join(&name);
        let archive = disk.open(&path, Mode::Read).map_err(Error::disk(&path))?;
        let mut file = WatFile::create(disk, dir, &name, config)?;
        let mut records = Records::open(disk, path.clone(), config.parsed_bytes)?;
        while let Some(record) = records.next()? {
            if record.target_uri().is_some_and(|url| config.taken.covering_text(url).is_some()) {
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
    config: &'a WatConfig<'a>,
    out: NewFile,
    encoder: Encoder,
    pending: Vec<u8>,
    /// Of the first record, once another was read.
    id: Option<RecordId>,
    records: u64,
}

impl<'a> WatFile<'a> {
    fn create(disk: &dyn Disk, dir: &Path, of: &str, config: &'a WatConfig<'a>) -> Result<Self> {
        let name = format!("{}{ENDING}", of.trim_end_matches(".warc.gz"));
        let out = NewFile::create(disk, dir.join(&name))?;
        Ok(Self { name, config, out, encoder: Encoder::new(), pending: Vec::new(), id: None, records: 0 })
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
        fields.push("software", self.config.software);
        self.encoder.warcinfo(&mut self.pending, &Warcinfo { id, date, filename: &self.name, fields });
    }

    fn describe(&mut self, record: &Record, file: RecordId, date: WallTime, container: &serde_json::Value) {
        let described = record.header.get("WARC-Record-ID").unwrap_or_default();
        let json =
            json!({ "Container": container, "Envelope": envelope::of(record, self.config.parsed_bytes) })
                .to_string();
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
