//! The judges. None of them trusts the crawler: they read the server's log, the archive on the disk, and the web itself.

mod complete;
mod once;
mod politeness;
mod robots;

pub use complete::{archived, complete};
pub use once::{at_most_once, captures};
pub use politeness::{Delays, politeness};
pub use robots::robots_obeyed;
