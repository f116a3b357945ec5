use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why there is no report.
#[derive(Debug, Error)]
pub enum Error {
    /// The journal cannot be read.
    #[error("{0}")]
    Journal(#[from] ledger::AuditError),
    /// The corpus cannot.
    #[error(transparent)]
    Corpus(#[from] corpus::Error),
    /// A file cannot.
    #[error("cannot read {path}: {source}")]
    Disk {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line of the index is none.
    #[error("{path}: line {record} is no line of an index; remove it, and the next run makes it again")]
    Index {
        /// Which file.
        path: PathBuf,
        /// Which line.
        record: u64,
    },
}

impl Error {
    pub(crate) fn disk(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Disk { path: path.clone(), source }
    }
}

impl From<archive::Error> for Error {
    fn from(error: archive::Error) -> Self {
        Self::Journal(error.into())
    }
}
