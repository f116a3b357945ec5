use disk::FormatError;
use std::io;
use thiserror::Error;

/// Why a DRUM could not do what was asked.
#[derive(Debug, Error)]
pub enum Error {
    /// The disk's fault. The DRUM stands where it stood; the call may be repeated.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A file is damaged, or of a version of the program that this one does not know.
    #[error(transparent)]
    Format(#[from] FormatError),
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
