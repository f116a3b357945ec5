//! Every bound of this crate, with its reason.

/// Attributes of one tag that are looked at.
pub(crate) const ATTRIBUTES: usize = 256;
/// Nested `svg`, `math` and integration points that are told apart.
pub(crate) const FOREIGN_DEPTH: usize = 256;
