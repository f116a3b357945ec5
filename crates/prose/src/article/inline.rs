//! The text of one block with its emphasis, as `CommonMark` reads it (section 6).

use super::delimiters::{self, CODE, Pair};
use crate::line::{Line, decoded};
use crate::page::Page;
use crate::tree::{Node, NodeId};
use markup::Tag;
use std::borrow::Cow;

/// White space collapsed, a new line at `br`.
pub(super) fn render(page: &Page<'_>, block: usize) -> String {
    let (tree, block) = (&page.tree, &page.blocks[block]);
    let mut texts = block.nodes().map(|at| &tree[at]).filter(|node| !node.is_element());
    // What has backticks itself is not put between them.
    let may_be_code = !texts.any(|node| decoded(node).contains('`'));
    let mut writer = Writer::default();
    let around = tree.ancestors(block.first).skip(1).take_while(|at| *at != block.element);
    let around: Vec<NodeId> = around.collect();
    for at in around.into_iter().rev().chain(block.nodes()) {
        writer.close(at);
        let node = &tree[at];
        if !node.is_element() {
            writer.text(node);
        } else if node.tag == Tag::Br {
            writer.end_line();
        } else if let Some(mark) = mark_of(node.tag).filter(|mark| may_be_code || *mark != CODE) {
            writer.open(mark, node.end);
        }
    }
    writer.close(tree[NodeId::ROOT].end);
    delimiters::put(&writer.line.finish(), &writer.pairs)
}

fn mark_of(tag: Tag) -> Option<&'static str> {
    Some(match tag {
        Tag::Strong | Tag::B => "**",
        Tag::Em | Tag::I => "*",
        Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt => CODE,
        Tag::Del | Tag::S | Tag::Strike => "~~",
        _ => return None,
    })
}

/// A text without its delimiters, and where they belong.
#[derive(Default)]
struct Writer {
    line: Line,
    /// Outermost first; each mark once.
    open: Vec<Open>,
    /// In the order of their ends, inner ones first.
    pairs: Vec<Pair>,
}

/// Emphasis that is open.
struct Open {
    mark: &'static str,
    end: NodeId,
    /// Where its first word begins.
    start: Option<usize>,
}

impl Writer {
    fn open(&mut self, mark: &'static str, end: NodeId) {
        if self.open.iter().all(|open| ![mark, CODE].contains(&open.mark)) {
            self.open.push(Open { mark, end, start: None });
        }
    }

    /// Closes what ends before a node.
    fn close(&mut self, at: NodeId) {
        while let Some(Open { mark, start, .. }) = self.open.pop_if(|last| last.end <= at) {
            self.end(mark, start);
        }
    }

    fn end(&mut self, mark: &'static str, start: Option<usize>) {
        self.pairs.extend(start.map(|start| Pair { mark, start, end: self.line.end_of_words() }));
    }

    fn text(&mut self, node: &Node<'_>) {
        let text = decoded(node);
        let words = text.trim_start();
        self.line.flow(&text[..text.len() - words.len()], Cow::Borrowed);
        if words.is_empty() {
            return;
        }
        self.line.space();
        self.begin();
        let is_code = self.open.last().is_some_and(|open| open.mark == CODE);
        self.line.flow(words, if is_code { Cow::Borrowed } else { escaped });
    }

    /// Begins what is open at the next word, and goes on with what has just ended.
    fn begin(&mut self) {
        let at = self.line.len();
        let mut outer = 0;
        for open in &mut self.open {
            let goes_on = |last: &mut Pair| last.mark == open.mark && last.end == at && last.start >= outer;
            let start = open.start.or_else(|| self.pairs.pop_if(goes_on).map(|last| last.start));
            outer = start.unwrap_or(at);
            open.start = Some(outer);
        }
    }

    /// Ends the line, and code with it, in which no break is one; an empty line is the end of a paragraph, and of all emphasis in it.
    fn end_line(&mut self) {
        self.line.end();
        let code = self.open.iter().position(|open| open.mark == CODE).unwrap_or(self.open.len());
        let ended = if self.line.ends_paragraph() { 0 } else { code };
        for nth in (ended..self.open.len()).rev() {
            let start = self.open[nth].start.take();
            self.end(self.open[nth].mark, start);
        }
    }
}

/// A word whose marks are letters.
fn escaped(word: &str) -> Cow<'_, str> {
    const MARKS: [char; 9] = ['\\', '*', '_', '`', '[', ']', '<', '#', '~'];
    let may_refer = word.contains('&') && word.contains(';');
    if !may_refer && !word.contains(MARKS) {
        return Cow::Borrowed(word);
    }
    let mut text = String::with_capacity(word.len() + 2);
    for c in word.chars() {
        if MARKS.contains(&c) || c == '&' && may_refer {
            text.push('\\');
        }
        text.push(c);
    }
    Cow::Owned(text)
}
