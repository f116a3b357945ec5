use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a DRUM could not do what was asked.
#[derive(Debug, Error)]
pub enum Error {
    /// The disk's fault. The DRUM stands where it stood; the call may be repeated.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The disk's fault: what was read is not what was written.
    #[error("{}: damaged: {what}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: &'static str,
    },
    /// The operator's fault: written by a version of the program that this one does not know.
    #[error("{}: format version {found}; this program reads version {known}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u16,
        /// The version that can be read.
        known: u16,
    },
    /// The caller's fault: the manifest belongs to a DRUM of another shape.
    #[error("the manifest has {found}, the configuration {wanted}")]
    Mismatch {
        /// What the manifest says.
        found: String,
        /// What was configured.
        wanted: String,
    },
    /// The caller's fault: requests come faster than buckets are merged.
    #[error("bucket {bucket} is full; merge it first")]
    BucketFull {
        /// The bucket.
        bucket: usize,
    },
}

/// A result with [`Error`](enum@Error).
pub type Result<T> = std::result::Result<T, Error>;

/// What is wrong with bytes, before it is known which file they are from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Damage {
    Bad(&'static str),
    Version { found: u16, known: u16 },
}

impl Damage {
    pub(crate) fn in_file(self, path: impl Into<PathBuf>) -> Error {
        let path = path.into();
        match self {
            Self::Bad(what) => Error::Corrupt { path, what },
            Self::Version { found, known } => Error::Version { path, found, known },
        }
    }
}
