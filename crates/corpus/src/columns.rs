use crate::error::Error;
use crate::held::Footer;
use crate::limits::READ_ROWS;
use crate::source::Source;
use crate::writer::closed_files;
use arrow_array::RecordBatch;
use disk::Disk;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::errors::ParquetError;
use std::path::Path;

/// Shows `see` some columns of all rows of the closed files in `dir`, in the order of files and rows, some hundred rows at a time.
/// Other columns are not read.
pub(crate) fn for_each_batch<E: From<Error>>(
    disk: &dyn Disk,
    dir: &Path,
    columns: &[&str],
    mut see: impl FnMut(&RecordBatch) -> Result<(), E>,
) -> Result<(), E> {
    for path in closed_files(disk, dir)? {
        let source = Source::open(disk, &path).map_err(Error::disk(&path))?;
        Footer::read(&source, &path)?;
        let builder = ParquetRecordBatchReaderBuilder::try_new(source).map_err(Error::decode(&path))?;
        let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
        let batches = builder.with_projection(mask).with_batch_size(READ_ROWS).build();
        for batch in batches.map_err(Error::decode(&path))? {
            see(&batch.map_err(|error| Error::decode(&path)(ParquetError::from(error)))?)?;
        }
    }
    Ok(())
}
