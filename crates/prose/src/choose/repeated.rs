//! Lines that are shown twice, one of them for small screens.

use super::{Choice, Verdict};
use crate::elements::{CELLS, PREFORMATTED};
use markup::{Tag, TagSet};
use std::ops::Range;

/// Letters of a block that nobody writes twice.
const LETTERS_LEAST: u32 = 20;
/// Elements whose lines may be the same.
const REPEATING: TagSet = TagSet::of(&[Tag::Li]).with(PREFORMATTED).with(CELLS);

impl Choice<'_, '_> {
    /// Drops what says again what the block before it says.
    pub(super) fn drop_repeated(&mut self, region: &Range<usize>) {
        let kept: Vec<usize> = region.clone().filter(|block| self.kept(*block)).collect();
        for pair in kept.windows(2) {
            let [before, after] = [pair[0], pair[1]];
            let (count, again) = (self.page.count(before), self.page.count(after));
            if again.letters >= LETTERS_LEAST
                && count == again
                && self.page.line(before) == self.page.line(after)
                && !self.page.is_in(after, REPEATING)
            {
                self.verdicts[after] = Verdict::Repeated;
            }
        }
    }
}
