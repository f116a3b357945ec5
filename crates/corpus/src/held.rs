use crate::error::Error;
use crate::ranges::Ranges;
use crate::schema::{CAPTURES_KEY, FORMAT, FORMAT_KEY, FORMATS};
use crate::source::Source;
use disk::Disk;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use std::path::Path;

/// What the closed files of a corpus hold, read from their footers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Held {
    /// Captures that are settled: their rows are in closed files, or it is known that they have none.
    pub captures: Ranges,
    /// Rows in closed files.
    pub rows: u64,
    /// Bytes of closed files.
    pub bytes: u64,
    /// Closed files.
    pub files: u64,
}

impl Held {
    /// Adds the closed file at `path`, which must not hold what an earlier one holds.
    pub(crate) fn add(&mut self, disk: &dyn Disk, path: &Path) -> Result<(), Error> {
        let source = Source::open(disk, path).map_err(Error::disk(path))?;
        let footer = Footer::read(&source, path)?;
        let captures = self.captures.intersection(&footer.captures);
        if !captures.is_empty() {
            return Err(Error::Overlap { path: path.to_owned(), captures });
        }
        self.captures.extend(&footer.captures);
        self.rows += footer.rows;
        self.bytes += parquet::file::reader::Length::len(&source);
        self.files += 1;
        Ok(())
    }
}

/// What a footer says.
pub(crate) struct Footer {
    pub(crate) captures: Ranges,
    pub(crate) rows: u64,
    /// Whether the file has the columns of this version.
    pub(crate) is_current: bool,
}

impl Footer {
    /// Reads the footer of the file at `path`, and nothing else of it.
    pub(crate) fn read(source: &Source, path: &Path) -> Result<Self, Error> {
        let metadata = require_format(source, path, &FORMATS)?;
        let is_current = value(&metadata, FORMAT_KEY) == Some(FORMAT);
        let written = value(&metadata, CAPTURES_KEY).ok_or_else(|| missing(path, CAPTURES_KEY))?;
        let captures = written.parse().map_err(|error| Error::damaged(path, &error))?;
        Ok(Self { captures, rows: metadata.file_metadata().num_rows().cast_unsigned(), is_current })
    }
}

/// What the footer of the file at `path` says, which must be of one of these formats.
pub(crate) fn require_format(
    source: &Source,
    path: &Path,
    formats: &[&str],
) -> Result<ParquetMetaData, Error> {
    let metadata = ParquetMetaDataReader::new().parse_and_finish(source).map_err(Error::decode(path))?;
    let found = value(&metadata, FORMAT_KEY).ok_or_else(|| missing(path, FORMAT_KEY))?;
    if !formats.contains(&found) {
        return Err(Error::Version { path: path.to_owned(), found: found.to_owned() });
    }
    Ok(metadata)
}

pub(crate) fn value<'a>(metadata: &'a ParquetMetaData, key: &str) -> Option<&'a str> {
    let pairs = metadata.file_metadata().key_value_metadata()?;
    pairs.iter().find(|pair| pair.key == key)?.value.as_deref()
}

fn missing(path: &Path, key: &str) -> Error {
    Error::damaged(path, &format!("its footer has no {key}"))
}
