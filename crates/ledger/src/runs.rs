use crate::offset::deepest;
use crate::{Offset, Span};
use stdx::Timestamp;

/// How a server's clock stands to ours, run by run: within one our clock is steady, but between two it may have been set, or the
/// crawl moved to another machine.
#[derive(Debug)]
pub(crate) struct Clocks {
    /// What most contacts agree on.
    pub(crate) most: Option<Offset>,
    /// In order; the first is whatever came before a promise.
    runs: Vec<Run>,
}

/// What the contacts of a run say of the offset.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    /// When it began, in microseconds of our clock.
    pub(crate) began_us: i64,
    /// By each contact that says something.
    pub(crate) spans: Vec<Span>,
}

#[derive(Debug)]
struct Run {
    began_us: i64,
    /// When it began on the server's clock: somewhere between these two.
    at_server: Span,
    offset_us: i64,
}

impl Clocks {
    /// A run goes by what most contacts of all runs agree on, unless more of its own agree on something else.
    pub(crate) fn new(said: &[Said]) -> Self {
        let all: Vec<Span> = said.iter().flat_map(|said| said.spans.iter().copied()).collect();
        let Some(most) = deepest(&all) else { return Self { most: None, runs: Vec::new() } };
        let (mut disagree, mut runs_apart, mut runs) = (0, 0, Vec::new());
        for said in said {
            let goes_by = said.goes_by(most);
            runs_apart += u64::from(goes_by != most);
            disagree += said.spans.iter().filter(|span| !span.has(goes_by) && !span.has(most)).count() as u64;
            runs.push(Run::new(said.began_us, goes_by, runs.last()));
        }
        let agree = all.iter().filter(|span| span.has(most)).count() as u64;
        let Span { from_us: least_us, to_us: most_us } = most;
        Self { most: Some(Offset { least_us, most_us, agree, disagree, runs_apart }), runs }
    }

    /// What is to be added to the moment of a line to have it on our clock: near the start of a run it may be of either side.
    pub(crate) fn around(&self, ended: Span) -> Span {
        let begun = |count: usize| count.saturating_sub(1);
        let first = begun(self.runs.partition_point(|run| run.at_server.to_us < ended.from_us));
        let last = begun(self.runs.partition_point(|run| run.at_server.from_us <= ended.to_us)).max(first);
        let offsets = || self.runs.iter().take(last + 1).skip(first).map(|run| run.offset_us);
        Span { from_us: offsets().min().unwrap_or(0), to_us: offsets().max().unwrap_or(0) }
    }

    /// The moment in which something of ours ended on the server's clock.
    pub(crate) fn at_server_us(&self, started: Timestamp, ended: Timestamp) -> i64 {
        let us = |at: Timestamp| at.as_ms() as i64 * 1000;
        let begun = self.runs.partition_point(|run| run.began_us <= us(started));
        us(ended) - begun.checked_sub(1).map_or(0, |run| self.runs[run].offset_us)
    }
}

impl Said {
    fn goes_by(&self, most: Span) -> Span {
        let agree = |offset: Span| self.spans.iter().filter(|span| span.has(offset)).count();
        deepest(&self.spans).filter(|own| agree(*own) > agree(most)).unwrap_or(most)
    }
}

impl Run {
    /// Not before the one that came before.
    fn new(began_us: i64, offset: Span, before: Option<&Self>) -> Self {
        let earliest = before.map_or(Span { from_us: i64::MIN, to_us: i64::MIN }, |run| run.at_server);
        let at_server = Span {
            from_us: began_us.saturating_sub(offset.to_us).max(earliest.from_us),
            to_us: began_us.saturating_sub(offset.from_us).max(earliest.to_us),
        };
        Self { began_us, at_server, offset_us: i64::midpoint(offset.from_us, offset.to_us) }
    }
}

impl Span {
    /// Whether all of another lies within, ends included.
    fn has(self, other: Self) -> bool {
        self.from_us <= other.from_us && other.to_us <= self.to_us
    }
}
