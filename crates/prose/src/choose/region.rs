//! Where the article is: the lowest element that holds nearly all prose, and what belongs to it around.

use super::{Choice, Verdict};
use crate::elements::{HEADINGS, PREFORMATTED};
use crate::tree::NodeId;
use markup::{Tag, TagSet};
use std::ops::Range;

/// The share of its parent's prose that an element has if the rest is not the article's.
const NEARLY_ALL: f32 = 0.8;
/// The share of links from which what stands between two paragraphs is not of them.
const GAP_LINKED: f32 = 0.5;
/// The share of the article's prose that may stand before its title.
const BEFORE_TITLE: f32 = 0.2;

/// Elements that are part of an article, not its frame.
const PARTS: TagSet =
    TagSet::of(&[Tag::P, Tag::Li, Tag::Td, Tag::Tr, Tag::Ul, Tag::Ol, Tag::Blockquote]).with(HEADINGS);

impl Choice<'_, '_> {
    /// Drops what lies outside; returns the blocks among which the article is.
    pub(super) fn drop_outside(&mut self) -> Range<usize> {
        let root = self.root();
        let inner = self.page.within(root);
        let around = self.around(root);
        for block in (0..self.page.blocks.len()).filter(|block| !inner.contains(block)) {
            let near = around.contains(&block)
                && (self.is_sentence(block) || block < inner.start && self.may_begin(block));
            if !near {
                self.drop(block..block + 1, Verdict::Outside);
            }
        }
        self.fill_gaps(around.clone());
        self.drop_above_title(&inner);
        self.measure();
        inner.start.min(around.start)..inner.end.max(around.end)
    }

    /// Goes down while one child holds nearly all.
    fn root(&self) -> NodeId {
        let mut at = NodeId::ROOT;
        while let Some(child) = self.heaviest_frame(at).filter(|child| self.is_all_of(*child, at)) {
            at = child;
        }
        at
    }

    fn heaviest_frame(&self, id: NodeId) -> Option<NodeId> {
        let tree = &self.page.tree;
        let is_frame = |child: &NodeId| tree[*child].is_element() && !PARTS.has(tree[*child].tag);
        let frames = tree.children(id).filter(is_frame);
        frames.max_by(|a, b| self.prose(*a).total_cmp(&self.prose(*b)))
    }

    /// Whether a child holds nearly all prose of an element, and the rest does not belong to it.
    fn is_all_of(&self, child: NodeId, around: NodeId) -> bool {
        let (prose, all) = (self.prose(child), self.prose(around));
        all > 0.0
            && prose >= NEARLY_ALL * all
            && !self.is_one_of_sections(child, around)
            && !self.is_code_among_paragraphs(child, around)
    }

    fn prose(&self, id: NodeId) -> f32 {
        self.sums.over(&self.page.within(id)).prose
    }

    /// Whether it is a section, and another one is told: none is the article.
    fn is_one_of_sections(&self, child: NodeId, around: NodeId) -> bool {
        let is_section = |id: NodeId| self.page.tree[id].tag == Tag::Section;
        let is_other = |id: NodeId| id != child && is_section(id) && self.prose(id) > 0.0;
        is_section(child) && self.page.tree.children(around).any(is_other)
    }

    /// Whether all prose of an element is one piece of code, and paragraphs tell of it beside it.
    fn is_code_among_paragraphs(&self, id: NodeId, around: NodeId) -> bool {
        let blocks = self.page.within(id);
        let prose = |range: &Range<usize>| self.sums.over(range).prose;
        let first = blocks.clone().find(|block| prose(&(*block..block + 1)) > 0.0);
        let code = first.and_then(|block| self.page.nearest(block, PREFORMATTED));
        let is_paragraph =
            |block: usize| !blocks.contains(&block) && self.kept(block) && self.page.tag(block) == Tag::P;
        code.is_some_and(|code| prose(&self.page.within(code)) >= prose(&blocks))
            && self.page.within(around).any(is_paragraph)
    }

    /// From the title to the end of what holds title and article; without a title before it, what holds the article.
    fn around(&self, root: NodeId) -> Range<usize> {
        let inner = self.page.within(root);
        let Some(title) = self.title.filter(|title| *title < inner.start) else {
            return self.page.within(self.page.tree[root].parent);
        };
        let mut around = self.page.tree.ancestors(root).map(|id| self.page.within(id));
        let common = around.find(|blocks| blocks.contains(&title));
        title + 1..common.map_or(self.page.blocks.len(), |blocks| blocks.end)
    }

    /// Headings and lists between two paragraphs side by side belong to what is between them.
    fn fill_gaps(&mut self, around: Range<usize>) {
        let parent = |block: usize| self.page.tree[self.page.element(block)].parent;
        let kept: Vec<usize> = around.filter(|block| self.kept(*block)).collect();
        for pair in kept.windows(2) {
            if parent(pair[0]) != parent(pair[1]) {
                continue;
            }
            for between in pair[0] + 1..pair[1] {
                let belongs = self.page.tree.contains(parent(pair[0]), self.page.element(between));
                if belongs
                    && self.verdicts[between] == Verdict::Outside
                    && self.page.count(between).link_density() < GAP_LINKED
                {
                    self.verdicts[between] = Verdict::Keep;
                }
            }
        }
    }

    /// Within the article, what stands above its title leads to it.
    fn drop_above_title(&mut self, inner: &Range<usize>) {
        let Some(title) = self.title.filter(|title| inner.contains(title)) else { return };
        let above = inner.start..title;
        if self.sums.over(&above).prose >= BEFORE_TITLE * self.sums.over(inner).prose {
            return;
        }
        for block in above {
            if !self.is_sentence(block) {
                self.drop(block..block + 1, Verdict::Outside);
            }
        }
    }
}
