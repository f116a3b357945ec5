//! What every crate of Drumlin needs and the standard library lacks. Knows no URL.
//!
//! * [`Timestamp`]: a moment on the crawl's own timeline; never goes backwards, never read from a clock here.
//! * [`WallTime`]: a moment in UTC as people and file formats write it.
//! * [`Map`], [`Set`]: hash tables whose order depends on nothing but what was put in.
//! * [`Rng`]: a seeded generator; the only source of randomness in levels 0 to 3.
//! * [`parse_bytes`], [`parse_duration_ms`]: sizes and durations as people type them.
//! * [`Step`]: how far long work has come, told to a [`Watch`].
//! * [`is_letter`], [`is_letter_or_digit`], [`lower_case`]: of characters, quickly.
//! * [`is_token`], [`media_type`], [`list_members`]: words of HTTP headers.
//! * [`wire`]: fields and variable-length integers as bytes.
//! * [`Credit`]: memory that is counted before it is taken.

mod alphabet;
mod credit;
mod date;
mod map;
mod progress;
mod rng;
mod time;
mod token;
mod units;
pub mod wire;

pub use alphabet::{is_letter, is_letter_or_digit, lower_case};
pub use credit::{Credit, Lease, Refused};
pub use map::{FoldHasher, Map, Set, map, set};
pub use progress::{Step, Unit, Watch, nobody};
pub use rng::Rng;
pub use time::{Timestamp, WallTime};
pub use token::{is_token, list_members, media_type};
pub use units::{
    UnitError, count_of, format_bytes, format_count, format_duration_ms, parse_bytes, parse_duration_ms,
};

#[cfg(test)]
mod tests;
