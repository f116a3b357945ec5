use crate::error::Result;
use crate::scratch::Scratch;
use crate::sorter::{Sorted, Sorter};

/// Gives every text the first representative that it is near: (text, representative), sorted. `near` has pairs (earlier,
/// later). A text that is near no representative is one itself, so that no two representatives are near each other: the
/// lexicographically first maximal independent set, found as a segmented sieve finds primes. Representatives come by in
/// order and strike out what is near them; a segment of all texts has a bit each in memory.
pub(crate) fn group(scratch: &Scratch, mut near: Sorted, texts: u64, memory_bytes: usize) -> Result<Sorted> {
    let mut members = Sorter::new(scratch, "stars", memory_bytes);
    let segment_texts = memory_bytes as u64 * 8;
    // One is read while the next is written.
    let names = ["later", "later-still"].into_iter().cycle();
    for (start, name) in (0..texts).step_by(segment_texts as usize).zip(names) {
        let segment = Segment::new(start, segment_texts.min(texts - start));
        let mut later = Sorter::new(scratch, name, memory_bytes);
        segment.strike_out(near, &mut members, &mut later)?;
        near = later.finish()?;
    }
    members.finish()
}

/// A range of texts, and which of them are near a representative.
struct Segment {
    start: u64,
    end: u64,
    members: Vec<u64>,
}

impl Segment {
    fn new(start: u64, texts: u64) -> Self {
        Self { start, end: start + texts, members: vec![0; texts.div_ceil(64) as usize] }
    }

    /// Of texts before this segment `near` has only representatives, and so has `later`.
    fn strike_out(mut self, mut near: Sorted, members: &mut Sorter, later: &mut Sorter) -> Result<()> {
        while let Some([earlier, text]) = near.next()? {
            if self.is_member(earlier) {
                continue;
            }
            if text >= self.end {
                later.push([earlier, text])?;
            } else if !self.is_member(text) {
                self.join(text);
                members.push([text, earlier])?;
            }
        }
        Ok(())
    }

    fn is_member(&self, text: u64) -> bool {
        let place = text.checked_sub(self.start).filter(|_| text < self.end);
        place.is_some_and(|place| self.members[place as usize / 64] & (1 << (place % 64)) != 0)
    }

    fn join(&mut self, text: u64) {
        let place = text - self.start;
        self.members[place as usize / 64] |= 1 << (place % 64);
    }
}
