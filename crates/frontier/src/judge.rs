use crate::Pending;
use std::fmt::Debug;

/// What the crawl is about, as the caller knows it. After its rules have changed, URLs that were accepted by the old ones
/// are judged again: at once in memory, and when they come up from the disk.
pub trait Judge: Debug + Send + Sync {
    /// Tells one set of rules from another.
    fn fingerprint(&self) -> u64;
    /// What the present rules say of a URL that waits.
    fn judge(&self, pending: &Pending) -> Stays;
    /// Whether a host is not to be contacted at all, for robots.txt neither. Then [`Judge::judge`] lets none of its URLs
    /// stay.
    fn shuns(&self, host: &str) -> bool;
    /// Another form of a URL that waits, the one without all that does not tell pages apart: where robots.txt forbids the form that was
    /// found, it may let this one be asked for. `None` where it waits in that form, or the present rules let this one out.
    fn plainest(&self, _pending: &Pending) -> Option<String> {
        None
    }
}

/// One to whom the crawl is about everything: for whoever drives a shard without rules.
#[derive(Debug, Clone, Copy)]
pub struct Everything;

impl Judge for Everything {
    fn fingerprint(&self) -> u64 {
        1
    }

    fn judge(&self, _: &Pending) -> Stays {
        Stays::In
    }

    fn shuns(&self, _: &str) -> bool {
        false
    }
}

/// Whether a URL goes on waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stays {
    /// It does.
    In,
    /// It is let go, unless a shorter path to it is known: it is in but for its depth.
    TooDeep,
    /// It is let go: unknown from now on, new if it is discovered again.
    Out,
}
