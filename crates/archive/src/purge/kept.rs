use super::groups::{Group, Groups};
use super::survey::{Original, Orphan, Survey};
use crate::config::ArchiveConfig;
use crate::error::{Error, Result};
use crate::layout::{WARC_SUFFIX, closed_path, temp_path};
use disk::{Appender, Disk, File, Mode, SequentialReader};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use warc::{
    Elsewhere, Encoder, Fields, PayloadReader, Record, RecordId, RecordType, Warcinfo, write_whole_response,
};
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Groups that stand in files of what was kept, by the id of their response.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    places: BTreeMap<String, Elsewhere>,
    moved: Moved,
}

/// Where responses stand now that were revisits elsewhere, by their `WARC-Record-ID` without its brackets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moved(BTreeMap<String, Elsewhere>);

impl Moved {
    /// Where the response with this id stands, if it has moved.
    pub fn place(&self, id: &str) -> Option<&Elsewhere> {
        self.0.get(id.trim_matches(['<', '>']))
    }

    /// Whether nothing has.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

const KEPT: &str = "-kept-";
/// Seeds the id of its first record.
const OF_FILE: u64 = 5;

/// `<prefix>-kept-<14 digits>.<serial>.<host>-<number>.warc.gz`, by the file that the first of it comes from, so that two crawls have no two of one
/// name; `<prefix>-kept-<number>.warc.gz` if that is called otherwise than ours are, and by older programs. No serial, so the journal names none of
/// what is in it.
fn kept_name(prefix: &str, first: &str, number: u32) -> String {
    let parts: Vec<&str> = first.strip_suffix(WARC_SUFFIX).unwrap_or(first).split('-').collect();
    let of = parts.iter().position(|part| is_moment(part)).map(|at| parts[at..].join("."));
    let of = of.filter(|of| is_origin(of)).map(|of| of + "-").unwrap_or_default();
    format!("{prefix}{KEPT}{of}{number:05}{WARC_SUFFIX}")
}

fn number_of(name: &str) -> Option<u32> {
    let rest = name.strip_suffix(WARC_SUFFIX)?.rsplit_once(KEPT)?.1;
    match rest.rsplit_once('-') {
        None => rest.parse().ok(),
        Some((of, number)) => number.parse().ok().filter(|_| is_origin(of)),
    }
}

fn is_moment(part: &str) -> bool {
    part.len() == 14 && part.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_origin(of: &str) -> bool {
    of.split_once('.').is_some_and(|(moment, _)| is_moment(moment)) && !of.contains('-')
}

/// Whether a file holds what became whole when its original was taken down.
pub(crate) fn is_kept_file(name: &str) -> bool {
    number_of(name).is_some()
}

impl Kept {
    pub(super) fn of(disk: &dyn Disk, names: &[&str]) -> Result<Self> {
        let mut kept = Self::default();
        for name in names.iter().filter(|name| is_kept_file(name)) {
            for group in Groups::open(disk, name)? {
                kept.note(name, &group?);
            }
        }
        Ok(kept)
    }

    pub(super) fn has(&self, id: &str) -> bool {
        self.places.contains_key(id)
    }

    pub(super) fn place(&self, id: &str) -> Option<&Elsewhere> {
        self.places.get(id)
    }

    pub(super) fn into_moved(self) -> Moved {
        self.moved
    }

    fn note(&mut self, name: &str, group: &Group) {
        let Some(response) = group.record(RecordType::Response) else { return };
        let Some((id, response_length)) = group.answer().zip(response.length) else { return };
        let place = |offset, length| Elsewhere { filename: name.to_owned(), offset, length };
        self.places.insert(id.to_owned(), place(group.offset(), group.length()));
        self.moved.0.insert(id.to_owned(), place(response.offset, response_length));
    }
}

/// Writes the orphans whole into a new file. Gives how many. Those whose original is not there have lost it before, and stay.
pub(super) fn make_whole(disk: &dyn Disk, config: &ArchiveConfig, survey: &Survey) -> Result<u64> {
    let names = super::closed_files(disk)?;
    let is_known = |orphan: &&Orphan| survey.originals.contains_key(&orphan.digest);
    let orphans: BTreeMap<&str, &Orphan> =
        survey.orphans.iter().filter(is_known).map(|orphan| (orphan.id.as_str(), orphan)).collect();
    if orphans.is_empty() {
        return Ok(0);
    }
    let number = names.iter().filter_map(|name| number_of(name)).max().map_or(1, |last| last + 1);
    let files: BTreeSet<&str> = orphans.values().map(|orphan| orphan.file.as_str()).collect();
    let name = kept_name(&config.prefix, files.first().copied().unwrap_or_default(), number);
    let mut file = KeptFile::create(disk, &name)?;
    for from in files {
        file.take_from(disk, from, config, |id| {
            orphans.get(id).map(|orphan| &survey.originals[&orphan.digest])
        })?;
    }
    file.finish(disk, &name)?;
    Ok(orphans.len() as u64)
}

/// Made of the first answer's, which no other archive has.
fn warcinfo_id(name: &str, first: &Group) -> RecordId {
    let of = [name, first.answer().unwrap_or_default()].concat();
    RecordId::from_value(xxh3_128_with_seed(of.as_bytes(), OF_FILE))
}

/// A file of what is kept, while it is written.
struct KeptFile {
    name: String,
    out: Appender,
    has_begun: bool,
}

impl KeptFile {
    fn create(disk: &dyn Disk, name: &str) -> Result<Self> {
        let out = Appender::new(disk.open(&temp_path(&closed_path(name)), Mode::Truncate)?, 0);
        Ok(Self { name: name.to_owned(), out, has_begun: false })
    }

    fn take_from<'a>(
        &mut self,
        disk: &dyn Disk,
        from: &str,
        config: &ArchiveConfig,
        original: impl Fn(&str) -> Option<&'a Original>,
    ) -> Result<()> {
        let file: Arc<dyn File> = disk.open(&closed_path(from), Mode::Read)?.into();
        for group in Groups::open(disk, from)? {
            let group = group?;
            let Some(original) = group.answer().and_then(&original) else { continue };
            self.begin(config, &group)?;
            for record in &group.records {
                match record.record_type() {
                    RecordType::Revisit => self.put_whole(disk, record, original)?,
                    _ => self.copy(&file, record)?,
                }
            }
        }
        Ok(())
    }

    /// The first record; of the date of the first group, so that the same archive gives the same file.
    fn begin(&mut self, config: &ArchiveConfig, group: &Group) -> Result<()> {
        if std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        let mut fields = Fields::new();
        fields.push("software", &config.software);
        fields.push("isPartOf", &config.prefix);
        fields.push("description", "captures whose payload was that of another, which was taken down");
        let id = warcinfo_id(&self.name, group);
        let date = group.records.iter().find_map(Record::date).unwrap_or_default();
        let mut bytes = Vec::new();
        Encoder::new().warcinfo(&mut bytes, &Warcinfo { id, date, filename: &self.name, fields });
        Ok(self.out.write_all(&bytes)?)
    }

    fn put_whole(&mut self, disk: &dyn Disk, revisit: &Record, original: &Original) -> Result<()> {
        let path = closed_path(&original.file);
        let file: Arc<dyn File> = disk.open(&path, Mode::Read)?.into();
        let open = || {
            let range = original.offset..original.offset + original.length;
            PayloadReader::open(SequentialReader::new(Arc::clone(&file), range), original.head_len)
        };
        let kind = original.payload_type.as_deref();
        Ok(write_whole_response(&mut self.out, revisit, kind, original.payload_len, open)?)
    }

    fn copy(&mut self, file: &Arc<dyn File>, record: &Record) -> Result<()> {
        let length = record.length.expect("groups have only records of their own member");
        let mut range = SequentialReader::new(Arc::clone(file), record.offset..record.offset + length);
        let copied = io::copy(&mut range, &mut self.out)?;
        if copied == length {
            Ok(())
        } else {
            Err(Error::corrupt(Path::new(&self.name), copied, "a record was cut"))
        }
    }

    fn finish(mut self, disk: &dyn Disk, name: &str) -> Result<()> {
        self.out.sync()?;
        super::rewrite::put_in_place(disk, name)
    }
}
