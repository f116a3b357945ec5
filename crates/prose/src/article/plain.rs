//! Plain text.

use super::code;
use super::piece::{self, Piece, Shape};
use crate::page::Page;

/// A line a piece.
pub(super) fn render(page: &Page<'_>) -> String {
    let mut text = String::new();
    for piece in piece::of(page) {
        if !text.is_empty() {
            text.push('\n');
        }
        write(&mut text, page, &piece);
    }
    text
}

fn write(text: &mut String, page: &Page<'_>, piece: &Piece) {
    let line = |block: usize| page.line(block);
    match &piece.shape {
        Shape::Code { .. } => text.push_str(&code::render(page, &piece.blocks)),
        Shape::Row(row) => text.push_str(&row.texts(line).collect::<Vec<_>>().join("\t")),
        Shape::Paragraph if piece.place.item.is_some() => {
            text.push_str("- ");
            text.push_str(&line(piece.blocks.start));
        }
        _ => text.push_str(&line(piece.blocks.start)),
    }
}
