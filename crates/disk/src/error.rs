//! What an error of a disk means.

use std::io::{self, ErrorKind};

/// Whether there was no room, on the disk or within the quota: the same call may succeed when something has been removed. A file
/// that is longer than files can be ([`ErrorKind::FileTooLarge`]) is none of it, since no room would help.
pub fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// Whether there is nothing at a path.
pub(crate) fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
