use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why an export could not be made. What was there under its name stays.
#[derive(Debug, Error)]
pub enum Error {
    /// The disk's fault.
    #[error("export: {}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// What the disk said.
        source: io::Error,
    },
    /// The corpus could not be read.
    #[error(transparent)]
    Corpus(#[from] corpus::Error),
    /// The archive could not be read.
    #[error("export: {}; `drumlin warc check` says more", path.display())]
    Archive {
        /// The WARC file.
        path: PathBuf,
        /// Where and why.
        source: warc::ReadError,
    },
    /// The files of the archive could not be looked at.
    #[error("export: the files of the archive")]
    Files(#[source] archive::Error),
    /// What a revisit stands for could not be read.
    #[error("export: what a capture stands for")]
    Original(#[from] archive::Error),
    /// The index is not one: a line in it is longer than any of ours, or has no key.
    #[error("export: {}: line {line} is not of a CDXJ index; `drumlin resume` makes it again", path.display())]
    Index {
        /// The index.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
    },
    /// The table of near-duplicates was made before files of the corpus were.
    #[error("export: {} speaks of rows that are not where they were; `drumlin duplicates` makes it again", table.display())]
    OtherRows {
        /// The table.
        table: PathBuf,
    },
    /// The WARC files hold what was taken down, and would go out as they are.
    #[error("export: the archive holds what was taken down ({takedown}); `drumlin purge` takes it out")]
    NotPurged {
        /// The takedown.
        takedown: String,
    },
}

/// A result with [`Error`](enum@Error).
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn disk(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Disk { path: path.to_owned(), source }
    }
}
