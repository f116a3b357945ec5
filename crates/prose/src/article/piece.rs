//! What a block is in the structure of a text.

use super::line::PREFORMATTED;
use crate::blocks::Block;
use crate::limits::LIST_LEVELS;
use crate::tree::{Kind, NodeId, Tree};
use markup::{Tag, TagSet};
use std::ops::Range;

/// A part of a text: one block, or the blocks of a row.
pub(super) struct Piece {
    pub(super) shape: Shape,
    /// The items around it.
    pub(super) level: usize,
    pub(super) blocks: Range<usize>,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    Row {
        table: NodeId,
    },
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
    for (at, block) in blocks.iter().enumerate() {
        if let Some(row) = pieces.last_mut().filter(|row| same_row(tree, blocks, row, block)) {
            row.blocks.end = at + 1;
            continue;
        }
        let shape = match shape(tree, block) {
            Shape::Row { .. } if is_broken_row(tree, blocks, pieces.last(), block) => Shape::Paragraph,
            shape => shape,
        };
        if let Some(code) =
            pieces.last_mut().filter(|last| matches!(shape, Shape::Code { .. }) && last.shape == shape)
        {
            code.blocks.end = at + 1;
            continue;
        }
        let Place { shape, level } = items.place(tree, shape, block.node);
        pieces.push(Piece { shape, level, blocks: at..at + 1 });
    }
    pieces
}

/// The cells of a row up to its last text; those before that have none, too.
pub(super) fn cells<'b>(tree: &Tree<'_>, row: &'b [Block]) -> impl Iterator<Item = Option<&'b Block>> {
    let (parent, last) = (tree[row[0].node].parent, row[row.len() - 1].node);
    let mut texts = row.iter().peekable();
    let cells = tree.children(parent).filter(move |id| is_cell(tree, *id)).take_while(move |id| *id <= last);
    cells.map(move |cell| texts.next_if(|block| block.node == cell))
}

fn is_cell(tree: &Tree<'_>, id: NodeId) -> bool {
    matches!(tree[id].tag, Tag::Td | Tag::Th)
}

/// Whether a paragraph stood in a cell before this one.
fn is_broken_row(tree: &Tree<'_>, blocks: &[Block], last: Option<&Piece>, cell: &Block) -> bool {
    last.is_some_and(|last| tree.contains(tree[cell.node].parent, blocks[last.blocks.start].node))
}

/// A row is one where its cells hold lines; where they hold paragraphs, the table is layout.
fn same_row(tree: &Tree<'_>, blocks: &[Block], piece: &Piece, block: &Block) -> bool {
    let last = &blocks[piece.blocks.end - 1];
    matches!(piece.shape, Shape::Row { .. })
        && is_cell(tree, block.node)
        && last.node != block.node
        && tree[last.node].parent == tree[block.node].parent
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
        Tag::Td | Tag::Th if around == block.node => {
            Shape::Row { table: tree.nearest(around, TagSet::of(&[Tag::Table])).unwrap_or(NodeId::ROOT) }
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
