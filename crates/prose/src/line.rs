//! The text of one block, its white space collapsed.

use crate::blocks::Block;
use crate::tree::{Kind, Node, Tree};
use markup::{Tag, reference};
use std::borrow::Cow;

/// White space collapsed, a new line at `br`.
pub(crate) fn plain(tree: &Tree<'_>, block: &Block) -> String {
    let mut line = Line::default();
    for node in block.nodes().map(|at| &tree[at]) {
        match node.kind {
            Kind::Element if node.tag == Tag::Br => line.end(),
            Kind::Element => {}
            Kind::Text | Kind::Raw => line.flow(&decoded(node), Cow::Borrowed),
        }
    }
    line.finish()
}

/// The text of a text node, character references decoded. Zero bytes are no text (HTML 13.2.6.4.7 drops them).
pub(crate) fn decoded<'a>(node: &Node<'a>) -> Cow<'a, str> {
    let text =
        if node.kind == Kind::Text { reference::in_text(node.value) } else { Cow::Borrowed(node.value) };
    if text.contains('\0') { Cow::Owned(text.replace('\0', "")) } else { text }
}

/// Running text that is being written.
#[derive(Default)]
pub(crate) struct Line {
    text: String,
    /// White space came since the last word.
    gap: bool,
}

impl Line {
    /// Appends words, each as `write` has it.
    pub(crate) fn flow<'t>(&mut self, text: &'t str, write: impl Fn(&'t str) -> Cow<'t, str>) {
        for (i, word) in text.split(char::is_whitespace).enumerate() {
            self.gap |= i > 0;
            if !word.is_empty() {
                self.space();
                self.text.push_str(&write(word));
            }
        }
    }

    /// Writes the space that is due.
    pub(crate) fn space(&mut self) {
        if self.gap && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
        }
        self.gap = false;
    }

    /// Its bytes up to here.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Where its last word ends.
    pub(crate) fn end_of_words(&self) -> usize {
        self.text.trim_end().len()
    }

    /// Whether an empty line came last.
    pub(crate) fn ends_paragraph(&self) -> bool {
        self.text.ends_with("\n\n")
    }

    pub(crate) fn end(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.gap = false;
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        self.text
    }
}
