//! Chapters: headings, what they stand in, and whether the article goes on behind them.

use super::Choice;
use crate::elements::heading_level;
use crate::tree::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;

/// Blocks among which the first prose of a chapter is: headings of its parts may stand before it, or a table.
const UNDER_HEADING: usize = 8;
/// Levels of headings.
const LEVELS: usize = 6;

/// The headings of an article, in order.
pub(super) struct Chapters {
    headings: Vec<Heading>,
    /// The last heading of a level in an element that says no end and has prose under it.
    last: BTreeMap<(usize, NodeId), usize>,
}

struct Heading {
    block: usize,
    level: usize,
    /// What its chapter stands in: that is the largest element without another heading of its level, or the heading itself.
    parent: NodeId,
    /// The last heading before it that is of a higher level and kept.
    above: Option<usize>,
}

/// What stands behind a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// Another beside the heading above it: it ends a part of a chapter.
    Parts,
    /// Another beside it.
    Chapters,
    Nothing,
}

impl Chapters {
    /// What goes on behind the heading that this block is.
    pub(super) fn behind(&self, block: usize) -> Behind {
        let Ok(at) = self.headings.binary_search_by_key(&block, |heading| heading.block) else {
            return Behind::Nothing;
        };
        let goes_on = |heading: &Heading| {
            self.last.get(&(heading.level, heading.parent)).is_some_and(|last| *last > block)
        };
        let heading = &self.headings[at];
        match heading.above.map(|above| &self.headings[above]) {
            Some(above) if goes_on(above) => Behind::Parts,
            _ if goes_on(heading) => Behind::Chapters,
            _ => Behind::Nothing,
        }
    }
}

impl Choice<'_, '_> {
    pub(super) fn chapters(&self, region: &Range<usize>) -> Chapters {
        let mut headings = self.headings(region);
        self.find_parents(&mut headings);
        let mut last = BTreeMap::new();
        for heading in &headings {
            if self.kept(heading.block)
                && !self.says_the_end(heading.block)
                && self.has_prose_under(heading, region.end)
            {
                last.insert((heading.level, heading.parent), heading.block);
            }
        }
        Chapters { headings, last }
    }

    fn headings(&self, region: &Range<usize>) -> Vec<Heading> {
        let mut headings: Vec<Heading> = Vec::new();
        let mut latest = [None; LEVELS];
        for block in region.clone() {
            let Some(level) = heading_level(self.page.tag(block)) else { continue };
            let above = latest[..level - 1].iter().copied().flatten().max();
            if self.kept(block) {
                latest[level - 1] = Some(headings.len());
            }
            headings.push(Heading { block, level, parent: NodeId::ROOT, above });
        }
        headings
    }

    /// Climbs from each heading as far as no other of its level is met; the elements climbed are of no other heading of that level.
    fn find_parents(&self, headings: &mut [Heading]) {
        let mut before = [None; LEVELS];
        let mut behind: Vec<Option<usize>> = vec![None; headings.len()];
        let mut next = [None; LEVELS];
        for (at, heading) in headings.iter().enumerate().rev() {
            behind[at] = next[heading.level - 1].replace(heading.block);
        }
        for (heading, behind) in headings.iter_mut().zip(behind) {
            let before = before[heading.level - 1].replace(heading.block);
            let has_other = |id: NodeId| {
                let blocks = self.page.within(id);
                before.is_some_and(|other| blocks.contains(&other))
                    || behind.is_some_and(|other| blocks.contains(&other))
            };
            let around = self.page.tree.ancestors(self.page.element(heading.block)).skip(1);
            heading.parent =
                around.take_while(|id| *id != NodeId::ROOT).find(|id| has_other(*id)).unwrap_or(NodeId::ROOT);
        }
    }

    fn has_prose_under(&self, heading: &Heading, end: usize) -> bool {
        let is_next =
            |block: &usize| heading_level(self.page.tag(*block)).is_some_and(|level| level <= heading.level);
        let mut under = (heading.block + 1..end).take(UNDER_HEADING).take_while(|block| !is_next(block));
        under.any(|block| self.kept(block) && self.sums.over(&(block..block + 1)).prose > 0.0)
    }
}
