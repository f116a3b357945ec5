use crate::captures::{Dangling, bracketed};
use crate::error::{Error, Result};
use crate::limits::WRITE_BYTES;
use crate::new_file::{NewFile, or_withdraw, withdraw_others};
use crate::owners::{Gate, Owners, OwnersConfig, Respect};
use crate::scratch::Scratch;
use corpus::{Reader, Row};
use disk::Disk;
use page::iso_639_3;
use std::path::Path;
use warc::{Conversion, Encoder, Fields, RecordId, Warcinfo};
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wet {
    /// Files: one for each of the corpus.
    pub files: u64,
    /// Records: one for each row with a text.
    pub records: u64,
    /// Rows without one, because they were taken down or their owners reserve them; listed in `withheld.jsonl`.
    pub withheld: u64,
    /// Captures that stand for what an earlier crawl's archive has no longer: of them nobody knows what their owners say.
    pub dangling: Dangling,
    /// Bytes of the files.
    pub bytes: u64,
}

const ENDING: &str = ".warc.wet.gz";

/// Seeds of ids: a record's is made of the response's, and a file's of its name and its first response, so that they are the same each
/// time and those of another crawl are others.
const OF_FILE: u64 = 1;
const OF_RECORD: u64 = 2;

/// Writes the texts of the corpus in `from` as `conversion` records into `dir`, a file for each file, less what owners withhold.
/// `software` goes into their first records.
pub fn wet(
    disk: &dyn Disk,
    from: &Path,
    config: &OwnersConfig<'_>,
    dir: &Path,
    software: &str,
) -> Result<Wet> {
    disk.create_dir(dir).map_err(Error::disk(dir))?;
    or_withdraw(write(disk, from, config, dir, software), disk, dir)
}

fn write(disk: &dyn Disk, from: &Path, config: &OwnersConfig<'_>, dir: &Path, software: &str) -> Result<Wet> {
    let scratch = Scratch::begin(disk, config.scratch, config.memory_bytes)?;
    let is_asked = config.respect != Respect::None;
    let owners = is_asked.then(|| Owners::ask(scratch, config, from)).transpose()?;
    let dangling = owners.as_ref().map_or_else(Dangling::default, |owners| owners.dangling.clone());
    let mut gate = Gate::new(disk, owners, config, dir)?;
    let mut written = Wet { dangling, ..Wet::default() };
    let mut names = Vec::new();
    for path in corpus::closed_files(disk, from)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned() + ENDING;
        names.push(name.clone());
        let mut file = WetFile::create(disk, dir, name, software)?;
        let mut first = None;
        for row in Reader::open(disk, &path)? {
            let row = row?;
            if gate.admit(&row)?.is_some() {
                file.push(&row)?;
            }
            first.get_or_insert_with(|| Row { text: String::new(), ..row });
        }
        written.files += 1;
        written.records += file.records;
        written.bytes += file.finish(disk, &first.unwrap_or_default())?;
    }
    withdraw_others(disk, dir, ENDING, &names)?;
    Ok(Wet { withheld: gate.finish(disk)?, ..written })
}

struct WetFile<'a> {
    name: String,
    software: &'a str,
    out: NewFile,
    encoder: Encoder,
    pending: Vec<u8>,
    /// Of the first record, once there is one.
    id: Option<RecordId>,
    records: u64,
}

impl<'a> WetFile<'a> {
    fn create(disk: &dyn Disk, dir: &Path, name: String, software: &'a str) -> Result<Self> {
        let out = NewFile::create(disk, dir.join(&name))?;
        Ok(Self { name, software, out, encoder: Encoder::new(), pending: Vec::new(), id: None, records: 0 })
    }

    fn push(&mut self, row: &Row) -> Result<()> {
        if row.text.is_empty() {
            return Ok(());
        }
        let file = self.id.unwrap_or_else(|| self.begin(row));
        let record = Conversion {
            id: RecordId::from_value(xxh3_128_with_seed(row.id.as_bytes(), OF_RECORD)),
            url: &row.url,
            date: row.fetched,
            warcinfo: file,
            refers_to: &bracketed(&row.id),
            language: row.language.as_deref().and_then(iso_639_3),
            text: &row.text,
        };
        self.encoder.conversion(&mut self.pending, &record);
        self.records += 1;
        self.write_pending()
    }

    /// Date and id are of the first text: an export of the same corpus is the same.
    fn begin(&mut self, first: &Row) -> RecordId {
        let mut fields = Fields::new();
        fields.push("software", self.software);
        let of = [&*self.name, &first.id].concat();
        let id = RecordId::from_value(xxh3_128_with_seed(of.as_bytes(), OF_FILE));
        let info = Warcinfo { id, date: first.fetched, filename: &self.name, fields };
        self.encoder.warcinfo(&mut self.pending, &info);
        *self.id.insert(id)
    }

    /// Without a text, the file has its first record all the same, of the first row: with nothing in it, it would be no gzip file.
    fn finish(mut self, disk: &dyn Disk, first: &Row) -> Result<u64> {
        if self.id.is_none() {
            self.begin(first);
            self.write_pending()?;
        }
        self.out.finish(disk)
    }

    fn write_pending(&mut self) -> Result<()> {
        self.out.write(&self.pending)?;
        self.pending.clear();
        self.pending.shrink_to(WRITE_BYTES);
        Ok(())
    }
}
