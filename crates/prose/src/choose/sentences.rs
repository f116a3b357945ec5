//! Blocks that read like the article, by themselves.

use super::Choice;
use crate::marks::Marks;

/// Words of a sentence, and of one in an element that is marked as what an article begins with; the share of links in either.
const SENTENCE_WORDS: u32 = 12;
const LEAD_WORDS: u32 = 6;
const LINKED_MOST: f32 = 0.4;
/// Elements at and around a block that may be marked so.
const AROUND: usize = 3;

/// Blocks under the title among which the article's first lines may be, words of such a line, and the share of links in it.
const UNDER_TITLE: usize = 4;
const FIRST_WORDS: u32 = 8;
const FIRST_LINKED_MOST: f32 = 0.2;

impl Choice<'_, '_> {
    pub(super) fn is_sentence(&self, block: usize) -> bool {
        let count = self.page.count(block);
        let is_told = count.words >= SENTENCE_WORDS && count.stops + count.commas > 0;
        count.link_density() < LINKED_MOST && (is_told || count.words >= LEAD_WORDS && self.is_lead(block))
    }

    fn is_lead(&self, block: usize) -> bool {
        let tree = &self.page.tree;
        tree.ancestors(self.page.element(block)).take(AROUND).any(|id| tree[id].marks.meet(Marks::LEAD))
    }

    /// Whether a block under the title may be what the article begins with.
    pub(super) fn may_begin(&self, block: usize) -> bool {
        let count = self.page.count(block);
        let is_near = self.title.is_some_and(|title| (title + 1..=title + UNDER_TITLE).contains(&block));
        is_near && count.words >= FIRST_WORDS && count.link_density() < FIRST_LINKED_MOST
    }
}
