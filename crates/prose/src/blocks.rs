//! A tree as a list of blocks: what stands on lines of its own, in document order, with what can be counted of it.

mod count;

use crate::elements::{BREAKS, PREFORMATTED};
use crate::tree::{NodeId, Tree};
pub(crate) use count::Count;
use markup::Tag;

/// A run of text within one block element.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// The block element it stands in.
    pub(crate) element: NodeId,
    /// The first of the nodes it is made of.
    pub(crate) first: NodeId,
    /// The node after the last of them.
    pub(crate) end: NodeId,
    pub(crate) count: Count,
}

impl Block {
    /// The nodes it is made of.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> + Clone + use<> {
        self.first.up_to(self.end)
    }
}

/// The blocks of a tree.
pub(crate) fn of(tree: &Tree<'_>) -> Vec<Block> {
    let mut reader = Reader::new(tree);
    for id in tree.ids() {
        if tree[id].is_element() {
            reader.element(id);
        } else {
            reader.text(id);
        }
    }
    reader.blocks
}

struct Reader<'t, 'a> {
    tree: &'t Tree<'a>,
    blocks: Vec<Block>,
    /// By element, what stands in it.
    places: Vec<Place>,
    /// Whether the next text begins a block.
    begins: bool,
    indent: Option<Indent>,
}

/// What the texts of an element are part of.
#[derive(Clone, Copy)]
struct Place {
    /// The block element.
    element: NodeId,
    linked: bool,
    preformatted: bool,
}

/// The blanks before the first word of code: its block begins with them.
struct Indent {
    element: NodeId,
    first: NodeId,
}

impl<'t, 'a> Reader<'t, 'a> {
    fn new(tree: &'t Tree<'a>) -> Self {
        let place = Place { element: NodeId::ROOT, linked: false, preformatted: false };
        Self { tree, blocks: Vec::new(), places: vec![place; tree.len()], begins: true, indent: None }
    }

    fn element(&mut self, id: NodeId) {
        let node = &self.tree[id];
        let around = self.places[node.parent.index()];
        let breaks = BREAKS.has(node.tag);
        self.begins |= breaks;
        self.places[id.index()] = Place {
            element: if breaks { id } else { around.element },
            linked: around.linked || node.tag == Tag::A && !node.value.is_empty(),
            preformatted: around.preformatted || PREFORMATTED.has(node.tag),
        };
    }

    fn text(&mut self, id: NodeId) {
        let node = &self.tree[id];
        let Place { element, linked, preformatted } = self.places[node.parent.index()];
        let count = if linked { Count::of_link(node) } else { Count::of(node) };
        let end = id.next();
        if let Some(block) = self.blocks.last_mut().filter(|last| !self.begins && last.element == element) {
            block.end = end;
            block.count.add(count);
            return;
        }
        let indent = self.indent.take().filter(|indent| indent.element == element);
        let first = indent.map_or(id, |indent| indent.first);
        if count.letters > 0 {
            self.begins = false;
            self.blocks.push(Block { element, first, end, count });
        } else if preformatted {
            self.indent = Some(Indent { element, first });
        }
    }
}
