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
        write(&mut text, tree, &blocks[piece.blocks.clone()], &piece);
    }
    text
}

fn write(text: &mut String, tree: &Tree<'_>, blocks: &[Block], piece: &Piece) {
    match piece.shape {
        Shape::Code { .. } => text.push_str(&line::preformatted(tree, blocks)),
        Shape::Row { .. } => {
            let cells = piece::cells(tree, blocks).map(|cell| cell.map(|block| line::plain(tree, block)));
            text.push_str(&cells.map(Option::unwrap_or_default).collect::<Vec<_>>().join("\t"));
        }
        Shape::Item { .. } => {
            text.push_str("- ");
            text.push_str(&line::plain(tree, &blocks[0]));
        }
        _ => text.push_str(&line::plain(tree, &blocks[0])),
    }
}
