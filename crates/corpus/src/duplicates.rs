use crate::columns::for_each_batch;
use crate::duplicates_file::{Duplicate, DuplicatesFile};
use crate::error::Error;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use disk::{SharedDisk, clear_dir};
use near::{Config, Groups, Survey};
use std::path::Path;
use stdx::{Step, Watch};

/// What was found among the rows of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duplicates {
    /// Rows that were looked at.
    pub rows: u64,
    /// Those that say nearly what an earlier row says: the rows of the table.
    pub duplicates: u64,
    /// Groups that they make with their representatives.
    pub groups: u64,
}

/// Where duplicates are looked for, and how.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// The directory of the corpus.
    pub dir: &'a Path,
    /// Where files of the search lie meanwhile.
    pub scratch: &'a Path,
    /// What is a duplicate; memory, beside a row group.
    pub config: Config,
    /// Whether a URL's rows are withheld: they stand for no others, and no others for them.
    pub is_withheld: &'a dyn Fn(&str) -> bool,
}

/// Looks for near-duplicates among the texts of the closed files and replaces the table beside them, atomically. The corpus is read three
/// times, its texts twice; `watch` is told how far.
pub fn find_duplicates(
    disk: &SharedDisk,
    search: Search<'_>,
    watch: &mut Watch<'_>,
) -> Result<Duplicates, Error> {
    let found = find(disk, search, watch);
    if found.is_err() {
        // What went wrong first is told; the next search clears the directory too.
        let _ = clear_dir(&**disk, search.scratch);
    }
    found
}

fn find(disk: &SharedDisk, search: Search<'_>, watch: &mut Watch<'_>) -> Result<Duplicates, Error> {
    let Search { dir, scratch, config, is_withheld } = search;
    let mut survey = Survey::begin(SharedDisk::clone(disk), scratch, config)?;
    let mut told = |step| watch(Step { stage: "taking fingerprints", ..step });
    for_each_batch(&**disk, dir, &["text", "url"], &mut told, |batch| {
        let mut rows = urls(batch).zip(texts(batch));
        rows.try_for_each(|(url, text)| {
            let text = if is_withheld(url) { "" } else { text };
            Ok::<_, Error>(survey.add(page::fingerprint(text), text)?)
        })
    })?;
    let mut comparison = survey.compare(watch)?;
    let mut told = |step| watch(Step { stage: "comparing texts", ..step });
    for_each_batch(&**disk, dir, &["text", "capture"], &mut told, |batch| {
        let mut rows = captures(batch).iter().zip(texts(batch));
        rows.try_for_each(|(capture, text)| Ok::<_, Error>(comparison.add(capture.cast_unsigned(), text)?))
    })?;
    let groups = comparison.finish(watch)?;
    write(disk, dir, groups, config, watch)
}

/// Goes through the rows a third time, beside their groups.
fn write(
    disk: &SharedDisk,
    dir: &Path,
    mut groups: Groups,
    config: Config,
    watch: &mut Watch<'_>,
) -> Result<Duplicates, Error> {
    let mut file = DuplicatesFile::create(&**disk, dir)?;
    let mut member = groups.next()?;
    let mut rows = 0;
    let mut told = |step| watch(Step { stage: "writing the table", ..step });
    for_each_batch(&**disk, dir, &["id", "capture"], &mut told, |batch| {
        let ids = batch.column_by_name("id").expect("it was asked for").as_string::<i32>();
        for (id, capture) in ids.iter().flatten().zip(captures(batch)) {
            if let Some(found) = member.filter(|member| member.text == rows) {
                let of = found.representative.cast_signed();
                file.push(Duplicate { id: id.to_owned(), capture: *capture, of })?;
                member = groups.next()?;
            }
            rows += 1;
        }
        Ok::<_, Error>(())
    })?;
    let duplicates = file.rows();
    file.finish(&**disk, rows, config.similarity)?;
    Ok(Duplicates { rows, duplicates, groups: groups.count() })
}

fn texts(batch: &RecordBatch) -> impl Iterator<Item = &str> {
    strings(batch, "text")
}

fn urls(batch: &RecordBatch) -> impl Iterator<Item = &str> {
    strings(batch, "url")
}

fn strings<'b>(batch: &'b RecordBatch, name: &str) -> impl Iterator<Item = &'b str> {
    let column = batch.column_by_name(name).expect("it was asked for").as_string::<i32>();
    column.iter().map(Option::unwrap_or_default)
}

fn captures(batch: &RecordBatch) -> &[i64] {
    batch.column_by_name("capture").expect("it was asked for").as_primitive::<Int64Type>().values()
}
