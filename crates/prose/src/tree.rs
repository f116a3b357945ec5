//! A document as a flat tree: nodes in document order, each with its parent and the end of its subtree.

mod builder;
mod content;
mod implied;
mod unseen;
mod values;

use crate::elements::PREFORMATTED;
use crate::marks::Marks;
pub(crate) use builder::{Built, build};
use markup::{Tag, TagSet};
use std::ops::Index;

/// The place of a node in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    /// The document itself.
    pub(crate) const ROOT: Self = Self(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The node after it in document order.
    pub(crate) fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// It and those after it, before `end`.
    pub(crate) fn up_to(self, end: Self) -> impl DoubleEndedIterator<Item = Self> + Clone + use<> {
        (self.0..end.0).map(Self)
    }
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Element,
    /// Text with character references still in it.
    Text,
    /// Text as it is.
    Raw,
}

/// An element or a piece of text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'a> {
    pub(crate) kind: Kind,
    /// Of a text [`Tag::Other`].
    pub(crate) tag: Tag,
    /// What its attributes say about it.
    pub(crate) spans: Spans,
    pub(crate) marks: Marks,
    pub(crate) parent: NodeId,
    /// The node after its last descendant.
    pub(crate) end: NodeId,
    /// The text; of an element the one attribute that matters: `href`, `datetime`, the class of `code`, else the `id`.
    pub(crate) value: &'a str,
}

impl<'a> Node<'a> {
    pub(crate) fn is_element(&self) -> bool {
        self.kind == Kind::Element
    }

    /// What an element is called; nothing where something else of it matters.
    pub(crate) fn id(&self) -> &'a str {
        if self.is_element() && !VALUED.has(self.tag) { self.value } else { "" }
    }
}

/// Elements whose value is another attribute than the `id`.
const VALUED: TagSet = PREFORMATTED.with(TagSet::of(&[Tag::A, Tag::Time, Tag::Code]));

/// How many columns and rows a cell covers; more than 255 are 255.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spans {
    pub(crate) columns: u8,
    pub(crate) rows: u8,
}

impl Spans {
    pub(crate) const ONE: Self = Self { columns: 1, rows: 1 };
}

/// A document.
pub(crate) struct Tree<'a> {
    nodes: Vec<Node<'a>>,
}

impl Tree<'_> {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes, in document order.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        NodeId::ROOT.up_to(self[NodeId::ROOT].end)
    }

    /// A node and its descendants.
    pub(crate) fn subtree(&self, id: NodeId) -> impl Iterator<Item = NodeId> + Clone + use<> {
        id.up_to(self[id].end)
    }

    pub(crate) fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner && inner < self[outer].end
    }

    /// Children, in order.
    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self[id].end;
        let mut next = id.next();
        std::iter::from_fn(move || {
            let child = Some(next).filter(|child| *child < end)?;
            next = self[child].end;
            Some(child)
        })
    }

    /// The node, its parent, and so on to the document.
    pub(crate) fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |at| (*at != NodeId::ROOT).then(|| self[*at].parent))
    }

    /// The nearest of these elements at or around a node.
    pub(crate) fn nearest(&self, id: NodeId, tags: TagSet) -> Option<NodeId> {
        self.ancestors(id).find(|at| tags.has(self[*at].tag))
    }

    /// Asserts what holds of every tree.
    #[cfg(test)]
    pub(crate) fn check_invariants(&self) {
        for id in self.ids().skip(1) {
            let (node, parent) = (&self[id], &self[self[id].parent]);
            assert!(
                node.parent < id && id < node.end && node.end <= parent.end,
                "{id:?} is within its parent"
            );
            assert_eq!(parent.kind, Kind::Element, "only elements have children");
        }
    }
}

impl<'a> Index<NodeId> for Tree<'a> {
    type Output = Node<'a>;

    fn index(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id.index()]
    }
}
