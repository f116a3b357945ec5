//! Headings with nothing under them.

use super::{Choice, Verdict};
use crate::elements::heading_level;
use std::ops::Range;

impl Choice<'_, '_> {
    /// Drops headings before one of their own level or a higher one, and at the end.
    pub(super) fn drop_bare_headings(&mut self, region: &Range<usize>) {
        const END: usize = 0;
        const CONTENT: usize = 7;
        let mut next = END;
        for block in region.clone().rev() {
            if !self.kept(block) {
                continue;
            }
            match heading_level(self.page.tag(block)) {
                Some(level) if level >= next => self.verdicts[block] = Verdict::BareHeading,
                level => next = level.unwrap_or(CONTENT),
            }
        }
    }
}
