//! Markdown.

use super::nesting::{INDENT, Place, QUOTE};
use super::piece::{self, Piece, Shape};
use super::{code, inline};
use crate::page::Page;
use crate::tree::NodeId;
use markup::Tag;
use std::borrow::Cow;

/// Pieces with an empty line between them, but for the rows of a table and the items of a list.
pub(super) fn render(page: &Page<'_>) -> String {
    let mut text = String::new();
    for part in piece::of(page).chunk_by(is_close) {
        if !text.is_empty() {
            let Place { prefix, shared, .. } = &part[0].place;
            text.push('\n');
            text.push_str(prefix[..usize::from(*shared)].trim_end());
            text.push('\n');
        }
        for (nth, piece) in part.iter().enumerate() {
            if nth > 0 {
                text.push('\n');
            }
            let mut lines = String::new();
            write(&mut lines, page, piece);
            if nth == 0 && matches!(piece.shape, Shape::Row(_)) {
                end_head(&mut lines, part);
            }
            push_prefixed(&mut text, &lines, piece);
        }
    }
    text
}

/// Makes the first row as wide as the widest, since nobody shows what stands beyond it, and draws the line under it.
fn end_head(text: &mut String, rows: &[Piece]) {
    let columns = |piece: &Piece| if let Shape::Row(row) = &piece.shape { row.columns() } else { 0 };
    let most = rows.iter().map(columns).max().unwrap_or(0);
    text.push_str(&"  |".repeat(most - columns(&rows[0])));
    text.push('\n');
    text.push_str(&"| --- ".repeat(most));
    text.push('|');
}

/// Whether no empty line is between two pieces: between rows, and before an item of a list that goes on.
fn is_close(before: &Piece, after: &Piece) -> bool {
    match (&before.shape, &after.shape) {
        (Shape::Row(row), Shape::Row(next)) => row.table == next.table,
        (Shape::Row(_), _) => false,
        _ => {
            let (around, next) = (&before.place.prefix, &after.place);
            next.item.is_some()
                && around.ends_with(INDENT)
                && !around[usize::from(next.shared)..].contains(QUOTE)
        }
    }
}

/// Appends lines, each under what the piece stands in.
fn push_prefixed(text: &mut String, lines: &str, piece: &Piece) {
    for (nth, line) in lines.split('\n').enumerate() {
        if nth > 0 {
            text.push('\n');
        }
        let prefix = if nth == 0 { first_prefix(piece) } else { Cow::Borrowed(&*piece.place.prefix) };
        text.push_str(if line.is_empty() { prefix.trim_end() } else { &prefix });
        text.push_str(line);
    }
}

/// The prefix of the first line, with the mark of an item that it begins: what is no text is indented as the lines after it are.
fn first_prefix(piece: &Piece) -> Cow<'_, str> {
    let prefix = &piece.place.prefix;
    let Some(item) = &piece.place.item else { return Cow::Borrowed(prefix) };
    let (at, mark) = (usize::from(item.at), item.mark.written());
    let within = prefix.get(at + INDENT.len()..).unwrap_or_default();
    let is_text = within.is_empty() && matches!(piece.shape, Shape::Paragraph | Shape::Heading { .. });
    let width = if is_text { mark.len() + 1 } else { INDENT.len() };
    Cow::Owned(format!("{}{:width$}{within}", &prefix[..at], mark))
}

fn write(text: &mut String, page: &Page<'_>, piece: &Piece) {
    let first = piece.blocks.start;
    let lines = || inline::render(page, first);
    match &piece.shape {
        Shape::Paragraph => text.push_str(&guarded(&lines())),
        Shape::Heading { level } => {
            text.push_str(&"#".repeat(*level));
            text.push(' ');
            text.push_str(&guarded(&lines().replace('\n', " ")));
        }
        Shape::Row(row) => {
            for cell in row.texts(|block| inline::render(page, block)) {
                text.push_str("| ");
                text.push_str(&cell.replace('\n', " ").replace('|', "\\|"));
                text.push(' ');
            }
            text.push('|');
        }
        Shape::Code { element } => {
            fenced(text, &code::render(page, &piece.blocks), class_of(page, *element, first));
        }
    }
}

/// The class of preformatted text, or of the element around its first words that says that it is code (HTML, section 4.5.15).
fn class_of<'t>(page: &'t Page<'_>, element: NodeId, first: usize) -> &'t str {
    let inner = page.tree.ancestors(page.blocks[first].first).take_while(|at| *at != element);
    let mut code = inner.map(|at| &page.tree[at]).filter(|node| node.tag == Tag::Code);
    let own = page.tree[element].value;
    if own.is_empty() { code.next().map_or("", |node| node.value) } else { own }
}

/// Code between fences that are longer than any in it.
fn fenced(text: &mut String, code: &str, class: &str) {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    let mut languages = class
        .split_ascii_whitespace()
        .filter_map(|name| name.strip_prefix("language-").or_else(|| name.strip_prefix("lang-")));
    text.push_str(&fence);
    text.push_str(languages.find(|name| !name.contains(['`', '\0'])).unwrap_or_default());
    text.push('\n');
    text.push_str(code);
    text.push('\n');
    text.push_str(&fence);
}

/// Lines of which none begins as a list, a quotation, a rule or a table does, with hard breaks between those of a paragraph.
fn guarded(lines: &str) -> String {
    let paragraphs = lines.split("\n\n").map(|lines| lines.trim_start_matches('\n'));
    let guarded = |lines: &str| lines.split('\n').map(guarded_line).collect::<Vec<_>>().join("\\\n");
    paragraphs.filter(|lines| !lines.is_empty()).map(guarded).collect::<Vec<_>>().join("\n\n")
}

fn guarded_line(line: &str) -> Cow<'_, str> {
    let word = line.split(' ').next().unwrap_or_default();
    let is_of = |word: &str, chars: &[u8]| !word.is_empty() && word.bytes().all(|byte| chars.contains(&byte));
    if let Some(number) = word.strip_suffix(['.', ')']).filter(|number| is_of(number, b"0123456789")) {
        Cow::Owned(format!("{number}\\{}", &line[number.len()..]))
    } else if word.starts_with('>') || is_of(word, b"-+=:|") {
        Cow::Owned(format!("\\{line}"))
    } else {
        Cow::Borrowed(line)
    }
}
