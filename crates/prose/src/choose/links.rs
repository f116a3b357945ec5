//! Links that stand for themselves: blocks that hold little else.

use super::{Choice, WORDS_LEAST};
use crate::elements::{CELLS, LISTS, PREFORMATTED};
use markup::{Tag, TagSet};

/// The share of links from which a block is one of links.
const LINKED: f32 = 0.6;
/// Letters that are said of a link, in an item that tells of it.
const TOLD_LETTERS: u32 = 16;
/// Blocks beside a link that are asked what they say.
const NEAR: usize = 8;

const LISTING: TagSet = LISTS.with(TagSet::of(&[Tag::Dl]));

impl Choice<'_, '_> {
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

    /// Whether it is a sentence about what it links.
    fn tells_of_a_link(&self, item: usize) -> bool {
        let count = self.page.count(item);
        self.kept(item) && count.linked > 0 && count.letters - count.linked >= TOLD_LETTERS && count.stops > 0
    }
}
