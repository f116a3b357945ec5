//! Every limit of the arithmetic, with its reason.

/// Nodes that a plan goes up to: a hundred times the largest crawl known. Beyond it the inputs are at odds.
pub const NODES_MAX: u64 = 1 << 20;

/// Steps of bisection: halves any interval of doubles down to neighbours.
pub(crate) const BISECTIONS: u32 = 200;
