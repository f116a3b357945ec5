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
use std::path::{Path, PathBuf};
use stdx::{Step, Watch};

/// Shows `see` some columns of all rows of the closed files in `dir`, in the order of files and rows, some hundred rows at a time.
/// Other columns are not read. `watch` is told how many rows of all that was.
pub(crate) fn for_each_batch<E: From<Error>>(
    disk: &dyn Disk,
    dir: &Path,
    columns: &[&str],
    watch: &mut Watch<'_>,
    mut see: impl FnMut(&RecordBatch) -> Result<(), E>,
) -> Result<(), E> {
    let paths = closed_files(disk, dir)?;
    let (mut rows, all) = (0, all_rows(disk, &paths)?);
    for path in paths {
        let source = Source::open(disk, &path).map_err(Error::disk(&path))?;
        Footer::read(&source, &path)?;
        let builder = ParquetRecordBatchReaderBuilder::try_new(source).map_err(Error::decode(&path))?;
        let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
        let batches = builder.with_projection(mask).with_batch_size(READ_ROWS).build();
        for batch in batches.map_err(Error::decode(&path))? {
            let batch = batch.map_err(|error| Error::decode(&path)(ParquetError::from(error)))?;
            see(&batch)?;
            rows += batch.num_rows() as u64;
            watch(Step::items("reading the corpus", rows, all));
        }
    }
    Ok(())
}

/// As the footers say.
fn all_rows(disk: &dyn Disk, paths: &[PathBuf]) -> Result<u64, Error> {
    let mut rows = 0;
    for path in paths {
        let source = Source::open(disk, path).map_err(Error::disk(path))?;
        rows += Footer::read(&source, path)?.rows;
    }
    Ok(rows)
}
