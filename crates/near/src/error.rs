use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why near-duplicates could not be looked for. The tables stand as they stood; the call may be repeated.
#[derive(Debug, Error)]
pub enum Error {
    /// The disk's fault.
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
    /// The caller's fault: the second pass brought other texts than the first.
    #[error("the texts of the second pass are {found}, those of the first were {wanted}")]
    OtherTexts {
        /// Texts of the second pass.
        found: u64,
        /// Texts of the first.
        wanted: u64,
    },
}

/// A result with [`Error`](enum@Error).
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What is wrong with bytes, before it is known which file they are from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Damage {
    Bad(&'static str),
    Version { found: u16, known: u16 },
}

impl Damage {
    pub(crate) fn in_file(self, path: &Path) -> Error {
        let path = path.to_owned();
        match self {
            Self::Bad(what) => Error::Corrupt { path, what },
            Self::Version { found, known } => Error::Version { path, found, known },
        }
    }
}
