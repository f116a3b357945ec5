use crawler::RecoveryError;
use std::io;
use thiserror::Error;

#[cfg(test)]
mod tests;

/// What ends a crawl against its will. Whatever was committed before stays.
#[derive(Debug, Error)]
pub enum NodeError {
    /// The archive or the journal.
    #[error(transparent)]
    Archive(#[from] archive::Error),
    /// The corpus.
    #[error(transparent)]
    Corpus(#[from] corpus::Error),
    /// The state of an earlier run.
    #[error(transparent)]
    Recovery(#[from] RecoveryError),
    /// A file of the frontier; the message names it.
    #[error(transparent)]
    Frontier(#[from] crawler::FrontierError),
    /// The network side can't be set up.
    #[error(transparent)]
    Fetch(#[from] fetch::FetchError),
    /// The crawl log, free space, threads.
    #[error("{what}: {source}")]
    System {
        /// What was attempted.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A thread of the node is gone; if it panicked, it has said on standard error where.
    #[error("the {0} thread ended unexpectedly")]
    ThreadLost(&'static str),
}

impl NodeError {
    pub(crate) fn system(what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::System { what, source }
    }

    /// What the archive or the journal said, if it was they.
    pub fn archive(&self) -> Option<&archive::Error> {
        match self {
            Self::Archive(error) | Self::Recovery(RecoveryError::Journal(error)) => Some(error),
            _ => None,
        }
    }

    /// Whether it is the checkpoint that is damaged, or files of the frontier: the journal has all that is in them.
    pub fn is_damage_that_the_journal_mends(&self) -> bool {
        match self {
            Self::Frontier(error) | Self::Recovery(RecoveryError::Frontier(error)) => error.is_damage(),
            Self::Recovery(RecoveryError::Checkpoint(_)) => true,
            _ => self.archive().is_some_and(archive::Error::is_of_checkpoint),
        }
    }

    /// Whether the disk is full, or what of it this user may take: then the crawl ends cleanly instead.
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::Archive(error) => error.is_disk_full(),
            Self::Corpus(error) => error.is_disk_full(),
            Self::Frontier(error) => error.is_disk_full(),
            Self::Recovery(error) => error.is_disk_full(),
            Self::System { source, .. } => disk::is_full(source),
            _ => false,
        }
    }
}
