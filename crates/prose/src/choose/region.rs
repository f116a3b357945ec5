//! Where the article is: the lowest element that holds nearly all prose, and what belongs to it around.

use super::{Choice, Verdict};
use crate::elements::{HEADINGS, PREFORMATTED};
use crate::marks::Marks;
use crate::tree::NodeId;
use markup::{Tag, TagSet};
use std::ops::Range;

/// The share of its parent's prose that an element has if the rest is not the article's.
const NEARLY_ALL: f32 = 0.8;
/// The share of the article's prose that may stand before its title.
const BEFORE_TITLE: f32 = 0.2;
/// Blocks under the title among which the article's first lines may be.
const UNDER_TITLE: usize = 4;

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
                && (self.is_sentence(block) || block < inner.start && self.is_lead(block));
            if !near {
                self.drop(block..block + 1, Verdict::Outside);
            }
        }
        self.fill_gaps(around.clone());
        self.drop_above_title(&inner);
        self.measure();
        inner.start.min(around.start)..inner.end.max(around.end)
    }

    /// Goes down while one child holds nearly all: of several sections that are told, none is the article.
    fn root(&self) -> NodeId {
        let prose = |id: NodeId| self.sums.over(&self.page.within(id)).prose;
        let mut at = NodeId::ROOT;
        loop {
            let frames = self
                .page
                .tree
                .children(at)
                .filter(|id| self.page.tree[*id].is_element() && !PARTS.has(self.page.tree[*id].tag));
            let least = NEARLY_ALL * prose(at);
            let heaviest = frames.max_by(|a, b| prose(*a).total_cmp(&prose(*b)));
            let is_section = |id: &NodeId| self.page.tree[*id].tag == Tag::Section;
            let sections =
                self.page.tree.children(at).filter(|id| is_section(id) && prose(*id) > 0.0).count();
            let is_chapter = |id: &NodeId| is_section(id) && sections > 1;
            match heaviest.filter(|id| prose(*id) >= least && least > 0.0 && !is_chapter(id)) {
                Some(id) if self.is_code_among_paragraphs(id, at) => return at,
                Some(id) => at = id,
                None => return at,
            }
        }
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
        let common = self
            .page
            .tree
            .ancestors(root)
            .map(|id| self.page.within(id))
            .find(|blocks| blocks.contains(&title));
        title + 1..common.map_or(self.page.blocks.len(), |blocks| blocks.end)
    }

    /// Whether a block by itself reads like the article.
    pub(super) fn is_sentence(&self, block: usize) -> bool {
        let count = self.page.count(block);
        let is_lead = || {
            let around = self.page.tree.ancestors(self.page.element(block)).take(3);
            count.words >= 6 && around.into_iter().any(|id| self.page.tree[id].marks.meet(Marks::LEAD))
        };
        count.link_density() < 0.4 && (count.words >= 12 && count.stops + count.commas > 0 || is_lead())
    }

    /// Whether a block under the title may be what the article begins with.
    fn is_lead(&self, block: usize) -> bool {
        let count = self.page.count(block);
        let near = self.title.is_some_and(|title| (title + 1..=title + UNDER_TITLE).contains(&block));
        near && count.words >= 8 && count.link_density() < 0.2
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
                    && self.page.count(between).link_density() < 0.5
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
