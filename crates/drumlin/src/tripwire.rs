//! Where a crash test puts its tripwire.

use disk::{SharedDisk, Tripwire};
use std::sync::Arc;

/// Not for users: the process dies at this mutating disk call, as if it had been killed there.
const VARIABLE: &str = "DRUMLIN_ABORT_AT_DISK_CALL";

/// The disk itself, unless a crash test asks for a tripwire in front of it.
#[expect(clippy::disallowed_methods, reason = "the program is what reads the environment")]
pub(crate) fn from_environment(disk: SharedDisk) -> SharedDisk {
    match std::env::var(VARIABLE).ok().and_then(|call| call.parse().ok()) {
        Some(call) => Arc::new(Tripwire::new(disk, call)),
        None => disk,
    }
}
