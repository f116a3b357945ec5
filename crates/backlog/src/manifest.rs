use crate::Result;
use std::path::PathBuf;

/// An exact cut of a backlog: which files hold it, and how much of each counts. Kept by the caller, in a checkpoint that
/// is replaced atomically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {}

/// A manifest, and what must be synced before it may be relied upon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// What [`Backlog::open`](crate::Backlog::open) returns to.
    pub manifest: Manifest,
    /// Files, as paths on the disk: to be synced, and then the directories they are in.
    pub sync: Vec<PathBuf>,
}

impl Manifest {
    /// The manifest as bytes, with magic, version and checksum; see `docs/formats/backlog.md`.
    pub fn to_bytes(&self) -> Vec<u8> {
        todo!()
    }

    /// Reads what [`Manifest::to_bytes`] gave.
    pub fn from_bytes(_bytes: &[u8]) -> Result<Self> {
        todo!()
    }
}
