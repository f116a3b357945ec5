//! What a block is in the structure of a text.

use super::line::PREFORMATTED;
use super::table::{self, Row};
use crate::blocks::Block;
use crate::limits::LIST_LEVELS;
use crate::tree::{Kind, NodeId, Tree};
use markup::{Tag, TagSet};
use std::ops::Range;

/// A part of a text: one block, or the blocks of a row or of code.
pub(super) struct Piece {
    pub(super) shape: Shape,
    /// The items around it.
    pub(super) level: usize,
    pub(super) blocks: Range<usize>,
}

/// What a piece is.
#[derive(PartialEq, Eq)]
pub(super) enum Shape {
    Paragraph,
    Heading {
        level: usize,
    },
    /// The first block of an item.
    Item {
        ordered: bool,
    },
    Quote,
    Row(Row),
    Code {
        block: NodeId,
    },
}

const ITEM: TagSet = TagSet::of(&[Tag::Li]);
const LISTS: TagSet = TagSet::of(&[Tag::Ul, Tag::Ol, Tag::Menu, Tag::Dir]);
const DECIDES: TagSet = TagSet::of(&[Tag::Li, Tag::Td, Tag::Th, Tag::Blockquote]).with(PREFORMATTED);

/// The pieces of a text.
pub(super) fn of(tree: &Tree<'_>, blocks: &[Block]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut items = Items::default();
    let mut rows = table::rows(tree, blocks).into_iter().peekable();
    let mut at = 0;
    while at < blocks.len() {
        let row = rows.next_if(|row| row.blocks().start == at);
        let end = row.as_ref().map_or_else(|| end_of_piece(tree, blocks, at), |row| row.blocks().end);
        let node = row.as_ref().map_or(blocks[at].node, |row| row.table);
        let shape = row.map_or_else(|| shape(tree, &blocks[at]), Shape::Row);
        let Place { shape, level } = items.place(tree, shape, node);
        pieces.push(Piece { shape, level, blocks: at..end });
        at = end;
    }
    pieces
}

/// Where the blocks of a piece end that is no row: code is one.
fn end_of_piece(tree: &Tree<'_>, blocks: &[Block], at: usize) -> usize {
    let first = shape(tree, &blocks[at]);
    let is_more = |block: &&Block| matches!(first, Shape::Code { .. }) && shape(tree, block) == first;
    at + 1 + blocks[at + 1..].iter().take_while(is_more).count()
}

/// The list that is being read.
#[derive(Default)]
struct Items {
    /// The lists around its first item: those are layout.
    base: Option<usize>,
    /// Those around the last block.
    open: Vec<OpenItem>,
    /// The level of the item before, and one more.
    next: usize,
}

struct OpenItem {
    id: NodeId,
    level: usize,
}

/// What a block is, and within how many items.
struct Place {
    shape: Shape,
    level: usize,
}

impl Items {
    /// The place of the next block.
    fn place(&mut self, tree: &Tree<'_>, shape: Shape, node: NodeId) -> Place {
        while self.open.pop_if(|item| !tree.contains(item.id, node)).is_some() {}
        let within = self.open.last().map_or(0, |item| item.level + 1);
        let item = tree.nearest(node, ITEM).filter(|_| matches!(shape, Shape::Item { .. }));
        match item {
            Some(id) if self.open.last().is_some_and(|item| item.id == id) => {
                Place { shape: Shape::Paragraph, level: within }
            }
            Some(id) => Place { shape, level: self.begin(tree, id) },
            None => {
                if self.open.is_empty() {
                    *self = Self::default();
                }
                Place { shape, level: within }
            }
        }
    }

    /// Opens an item; returns its level, which is at most one below that of the item before.
    fn begin(&mut self, tree: &Tree<'_>, id: NodeId) -> usize {
        let lists = lists_around(tree, id);
        let level = lists.saturating_sub(*self.base.get_or_insert(lists)).min(self.next);
        self.open.push(OpenItem { id, level });
        self.next = level + 1;
        level
    }
}

fn shape(tree: &Tree<'_>, block: &Block) -> Shape {
    if let Some(level) = heading_level(tree[block.node].tag) {
        return Shape::Heading { level };
    }
    let Some(around) = tree.nearest(block.node, DECIDES) else { return Shape::Paragraph };
    match tree[around].tag {
        Tag::Li => {
            let list = tree.nearest(around, LISTS);
            let ordered = list.is_some_and(|list| tree[list].tag == Tag::Ol);
            Shape::Item { ordered }
        }
        Tag::Td | Tag::Th => Shape::Paragraph,
        Tag::Blockquote => Shape::Quote,
        _ => Shape::Code { block: around },
    }
}

/// 1 to 6 for `h1` to `h6`.
pub(crate) fn heading_level(tag: Tag) -> Option<usize> {
    [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]
        .iter()
        .position(|heading| *heading == tag)
        .map(|at| at + 1)
}

/// How many lists are around the list of an item.
fn lists_around(tree: &Tree<'_>, item: NodeId) -> usize {
    let lists = tree.ancestors(item).filter(|id| tree[*id].kind == Kind::Element && LISTS.has(tree[*id].tag));
    lists.take(LIST_LEVELS).count().saturating_sub(1)
}
