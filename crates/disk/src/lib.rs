//! The one seam to bytes at rest. Nothing outside this crate names `std::fs`.
//!
//! * [`Disk`], [`File`], [`Mode`]: what everything above is written against. Content is durable after
//!   [`File::sync`], a name after [`Disk::sync_dir`], a directory when [`Disk::create_dir`] returns.
//! * [`OsDisk`]: the operating system. [`AlignedBuffer`]: memory for what bypasses its cache. [`Lock`]: one process a directory.
//! * [`MemDisk`]: memory, with the durability of a real filesystem; [`MemDisk::crash`] builds what a power
//!   loss may leave, [`MemDisk::kill`] what the death of the process leaves.
//! * [`FaultyDisk`]: a [`MemDisk`] that fails where a [`FaultPlan`] says, and counts its calls.
//! * [`Observed`]: another disk, while somebody sees what is read of it, and what goes.
//! * [`Beside`]: two disks, of which one is only read.
//! * [`Overlay`]: another disk, which stays as it is whatever is written.
//! * [`Nursery`]: another disk, to which small files come only when they must.
//! * [`Tripwire`]: kills the process at a chosen call, for crash tests.
//! * [`is_full`]: whether an error is for want of room. [`Damage`], [`FormatError`]: bytes that are not what was written.
//! * [`read_all`], [`replace_file`], [`clear_dir`]: whole files. [`Appender`], [`SequentialReader`]: files as streams.

mod aligned;
mod api;
mod beside;
mod damage;
mod error;
mod faulty;
mod locked;
mod memory;
mod nursery;
mod observed;
mod os;
mod overlay;
mod path;
mod stream;
mod tripwire;
mod whole;

pub use aligned::{ALIGNMENT, AlignedBuffer};
pub use api::{Disk, File, Mode, SharedDisk};
pub use beside::Beside;
pub use damage::{Damage, FormatError};
pub use error::is_full;
pub use faulty::{Fault, FaultPlan, FaultyDisk, Lasts};
pub use memory::{CrashMode, MemDisk};
pub use nursery::Nursery;
pub use observed::{Observed, Observer};
pub use os::{Lock, OsDisk};
pub use overlay::Overlay;
pub use stream::{Appender, SequentialReader};
pub use tripwire::Tripwire;
pub use whole::{clear_dir, read_all, read_exact_at, replace_file, replace_file_by_parts};

#[cfg(test)]
mod tests;
