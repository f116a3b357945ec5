//! Elements that say they are something else.

use super::{Choice, Verdict};
use crate::elements::{BREAKS, HEADINGS, PREFORMATTED};
use crate::limits::QUOTE_NODES;
use crate::marks::Marks;
use crate::tree::NodeId;
use crate::vocabulary::BELIEVED;
use markup::{Tag, TagSet};
use std::ops::Range;

/// Elements that are named for how they look: a row after a button, a quotation after the network it comes from.
const PARTS: TagSet =
    TagSet::of(&[Tag::Blockquote, Tag::Tr, Tag::Td, Tag::Th, Tag::Tbody, Tag::Thead, Tag::Tfoot]);
/// What is not believed of them.
const LOOKS: Marks = Marks::SHARE
    .with(Marks::TOOLS)
    .with(Marks::MEDIA)
    .with(Marks::HEADER)
    .with(Marks::CAPTION)
    .with(Marks::BYLINE);
/// What is believed of the element that holds the title.
const AROUND_TITLE: Marks = Marks::HIDDEN.with(Marks::NAVIGATION).with(Marks::COMMENTS);
/// Letters of a box in running text for each that is linked.
const LINKED_LEAST: u32 = 5;
/// What has links, or is not that.
const LINKING: Marks = Marks::RELATED.with(Marks::NAVIGATION);
/// What has a footer of its own (HTML 4.3.8).
const SECTIONING: TagSet =
    TagSet::of(&[Tag::Article, Tag::Aside, Tag::Main, Tag::Nav, Tag::Section, Tag::Blockquote]);
/// Blocks below a title among which the first text of the page is.
const BELOW_TITLE: usize = 256;
/// What is not believed of a frame, and what stands in one.
const SCROLLING: Marks = Marks::TOOLS.with(Marks::MEDIA);
const FRAMED: TagSet = PREFORMATTED.with(TagSet::of(&[Tag::Table]));
/// What may hold a quotation of the article.
const QUOTING: Marks = Marks::MEDIA.with(Marks::SHARE);

impl Choice<'_, '_> {
    /// Drops them, outermost first, as far as the marks that are `heard` are believed.
    pub(super) fn drop_marked(&mut self, heard: Marks) {
        let mut at = NodeId::ROOT;
        while at.index() < self.page.tree.len() {
            let node = &self.page.tree[at];
            let marks = node.marks.only(heard);
            if marks.meet(BELIEVED.all) {
                let blocks = self.whole_within(at);
                if self.is_believed(at, &blocks, marks) {
                    self.drop(blocks, Verdict::Marked);
                    at = node.end;
                    continue;
                }
            }
            at = at.next();
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

    /// The more of the prose an element holds, the less its marks are believed.
    fn is_believed(&self, id: NodeId, blocks: &Range<usize>, marks: Marks) -> bool {
        let has_title = self.has_title(blocks);
        let marks = self.credible(id, blocks, marks);
        if has_title && !marks.meet(AROUND_TITLE) {
            return false;
        }
        let Some(limit) = BELIEVED.share(marks) else { return false };
        if self.ends_the_page(id, blocks) {
            return true;
        }
        let mut doubt = 1.0;
        if marks.meet(Marks::BODY) {
            doubt *= 0.3;
        }
        if marks.meet(Marks::CONTENT) {
            doubt *= 0.6;
        }
        if has_title {
            doubt *= 0.4;
        }
        self.sums.over(blocks).prose <= limit * doubt * self.sums.prose().max(1.0)
    }

    /// Whether it is the footer of the page itself: the title stands before it, and a paragraph or an item between.
    fn ends_the_page(&self, id: NodeId, blocks: &Range<usize>) -> bool {
        let is_text = |block: usize| {
            self.kept(block) && !self.page.is_heading(block) && self.page.count(block).linked == 0
        };
        self.page.tree[id].tag == Tag::Footer
            && self.page.tree.nearest(self.page.tree[id].parent, SECTIONING).is_none()
            && self.title.is_some_and(|title| (title + 1..blocks.start).take(BELOW_TITLE).any(is_text))
    }

    /// The marks without those that what the element is or holds speaks against.
    fn credible(&self, id: NodeId, blocks: &Range<usize>, marks: Marks) -> Marks {
        let mut marks = marks;
        marks = marks.without(self.ids.mistaken(self.page, id));
        if self.page.tree[id].tag == Tag::Span {
            marks = marks.without(Marks::COMMENTS);
        }
        if PARTS.has(self.page.tree[id].tag) {
            marks = marks.without(LOOKS);
        }
        if marks.meet(SCROLLING) && self.is_frame_of_one(id, blocks) {
            marks = marks.without(SCROLLING);
        }
        if self.page.tree.nearest(id, HEADINGS).is_some() {
            marks = marks.without(Marks::TOOLS);
        }
        if self.title.is_some_and(|title| title < blocks.start) {
            marks = marks.without(Marks::HEADER);
        }
        if marks.meet(Marks::SIDEBAR) && self.is_told_beside_prose(id, blocks) {
            marks = marks.without(Marks::SIDEBAR);
        }
        if self.sums.over(blocks).linked == 0 {
            marks = marks.without(LINKING);
            if marks.meet(Marks::KEYWORDS) && blocks.clone().any(|block| self.is_sentence(block)) {
                marks = marks.without(Marks::KEYWORDS);
            }
        }
        if marks.meet(QUOTING) && self.quotes(id) {
            marks = marks.without(QUOTING);
        }
        marks
    }

    /// Whether it is a box within running text, sentences between paragraphs: what manuals and books call a sidebar.
    fn is_told_beside_prose(&self, id: NodeId, blocks: &Range<usize>) -> bool {
        let sum = self.sums.over(blocks);
        let around = self.page.within(self.page.tree[id].parent);
        let is_text = |block: usize| around.contains(&block) && self.is_sentence(block);
        sum.linked * LINKED_LEAST < sum.letters
            && blocks.start.checked_sub(1).is_some_and(is_text)
            && is_text(blocks.end)
            && blocks.clone().any(|block| self.is_sentence(block))
    }

    /// Whether it is a table or code, or around one and nothing else: what such a box is called for is how it moves.
    fn is_frame_of_one(&self, id: NodeId, blocks: &Range<usize>) -> bool {
        let sum = self.sums.over(blocks);
        if PREFORMATTED.has(self.page.tree[id].tag) {
            return true;
        }
        let mut within = self.page.tree.children(id).filter(|child| self.page.tree[*child].is_element());
        let frames_one = within.next().is_some_and(|child| FRAMED.has(self.page.tree[child].tag));
        frames_one && within.next().is_none() && sum.linked * 2 < sum.letters
    }

    fn quotes(&self, id: NodeId) -> bool {
        self.page.tree.subtree(id).take(QUOTE_NODES).any(|at| self.page.tree[at].tag == Tag::Blockquote)
    }
}
