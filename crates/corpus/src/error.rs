use crate::duplicates_file::DUPLICATES_FILE;
use crate::limits::ROW_BYTES_MAX;
use crate::ranges::Ranges;
use parquet::errors::ParquetError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why the corpus could not be opened, written or read. Closed files stay as they are in every case.
#[derive(Debug, Error)]
pub enum Error {
    /// The disk's fault. The unfinished file is given up; its rows are in [`crate::Writer::take_abandoned`].
    #[error("corpus: {}: {source}", path.display())]
    Disk {
        /// File or directory.
        path: PathBuf,
        /// What the disk said.
        source: io::Error,
    },
    /// A closed file is not a corpus file: something else wrote or damaged it.
    #[error("corpus: {} is not a readable corpus file ({detail}); {}", path.display(), remedy(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// A closed file was written by a later version of the program.
    #[error("corpus: {} has format {found}, which this program does not know: use the version that wrote it", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its `drumlin.format`.
        found: String,
    },
    /// Two closed files hold the same rows: one of them was copied there.
    #[error("corpus: {} holds captures {captures} that an earlier file holds too; move one of the two away", path.display())]
    Overlap {
        /// The later file by name.
        path: PathBuf,
        /// What both hold.
        captures: Ranges,
    },
    /// The caller's fault: a row beyond [`ROW_BYTES_MAX`]. Nothing else is lost.
    #[error("corpus: the row of capture {capture} has {bytes} bytes, more than the {ROW_BYTES_MAX} of a row")]
    RowTooLarge {
        /// The row's capture.
        capture: u64,
        /// Its decoded bytes.
        bytes: u64,
    },
    /// Near-duplicates could not be looked for; the table stands as it stood.
    #[error("corpus: near-duplicates: {0}")]
    Near(#[from] near::Error),
    /// Our fault: columns that do not fit the schema.
    #[error("corpus: {}: rows cannot be encoded: {detail}", path.display())]
    Encode {
        /// The unfinished file.
        path: PathBuf,
        /// What the encoder said.
        detail: String,
    },
}

impl Error {
    /// Whether the disk is full: the crawl pauses, and goes on when there is room.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, Self::Disk { source, .. } | Self::Near(near::Error::Io(source)) if disk::is_full(source))
    }

    pub(crate) fn disk(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Disk { path: path.to_owned(), source }
    }

    /// Of writing: the disk's words if they are in there, else ours.
    pub(crate) fn encode(path: &Path) -> impl FnOnce(ParquetError) -> Self {
        move |error| match disk_error(error) {
            Ok(source) => Self::Disk { path: path.to_owned(), source },
            Err(other) => Self::Encode { path: path.to_owned(), detail: other.to_string() },
        }
    }

    /// Of reading: the disk's words if they are in there, else the file's fault.
    pub(crate) fn decode(path: &Path) -> impl FnOnce(ParquetError) -> Self {
        move |error| match disk_error(error) {
            Ok(source) => Self::Disk { path: path.to_owned(), source },
            Err(other) => Self::damaged(path, &other),
        }
    }

    pub(crate) fn damaged(path: &Path, detail: &dyn ToString) -> Self {
        Self::Damaged { path: path.to_owned(), detail: detail.to_string() }
    }
}

fn remedy(path: &Path) -> &'static str {
    if path.ends_with(DUPLICATES_FILE) {
        "remove it: `drumlin duplicates` makes it anew"
    } else {
        "put a copy of it back; without it its rows are gone, while their captures are in the archive"
    }
}

/// The I/O error that the Parquet library carries through, or its own error back.
fn disk_error(error: ParquetError) -> Result<io::Error, ParquetError> {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(source) => Ok(*source),
            Err(inner) => Err(ParquetError::External(inner)),
        },
        other => Err(other),
    }
}
