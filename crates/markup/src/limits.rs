//! Every bound of this crate, with its reason.

/// Attributes of one tag that are looked at.
pub(crate) const ATTRIBUTES: usize = 256;
/// Open elements that are told apart; browsers nest 512.
pub(crate) const DEPTH: usize = 512;
/// Formatting elements of one name that come back where something else has closed them: HTML's Noah's Ark clause.
pub(crate) const ALIKE: usize = 3;
/// Tags that are gathered before anybody looks which elements they leave open: most pages have fewer, and of SVG none.
pub(crate) const LATE: usize = 4096;
/// Room that is asked for at once for those: what a page has, mostly.
pub(crate) const LATE_AT_ONCE: usize = 1024;
