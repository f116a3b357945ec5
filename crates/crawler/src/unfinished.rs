use crate::limits::FRESH_IN_A_ROW;
use crate::{ParseJob, Rules, Source, Wants};
use archive::{Capture, Location};
use frontier::{CaptureSeq, Kind};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Captures from which something is still to be derived: their links, their row, or both.
#[derive(Debug, Default)]
pub(crate) struct Unfinished {
    captures: BTreeMap<CaptureSeq, Remainder>,
    /// Captures of this run: most of what is parsed, since what is fetched next needs their room.
    fresh: VecDeque<(CaptureSeq, Source)>,
    /// How many of them were handed out one after the other.
    fresh_in_a_row: u32,
    /// Captures of earlier runs, and those that are parsed once more: they hold up nothing, and have a turn now and then where
    /// parsers always have something fresh.
    stored: VecDeque<CaptureSeq>,
    /// Captures that a parser has, and what it was asked for.
    parsing: BTreeMap<CaptureSeq, Wants>,
}

/// What is left to do with one capture.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Remainder {
    pub(crate) kind: Kind,
    /// Links from a seed, by the shortest path known.
    pub(crate) depth: u32,
    /// Redirects behind it.
    pub(crate) hops: u8,
    /// Known once the commit is.
    pub(crate) location: Option<Location>,
    pub(crate) wants: Wants,
    /// Its links have been derived before, by a longer path or other rules: what it says is counted already.
    pub(crate) again: bool,
    /// Its row has gone to the corpus in this run and is not durable yet.
    #[serde(skip)]
    pub(crate) row_made: bool,
}

impl Unfinished {
    pub(crate) fn begin(&mut self, capture: CaptureSeq, remainder: Remainder) {
        self.captures.insert(capture, remainder);
    }

    pub(crate) fn get(&self, capture: CaptureSeq) -> Option<&Remainder> {
        self.captures.get(&capture)
    }

    /// The capture is durable and may be parsed. One whose body memory does not hold is let go of: the archive has it.
    pub(crate) fn committed(&mut self, capture: CaptureSeq, location: Location, fetched: Arc<Capture>) {
        let Some(entry) = self.captures.get_mut(&capture) else { return };
        entry.location = Some(location);
        let source = if fetched.body.held().is_some() { Source::Held(fetched) } else { Source::Stored };
        self.fresh.push_back((capture, source));
    }

    /// Where a capture is, as the journal says.
    pub(crate) fn located(&mut self, capture: CaptureSeq, location: Location) {
        if let Some(entry) = self.captures.get_mut(&capture) {
            entry.location = Some(location);
        }
    }

    /// After a replay: everything that is left is read back from the archive.
    pub(crate) fn queue_all(&mut self) {
        self.captures.retain(|_, entry| entry.location.is_some());
        self.stored = self.captures.keys().copied().collect();
    }

    /// The next capture to parse, if the pool has room for so many.
    pub(crate) fn next_job(&mut self, parses: usize, rules: &Arc<Rules>) -> Option<ParseJob> {
        while self.parsing.len() < parses {
            let (capture, source) = self.next_source()?;
            if self.parsing.contains_key(&capture) {
                continue;
            }
            let Some(entry) = self.captures.get(&capture) else { continue };
            let Some(location) = entry.location else { continue };
            let wants = Wants { row: entry.wants.row && !entry.row_made, ..entry.wants };
            if !wants.any() {
                continue;
            }
            self.parsing.insert(capture, wants);
            return Some(ParseJob {
                capture,
                source,
                location,
                kind: entry.kind,
                depth: entry.depth,
                hops: entry.hops,
                wants,
                rules: rules.clone(),
            });
        }
        None
    }

    fn next_source(&mut self) -> Option<(CaptureSeq, Source)> {
        if self.fresh_in_a_row < FRESH_IN_A_ROW
            && let Some(fresh) = self.fresh.pop_front()
        {
            self.fresh_in_a_row += 1;
            return Some(fresh);
        }
        self.fresh_in_a_row = 0;
        let stored = self.stored.pop_front().map(|capture| (capture, Source::Stored));
        stored.or_else(|| self.fresh.pop_front())
    }

    /// A parse came back, with a row or without. Says what it was asked for; links that are wanted since then take another.
    pub(crate) fn parse_ended(&mut self, capture: CaptureSeq, row: bool) -> Wants {
        let asked = self.parsing.remove(&capture).expect("what comes back was handed out");
        if asked.row && !row {
            self.row_done(capture);
        }
        if let Some(entry) = self.captures.get_mut(&capture) {
            entry.row_made |= row;
            if entry.wants.links && !asked.links {
                self.stored.push_back(capture);
            }
        }
        asked
    }

