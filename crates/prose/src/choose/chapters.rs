//! Chapters: the headings of an article, and whether it goes on behind them.

use super::Choice;
use crate::elements::heading_level;
use std::ops::Range;

/// Blocks among which the first prose of a chapter is: headings of its parts may stand before it, or a table.
const UNDER_HEADING: usize = 8;
/// Levels of headings.
const LEVELS: usize = 6;

/// The headings of an article, in order.
pub(super) struct Chapters {
    headings: Vec<Heading>,
    /// By level, the last heading that says no end and has prose under it.
    last: [Option<usize>; LEVELS],
}

#[derive(Clone, Copy)]
struct Heading {
    block: usize,
    level: usize,
    /// The level of the chapter that it is a part of: that of the last heading before it that is of a higher one and kept.
    above: Option<usize>,
}

impl Chapters {
    /// Whether the heading that a block is has others behind it: chapters beside its own, or beside the one that it is a part of.
    pub(super) fn go_on_behind(&self, block: usize) -> bool {
        let Ok(at) = self.headings.binary_search_by_key(&block, |heading| heading.block) else {
            return false;
        };
        let go_on = |level: usize| self.last[level - 1].is_some_and(|last| last > block);
        let Heading { level, above, .. } = self.headings[at];
        go_on(level) || above.is_some_and(go_on)
    }
}

impl Choice<'_, '_> {
    pub(super) fn chapters(&self, region: &Range<usize>) -> Chapters {
        let headings = self.headings(region);
        let mut last = [None; LEVELS];
        for heading in &headings {
            if self.kept(heading.block)
                && !self.says_the_end(heading.block)
                && self.has_prose_under(heading, region.end)
            {
                last[heading.level - 1] = Some(heading.block);
            }
        }
        Chapters { headings, last }
    }

    fn headings(&self, region: &Range<usize>) -> Vec<Heading> {
        let mut headings = Vec::new();
        let mut latest: [Option<usize>; LEVELS] = [None; LEVELS];
        for block in region.clone() {
            let Some(level) = heading_level(self.page.tag(block)) else { continue };
            let above = (1..level).max_by_key(|above| latest[above - 1]);
            headings.push(Heading { block, level, above: above.filter(|above| latest[above - 1].is_some()) });
            if self.kept(block) {
                latest[level - 1] = Some(block);
            }
        }
        headings
    }

    fn has_prose_under(&self, heading: &Heading, end: usize) -> bool {
        let is_next =
            |block: &usize| heading_level(self.page.tag(*block)).is_some_and(|level| level <= heading.level);
        let mut under = (heading.block + 1..end).take(UNDER_HEADING).take_while(|block| !is_next(block));
        under.any(|block| self.kept(block) && self.sums.over(&(block..block + 1)).prose > 0.0)
    }
}
