use crate::columns::for_each_batch_of;
use crate::error::Error;
use crate::held::{require_format, value};
use crate::limits::BATCH_ROWS;
use crate::schema::FORMAT_KEY;
use crate::source::Source;
use crate::table::Table;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, Int64Array, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use disk::Disk;
use near::Similarity;
use std::path::Path;
use std::sync::Arc;

/// Name of the table in the corpus directory.
pub const DUPLICATES_FILE: &str = "duplicates.parquet";
/// Version of the table, as the footer has it under [`FORMAT_KEY`].
const FORMAT: &str = "1";
/// Footer key of the rows that were looked at.
const ROWS_KEY: &str = "drumlin.rows";
/// Footer key of what was called a duplicate.
const SIMILARITY_KEY: &str = "drumlin.similarity";

/// A row that says nearly what an earlier one says.
pub(crate) struct Duplicate {
    /// As in the corpus.
    pub(crate) id: String,
    /// As in the corpus.
    pub(crate) capture: i64,
    /// Capture of the row that stands for its group.
    pub(crate) of: i64,
}

/// What the table says of itself, in its footer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DuplicatesFooter {
    /// Rows of the corpus that were looked at.
    pub rows: u64,
    /// Those that say nearly what an earlier one says.
    pub duplicates: u64,
    /// How much of their word 5-grams two texts had to share, 0 to 1.
    pub similarity: f64,
}

/// The footer of the table in `dir`; nothing where there is no table.
pub fn duplicates_footer(disk: &dyn Disk, dir: &Path) -> Result<Option<DuplicatesFooter>, Error> {
    let path = dir.join(DUPLICATES_FILE);
    if disk.stat(&path).map_err(Error::disk(&path))?.is_none() {
        return Ok(None);
    }
    let source = Source::open(disk, &path).map_err(Error::disk(&path))?;
    let metadata = require_format(&source, &path, &[FORMAT])?;
    let said = |key| value(&metadata, key).ok_or_else(|| Error::damaged(&path, &format!("no {key}")));
    let unreadable = |_| Error::damaged(&path, &"its footer has no numbers");
    Ok(Some(DuplicatesFooter {
        rows: said(ROWS_KEY)?
            .parse()
            .map_err(|error: std::num::ParseIntError| unreadable(error.to_string()))?,
        duplicates: metadata.file_metadata().num_rows().cast_unsigned(),
        similarity: said(SIMILARITY_KEY)?
            .parse()
            .map_err(|error: std::num::ParseFloatError| unreadable(error.to_string()))?,
    }))
}

/// The table while it is written. Columns and their meaning: `docs/formats/duplicates.md`.
pub(crate) struct DuplicatesFile {
    table: Table,
    waiting: Vec<Duplicate>,
    rows: u64,
}

impl DuplicatesFile {
    pub(crate) fn create(disk: &dyn Disk, dir: &Path) -> Result<Self, Error> {
        let unique = ["id", "capture", "duplicate_of"];
        let table = Table::create(disk, dir.join(DUPLICATES_FILE), schema(), &unique, usize::MAX)?;
        Ok(Self { table, waiting: Vec::new(), rows: 0 })
    }

    pub(crate) fn push(&mut self, row: Duplicate) -> Result<(), Error> {
        self.waiting.push(row);
        self.rows += 1;
        if self.waiting.len() < BATCH_ROWS { Ok(()) } else { self.encode_waiting() }
    }

    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Puts the table in the place of an earlier one, durably.
    pub(crate) fn finish(mut self, disk: &dyn Disk, rows: u64, least: Similarity) -> Result<(), Error> {
        self.encode_waiting()?;
        let Similarity(least) = least;
        let said = [
            (FORMAT_KEY, FORMAT.to_owned()),
            (ROWS_KEY, rows.to_string()),
            (SIMILARITY_KEY, least.to_string()),
        ];
        self.table.finish(disk, &said).map(drop)
    }

    fn encode_waiting(&mut self) -> Result<(), Error> {
        let rows = std::mem::take(&mut self.waiting);
        let numbers = |of: fn(&Duplicate) -> i64| -> ArrayRef {
            Arc::new(Int64Array::from_iter_values(rows.iter().map(of)))
        };
        let ids: ArrayRef = Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.id)));
        self.table.write(vec![ids, numbers(|row| row.capture), numbers(|row| row.of)])
    }
}

/// Shows `see` the capture of every duplicate in the table of `dir` and of the row that stands for it, in the order of the corpus's
/// rows; nothing where no duplicates were looked for.
pub fn for_each_duplicate<E: From<Error>>(
    disk: &dyn Disk,
    dir: &Path,
    mut see: impl FnMut(u64, u64) -> Result<(), E>,
) -> Result<(), E> {
    let path = dir.join(DUPLICATES_FILE);
    if disk.stat(&path).map_err(Error::disk(&path))?.is_none() {
        return Ok(());
    }
    for_each_batch_of(disk, &path, &[FORMAT], &["capture", "duplicate_of"], |batch| {
        let [captures, of] = ["capture", "duplicate_of"].map(|name| {
            batch.column_by_name(name).expect("it was asked for").as_primitive::<Int64Type>().values()
        });
        captures.iter().zip(of).try_for_each(|(capture, of)| see(capture.cast_unsigned(), of.cast_unsigned()))
    })
}

fn schema() -> SchemaRef {
    let field = |name: &str, kind| Field::new(name, kind, false);
    Arc::new(Schema::new(vec![
        field("id", DataType::Utf8),
        field("capture", DataType::Int64),
        field("duplicate_of", DataType::Int64),
    ]))
}
