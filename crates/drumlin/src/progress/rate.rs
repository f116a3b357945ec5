use snapshot::Snapshot;
use std::collections::VecDeque;

/// The last ten seconds: long enough to be steady, short enough to show a stall.
const WINDOW_MS: u64 = 10_000;

/// What recent snapshots say about speed.
#[derive(Debug, Default)]
pub(super) struct Window {
    points: VecDeque<Point>,
    begun_ms: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Point {
    at_ms: u64,
    pages: u64,
    bytes: u64,
    queued: u64,
}

/// Change a second.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Rate {
    pub(super) pages: f64,
    pub(super) bytes: f64,
    /// By how much the queue shrinks; negative while it grows.
    pub(super) drained: f64,
}

impl Window {
    /// Takes a snapshot in, and forgets what is too old.
    pub(super) fn add(&mut self, snapshot: &Snapshot) {
        let Snapshot { now_ms, pages, bytes, queued, .. } = *snapshot;
        self.begun_ms.get_or_insert(now_ms);
        self.points.push_back(Point { at_ms: now_ms, pages, bytes, queued });
        while self.points.len() > 2 && self.points[1].at_ms + WINDOW_MS <= now_ms {
            self.points.pop_front();
        }
    }

    /// The speed over the window.
    pub(super) fn rate(&self) -> Rate {
        let (Some(first), Some(last)) = (self.points.front(), self.points.back()) else {
            return Rate::default();
        };
        let seconds = last.at_ms.saturating_sub(first.at_ms) as f64 / 1000.0;
        if seconds <= 0.0 {
            return Rate::default();
        }
        let change = |from: u64, to: u64| (to as f64 - from as f64) / seconds;
        Rate {
            pages: change(first.pages, last.pages),
            bytes: change(first.bytes, last.bytes),
            drained: change(last.queued, first.queued),
        }
    }

    /// Time since the first snapshot.
    pub(super) fn run_ms(&self) -> u64 {
        let now = self.points.back().map_or(0, |point| point.at_ms);
        now - self.begun_ms.unwrap_or(now)
    }
}
