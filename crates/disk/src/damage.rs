//! What is wrong with a file's bytes.

use std::path::PathBuf;
use thiserror::Error;

/// What is wrong with bytes, before it is known which file they are from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// They are not what was written.
    Bad(&'static str),
    /// They were written by a version of the program that this one does not know.
    Version {
        /// The version in the file.
        found: u16,
        /// The version that can be read.
        known: u16,
    },
}

impl Damage {
    /// The error of the file that they are from.
    pub fn in_file(self, path: impl Into<PathBuf>) -> FormatError {
        let path = path.into();
        match self {
            Self::Bad(what) => FormatError::Corrupt { path, what },
            Self::Version { found, known } => FormatError::Version { path, found, known },
        }
    }
}

/// A file whose bytes its format does not allow.
#[derive(Debug, Error)]
pub enum FormatError {
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
}

impl FormatError {
    /// Whether what was read is not what was written.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Corrupt { .. })
    }
}
