use crate::batch::rows;
use crate::error::Error;
use crate::held::Footer;
use crate::limits::READ_ROWS;
use crate::row::Row;
use crate::schema::{schema, schema_1};
use crate::source::Source;
use disk::Disk;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

/// The rows of one closed file, in order. Holds one row group's pages and some hundred rows at a time.
///
/// For files of our own making: the decoder below may panic on one that was altered since.
pub struct Reader {
    path: PathBuf,
    batches: ParquetRecordBatchReader,
    rows: IntoIter<Row>,
}

impl Reader {
    /// Opens a file and compares its version and columns with this program's.
    pub fn open(disk: &dyn Disk, path: &Path) -> Result<Self, Error> {
        let source = Source::open(disk, path).map_err(Error::disk(path))?;
        let schema = if Footer::read(&source, path)?.is_current { schema() } else { schema_1() };
        let builder = ParquetRecordBatchReaderBuilder::try_new(source).map_err(Error::decode(path))?;
        if builder.schema().fields() != schema.fields() {
            return Err(Error::damaged(path, &"its columns are not those of its format"));
        }
        let batches = builder.with_batch_size(READ_ROWS).build().map_err(Error::decode(path))?;
        Ok(Self { path: path.to_owned(), batches, rows: Vec::new().into_iter() })
    }
}

impl Iterator for Reader {
    type Item = Result<Row, Error>;

    /// After an error nothing follows that could be trusted: stop there.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.rows.next() {
                return Some(Ok(row));
            }
            match self.batches.next()? {
                Ok(batch) => self.rows = rows(&batch).into_iter(),
                Err(error) => return Some(Err(Error::decode(&self.path)(ParquetError::from(error)))),
            }
        }
    }
}
