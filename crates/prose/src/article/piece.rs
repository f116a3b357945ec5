//! What a block is in the structure of a text.

use super::nesting::{Nesting, Place};
use super::table::{self, Row};
use crate::blocks::Block;
use crate::tree::{NodeId, PREFORMATTED, Tree};
use markup::{HEADINGS, Tag, TagSet};
use std::ops::Range;

/// A part of a text: one block, or the blocks of a row or of code.
pub(super) struct Piece {
    pub(super) shape: Shape,
    pub(super) place: Place,
    pub(super) blocks: Range<usize>,
}

/// What a piece is.
#[derive(PartialEq, Eq)]
pub(super) enum Shape {
    Paragraph,
    Heading { level: usize },
    Row(Box<Row>),
    Code { block: NodeId },
}

/// Elements that say what a block is: text, or code.
const DECIDES: TagSet = TagSet::of(&[Tag::Li, Tag::Td, Tag::Th, Tag::Blockquote]).with(PREFORMATTED);

/// The pieces of a text.
pub(super) fn of(tree: &Tree<'_>, blocks: &[Block]) -> Vec<Piece> {
    let rows = table::rows(tree, blocks);
    let joined: usize = rows.iter().map(|row| row.blocks().len() - 1).sum();
    let mut pieces = Vec::with_capacity(blocks.len() - joined);
    let mut nesting = Nesting::default();
    let mut rows = rows.into_iter().peekable();
    let mut at = 0;
    while at < blocks.len() {
        let row = rows.next_if(|row| row.blocks().start == at);
        let end = row.as_ref().map_or_else(|| end_of_piece(tree, blocks, at), |row| row.blocks().end);
        let node = row.as_ref().map_or(blocks[at].node, |row| row.table);
        let shape = row.map_or_else(|| shape(tree, &blocks[at]), |row| Shape::Row(Box::new(row)));
        pieces.push(Piece { shape, place: nesting.place(tree, node), blocks: at..end });
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

fn shape(tree: &Tree<'_>, block: &Block) -> Shape {
    if let Some(level) = heading_level(tree[block.node].tag) {
        return Shape::Heading { level };
    }
    match tree.nearest(block.node, DECIDES) {
        Some(around) if PREFORMATTED.has(tree[around].tag) => Shape::Code { block: around },
        _ => Shape::Paragraph,
    }
}

/// 1 to 6 for `h1` to `h6`.
pub(crate) fn heading_level(tag: Tag) -> Option<usize> {
    HEADINGS.iter().position(|heading| *heading == tag).map(|at| at + 1)
}
