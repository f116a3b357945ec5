//! A tree as a list of blocks: what stands on lines of its own, in document order, with what can be counted of it.

use crate::tree::{Kind, NodeId, PREFORMATTED, Tree};
use markup::{BLOCK, Tag, TagSet, reference};
use std::ops::Range;

/// A run of text within one block element.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// The block element it stands in.
    pub(crate) node: NodeId,
    /// The nodes it is made of.
    pub(crate) nodes: Range<u32>,
    pub(crate) count: Count,
}

/// What a text has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// Characters that are not white space.
    pub(crate) letters: u32,
    /// Those of them within links.
    pub(crate) linked: u32,
    pub(crate) words: u32,
    /// Ends of sentences.
    pub(crate) stops: u32,
    pub(crate) commas: u32,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.letters += other.letters;
        self.linked += other.linked;
        self.words += other.words;
        self.stops += other.stops;
        self.commas += other.commas;
    }

    /// The share of it that is links.
    pub(crate) fn link_density(&self) -> f32 {
        self.linked as f32 / self.letters.max(1) as f32
    }
}

/// Elements that begin a block: those on lines of their own, and cells.
pub(crate) const BREAKS: TagSet = BLOCK.without(&[Tag::Br]).with(TagSet::of(&[Tag::Td, Tag::Th]));

/// The blocks of a tree.
pub(crate) fn of(tree: &Tree<'_>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut places = vec![Place { block: NodeId::ROOT, linked: false, preformatted: false }; tree.len()];
    let mut begins = true;
    let mut indented: Option<(NodeId, u32)> = None;
    let mut at = 0;
    while at < tree.len() as u32 {
        let id = NodeId(at);
        let node = &tree[id];
        at += 1;
        let around = places[node.parent.index()];
        if node.kind == Kind::Element {
            let breaks = BREAKS.has(node.tag);
            begins |= breaks;
            places[id.index()] = Place {
                block: if breaks { id } else { around.block },
                linked: around.linked || node.tag == Tag::A && !node.value.is_empty(),
                preformatted: around.preformatted || PREFORMATTED.has(node.tag),
            };
            continue;
        }
        let is_blank = node.kind == Kind::Text
            && reference::in_text(node.value).chars().all(|c| c.is_whitespace() || c == '\0');
        let mut count = if is_blank { Count::default() } else { count(node.value) };
        count.linked = if around.linked { count.letters } else { 0 };
        if let Some(block) = blocks.last_mut().filter(|last| !begins && last.node == around.block) {
            block.nodes.end = at;
            block.count.add(count);
            continue;
        }
        // Code begins with the blanks before its first word.
        let before = indented.take().filter(|(block, _)| *block == around.block);
        let from = before.map_or(id.0, |(_, from)| from);
        if count.letters > 0 {
            begins = false;
            blocks.push(Block { node: around.block, nodes: from..at, count });
        } else if around.preformatted {
            indented = Some((around.block, from));
        }
    }
    blocks
}

#[derive(Clone, Copy)]
struct Place {
    block: NodeId,
    linked: bool,
    /// Its white space is of the text.
    preformatted: bool,
}

/// The blocks that begin within a subtree.
pub(crate) fn within(blocks: &[Block], nodes: Range<u32>) -> Range<usize> {
    let from = blocks.partition_point(|block| block.nodes.start < nodes.start);
    let to = from + blocks[from..].partition_point(|block| block.nodes.start < nodes.end);
    from..to
}

fn count(text: &str) -> Count {
    let mut count = Count::default();
    let (mut before, mut unspaced) = (' ', 0);
    for c in text.chars() {
        if c.is_ascii_whitespace() {
            count.stops += u32::from(matches!(before, '.' | '!' | '?' | ':' | '؟' | '۔' | '।'));
        } else {
            count.letters += 1;
            count.words += u32::from(before.is_ascii_whitespace() && !is_unspaced(c));
            count.commas += u32::from(matches!(c, ',' | '，' | '、' | '،'));
            count.stops += u32::from(matches!(c, '。' | '！' | '？'));
            unspaced += u32::from(is_unspaced(c));
        }
        before = c;
    }
    count.words += unspaced / UNSPACED_LETTERS;
    count.stops += u32::from(matches!(before, '.' | '!' | '?' | '؟' | '۔' | '।'));
    count
}

/// Letters of a word, about, in scripts that put no spaces between words.
const UNSPACED_LETTERS: u32 = 2;

/// Thai, Lao, Tibetan, Burmese; Khmer; Japanese; Chinese.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}')
}
