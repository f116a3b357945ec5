use crate::Request;
use crate::limits::{DISORDER_MS, LINES_HELD};
use crate::matching::{Claim, Match, Open};
use std::collections::BTreeMap;
use stdx::{Map, map};

/// Lines of the log that wait until it is known whose they are. A line from beside a crash may be a request that the crash took out of the ledger,
/// and what the ledger has may be the same request made again, whose line comes later: so the contact that was found for it may still go
/// to a line that fits it better. Whatever comes behind such a line waits with it: they are judged in order.
#[derive(Debug)]
pub(crate) struct HeldLines {
    by_line: BTreeMap<u64, HeldLine>,
    /// Those from beside a crash that have a contact.
    by_target: Map<u64, Vec<u64>>,
}

/// A line, and what was found for it so far.
#[derive(Debug)]
pub(crate) struct HeldLine {
    pub(crate) claim: Claim,
    pub(crate) host: String,
    pub(crate) request: Request,
    pub(crate) found: Match,
}

impl HeldLines {
    pub(crate) fn new() -> Self {
        Self { by_line: BTreeMap::new(), by_target: map() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_line.is_empty()
    }

    /// Takes in a line; where nothing was found for it, it gets the contact of a line that fits it worse.
    pub(crate) fn push(&mut self, mut line: HeldLine) {
        self.note(&line.claim);
        if !matches!(line.found, Match::Of(_)) {
            self.displace(&mut line);
        }
        if line.may_lose_its_contact() {
            self.by_target.entry(line.claim.target).or_default().push(line.claim.line);
        }
        self.by_line.insert(line.claim.line, line);
    }

    /// The next line, if all that may be about its contact have come by now: `from_ms` is when the latest of them ended.
    pub(crate) fn pop(&mut self, from_ms: i64) -> Option<HeldLine> {
        let (_, first) = self.by_line.first_key_value()?;
        if first.is_settled(from_ms) {
            return self.pop_first();
        }
        if self.by_line.len() <= LINES_HELD {
            return None;
        }
        let mut line = self.pop_first()?;
        if let Some(open) = line.contact_mut() {
            open.doubt();
        }
        Some(line)
    }

    /// The next line, whatever may come.
    pub(crate) fn pop_first(&mut self) -> Option<HeldLine> {
        let (number, line) = self.by_line.pop_first()?;
        if let Some(numbers) = self.by_target.get_mut(&line.claim.target) {
            numbers.retain(|held| *held != number);
            if numbers.is_empty() {
                self.by_target.remove(&line.claim.target);
            }
        }
        Some(line)
    }

    /// Whom else a line may be about.
    fn note(&mut self, claim: &Claim) {
        for number in self.by_target.get(&claim.target).into_iter().flatten() {
            if let Some(open) = self.by_line.get_mut(number).and_then(HeldLine::contact_mut) {
                open.note(claim);
            }
        }
    }

    fn displace(&mut self, line: &mut HeldLine) {
        let numbers = self.by_target.get(&line.claim.target).into_iter().flatten();
        let nearer =
            numbers.filter_map(|number| Some((line.is_nearer_than(self.by_line.get(number)?)?, *number)));
        let Some((_, number)) = nearer.min() else { return };
        if let Some(held) = self.by_line.get_mut(&number) {
            line.found = std::mem::replace(&mut held.found, Match::None);
        }
    }
}

impl HeldLine {
    fn contact(&self) -> Option<&Open> {
        if let Match::Of(open) = &self.found { Some(open) } else { None }
    }

    fn contact_mut(&mut self) -> Option<&mut Open> {
        if let Match::Of(open) = &mut self.found { Some(open) } else { None }
    }

    fn may_lose_its_contact(&self) -> bool {
        self.claim.may_be_lost && self.contact().is_some()
    }

    /// Whether no line can be about its contact any more.
    fn is_settled(&self, from_ms: i64) -> bool {
        let lasts_to_ms = |open: &Open| open.ended.as_ms() as i64 + 2 * DISORDER_MS as i64;
        !self.claim.may_be_lost || self.contact().is_none_or(|open| lasts_to_ms(open) < from_ms)
    }

    /// How far it is from the contact of another, if it fits that no worse; of two that fit alike, the later was not lost.
    fn is_nearer_than(&self, other: &Self) -> Option<u64> {
        let (when, open) = (self.claim.when, other.contact()?);
        let distance_ms = when.distance_ms(open.ended);
        let is_nearer = when.fits(open) && distance_ms <= other.claim.when.distance_ms(open.ended);
        is_nearer.then_some(distance_ms)
    }
}
