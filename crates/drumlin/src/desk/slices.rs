use super::Asked;
use crawler::{Crawler, ListedHost};
use stdx::Timestamp;
use ui::Unanswered;

/// Places looked at in one go: well under a millisecond, after which the crawl has its turn.
const PLACES_AT_ONCE: usize = 2048;

/// Whoever goes through all hosts in memory.
pub(super) trait Visitor: Send + 'static {
    fn visit(&mut self, host: &ListedHost<'_>, now: Timestamp);
}

/// Where to go on.
#[derive(Clone, Copy)]
struct Cursor {
    shard: u8,
    place: usize,
}

/// Shows a visitor all hosts in memory, a few at a time. What moves meanwhile may be seen twice or not at all.
pub(super) fn show_all<V: Visitor>(asked: &Asked, mut visitor: V) -> Result<V, Unanswered> {
    let mut next = Some(Cursor { shard: 0, place: 0 });
    while let Some(from) = next {
        (visitor, next) = asked.look(move |crawler, now| {
            let next = show_some(crawler, now, from, &mut visitor);
            (visitor, next)
        })?;
    }
    Ok(visitor)
}

fn show_some(crawler: &Crawler, now: Timestamp, from: Cursor, visitor: &mut impl Visitor) -> Option<Cursor> {
    let (mut room, mut place) = (PLACES_AT_ONCE, from.place);
    for shard in from.shard..=u8::MAX {
        crawler.hosts_at_hand(shard, place, room).for_each(|host| visitor.visit(&host, now));
        let left = crawler.places_at_hand(shard).saturating_sub(place);
        if left > room || (left == room && shard < u8::MAX) {
            return Some(Cursor { shard, place: place + room });
        }
        room -= left;
        place = 0;
    }
    None
}
