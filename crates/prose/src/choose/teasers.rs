//! What announces other pages: a heading that is a link, and the few lines under it.

use super::{Choice, Verdict};
use crate::tree::NodeId;
use std::ops::Range;

/// The share of a heading that is a link.
const LINKED: f32 = 0.8;
/// Headings of a teaser, and its letters.
const HEADINGS_MOST: u32 = 2;
const LETTERS_MOST: u32 = 900;

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
        let headings = (0..self.blocks.len()).filter(|block| self.kept(*block) && self.is_heading(*block));
        headings.filter(|block| self.title != Some(*block) && self.count(*block).link_density() > LINKED)
    }

    /// The largest element around a heading that has hardly another one and little text; or the heading alone.
    fn teaser(&self, heading: usize) -> Range<usize> {
        let around = self.tree.ancestors(self.blocks[heading].node).take_while(|id| *id != NodeId::ROOT);
        let small = around.map(|id| self.within(id)).take_while(|blocks| {
            let sum = self.sums.over(blocks);
            sum.headings <= HEADINGS_MOST && sum.letters <= LETTERS_MOST && !self.has_title(blocks)
        });
        small.last().unwrap_or(heading..heading + 1)
    }

    /// A page that consists of little else announces for a living.
    fn is_index(&self, teasers: &[Range<usize>]) -> bool {
        let share = if self.title.is_some() { 0.75 } else { 0.5 };
        let mut teased = 0.0;
        let mut end = 0;
        for teaser in teasers {
            let from = teaser.start.max(end);
            end = end.max(teaser.end);
            teased += self.sums.over(&(from..from.max(teaser.end))).prose;
        }
        teased > share * self.sums.prose()
    }
}
