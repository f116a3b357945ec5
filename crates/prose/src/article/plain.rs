//! Plain text.

use super::line;
use super::piece::{self, Piece, Shape};
use crate::blocks::Block;
use crate::tree::Tree;

/// A line a piece.
pub(super) fn render(tree: &Tree<'_>, blocks: &[Block]) -> String {
    let mut text = String::new();
    for piece in piece::of(tree, blocks) {
        if !text.is_empty() {
            text.push('\n');
        }
        write(&mut text, tree, blocks, &piece);
    }
    text
}

fn write(text: &mut String, tree: &Tree<'_>, blocks: &[Block], piece: &Piece) {
    let line = |block: &Block| line::plain(tree, block);
    match &piece.shape {
        Shape::Code { .. } => text.push_str(&line::preformatted(tree, &blocks[piece.blocks.clone()])),
        Shape::Row(row) => text.push_str(&row.texts(blocks, line).collect::<Vec<_>>().join("\t")),
        Shape::Paragraph if piece.place.item.is_some() => {
            text.push_str("- ");
            text.push_str(&line(&blocks[piece.blocks.start]));
        }
        _ => text.push_str(&line(&blocks[piece.blocks.start])),
    }
}
