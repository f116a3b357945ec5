use disk::{Damage, FormatError};
use std::io;
use stdx::wire::Fields;
use thiserror::Error;

/// Why a backlog could not do what was asked.
#[derive(Debug, Error)]
pub enum Error {
    /// The disk's fault. The backlog stands where it stood; the call may be repeated, or the job abandoned.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A file is damaged, or of a version of the program that this one does not know.
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl Error {
    /// Whether a file is not there any more: a newer one has taken its place.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// A result with an [`Error`](enum@Error).
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Passes over a magic and a version, which must be the ones that are known.
pub(crate) fn pass_version(
    fields: &mut Fields<'_>,
    magic: &[u8],
    known: u8,
    otherwise: &'static str,
) -> Result<(), Damage> {
    if fields.bytes(magic.len()) != Some(magic) {
        return Err(Damage::Bad(otherwise));
    }
    match fields.u8() {
        Some(found) if found == known => Ok(()),
        Some(found) => Err(Damage::Version { found: found.into(), known: known.into() }),
        None => Err(Damage::Bad(otherwise)),
    }
}
