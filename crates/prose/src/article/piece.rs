//! What a block is in the structure of a text.

use super::nesting::{Nesting, Place};
use super::table::{self, Row};
use crate::elements::{CELLS, PREFORMATTED, heading_level};
use crate::page::Page;
use crate::tree::NodeId;
use markup::{Tag, TagSet};
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
    Code { element: NodeId },
}

/// Elements that say what a block is: text, or code.
const DECIDES: TagSet = TagSet::of(&[Tag::Li, Tag::Blockquote]).with(CELLS).with(PREFORMATTED);

/// The pieces of a text.
pub(super) fn of(page: &Page<'_>) -> Vec<Piece> {
    let rows = table::rows(page);
    let joined: usize = rows.iter().map(|row| row.blocks().len() - 1).sum();
    let mut pieces = Vec::with_capacity(page.blocks.len() - joined);
    let mut nesting = Nesting::default();
    let mut rows = rows.into_iter().peekable();
    let mut at = 0;
    while at < page.blocks.len() {
        let row = rows.next_if(|row| row.blocks().start == at);
        let end = row.as_ref().map_or_else(|| end_of_piece(page, at), |row| row.blocks().end);
        let element = row.as_ref().map_or_else(|| page.element(at), |row| row.table);
        let shape = row.map_or_else(|| shape(page, at), |row| Shape::Row(Box::new(row)));
        pieces.push(Piece { shape, place: nesting.place(&page.tree, element), blocks: at..end });
        at = end;
    }
    pieces
}

/// Where the blocks of a piece end that is no row: code is one.
fn end_of_piece(page: &Page<'_>, at: usize) -> usize {
    let first = shape(page, at);
    let is_more = |block: &usize| matches!(first, Shape::Code { .. }) && shape(page, *block) == first;
    at + 1 + (at + 1..page.blocks.len()).take_while(is_more).count()
}

fn shape(page: &Page<'_>, block: usize) -> Shape {
    if let Some(level) = heading_level(page.tag(block)) {
        return Shape::Heading { level };
    }
    match page.nearest(block, DECIDES) {
        Some(element) if PREFORMATTED.has(page.tree[element].tag) => Shape::Code { element },
        _ => Shape::Paragraph,
    }
}
