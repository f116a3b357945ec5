use crate::error::Error;
use crate::held::value;
use crate::limits::{BATCH_ROWS, CorpusLimits, ZSTD_LEVEL};
use crate::schema::FORMAT_KEY;
use crate::sink::Sink;
use crate::source::Source;
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use disk::{Disk, Mode};
use near::Similarity;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{KeyValue, ParquetMetaDataReader};
use parquet::file::properties::WriterProperties;
use std::path::{Path, PathBuf};
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
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&source).map_err(Error::decode(&path))?;
    match value(&metadata, FORMAT_KEY) {
        Some(FORMAT) => {}
        found => {
            let found = found.unwrap_or("none").to_owned();
            return Err(Error::Version { path, found });
        }
    }
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

/// The table while it is written, under another name. Columns and their meaning: `docs/formats/duplicates.md`.
pub(crate) struct DuplicatesFile {
    path: PathBuf,
    parquet: ArrowWriter<Sink>,
    waiting: Vec<Duplicate>,
    rows: u64,
}

impl DuplicatesFile {
    pub(crate) fn create(disk: &dyn Disk, dir: &Path) -> Result<Self, Error> {
        let path = dir.join(format!("{DUPLICATES_FILE}.open"));
        let file = disk.open(&path, Mode::Truncate).map_err(Error::disk(&path))?;
        let parquet = properties()
            .and_then(|properties| ArrowWriter::try_new(Sink::new(file), schema(), Some(properties)))
            .map_err(Error::encode(&path))?;
        Ok(Self { path, parquet, waiting: Vec::new(), rows: 0 })
    }

    pub(crate) fn push(&mut self, row: Duplicate) -> Result<(), Error> {
        self.waiting.push(row);
        self.rows += 1;
        if self.waiting.len() < BATCH_ROWS {
            return Ok(());
        }
        self.encode_waiting().map_err(Error::encode(&self.path))
    }

    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Puts the table in the place of an earlier one, durably.
    pub(crate) fn finish(
        mut self,
        disk: &dyn Disk,
        dir: &Path,
        rows: u64,
        least: Similarity,
    ) -> Result<(), Error> {
        self.write_footer(rows, least).map_err(Error::encode(&self.path))?;
        self.parquet.inner_mut().sync().map_err(Error::disk(&self.path))?;
        disk.rename(&self.path, &dir.join(DUPLICATES_FILE)).map_err(Error::disk(&self.path))?;
        disk.sync_dir(dir).map_err(Error::disk(dir))
    }

    fn encode_waiting(&mut self) -> ParquetResult<()> {
        let rows = std::mem::take(&mut self.waiting);
        let numbers = |of: fn(&Duplicate) -> i64| -> ArrayRef {
            Arc::new(Int64Array::from_iter_values(rows.iter().map(of)))
        };
        let ids: ArrayRef = Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.id)));
        let columns = vec![ids, numbers(|row| row.capture), numbers(|row| row.of)];
        self.parquet.write(&RecordBatch::try_new(schema(), columns)?)
    }

    fn write_footer(&mut self, rows: u64, Similarity(least): Similarity) -> ParquetResult<()> {
        self.encode_waiting()?;
        let said = [
            (FORMAT_KEY, FORMAT.to_owned()),
            (ROWS_KEY, rows.to_string()),
            (SIMILARITY_KEY, least.to_string()),
        ];
        for (key, value) in said {
            self.parquet.append_key_value_metadata(KeyValue::new(key.to_owned(), value));
        }
        self.parquet.finish().map(drop)
    }
}

fn schema() -> SchemaRef {
    let field = |name: &str, kind| Field::new(name, kind, false);
    Arc::new(Schema::new(vec![
        field("id", DataType::Utf8),
        field("capture", DataType::Int64),
        field("duplicate_of", DataType::Int64),
    ]))
}

fn properties() -> Result<WriterProperties, ParquetError> {
    let rows = CorpusLimits::default().row_group_rows as usize;
    Ok(WriterProperties::builder()
        .set_created_by(format!("drumlin version {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(rows))
        .build())
}
