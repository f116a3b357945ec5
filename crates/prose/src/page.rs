//! A page as it was read, and what every later step asks of it. A block is called by its place in the list.

use crate::blocks::{self, Block, Count};
use crate::elements::HEADINGS;
use crate::line;
use crate::tree::{NodeId, Tree};
use markup::{Tag, TagSet};
use std::ops::Range;

/// The elements of a page, and its text as blocks.
pub(crate) struct Page<'a> {
    pub(crate) tree: Tree<'a>,
    /// In document order.
    pub(crate) blocks: Vec<Block>,
}

/// The share of a heading that is a link, where it announces another page.
const LINKED: f32 = 0.8;

impl<'a> Page<'a> {
    pub(crate) fn of(tree: Tree<'a>) -> Self {
        let blocks = blocks::of(&tree);
        Self { tree, blocks }
    }

    pub(crate) fn count(&self, block: usize) -> &Count {
        &self.blocks[block].count
    }

    /// The block element that a block stands in.
    pub(crate) fn element(&self, block: usize) -> NodeId {
        self.blocks[block].element
    }

    pub(crate) fn tag(&self, block: usize) -> Tag {
        self.tree[self.element(block)].tag
    }

    pub(crate) fn is_heading(&self, block: usize) -> bool {
        HEADINGS.has(self.tag(block))
    }

    /// Whether it is a heading that leads to another page.
    pub(crate) fn is_linked_heading(&self, block: usize) -> bool {
        self.is_heading(block) && self.count(block).link_density() > LINKED
    }

    /// The text of a block, as it is in plain text.
    pub(crate) fn line(&self, block: usize) -> String {
        line::plain(&self.tree, &self.blocks[block])
    }

    /// The nearest of these elements around a block.
    pub(crate) fn nearest(&self, block: usize, tags: TagSet) -> Option<NodeId> {
        self.tree.nearest(self.element(block), tags)
    }

    /// Whether a block stands in one of these; a tree is no deeper than [`DEPTH`](crate::limits::DEPTH).
    pub(crate) fn is_in(&self, block: usize, tags: TagSet) -> bool {
        self.nearest(block, tags).is_some()
    }

    /// The blocks that begin within an element.
    pub(crate) fn within(&self, id: NodeId) -> Range<usize> {
        let from = self.blocks.partition_point(|block| block.first < id);
        let end = self.tree[id].end;
        from..from + self.blocks[from..].partition_point(|block| block.first < end)
    }
}
