use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use thiserror::Error;

/// A set of numbers, kept as the fewest inclusive ranges. Written `1-500,502`: ascending, apart by at least one
/// missing number, the empty set as the empty string.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Ranges {
    /// First number of a range → its last. No two ranges touch.
    spans: BTreeMap<u64, u64>,
}

impl Ranges {
    /// The empty set.
    pub const fn new() -> Self {
        Self { spans: BTreeMap::new() }
    }

    /// Puts `number` in; says whether it was missing. Logarithmic in the number of ranges.
    pub fn insert(&mut self, number: u64) -> bool {
        if self.contains(number) {
            return false;
        }
        self.insert_span(number..=number);
        true
    }

    /// Puts in every number of `span`; an empty span changes nothing.
    pub fn insert_span(&mut self, span: RangeInclusive<u64>) {
        if span.is_empty() {
            return;
        }
        let (mut first, mut last) = span.into_inner();
        while let Some((start, end)) = self.touching(first, last) {
            self.spans.remove(&start);
            first = first.min(start);
            last = last.max(end);
        }
        self.spans.insert(first, last);
    }

    /// Puts in every number of `other`.
    pub fn extend(&mut self, other: &Self) {
        for span in other.spans() {
            self.insert_span(span);
        }
    }

    /// Whether `number` is in the set. Logarithmic in the number of ranges.
    pub fn contains(&self, number: u64) -> bool {
        self.spans.range(..=number).next_back().is_some_and(|(_, &last)| number <= last)
    }

    /// What both sets hold.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let (mut left, mut right) = (self.spans().peekable(), other.spans().peekable());
        let mut common = Self::new();
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            common.insert_span(*a.start().max(b.start())..=*a.end().min(b.end()));
            if a.end() < b.end() {
                left.next()
            } else {
                right.next()
            };
        }
        common
    }

    /// Every number, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.spans().flatten()
    }

    /// The ranges, ascending, no two of which touch.
    pub fn spans(&self) -> impl Iterator<Item = RangeInclusive<u64>> + '_ {
        self.spans.iter().map(|(&first, &last)| first..=last)
    }

    /// How many numbers are in the set; `u64::MAX` stands for all 2^64 too.
    pub fn count(&self) -> u64 {
        self.spans().map(|span| (span.end() - span.start()).saturating_add(1)).fold(0, u64::saturating_add)
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The range with the largest start that overlaps or adjoins `first..=last`.
    fn touching(&self, first: u64, last: u64) -> Option<(u64, u64)> {
        let (&start, &end) = self.spans.range(..=last.saturating_add(1)).next_back()?;
        (end.saturating_add(1) >= first).then_some((start, end))
    }
}

impl FromIterator<u64> for Ranges {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Self {
        let mut ranges = Self::new();
        for number in numbers {
            ranges.insert(number);
        }
        ranges
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, span) in self.spans().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            let (first, last) = span.into_inner();
            if first == last {
                write!(f, "{comma}{first}")?;
            } else {
                write!(f, "{comma}{first}-{last}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// Text that is not a set of ranges in its one spelling.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{part}` is not the next range of a list like 1-500,502")]
pub struct RangesError {
    part: String,
}

impl FromStr for Ranges {
    type Err = RangesError;

    /// Reads what `Display` writes and nothing else: durable state has one spelling.
    fn from_str(text: &str) -> Result<Self, RangesError> {
        let mut ranges = Self::new();
        if text.is_empty() {
            return Ok(ranges);
        }
        let mut least = Some(0);
        for part in text.split(',') {
            let span = parse_span(part)
                .filter(|span| least.is_some_and(|least| *span.start() >= least))
                .ok_or_else(|| RangesError { part: part.to_owned() })?;
            least = span.end().checked_add(2);
            ranges.spans.insert(*span.start(), *span.end());
        }
        Ok(ranges)
    }
}

/// `7` or `1-500`, the second number larger.
fn parse_span(part: &str) -> Option<RangeInclusive<u64>> {
    match part.split_once('-') {
        None => parse_number(part).map(|number| number..=number),
        Some((first, last)) => {
            let (first, last) = (parse_number(first)?, parse_number(last)?);
            (first < last).then_some(first..=last)
        }
    }
}

/// Decimal digits without sign or leading zero.
fn parse_number(digits: &str) -> Option<u64> {
    let number: u64 = digits.parse().ok()?;
    (number.to_string() == digits).then_some(number)
}

#[cfg(test)]
mod tests;
