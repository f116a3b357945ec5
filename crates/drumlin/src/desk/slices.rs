use super::Asked;
use crawler::{Crawler, ListedHost};
use stdx::Timestamp;
use ui::Unanswered;

/// Hosts looked at in one go: a millisecond or two, after which the crawl has its turn.
const HOSTS_AT_ONCE: usize = 4096;

/// Whoever goes through all hosts in memory.
pub(super) trait Visitor: Send + 'static {
    fn visit(&mut self, host: &ListedHost<'_>, now: Timestamp);
}

/// Shows a visitor all hosts in memory, some shards at a time. What moves meanwhile may be seen twice or not at all.
pub(super) fn show_all<V: Visitor>(asked: &Asked, mut visitor: V) -> Result<V, Unanswered> {
    let mut next = Some(0);
    while let Some(first) = next {
        (visitor, next) = asked.look(move |crawler, now| {
            let next = show_some(crawler, now, first, &mut visitor);
            (visitor, next)
        })?;
    }
    Ok(visitor)
}

/// From a shard on; gives the shard to go on with.
fn show_some(crawler: &Crawler, now: Timestamp, first: u8, visitor: &mut impl Visitor) -> Option<u8> {
    let mut room = HOSTS_AT_ONCE;
    for shard in first..=u8::MAX {
        if room == 0 {
            return Some(shard);
        }
        room = room.saturating_sub(crawler.hosts_at_hand_len(shard));
        crawler.hosts_at_hand(shard).for_each(|host| visitor.visit(&host, now));
    }
    None
}
