use crate::limits::{RECENT_SAMPLES, WHOLE_SAMPLES};
use crate::sample::{COLUMNS, Sample, Sampler};
use serde_json::{Value, json};
use snapshot::Snapshot;
use std::collections::VecDeque;

#[cfg(test)]
mod tests;

/// How a crawl has fared since the server was started: closely for the last minutes, and from afar for all of the run. It takes
/// the same memory however long that is.
#[derive(Debug)]
pub(crate) struct History {
    sampler: Sampler,
    recent: VecDeque<Sample>,
    whole: Vec<Sample>,
    /// One in so many samples is kept of the whole run.
    stride: u64,
    taken: u64,
}

/// How much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Span {
    /// The last minutes.
    Recent,
    /// All.
    Whole,
}

impl History {
    pub(crate) fn new() -> Self {
        Self { sampler: Sampler::default(), recent: VecDeque::new(), whole: Vec::new(), stride: 1, taken: 0 }
    }

    /// Takes a sample; to be called once a second.
    pub(crate) fn note(&mut self, snapshot: &Snapshot) {
        let sample = self.sampler.take(snapshot);
        if self.recent.len() == RECENT_SAMPLES {
            self.recent.pop_front();
        }
        if self.taken.is_multiple_of(self.stride) {
            self.keep(&sample);
        }
        self.recent.push_back(sample);
        self.taken += 1;
    }

    fn keep(&mut self, sample: &Sample) {
        if self.whole.len() == WHOLE_SAMPLES {
            let mut index = 0;
            self.whole.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
        self.whole.push(sample.clone());
    }

    /// What came after a moment, as rows of numbers under their names, oldest first.
    pub(crate) fn json(&self, span: Span, since_ms: u64) -> Value {
        let row = |sample: &Sample| (sample.0[0] > Some(since_ms)).then(|| json!(sample.0));
        let rows: Vec<Value> = match span {
            Span::Recent => self.recent.iter().filter_map(row).collect(),
            Span::Whole => self.whole.iter().chain(self.latest()).filter_map(row).collect(),
        };
        json!({ "columns": COLUMNS, "rows": rows })
    }

    /// The latest sample, where it is not among those of the whole run.
    fn latest(&self) -> Option<&Sample> {
        self.recent.back().filter(|latest| self.whole.last() != Some(*latest))
    }
}
