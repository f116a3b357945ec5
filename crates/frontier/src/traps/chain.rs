use super::limits::CHAIN_FREE;
use super::{Penalty, Suspicion, TrapReason};

/// Judges a URL by the redirects that led to it: one queue for each beyond `CHAIN_FREE`. Beyond
/// [`MAX_HOPS`](crate::limits::MAX_HOPS) there is no URL.
pub fn judge_hops(hops: u8) -> Option<Suspicion> {
    let penalty = Penalty::queues(u32::from(hops.saturating_sub(CHAIN_FREE)));
    Suspicion::unless_none(penalty, TrapReason::Redirects(hops))
}
