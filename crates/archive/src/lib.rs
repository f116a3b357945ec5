//! The log of a crawl: a rolling WARC archive and the journal, made durable together (blueprint, section 8).

mod capture;

pub use capture::{Capture, Truncation};
