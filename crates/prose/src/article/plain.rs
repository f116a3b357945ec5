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
        Shape::Item { .. } => text.push_str("- "),
        Shape::Code { .. } => {
            text.push_str(&line::preformatted(tree, &blocks[0]));
            return;
        }
        _ => {}
    }
    for (i, block) in blocks.iter().enumerate() {
        if i > 0 {
            text.push('\t');
        }
        text.push_str(&line::plain(tree, block));
    }
}
