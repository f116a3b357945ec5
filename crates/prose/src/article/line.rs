//! The text of one block.

use crate::blocks::{BREAKS, Block};
use crate::tree::{Kind, Node, NodeId, Tree};
use markup::{Tag, reference};
use std::borrow::Cow;
use std::ops::Range;

/// Nodes of a line of code that has no word.
const LINE_NODES: usize = 16;

/// White space collapsed, a new line at `br`.
pub(crate) fn plain(tree: &Tree<'_>, block: &Block) -> String {
    let mut line = Line::default();
    for at in block.nodes.clone() {
        let node = &tree[NodeId(at)];
        match node.kind {
            Kind::Element if node.tag == Tag::Br => line.end(),
            Kind::Element => {}
            Kind::Text | Kind::Raw => line.flow(&decoded(node), Cow::Borrowed),
        }
    }
    line.finish()
}

/// As they are in the source, each on lines of its own, lines ended as HTML ends them (13.2.3.5).
pub(super) fn preformatted(tree: &Tree<'_>, blocks: &[Block]) -> String {
    let mut text = String::new();
    let mut end = None;
    for block in blocks {
        if let Some(end) = end {
            let lines = 1 + empty_lines(tree, end..block.nodes.start);
            text.extend(std::iter::repeat_n('\n', lines));
        }
        text.push_str(&kept_as_is(tree, block));
        end = Some(block.nodes.end);
    }
    text
}

/// The block elements among these nodes that hold no text: lines without a word.
fn empty_lines(tree: &Tree<'_>, between: Range<u32>) -> usize {
    let is_blank = |node: &Node<'_>| node.kind == Kind::Element || decoded(node).trim().is_empty();
    let is_empty = |at: &u32| {
        let node = &tree[NodeId(*at)];
        node.kind == Kind::Element
            && BREAKS.has(node.tag)
            && node.end.0 <= between.end
            && tree.subtree(NodeId(*at)).take(LINE_NODES).all(|at| is_blank(&tree[NodeId(at)]))
    };
    between.clone().filter(is_empty).count()
}

fn kept_as_is(tree: &Tree<'_>, block: &Block) -> String {
    let mut text = String::new();
    for at in block.nodes.clone() {
        let node = &tree[NodeId(at)];
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

/// The text of a text node, character references decoded. Zero bytes are no text (HTML 13.2.6.4.7 drops them).
pub(super) fn decoded<'a>(node: &Node<'a>) -> Cow<'a, str> {
    let text =
        if node.kind == Kind::Text { reference::in_text(node.value) } else { Cow::Borrowed(node.value) };
    if text.contains('\0') { Cow::Owned(text.replace('\0', "")) } else { text }
}

/// Running text that is being written.
#[derive(Default)]
pub(super) struct Line {
    text: String,
    /// White space came since the last word.
    gap: bool,
}

impl Line {
    /// Appends words, each as `write` has it.
    pub(super) fn flow<'t>(&mut self, text: &'t str, write: impl Fn(&'t str) -> Cow<'t, str>) {
        for (i, word) in text.split(char::is_whitespace).enumerate() {
            self.gap |= i > 0;
            if !word.is_empty() {
                self.space();
                self.text.push_str(&write(word));
            }
        }
    }

    /// Writes the space that is due.
    pub(super) fn space(&mut self) {
        if self.gap && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
        }
        self.gap = false;
    }

    /// Its bytes up to here.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Where its last word ends.
    pub(super) fn end_of_words(&self) -> usize {
        self.text.trim_end().len()
    }

    /// Whether an empty line came last.
    pub(super) fn ends_paragraph(&self) -> bool {
        self.text.ends_with("\n\n")
    }

    pub(super) fn end(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.gap = false;
    }

    pub(super) fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        self.text
    }
}
