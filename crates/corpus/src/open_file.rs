use crate::batch::Batch;
use crate::error::Error;
use crate::limits::CorpusLimits;
use crate::ranges::Ranges;
use crate::row::Row;
use crate::schema::{CAPTURES_KEY, FORMAT, FORMAT_KEY, properties, schema};
use crate::sink::Sink;
use disk::{Disk, Mode};
use parquet::arrow::ArrowWriter;
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::KeyValue;
use std::path::{Path, PathBuf};

/// A file while rows go into it: waiting rows → row group in memory → disk.
pub(crate) struct OpenFile {
    path: PathBuf,
    parquet: ArrowWriter<Sink>,
    waiting: Batch,
    group: Amount,
    flushed_rows: u64,
    /// Bytes of the file so far, on disk or not, but for rows that wait.
    encoded_bytes: u64,
}

/// The row group in memory: its rows, and their bytes decoded.
#[derive(Default)]
struct Amount {
    rows: u64,
    bytes: u64,
}

impl OpenFile {
    /// A new file at `path`, in place of what an earlier attempt may have left there.
    pub(crate) fn create(disk: &dyn Disk, path: PathBuf, limits: &CorpusLimits) -> Result<Self, Error> {
        let file = disk.open(&path, Mode::Truncate).map_err(Error::disk(&path))?;
        let parquet = properties(limits)
            .and_then(|properties| ArrowWriter::try_new(Sink::new(file), schema(), Some(properties)))
            .map_err(Error::encode(&path))?;
        let (waiting, group) = Default::default();
        Ok(Self { path, parquet, waiting, group, flushed_rows: 0, encoded_bytes: 0 })
    }

    /// Adds a row; writes the row group out when it is full.
    pub(crate) fn push(&mut self, row: Row, limits: &CorpusLimits) -> Result<(), Error> {
        let done = self.take_in(row, limits);
        done.map_err(Error::encode(&self.path))
    }

    /// Whether a further row belongs into another file.
    pub(crate) fn is_full(&self, limits: &CorpusLimits) -> bool {
        self.rows() >= limits.file_rows || self.encoded_bytes >= limits.file_bytes
    }

    pub(crate) fn rows(&self) -> u64 {
        self.flushed_rows + self.group.rows
    }

    /// Writes the rest and the footer, which names `captures`, and makes all of it durable. Returns the bytes of
    /// the file.
    pub(crate) fn finish(mut self, captures: &Ranges) -> Result<u64, Error> {
        self.write_footer(captures).map_err(Error::encode(&self.path))?;
        let sink = self.parquet.inner_mut();
        sink.sync().map_err(Error::disk(&self.path))?;
        Ok(sink.len())
    }

    /// Bytes that rows not yet on disk take in memory.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.waiting.bytes() + self.parquet.memory_size() as u64
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn take_in(&mut self, row: Row, limits: &CorpusLimits) -> ParquetResult<()> {
        if self.waiting.is_full_for(&row, limits.batch_bytes()) {
            self.encode_waiting()?;
        }
        self.group.rows += 1;
        self.group.bytes += row.bytes();
        self.waiting.push(row);
        if self.group.bytes >= limits.row_group_bytes || self.group.rows >= limits.row_group_rows {
            self.encode_waiting()?;
            self.flush_group()?;
        }
        Ok(())
    }

    fn encode_waiting(&mut self) -> ParquetResult<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.parquet.write(&self.waiting.take_columns()?)?;
        self.encoded_bytes = (self.parquet.bytes_written() + self.parquet.in_progress_size()) as u64;
        Ok(())
    }

    fn flush_group(&mut self) -> ParquetResult<()> {
        self.parquet.flush()?;
        self.flushed_rows += std::mem::take(&mut self.group).rows;
        Ok(())
    }

    fn write_footer(&mut self, captures: &Ranges) -> ParquetResult<()> {
        self.encode_waiting()?;
        for (key, value) in [(FORMAT_KEY, FORMAT.to_owned()), (CAPTURES_KEY, captures.to_string())] {
            self.parquet.append_key_value_metadata(KeyValue::new(key.to_owned(), value));
        }
        self.parquet.finish().map(drop)
    }
}
