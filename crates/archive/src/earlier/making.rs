use super::Notable;
use super::table::{Entry, Header, Place, key_of};
use crate::error::{Error, Result};
use crate::index::LineSorter;
use crate::layout::{ARCHIVE_DIR, EARLIER, closed_path, temp_path};
use crate::limits::EARLIER_NAMES_BYTES;
use crate::merge::Sorted;
use crate::purge::{Group, Groups, closed_files};
use disk::{Appender, Disk, Mode};
use std::io::{BufRead, Write};
use std::path::Path;
use stdx::{Step, Watch};
use warc::{Fields, Record, RecordType, RevisitProfile};

/// What is sorted on the way.
const SORTED: &str = "earlier";

/// Reads the archive file by file, sorts what it finds, and writes that down.
pub(super) fn make(disk: &dyn Disk, earlier: &Notable<'_>, watch: &mut Watch<'_>) -> Result<()> {
    let source = earlier.disk.as_ref();
    let names = closed_files(source)?;
    let listed: String = names.iter().flat_map(|name| [name.as_str(), "\n"]).collect();
    if listed.len() > EARLIER_NAMES_BYTES {
        return Err(Error::inconsistent(Path::new(ARCHIVE_DIR), "it has more files than can be noted"));
    }
    let mut of = 0;
    for name in &names {
        of += source.stat(&closed_path(name))?.unwrap_or(0);
    }
    let (mut entries, mut behind) = (0, 0);
    let mut lines = LineSorter::new(SORTED, earlier.memory_bytes);
    disk.create_dir(Path::new(crate::layout::RUN_DIR))?;
    for (file, name) in (0..).zip(&names) {
        for group in Groups::open(source, name)? {
            let group = group?;
            watch(Step::bytes("noting the earlier crawl", behind + group.offset(), of));
            if let Some(entry) = entry_of(file, &group, earlier) {
                lines.push(line_of(entry));
                lines.spill_beyond_bound(disk)?;
                entries += 1;
            }
        }
        behind += source.stat(&closed_path(name))?.unwrap_or(0);
    }
    write(disk, &lines.sorted(disk)?, &Header { entries, names: listed })
}

/// Whole answers with status 200 to whoever asked for a page or a sitemap, with a validator; and what such an answer was said to be still.
fn entry_of(file: u32, group: &Group, earlier: &Notable<'_>) -> Option<Entry> {
    let answer = group.record(RecordType::Response).or_else(|| group.record(RecordType::Revisit))?;
    let url = answer.target_uri()?;
    let is_known = is_known_again(answer) && !is_of_robots(group.record(RecordType::Metadata)?);
    let may_come_back = earlier.taken.covering_text(url).is_none();
    let place = Place { file, offset: answer.offset };
    (is_known && may_come_back).then(|| Entry { key: key_of(url), place })
}

fn is_known_again(answer: &Record) -> bool {
    if answer.profile() == Some(RevisitProfile::ServerNotModified) {
        return true;
    }
    // A revisit says of its block that it was cut: its payload never was.
    let is_whole =
        answer.record_type() == RecordType::Revisit || answer.header.get("WARC-Truncated").is_none();
    let Some(http) = answer.http().filter(|http| is_whole && http.status() == Some(200)) else {
        return false;
    };
    ["etag", "last-modified"].iter().any(|name| warc::field(http.head, name).is_some())
}

/// The last hop of a prerequisite is P.
fn is_of_robots(metadata: &Record) -> bool {
    let fields = Fields::parse(&metadata.block).fields;
    fields.get("hopsFromSeed").unwrap_or_default().ends_with('P')
}

/// Sorts as the entry does.
fn line_of(entry: Entry) -> String {
    format!("{:016x}{:08x}{:016x}", entry.key, entry.place.file, entry.place.offset)
}

fn entry_from(line: &str) -> Option<Entry> {
    let number = |from: usize, to: usize| u64::from_str_radix(line.get(from..to)?, 16).ok();
    let place = Place { file: number(16, 24)? as u32, offset: number(24, 40)? };
    Some(Entry { key: number(0, 16)?, place })
}

/// Makes the table of what was sorted, which then goes.
fn write(disk: &dyn Disk, sorted: &Sorted, header: &Header) -> Result<()> {
    let path = Path::new(EARLIER);
    let temp = temp_path(path);
    let mut out = Appender::new(disk.open(&temp, Mode::Truncate)?, 0);
    out.write_all(&header.encode())?;
    for line in sorted.read(disk)?.lines() {
        let entry = entry_from(&line?);
        let entry =
            entry.ok_or_else(|| Error::corrupt(&sorted.path, 0, "a sorted line is not what was written"))?;
        out.write_all(&entry.encode())?;
    }
    out.sync()?;
    disk.rename(&temp, path)?;
    disk.sync_dir(Path::new(crate::layout::STATE_DIR))?;
    Ok(disk.remove(&sorted.path)?)
}
