//! Elements that say they are something else.

use super::believed::{ELSE, limit};
use super::{Choice, Verdict};
use crate::elements::BREAKS;
use crate::marks::Marks;
use crate::tree::NodeId;
use markup::{Tag, TagSet};
use std::ops::Range;

/// The share of the prose that marks must leave.
const LEFT_LEAST: f32 = 0.2;
/// Marks that still count where believing all of them would leave less.
const CERTAIN: Marks =
    Marks::COMMENTS.with(Marks::NAVIGATION).with(Marks::FOOTER).with(Marks::ADVERT).with(Marks::LEGAL);
/// What is believed of the element that holds the title.
const AROUND_TITLE: Marks = Marks::HIDDEN.with(Marks::NAVIGATION).with(Marks::COMMENTS);
/// What has a footer of its own (HTML 4.3.8).
const SECTIONING: TagSet =
    TagSet::of(&[Tag::Article, Tag::Aside, Tag::Main, Tag::Nav, Tag::Section, Tag::Blockquote]);
/// Blocks below a title among which the first text of the page is.
const BELOW_TITLE: usize = 256;

/// An element with marks.
pub(super) struct Marked {
    pub(super) id: NodeId,
    pub(super) marks: Marks,
    /// Those that it holds whole.
    pub(super) blocks: Range<usize>,
}

impl Choice<'_, '_> {
    /// Drops them as far as they leave an article.
    pub(super) fn drop_marked(&mut self) {
        let all = self.sums.prose();
        self.drop_believed(Marks::ALL);
        if self.sums.prose() < LEFT_LEAST * all {
            self.verdicts.fill(Verdict::Keep);
            self.measure();
            self.drop_believed(CERTAIN);
        }
    }

    /// Drops them, outermost first, as far as the marks that are `heard` are believed.
    fn drop_believed(&mut self, heard: Marks) {
        let mut at = NodeId::ROOT;
        let end = self.page.tree[at].end;
        while at < end {
            let marks = self.page.tree[at].marks.only(heard);
            let marked = marks.meet(ELSE).then(|| Marked { id: at, marks, blocks: self.whole_within(at) });
            if let Some(marked) = marked.filter(|marked| self.is_something_else(marked)) {
                self.drop(marked.blocks, Verdict::Marked);
                at = self.page.tree[at].end;
            } else {
                at = at.next();
            }
        }
        self.measure();
    }

    /// The blocks of an element; of one within a line, those that it holds whole.
    fn whole_within(&self, id: NodeId) -> Range<usize> {
        let mut blocks = self.page.within(id);
        let node = &self.page.tree[id];
        if !BREAKS.has(node.tag) && !blocks.is_empty() && self.page.blocks[blocks.end - 1].end > node.end {
            blocks.end -= 1;
        }
        blocks
    }

    fn is_something_else(&self, marked: &Marked) -> bool {
        let has_title = self.has_title(&marked.blocks);
        let marks = self.meant(marked);
        let Some(limit) = limit(marks, has_title) else { return false };
        if has_title && !marks.meet(AROUND_TITLE) {
            return false;
        }
        self.ends_the_page(marked)
            || self.sums.over(&marked.blocks).prose <= limit * self.sums.prose().max(1.0)
    }

    /// Whether it is the footer of the page itself: the title stands before it, and a paragraph or an item between.
    fn ends_the_page(&self, marked: &Marked) -> bool {
        let Marked { id, blocks, .. } = marked;
        let is_text = |block: usize| {
            self.kept(block) && !self.page.is_heading(block) && self.page.count(block).linked == 0
        };
        self.page.tree[*id].tag == Tag::Footer
            && self.page.tree.nearest(self.page.tree[*id].parent, SECTIONING).is_none()
            && self.title.is_some_and(|title| (title + 1..blocks.start).take(BELOW_TITLE).any(is_text))
    }
}
