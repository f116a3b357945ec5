use super::glance::Glance;
use crate::traps::form::Form;
use crate::traps::limits::SEGMENTS_COMPARED;
use crate::traps::{Penalty, Suspicion, TrapReason};

/// The shortest path with a suspicious repeat: `/page/page/page`.
const FEWEST: usize = 3;

/// A stretch of segments that follows itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Repeat {
    segments: usize,
    bytes: usize,
    times: usize,
}

/// `/a/b/a/b/a/b`: a relative link that leads to where it stands, followed again and again. One queue for each time
/// beyond the first.
pub(super) fn judge(form: Form<'_>, glance: Glance) -> Option<Suspicion> {
    if glance.segments < FEWEST || !glance.has_twins {
        return None;
    }
    let mut buffer = [""; SEGMENTS_COMPARED];
    let count = buffer.iter_mut().zip(form.segments()).map(|(place, segment)| *place = segment).count();
    let segments = &buffer[..count];
    let longest = (1..=count / 2).map(|period| most_times(segments, period));
    let worst = longest.filter(Repeat::is_suspect).max_by_key(|repeat| repeat.times)?;
    let penalty = Penalty::queues(worst.times as u32 - 1);
    Suspicion::unless_none(penalty, TrapReason::Repeats(worst.times as u16))
}

/// How often a stretch of `period` segments comes in a row, at most.
fn most_times(segments: &[&str], period: usize) -> Repeat {
    let (mut run, mut longest, mut end) = (0, 0, 0);
    for (at, (segment, later)) in segments.iter().zip(&segments[period..]).enumerate() {
        run = if segment == later { run + 1 } else { 0 };
        if run > longest {
            (longest, end) = (run, at + period + 1);
        }
    }
    let bytes = segments[end.saturating_sub(period)..end].iter().map(|segment| segment.len()).sum();
    Repeat { segments: period, bytes, times: 1 + longest / period }
}

impl Repeat {
    /// Twice is common (`/2015/05/05/`, `/news/news/`) unless it is a whole path; three times one letter is too.
    fn is_suspect(&self) -> bool {
        match self.times {
            0 | 1 => false,
            2 => self.segments >= 3 && self.bytes >= 12,
            3 => self.bytes >= 4,
            _ => true,
        }
    }
}
