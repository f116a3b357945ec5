use crate::limits::OFFSET_SAMPLES;
use crate::runs::{Clocks, Said};
use crate::{Contact, Request, Span};
use serde::Serialize;
use stdx::{Map, Timestamp, map};

/// What is to be added to a moment of the server's clock to have it on ours, in microseconds: somewhere between these two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Offset {
    /// Not less than this.
    pub least_us: i64,
    /// Not more than this.
    pub most_us: i64,
    /// So many contacts say so.
    pub agree: u64,
    /// And so many others do not fit in with them, nor with those of their own run.
    pub disagree: u64,
    /// Runs whose contacts agree on something else: our clock was another.
    pub runs_apart: u64,
}

/// Finds out how a server's clock stands to ours. A contact that both sides have once, and that was read to its end, says:
/// the server cannot have had the request before we began, nor have sent the last byte after we had it. What most of them
/// agree on is the offset. Keeps the contacts with the smallest hashes, as many as there is room for.
#[derive(Debug)]
pub(crate) struct Sampler {
    /// When runs began.
    runs: Vec<Timestamp>,
    samples: Map<u64, Sample>,
    below: u64,
    room: usize,
}

#[derive(Debug, Default)]
struct Sample {
    ours: Seen<Ours>,
    theirs: Seen<Theirs>,
}

#[derive(Debug, Clone, Copy)]
struct Ours {
    /// How many runs had begun.
    run: usize,
    started_us: i64,
    ended_us: i64,
}

#[derive(Debug, Clone, Copy)]
struct Theirs {
    /// The latest the request can have come, and the earliest the last byte can have left.
    came_by_us: i64,
    left_from_us: i64,
}

#[derive(Debug, Clone, Copy, Default)]
enum Seen<T> {
    #[default]
    Never,
    Once(T),
    Often,
}

const MS_US: i64 = 1000;

impl<T: Copy> Seen<T> {
    fn note(&mut self, seen: T) {
        *self = if matches!(self, Self::Never) { Self::Once(seen) } else { Self::Often };
    }

    fn once(self) -> Option<T> {
        if let Self::Once(seen) = self { Some(seen) } else { None }
    }
}

impl Default for Sampler {
    fn default() -> Self {
        Self { runs: Vec::new(), samples: map(), below: u64::MAX, room: OFFSET_SAMPLES }
    }
}

impl Sampler {
    /// What comes from now on is of a run that began then.
    pub(crate) fn run(&mut self, began: Timestamp) {
        self.runs.push(began);
    }

    /// A contact of ours for what has this name. One that was not read to its end counts, but says nothing.
    pub(crate) fn ours(&mut self, id: u64, contact: &Contact) {
        let run = self.runs.len();
        let Some(sample) = self.sample(id) else { return };
        sample.ours.note(Ours::of(contact, run));
        if !contact.is_whole() {
            sample.ours = Seen::Often;
        }
    }

    /// A request in the log.
    pub(crate) fn theirs(&mut self, id: u64, request: &Request) {
        if let Some(sample) = self.sample(id) {
            sample.theirs.note(Theirs::of(request));
        }
    }

    /// The offsets that contradict the fewest.
    pub(crate) fn clocks(&self) -> Clocks {
        let begun = self.runs.iter().map(|began| began.as_ms() as i64 * MS_US);
        let begun = std::iter::once(i64::MIN).chain(begun);
        let mut said: Vec<Said> = begun.map(|began_us| Said { began_us, spans: Vec::new() }).collect();
        let both =
            self.samples.values().filter_map(|sample| Some((sample.ours.once()?, sample.theirs.once()?)));
        for (ours, theirs) in both {
            said[ours.run].spans.push(ours.offset_to(theirs));
        }
        Clocks::new(&said)
    }

    fn sample(&mut self, id: u64) -> Option<&mut Sample> {
        if id > self.below {
            return None;
        }
        while self.samples.len() >= self.room && !self.samples.contains_key(&id) {
            self.below /= 2;
            let below = self.below;
            self.samples.retain(|id, _| *id <= below);
            if id > self.below {
                return None;
            }
        }
        Some(self.samples.entry(id).or_default())
    }
}

impl Ours {
    /// Our clock tells milliseconds: a start is rounded up, an end may be rounded either way.
    fn of(contact: &Contact, run: usize) -> Self {
        let us = |at: Timestamp| at.as_ms() as i64 * MS_US;
        Self { run, started_us: us(contact.started()) - MS_US, ended_us: us(contact.ended()) + MS_US }
    }

    /// The offsets by which the request came after we began and the last byte left before we had it.
    fn offset_to(self, theirs: Theirs) -> Span {
        Span { from_us: self.started_us - theirs.came_by_us, to_us: self.ended_us - theirs.left_from_us }
    }
}

impl Theirs {
    fn of(request: &Request) -> Self {
        let came = request.started.unwrap_or(request.ended);
        Self { came_by_us: came.to_us, left_from_us: request.ended.from_us }
    }
}

impl Offset {
    /// Its middle.
    pub fn middle_us(self) -> i64 {
        i64::midpoint(self.least_us, self.most_us)
    }
}

/// Where most of these overlap.
pub(crate) fn deepest(spans: &[Span]) -> Option<Span> {
    let sound = spans.iter().filter(|span| span.from_us <= span.to_us);
    let mut edges: Vec<(i64, i32)> = sound.flat_map(|span| [(span.from_us, -1), (span.to_us, 1)]).collect();
    // At one place, what begins comes before what ends: spans are closed.
    edges.sort_unstable();
    let (mut depth, mut most, mut best) = (0, 0, None);
    for (index, (at, turn)) in edges.iter().enumerate() {
        depth -= turn;
        if depth > most {
            most = depth;
            best = edges.get(index + 1).map(|(end, _)| Span { from_us: *at, to_us: *end });
        }
    }
    best
}