    /// The links have been received by their shards.
    pub(crate) fn links_done(&mut self, capture: CaptureSeq) {
        self.finish(capture, |wants| wants.links = false);
    }

    /// The capture's row is durable, or there is none.
    pub(crate) fn row_done(&mut self, capture: CaptureSeq) {
        self.finish(capture, |wants| wants.row = false);
    }

    /// Captures whose row is still wanted.
    pub(crate) fn without_row(&self) -> impl Iterator<Item = CaptureSeq> {
        self.captures.iter().filter(|(_, entry)| entry.wants.row).map(|(capture, _)| *capture)
    }

    /// The rows of these captures are durable.
    pub(crate) fn rows_done(&mut self, ranges: &[(u64, u64)]) {
        for &(first, last) in ranges {
            let held = self.captures.range(CaptureSeq(first)..=CaptureSeq(last)).map(|(capture, _)| *capture);
            for capture in held.collect::<Vec<_>>() {
                self.row_done(capture);
            }
        }
    }

    fn finish(&mut self, capture: CaptureSeq, change: impl Fn(&mut Wants)) {
        let Some(entry) = self.captures.get_mut(&capture) else { return };
        change(&mut entry.wants);
        if !entry.wants.any() {
            self.captures.remove(&capture);
        }
    }

    /// The links of a capture are wanted once more, whether or not it is known here.
    pub(crate) fn want_links(&mut self, capture: CaptureSeq, remainder: Remainder) {
        self.captures.entry(capture).or_insert(remainder);
        self.derive_once_more(capture);
    }

    /// Rules have changed: links that parsers are finding by the old ones are asked for once more.
    pub(crate) fn ask_again(&mut self) {
        self.parsing.values_mut().for_each(|asked| asked.links = false);
    }

    /// Captures whose links are still wanted.
    pub(crate) fn with_links(&self) -> impl Iterator<Item = CaptureSeq> {
        self.captures.iter().filter(|(_, entry)| entry.wants.links).map(|(capture, _)| *capture)
    }

    /// The first of these captures whose links are still wanted.
    pub(crate) fn first_with_links(&self, among: RangeInclusive<CaptureSeq>) -> Option<CaptureSeq> {
        let mut among = self.captures.range(among);
        among.find(|(_, entry)| entry.wants.links).map(|(capture, _)| *capture)
    }

    /// Captures that are read back from the archive when a parser has time.
    pub(crate) fn stored(&self) -> usize {
        self.stored.len()
    }

    /// A page has been reached by a shorter path: its links are wanted once more, from this depth. Nothing but the depth
    /// changes while they are still to be derived.
    pub(crate) fn derive_again(&mut self, capture: CaptureSeq, depth: u32, location: Location) {
        let entry = self.captures.entry(capture).or_insert(Remainder {
            kind: Kind::Page,
            depth,
            hops: 0,
            location: Some(location),
            wants: Wants { links: false, row: false },
            again: true,
            row_made: false,
        });
        entry.depth = entry.depth.min(depth);
        self.derive_once_more(capture);
    }

    /// What it says is counted already, unless its links are still to be derived.
    fn derive_once_more(&mut self, capture: CaptureSeq) {
        let Some(entry) = self.captures.get_mut(&capture).filter(|entry| !entry.wants.links) else { return };
        entry.wants.links = true;
        entry.again = true;
        if !self.parsing.contains_key(&capture) {
            self.stored.push_back(capture);
        }
    }

    /// Captures that wait for a parser or are with one.
    pub(crate) fn unparsed(&self) -> usize {
        self.fresh() + self.stored.len() + self.parsing.len()
    }

    /// Captures of this run that no parser has.
    pub(crate) fn fresh(&self) -> usize {
        self.fresh.len()
    }

    /// The oldest WARC file that is still needed.
    pub(crate) fn first_serial(&self) -> Option<u32> {
        self.captures.values().filter_map(|entry| entry.location).map(|location| location.serial).min()
    }

    pub(crate) fn save(&self) -> Vec<(CaptureSeq, Remainder)> {
        self.captures.iter().map(|(capture, entry)| (*capture, entry.clone())).collect()
    }

    pub(crate) fn load(&mut self, captures: Vec<(CaptureSeq, Remainder)>) {
        self.captures = captures.into_iter().collect();
    }
}
