//! Who and when, as it stands beside the title.

use super::date::{self, Order};
use super::names::{is_name, name};
use super::others::Others;
use crate::elements::BREAKS;
use crate::limits::LABEL_BYTES;
use crate::marks::Marks;
use crate::page::Page;
use crate::tree::{NodeId, Tree};
use markup::{Tag, TagSet, reference};
use std::borrow::Cow;

/// Letters of a line that is an author or a date.
const LINE_LETTERS: u32 = 100;
/// Elements with a time that are looked at.
const TIMES: usize = 256;
/// Lines that are looked at.
const LINES: usize = 256;
/// Elements with a name that are looked at.
const NAMED: usize = 64;
const TIME: TagSet = TagSet::of(&[Tag::Time]);
/// Nodes of a time or a name that are read.
const TEXT_NODES: usize = 16;
/// Elements around a block that may be marked for it.
const AROUND: usize = 3;

/// Marks of what has people and dates of its own; a box for what is related may be one for what is told of the page.
const OTHER_PEOPLE: Marks = Marks::COMMENTS;
/// Marks of what has times of its own.
const OTHER_TIMES: Marks = OTHER_PEOPLE.with(Marks::RELATED).with(Marks::NAVIGATION).with(Marks::SIDEBAR);

/// A page, and what stands on it beside what others say.
pub(super) struct Byline<'t, 'a> {
    page: &'t Page<'a>,
    others: Others<'t, 'a>,
}

impl<'t, 'a> Byline<'t, 'a> {
    pub(super) fn of(page: &'t Page<'a>, title: Option<usize>) -> Self {
        Self { page, others: Others::of(page, title) }
    }

    /// The first line marked as the author's name, or the first words within one: of no comment, and of no other page.
    pub(super) fn author(&self) -> Option<String> {
        let is_own = |id: NodeId| !self.others.have(id, OTHER_PEOPLE);
        let lines = self.lines(Marks::AUTHOR).filter(|block| is_own(self.page.blocks[*block].first));
        let found = lines.map(|block| name(&self.page.line(block))).find(|name| is_name(name));
        let tree = &self.page.tree;
        let named = tree.ids().filter(|id| tree[*id].marks.meet(Marks::AUTHOR)).take(NAMED);
        found.or_else(|| named.filter(|id| is_own(*id)).find_map(|id| name_within_a_line(tree, id)))
    }

    /// The first `time` that has a date, or the first line marked as one.
    pub(super) fn date(&self, order: Order) -> Option<String> {
        let tree = &self.page.tree;
        let times = tree.ids().filter(|id| TIME.has(tree[*id].tag)).take(TIMES);
        let mut times = times.filter(|id| !self.others.have(*id, OTHER_TIMES));
        let stated = times.find_map(|id| date::find(&stated_time(tree, id)?, order));
        let is_own = |block: &usize| {
            let first = self.page.blocks[*block].first;
            let marks = if tree.nearest(first, TIME).is_some() { OTHER_TIMES } else { OTHER_PEOPLE };
            !self.others.have(first, marks)
        };
        let mut lines = self.lines(Marks::DATE).filter(is_own);
        stated.or_else(|| lines.find_map(|block| date::find(&self.page.line(block), order)))
    }

    /// The first short lines in elements with a mark.
    fn lines(&self, mark: Marks) -> impl Iterator<Item = usize> {
        let Page { tree, blocks } = self.page;
        let is_marked = move |block: usize| {
            let around = tree.ancestors(blocks[block].first).filter(|id| tree[*id].is_element());
            around.take(AROUND).any(|id| tree[id].marks.meet(mark))
        };
        let is_short = |block: usize| blocks[block].count.letters <= LINE_LETTERS;
        (0..blocks.len()).filter(move |block| is_short(*block) && is_marked(*block)).take(LINES)
    }
}

/// The name that an element says that is no more than words, and of no quotation.
fn name_within_a_line(tree: &Tree<'_>, id: NodeId) -> Option<String> {
    const QUOTATIONS: TagSet = TagSet::of(&[Tag::Blockquote, Tag::Figure, Tag::Q]);
    let breaks = |at: NodeId| BREAKS.has(tree[at].tag);
    if tree.subtree(id).take(TEXT_NODES).any(breaks) || tree.nearest(id, QUOTATIONS).is_some() {
        return None;
    }
    let words = short_text(tree, id)?.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(name(&words)).filter(|name| is_name(name))
}

/// The value of a `time`: its `datetime`, or, without one, its content (HTML 4.5.14); nothing where that is long.
fn stated_time<'t>(tree: &Tree<'t>, time: NodeId) -> Option<Cow<'t, str>> {
    let stated = tree[time].value;
    if stated.is_empty() {
        return short_text(tree, time).map(Cow::Owned);
    }
    Some(reference::in_attribute(stated))
}

/// The text of an element; nothing where it is long.
fn short_text(tree: &Tree<'_>, id: NodeId) -> Option<String> {
    let nodes = || tree.subtree(id).take(TEXT_NODES).map(|at| &tree[at]);
    let texts = || nodes().filter(|node| !node.is_element()).map(|node| node.value);
    let is_short = texts().map(str::len).sum::<usize>() <= LABEL_BYTES;
    is_short.then(|| texts().map(reference::in_text).collect())
}
