//! What announces other pages: a heading that is a link, and the few lines under it.

use super::{Choice, Verdict};
use crate::tree::NodeId;
use std::ops::Range;

/// Headings of a teaser, and its letters.
const HEADINGS_MOST: u32 = 2;
const LETTERS_MOST: u32 = 900;
/// The share of a page's prose that is announcements, where the page has nothing else to say.
const INDEX_SHARE: f32 = 0.6;

impl Choice<'_, '_> {
    pub(super) fn drop_teasers(&mut self) {
        let teasers: Vec<Range<usize>> = self.linked_headings().map(|heading| self.teaser(heading)).collect();
        if self.is_index(&teasers) {
            return;
        }
        for teaser in teasers {
            self.drop(teaser, Verdict::Teaser);
        }
        self.measure();
    }

    fn linked_headings(&self) -> impl Iterator<Item = usize> {
        let kept = (0..self.verdicts.len()).filter(|block| self.kept(*block));
        kept.filter(|block| self.page.is_linked_heading(*block))
    }

    /// The largest element around a heading that has hardly another one and little text; or the heading alone.
    fn teaser(&self, heading: usize) -> Range<usize> {
        let around =
            self.page.tree.ancestors(self.page.element(heading)).take_while(|id| *id != NodeId::ROOT);
        let small = around.map(|id| self.page.within(id)).take_while(|blocks| {
            let sum = self.sums.over(blocks);
            sum.headings <= HEADINGS_MOST && sum.letters <= LETTERS_MOST && !self.has_title(blocks)
        });
        small.last().unwrap_or(heading..heading + 1)
    }

    /// A page that consists of little else announces for a living.
    fn is_index(&self, teasers: &[Range<usize>]) -> bool {
        let mut teased = 0.0;
        let mut end = 0;
        for teaser in teasers {
            let from = teaser.start.max(end);
            end = end.max(teaser.end);
            teased += self.sums.over(&(from..from.max(teaser.end))).prose;
        }
        teased > INDEX_SHARE * self.sums.prose()
    }
}
