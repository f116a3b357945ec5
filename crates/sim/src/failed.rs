use crawler::{FrontierError, RecoveryError};
use std::io;

/// A crawl that could not go on: its disk failed. What is on the disk is what a crash at this moment leaves.
#[derive(Debug)]
pub struct Failed {
    /// What the disk said.
    pub what: String,
    /// Whether that was for lack of room: then a crawl that runs ends in good order.
    pub disk_full: bool,
}

impl From<archive::Error> for Failed {
    fn from(error: archive::Error) -> Self {
        Self { disk_full: error.is_disk_full(), what: error.to_string() }
    }
}

impl From<corpus::Error> for Failed {
    fn from(error: corpus::Error) -> Self {
        Self { disk_full: error.is_disk_full(), what: error.to_string() }
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self { disk_full: disk::is_full(&error), what: error.to_string() }
    }
}

impl From<FrontierError> for Failed {
    fn from(error: FrontierError) -> Self {
        Self { disk_full: error.is_disk_full(), what: error.to_string() }
    }
}

impl From<RecoveryError> for Failed {
    fn from(error: RecoveryError) -> Self {
        Self { disk_full: error.is_disk_full(), what: error.to_string() }
    }
}
