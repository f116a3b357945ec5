//! Preformatted text.

use crate::blocks::Block;
use crate::elements::BREAKS;
use crate::line::decoded;
use crate::page::Page;
use crate::tree::{Kind, Node, NodeId, Tree};
use markup::Tag;
use std::borrow::Cow;
use std::ops::Range;

/// Nodes of a line of code that has no word.
const LINE_NODES: usize = 16;

/// As they are in the source, each on lines of its own, lines ended as HTML ends them (13.2.3.5).
pub(super) fn render(page: &Page<'_>, blocks: &Range<usize>) -> String {
    let tree = &page.tree;
    let mut text = String::new();
    let mut end = None;
    for block in &page.blocks[blocks.clone()] {
        if let Some(end) = end {
            let lines = 1 + empty_lines(tree, end, block.first);
            text.extend(std::iter::repeat_n('\n', lines));
        }
        text.push_str(&kept_as_is(tree, block));
        end = Some(block.end);
    }
    text
}

/// The block elements between two blocks that hold no text: lines without a word.
fn empty_lines(tree: &Tree<'_>, from: NodeId, to: NodeId) -> usize {
    let is_blank = |at: NodeId| tree[at].is_element() || decoded(&tree[at]).trim().is_empty();
    let is_empty = |at: &NodeId| {
        let node = &tree[*at];
        BREAKS.has(node.tag) && node.end <= to && tree.subtree(*at).take(LINE_NODES).all(is_blank)
    };
    from.up_to(to).filter(is_empty).count()
}

fn kept_as_is(tree: &Tree<'_>, block: &Block) -> String {
    let mut text = String::new();
    for node in block.nodes().map(|at| &tree[at]) {
        match node.kind {
            Kind::Element if node.tag == Tag::Br => text.push('\n'),
            Kind::Element => {}
            Kind::Text | Kind::Raw => {
                let source = with_line_feeds(node.value);
                text.push_str(&decoded(&Node { value: &source, ..*node }));
            }
        }
    }
    text.truncate(text.trim_end().len());
    text.trim_start_matches(['\r', '\n']).to_owned()
}

fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() }
}
