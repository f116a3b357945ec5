use super::rate::Window;
use snapshot::Snapshot;

/// When a crawl will end at its present speed: by what comes first of its limits and its queue, if that shrinks. Hosts at rest shrink
/// none. Of one that begins nothing new, neither says anything.
pub(super) fn estimate_ms(snapshot: &Snapshot, window: &Window) -> Option<u64> {
    if snapshot.ending.is_some() || snapshot.paused {
        return None;
    }
    let rate = window.rate();
    let at = |left: u64, speed: f64| (speed > 0.0).then(|| (left as f64 / speed * 1000.0) as u64);
    let pages = snapshot.limit.and_then(|limit| at(limit.saturating_sub(snapshot.pages), rate.pages));
    let bytes = snapshot.size_limit.and_then(|limit| at(limit.saturating_sub(snapshot.bytes), rate.bytes));
    let time = snapshot.time_limit_ms.map(|limit| limit.saturating_sub(window.run_ms()));
    let left = snapshot.queued_of_others();
    let queue = at(left, rate.drained).filter(|_| left > 0 || snapshot.queued == 0);
    [pages, bytes, time, queue].into_iter().flatten().min()
}
