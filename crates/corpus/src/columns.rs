use crate::error::Error;
use crate::held::{Footer, require_format};
use crate::limits::READ_ROWS;
use crate::source::Source;
use crate::writer::closed_files;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
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
        show(source, &path, columns, |batch| {
            rows += batch.num_rows() as u64;
            let seen = see(batch);
            watch(Step::items("reading the corpus", rows, all));
            seen
        })?;
    }
    Ok(())
}

/// Shows `see` the `id` of every row of the closed files in `dir`, in the order of files and rows.
pub fn for_each_id<E: From<Error>>(
    disk: &dyn Disk,
    dir: &Path,
    mut see: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    for_each_batch(disk, dir, &["id"], &mut stdx::nobody, |batch| {
        let ids = batch.column_by_name("id").expect("it was asked for").as_string::<i32>();
        ids.iter().try_for_each(|id| see(id.unwrap_or_default()))
    })
}

/// The same of one file, which must be of one of these formats.
pub(crate) fn for_each_batch_of<E: From<Error>>(
    disk: &dyn Disk,
    path: &Path,
    formats: &[&str],
    columns: &[&str],
    see: impl FnMut(&RecordBatch) -> Result<(), E>,
) -> Result<(), E> {
    let source = Source::open(disk, path).map_err(Error::disk(path))?;
    require_format(&source, path, formats)?;
    show(source, path, columns, see)
}

/// Shows `see` the values of a column of texts in any Parquet file, if it has one.
pub fn for_each_text(
    disk: &dyn Disk,
    path: &Path,
    column: &str,
    mut see: impl FnMut(&str),
) -> Result<(), Error> {
    let source = Source::open(disk, path).map_err(Error::disk(path))?;
    show(source, path, &[column], |batch| {
        let texts = batch.column_by_name(column).and_then(|column| column.as_string_opt::<i32>());
        texts.into_iter().flat_map(|texts| texts.iter().flatten()).for_each(&mut see);
        Ok(())
    })
}

fn show<E: From<Error>>(
    source: Source,
    path: &Path,
    columns: &[&str],
    mut see: impl FnMut(&RecordBatch) -> Result<(), E>,
) -> Result<(), E> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(source).map_err(Error::decode(path))?;
    let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
    let batches = builder.with_projection(mask).with_batch_size(READ_ROWS).build();
    for batch in batches.map_err(Error::decode(path))? {
        see(&batch.map_err(|error| Error::decode(path)(ParquetError::from(error)))?)?;
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
