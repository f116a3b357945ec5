use crate::error::Error;
use crate::limits::{CorpusLimits, STATISTICS_BYTES, ZSTD_LEVEL};
use crate::sink::Sink;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use disk::{Disk, Mode};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use std::path::{Path, PathBuf};

/// A Parquet file beside the corpus while it is written, under another name until it is whole and durable.
pub struct Table {
    path: PathBuf,
    temp: PathBuf,
    schema: SchemaRef,
    parquet: ArrowWriter<Sink>,
    row_group_bytes: u64,
}

impl Table {
    /// Will be `path`. Dictionaries are not tried for the columns in `unique`, whose values do not repeat. A row group ends where it
    /// takes `row_group_bytes`, or as much as one of the corpus.
    pub fn create(
        disk: &dyn Disk,
        path: PathBuf,
        schema: SchemaRef,
        unique: &[&str],
        row_group_bytes: usize,
    ) -> Result<Self, Error> {
        let mut temp = path.as_os_str().to_owned();
        temp.push(".open");
        let temp = PathBuf::from(temp);
        let file = disk.open(&temp, Mode::Truncate).map_err(Error::disk(&temp))?;
        let parquet = properties(unique)
            .and_then(|properties| ArrowWriter::try_new(Sink::new(file), schema.clone(), Some(properties)))
            .map_err(Error::encode(&temp))?;
        let row_group_bytes = CorpusLimits::default().row_group_bytes.min(row_group_bytes as u64);
        Ok(Self { path, temp, schema, parquet, row_group_bytes })
    }

    /// Appends rows, as columns in the order of the schema.
    pub fn write(&mut self, columns: Vec<ArrayRef>) -> Result<(), Error> {
        self.take_in(columns).map_err(Error::encode(&self.temp))
    }

    /// Puts the file in the place of an earlier one, durably, with `pairs` in its footer. Gives its bytes.
    pub fn finish(mut self, disk: &dyn Disk, pairs: &[(&str, String)]) -> Result<u64, Error> {
        for (key, value) in pairs {
            self.parquet.append_key_value_metadata(KeyValue::new((*key).to_owned(), value.clone()));
        }
        self.parquet.finish().map_err(Error::encode(&self.temp))?;
        let sink = self.parquet.inner_mut();
        sink.sync().map_err(Error::disk(&self.temp))?;
        let bytes = sink.len();
        disk.rename(&self.temp, &self.path).map_err(Error::disk(&self.path))?;
        let dir = self.path.parent().unwrap_or(Path::new(""));
        disk.sync_dir(dir).map_err(Error::disk(dir))?;
        Ok(bytes)
    }

    fn take_in(&mut self, columns: Vec<ArrayRef>) -> ParquetResult<()> {
        self.parquet.write(&RecordBatch::try_new(self.schema.clone(), columns)?)?;
        if self.parquet.memory_size() as u64 >= self.row_group_bytes { self.parquet.flush() } else { Ok(()) }
    }
}

fn properties(unique: &[&str]) -> Result<WriterProperties, ParquetError> {
    let rows = CorpusLimits::default().row_group_rows as usize;
    let base = WriterProperties::builder()
        .set_created_by(format!("drumlin version {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
        .set_statistics_truncate_length(Some(STATISTICS_BYTES))
        .set_max_row_group_row_count(Some(rows));
    let with_plain_columns = unique
        .iter()
        .fold(base, |base, name| base.set_column_dictionary_enabled(ColumnPath::from(*name), false));
    Ok(with_plain_columns.build())
}
