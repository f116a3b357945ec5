//! Marks that are not meant: elements are named for how they look, for what is told in them, or by their title.

use super::Choice;
use super::marked::Marked;
use crate::elements::{HEADINGS, PREFORMATTED};
use crate::limits::QUOTE_NODES;
use crate::marks::Marks;
use markup::{TABLE_PARTS, Tag, TagSet};

/// Marks, and of which elements they say nothing.
struct Doubt {
    marks: Marks,
    of: fn(&Choice<'_, '_>, &Marked) -> bool,
}

const DOUBTS: [Doubt; 9] = [
    Doubt { marks: Marks::COMMENTS, of: is_span },
    Doubt { marks: LOOKS, of: is_part_of_text },
    Doubt { marks: Marks::TOOLS.with(Marks::MEDIA), of: is_frame },
    Doubt { marks: Marks::TOOLS, of: is_in_a_heading },
    Doubt { marks: Marks::HEADER, of: is_below_the_title },
    Doubt { marks: Marks::SIDEBAR, of: is_told_beside_prose },
    Doubt { marks: Marks::RELATED.with(Marks::NAVIGATION), of: has_no_link },
    Doubt { marks: Marks::KEYWORDS, of: is_told },
    Doubt { marks: Marks::MEDIA.with(Marks::SHARE), of: quotes },
];

/// How a row or a quotation looks: like a button, like the network it comes from.
const LOOKS: Marks = Marks::SHARE
    .with(Marks::TOOLS)
    .with(Marks::MEDIA)
    .with(Marks::HEADER)
    .with(Marks::CAPTION)
    .with(Marks::BYLINE);
const PARTS_OF_TEXT: TagSet = TABLE_PARTS.without(&[Tag::Caption]).with(TagSet::of(&[Tag::Blockquote]));
/// What stands in a frame, and moves in it.
const FRAMED: TagSet = PREFORMATTED.with(TagSet::of(&[Tag::Table]));
/// Letters of a box in running text for each that is linked.
const LETTERS_A_LINKED: u32 = 5;

impl Choice<'_, '_> {
    /// The marks of an element that are meant.
    pub(super) fn meant(&self, marked: &Marked) -> Marks {
        let titled = self.ids.mistaken(self.page, marked.id);
        let holds = |doubt: &&Doubt| marked.marks.meet(doubt.marks) && (doubt.of)(self, marked);
        let doubts = DOUBTS.iter().filter(holds);
        doubts.fold(marked.marks.without(titled), |marks, doubt| marks.without(doubt.marks))
    }
}

/// Code calls its comments so.
fn is_span(choice: &Choice<'_, '_>, marked: &Marked) -> bool {
    choice.page.tree[marked.id].tag == Tag::Span
}

fn is_part_of_text(choice: &Choice<'_, '_>, marked: &Marked) -> bool {
    PARTS_OF_TEXT.has(choice.page.tree[marked.id].tag)
}

/// Whether it is code, or around a table or code and nothing else: what such a box is called for is how it moves.
fn is_frame(choice: &Choice<'_, '_>, marked: &Marked) -> bool {
    let tree = &choice.page.tree;
    let mut children = tree.children(marked.id).filter(|child| tree[*child].is_element());
    let frames = children.next().is_some_and(|child| FRAMED.has(tree[child].tag));
    PREFORMATTED.has(tree[marked.id].tag) || frames && children.next().is_none()
}

fn is_in_a_heading(choice: &Choice<'_, '_>, marked: &Marked) -> bool {
    choice.page.tree.nearest(marked.id, HEADINGS).is_some()
}

fn is_below_the_title(choice: &Choice<'_, '_>, marked: &Marked) -> bool {
    choice.title.is_some_and(|title| title < marked.blocks.start)
}

/// Whether it is a box within running text, sentences between paragraphs: what manuals and books call a sidebar.
fn is_told_beside_prose(choice: &Choice<'_, '_>, marked: &Marked) -> bool {
    let Marked { id, blocks, .. } = marked;
    let sum = choice.sums.over(blocks);
    let around = choice.page.within(choice.page.tree[*id].parent);
    let is_text = |block: usize| around.contains(&block) && choice.is_sentence(block);
    sum.linked * LETTERS_A_LINKED < sum.letters
        && blocks.start.checked_sub(1).is_some_and(is_text)
        && is_text(blocks.end)
        && has_a_sentence(choice, marked)
}

fn has_no_link(choice: &Choice<'_, '_>, marked: &Marked) -> bool {
    choice.sums.over(&marked.blocks).linked == 0
}

fn is_told(choice: &Choice<'_, '_>, marked: &Marked) -> bool {
    has_no_link(choice, marked) && has_a_sentence(choice, marked)
}

fn has_a_sentence(choice: &Choice<'_, '_>, marked: &Marked) -> bool {
    marked.blocks.clone().any(|block| choice.is_sentence(block))
}

/// Whether it holds a quotation, which may be the article's.
fn quotes(choice: &Choice<'_, '_>, marked: &Marked) -> bool {
    let tree = &choice.page.tree;
    tree.subtree(marked.id).take(QUOTE_NODES).any(|at| tree[at].tag == Tag::Blockquote)
}
