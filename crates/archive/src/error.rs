use crate::layout::CHECKPOINT;
use crate::location::Location;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What the archive's functions return.
pub type Result<T> = std::result::Result<T, Error>;

/// Why the archive could not do what it was asked.
#[derive(Debug, Error)]
pub enum Error {
    /// The disk said no; the message names the file. Nothing of the batch counts.
    #[error(transparent)]
    Disk(#[from] io::Error),
    /// Bytes that were durable are not what was written: the disk's fault, or someone edited the file.
    #[error("{} is damaged at byte {offset}: {what}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Where in it.
        offset: u64,
        /// What is wrong there.
        what: &'static str,
    },
    /// Files that contradict each other: one is missing, or one is there that no other knows.
    #[error("{}: {what}", path.display())]
    Inconsistent {
        /// The file.
        path: PathBuf,
        /// The contradiction.
        what: &'static str,
    },
    /// A format of another version of this program.
    #[error("{} has format version {found}, this program reads version {known}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// The caller's batch breaks a limit; committing it again will too.
    #[error("a batch of {bytes} bytes of journal entries is beyond the limit of {limit}")]
    BatchTooLarge {
        /// The entries, uncompressed.
        bytes: usize,
        /// [`crate::limits::FRAME_BYTES`].
        limit: usize,
    },
    /// The location is of no capture here: of another archive, or its file has been expired.
    #[error("{}: no capture at byte {offset}: {what}", path.display())]
    NotStored {
        /// The file.
        path: PathBuf,
        /// Where the group was said to begin.
        offset: u64,
        /// What is there instead.
        what: String,
    },
    /// A revisit whose original is not what it should be: removed by hand, or damaged.
    #[error("the revisit record {id} of {url}: {what}")]
    Dangling {
        /// Of the revisit.
        id: String,
        /// The page it is of.
        url: String,
        /// What became of the original.
        what: String,
    },
    /// The capture is gone from its file, by the operator's order.
    #[error("the capture was taken down (takedown {by})")]
    TakenDown {
        /// The number of the takedown.
        by: u64,
    },
}

impl Error {
    /// Whether room on the disk would help: pause, and commit the same batch again later.
    pub fn is_disk_full(&self) -> bool {
        let Self::Disk(error) = self else { return false };
        disk::is_full(error)
    }

    /// Whether it is the checkpoint that is damaged: the journal has all that is in it.
    pub fn is_of_checkpoint(&self) -> bool {
        match self {
            Self::Corrupt { path, .. } | Self::Inconsistent { path, .. } => path.ends_with(CHECKPOINT),
            _ => false,
        }
    }

    /// Whether what was durable is not there any more: but for the [checkpoint](Self::is_of_checkpoint) nobody but a backup has it.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Corrupt { .. } | Self::NotStored { .. })
    }

    pub(crate) fn not_stored(path: &Path, location: Location, what: impl Into<String>) -> Self {
        Self::NotStored { path: path.to_owned(), offset: location.offset, what: what.into() }
    }

    pub(crate) fn dangling(revisit: &warc::Record, what: &str) -> Self {
        let of = |text: Option<&str>| text.unwrap_or_default().to_owned();
        Self::Dangling { id: of(revisit.id()), url: of(revisit.target_uri()), what: what.to_owned() }
    }

    pub(crate) fn corrupt(path: &Path, offset: u64, what: &'static str) -> Self {
        Self::Corrupt { path: path.to_owned(), offset, what }
    }

    pub(crate) fn inconsistent(path: &Path, what: &'static str) -> Self {
        Self::Inconsistent { path: path.to_owned(), what }
    }
}
