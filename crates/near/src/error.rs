use disk::FormatError;
use std::io;
use thiserror::Error;

/// Why near-duplicates could not be looked for. The tables stand as they stood; the call may be repeated.
#[derive(Debug, Error)]
pub enum Error {
    /// The disk's fault.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A file is damaged, or of a version of the program that this one does not know.
    #[error(transparent)]
    Format(#[from] FormatError),
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
