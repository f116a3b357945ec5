//! Files that hold a secret.

use std::fs;
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// An empty file that nobody else may read, from its first byte on.
pub(super) fn make(path: &Path) -> io::Result<()> {
    let opened = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path);
    opened?.set_permissions(fs::Permissions::from_mode(0o600))
}

/// Whether it can be read by others than its owner.
pub(super) fn others_may_read(path: &Path) -> io::Result<bool> {
    Ok(fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}
