use std::io;
use std::path::PathBuf;
use stdx::wire::Fields;
use thiserror::Error;

/// Why a backlog could not do what was asked.
#[derive(Debug, Error)]
pub enum Error {
    /// The disk's fault. The backlog stands where it stood; the call may be repeated, or the job abandoned.
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
        found: u8,
        /// The version that can be read.
        known: u8,
    },
}

impl Error {
    /// Whether a file is not there any more: a newer one has taken its place.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// A result with an [`Error`](enum@Error).
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What is wrong with bytes, before it is known which file they are from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Damage {
    Bad(&'static str),
    Version { found: u8, known: u8 },
}

impl Damage {
    /// Passes over a magic and a version, which must be the ones that are known.
    pub(crate) fn unless_known(
        fields: &mut Fields<'_>,
        magic: &[u8],
        known: u8,
        otherwise: &'static str,
    ) -> Result<(), Self> {
        if fields.bytes(magic.len()) != Some(magic) {
            return Err(Self::Bad(otherwise));
        }
        match fields.u8() {
            Some(found) if found == known => Ok(()),
            Some(found) => Err(Self::Version { found, known }),
            None => Err(Self::Bad(otherwise)),
        }
    }

    pub(crate) fn in_file(self, path: impl Into<PathBuf>) -> Error {
        let path = path.into();
        match self {
            Self::Bad(what) => Error::Corrupt { path, what },
            Self::Version { found, known } => Error::Version { path, found, known },
        }
    }
}
