//! Seeds: from the command line, a file or a pipe to one list in the crawl's directory, a million lines at a time.

mod hosts;
mod list;
mod source;

#[cfg(test)]
mod tests;

pub(crate) use hosts::read_hosts;
pub(crate) use list::{Chunks, Taken, drop_list, keep_list, write_list};
pub(crate) use source::{Seeds, Source, without_comment};
