//! Links that stand for themselves: lists of them, and blocks that hold little else.

use super::{Choice, Verdict, WORDS_LEAST};
use crate::elements::{CELLS, LISTS, PREFORMATTED};
use markup::{Tag, TagSet};
use std::ops::Range;

/// The share of links from which a block is one of links.
const LINKED: f32 = 0.6;
/// Letters of an item, on average, in a list of links.
const ITEM_LETTERS: u32 = 90;
/// Items that tell of a link, in a list that does; one of so many must; and letters that are said of a link.
const TOLD_LEAST: usize = 2;
const TOLD_SHARE: usize = 3;
const TOLD_LETTERS: u32 = 16;
/// Blocks beside a link that are asked what they say.
const NEAR: usize = 8;

const LISTING: TagSet = LISTS.with(TagSet::of(&[Tag::Dl]));

impl Choice<'_, '_> {
    /// Drops lists of links.
    pub(super) fn drop_link_lists(&mut self, region: &Range<usize>) {
        let mut block = region.start;
        while block < region.end {
            let Some(list) = self.page.nearest(block, LISTING) else {
                block += 1;
                continue;
            };
            let items = self.page.within(list);
            block = items.end;
            if self.are_links(&items) && !self.tell_of_links(&items) {
                self.drop(items, Verdict::Links);
            }
        }
    }

    fn are_links(&self, items: &Range<usize>) -> bool {
        let sum = self.sums.over(items);
        sum.linked * 2 > sum.letters && sum.letters < ITEM_LETTERS * items.len() as u32
    }

    /// Whether sentences of a list tell of what they link.
    fn tell_of_links(&self, items: &Range<usize>) -> bool {
        let told = items.clone().filter(|item| self.tells_of_a_link(*item)).count();
        told >= TOLD_LEAST && told * TOLD_SHARE >= items.len()
    }

    fn tells_of_a_link(&self, item: usize) -> bool {
        let count = self.page.count(item);
        self.kept(item) && count.linked > 0 && count.letters - count.linked >= TOLD_LETTERS && count.stops > 0
    }

    /// Whether it is links and nothing else: code may refer with every name, a word of a paragraph may be a link, and a cell what
    /// its row is about.
    pub(super) fn is_of_links(&self, block: usize) -> bool {
        let count = self.page.count(block);
        let is_word = || self.page.tag(block) == Tag::P && count.words < WORDS_LEAST;
        count.link_density() > LINKED
            && !is_word()
            && !self.page.is_in(block, PREFORMATTED)
            && !self.is_told_of(block)
            && !self.is_among_told(block)
    }

    /// Whether it is all of a cell, and another of the row says something.
    fn is_told_of(&self, block: usize) -> bool {
        let Some(cell) = self.page.nearest(block, CELLS) else { return false };
        let says_something = |beside: usize| {
            let count = self.page.count(beside);
            self.kept(beside) && count.words >= WORDS_LEAST && count.link_density() <= LINKED
        };
        let mut row = self.page.within(self.page.tree[cell].parent).take(NEAR);
        self.page.within(cell).len() == 1 && row.any(says_something)
    }

    /// Whether it is an item, and one near it in the list tells of a link.
    fn is_among_told(&self, block: usize) -> bool {
        if self.page.tag(block) != Tag::Li {
            return false;
        }
        let list = self.page.nearest(block, LISTING).map(|list| self.page.within(list));
        list.is_some_and(|list| {
            let from = list.start.max(block.saturating_sub(NEAR));
            (from..list.end.min(block + NEAR)).any(|item| self.tells_of_a_link(item))
        })
    }
}
