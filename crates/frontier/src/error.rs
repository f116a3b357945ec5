use std::io;
use thiserror::Error;

/// Why a frontier could not do what was asked. Nothing that was accepted is lost: the frontier stands where it stood, or
/// goes back there with its last checkpoint and the journal.
#[derive(Debug, Error)]
pub enum Error {
    /// The seen-set, the records or the edges.
    #[error(transparent)]
    Drum(#[from] drum::Error),
    /// Directories, runs and queues.
    #[error(transparent)]
    Backlog(#[from] backlog::Error),
    /// The disk's fault.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The disk's fault: what was read is not what was written.
    #[error("{what}: damaged")]
    Damaged {
        /// What does not fit.
        what: &'static str,
    },
    /// The operator's fault: written by a version of the program that this one does not know.
    #[error("{what} has version {found}; this program reads version {known}")]
    Version {
        /// Of what.
        what: &'static str,
        /// The version found.
        found: u16,
        /// The version that can be read.
        known: u16,
    },
}

/// A result with [`enum@Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Whether a file is not there any more: a newer one has taken its place.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Backlog(error) if error.is_gone())
    }

    /// Whether files of the frontier are not as they were written, or not there.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } => true,
            Self::Drum(drum::Error::Format(error)) | Self::Backlog(backlog::Error::Format(error)) => {
                error.is_damage()
            }
            Self::Drum(drum::Error::Io(io)) | Self::Backlog(backlog::Error::Io(io)) | Self::Io(io) => {
                matches!(io.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof)
            }
            _ => false,
        }
    }

    /// Whether the disk had no room: the crawl can go on when it has.
    pub fn is_disk_full(&self) -> bool {
        let (Self::Io(io) | Self::Drum(drum::Error::Io(io)) | Self::Backlog(backlog::Error::Io(io))) = self
        else {
            return false;
        };
        disk::is_full(io)
    }
}
