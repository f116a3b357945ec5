//! The quotations and items that the pieces of a text stand in.

use crate::elements::LISTS;
use crate::limits::{LIST_LEVELS, PREFIX_BYTES};
use crate::tree::{NodeId, Tree};
use markup::{Tag, TagSet};
use std::rc::Rc;

/// Where a piece stands, in few bytes: there are many.
pub(super) struct Place {
    /// What its lines begin with in Markdown: a mark for each quotation around it, blanks for each item.
    pub(super) prefix: Rc<str>,
    /// Bytes of that which stand for what is around the piece before, too.
    pub(super) shared: u8,
    /// The item that it begins.
    pub(super) item: Option<Item>,
}

/// An item where it begins.
pub(super) struct Item {
    /// Bytes of the prefix before its mark.
    pub(super) at: u8,
    pub(super) mark: Mark,
}

/// What an item begins with. Each kind of list has two: lists side by side would be one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Dash,
    Star,
    Dot,
    Bracket,
}

impl Mark {
    pub(super) fn written(self) -> &'static str {
        match self {
            Self::Dash => "-",
            Self::Star => "*",
            Self::Dot => "1.",
            Self::Bracket => "1)",
        }
    }
}

pub(super) const QUOTE: &str = "> ";
pub(super) const INDENT: &str = "    ";

const ITEM: TagSet = TagSet::of(&[Tag::Li]);

/// What is open where a text is read.
#[derive(Default)]
pub(super) struct Nesting {
    prefix: String,
    /// That of the last piece.
    last: Rc<str>,
    /// The quotations and items around the last piece.
    open: Vec<Container>,
    /// The lists that the next item may go on with, outermost first.
    lists: Vec<List>,
    /// The lists around the first item: those are layout.
    base: Option<usize>,
    /// The level of the item before, and one more.
    next: usize,
}

struct Container {
    id: NodeId,
    /// Bytes of the prefix before it.
    from: usize,
    /// Of an item, how many are around it.
    level: Option<usize>,
}

struct List {
    id: Option<NodeId>,
    /// Bytes of the prefix before its marks.
    at: usize,
    mark: Mark,
}

impl Nesting {
    /// The place of the next piece.
    pub(super) fn place(&mut self, tree: &Tree<'_>, node: NodeId) -> Place {
        while let Some(ended) = self.open.pop_if(|open| !tree.contains(open.id, node)) {
            self.prefix.truncate(ended.from);
        }
        let shared = self.prefix.len();
        let last = self.open.last().map(|open| open.id);
        let nearest = tree.nearest(node, ITEM);
        let begins = |id: &NodeId| tree[*id].tag == Tag::Blockquote || Some(*id) == nearest;
        let new: Vec<NodeId> =
            tree.ancestors(node).take_while(|id| Some(*id) != last).filter(begins).collect();
        let mut item = None;
        for id in new.into_iter().rev() {
            if Some(id) == nearest {
                item = Some(self.begin_item(tree, id));
            } else {
                self.begin_quote(id);
            }
        }
        if item.is_none() {
            self.end_lists(self.prefix.len());
        }
        Place { prefix: self.prefix(), shared: shared as u8, item }
    }

    /// The prefix, that of the last piece where it is the same.
    fn prefix(&mut self) -> Rc<str> {
        if *self.last != *self.prefix {
            self.last = Rc::from(&*self.prefix);
        }
        Rc::clone(&self.last)
    }

    fn begin_quote(&mut self, id: NodeId) {
        self.end_lists(self.prefix.len());
        (self.base, self.next) = (None, 0);
        self.open.push(Container { id, from: self.prefix.len(), level: None });
        self.push(QUOTE);
    }

    /// Begins an item; its level is at most one below that of the item before.
    fn begin_item(&mut self, tree: &Tree<'_>, id: NodeId) -> Item {
        let lists = lists_around(tree, id);
        let within = self.within();
        let level = lists.saturating_sub(*self.base.get_or_insert(lists)).min(self.next).max(within);
        let from = self.prefix.len();
        (within..level).for_each(|_| self.push(INDENT));
        let at = self.prefix.len();
        let mark = self.mark(tree, tree.nearest(id, LISTS), at);
        self.open.push(Container { id, from, level: Some(level) });
        self.push(INDENT);
        self.next = level + 1;
        Item { at: at as u8, mark }
    }

    /// How many items are open.
    fn within(&self) -> usize {
        self.open.iter().rev().find_map(|open| open.level).map_or(0, |level| level + 1)
    }

    fn push(&mut self, prefix: &str) {
        if self.prefix.len() < PREFIX_BYTES {
            self.prefix.push_str(prefix);
        }
    }

    /// The mark of a list: another than that of a list right before it, which it would go on with.
    fn mark(&mut self, tree: &Tree<'_>, id: Option<NodeId>, at: usize) -> Mark {
        self.end_lists(at + 1);
        let is_ordered = id.is_some_and(|id| tree[id].tag == Tag::Ol);
        let [usual, other] = if is_ordered { [Mark::Dot, Mark::Bracket] } else { [Mark::Dash, Mark::Star] };
        let mark = match self.lists.pop_if(|list| list.at == at) {
            Some(before) if before.id == id => before.mark,
            Some(before) if before.mark == usual => other,
            _ => usual,
        };
        self.lists.push(List { id, at, mark });
        mark
    }

    /// Ends lists whose marks stand there or further in; after the last one levels are counted anew.
    fn end_lists(&mut self, at: usize) {
        while self.lists.pop_if(|list| list.at >= at).is_some() {}
        if self.within() == 0 && self.lists.is_empty() {
            (self.base, self.next) = (None, 0);
        }
    }
}

/// How many lists are around the list of an item.
fn lists_around(tree: &Tree<'_>, item: NodeId) -> usize {
    let lists = tree.ancestors(item).filter(|id| LISTS.has(tree[*id].tag));
    lists.take(LIST_LEVELS).count().saturating_sub(1)
}
