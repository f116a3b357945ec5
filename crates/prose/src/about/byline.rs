//! Who and when, as it stands beside the title.

use super::date::{Order, find as find_date};
use super::others::Others;
use crate::elements::BREAKS;
use crate::limits::LABEL_BYTES;
use crate::marks::Marks;
use crate::page::Page;
use crate::tree::{NodeId, Tree};
use crate::vocabulary::BY;
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

/// The first line marked as the author's name, or the first words within one: of no comment, and of no other page.
pub(super) fn author(page: &Page<'_>, title: Option<usize>) -> Option<String> {
    let tree = &page.tree;
    let others = Others::of(page, title);
    let is_own = |id: NodeId| !others.have(id, OTHER_PEOPLE);
    let lines = lines(page, Marks::AUTHOR).take(LINES).filter(|block| is_own(page.blocks[*block].first));
    let found = lines.map(|block| name(&page.line(block))).find(|name| is_name(name));
    let named = tree.ids().filter(|id| tree[*id].marks.meet(Marks::AUTHOR)).take(NAMED);
    found.or_else(|| named.filter(|id| is_own(*id)).find_map(|id| name_within_a_line(tree, id)))
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

/// The first `time` that has a date, or the first line marked as one.
pub(super) fn date(page: &Page<'_>, title: Option<usize>, order: Order) -> Option<String> {
    let tree = &page.tree;
    let others = Others::of(page, title);
    let times = tree.ids().filter(|id| TIME.has(tree[*id].tag)).take(TIMES);
    let mut times = times.filter(|id| !others.have(*id, OTHER_TIMES));
    let stated = times.find_map(|id| find_date(&stated_time(tree, id)?, order));
    let is_own = |block: &usize| {
        let first = page.blocks[*block].first;
        let marks = if tree.nearest(first, TIME).is_some() { OTHER_TIMES } else { OTHER_PEOPLE };
        !others.have(first, marks)
    };
    let mut lines = lines(page, Marks::DATE).take(LINES).filter(is_own);
    stated.or_else(|| lines.find_map(|block| find_date(&page.line(block), order)))
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

/// Short lines in elements with a mark.
fn lines(page: &Page<'_>, mark: Marks) -> impl Iterator<Item = usize> {
    let is_short = |block: usize| page.count(block).letters <= LINE_LETTERS;
    let is_marked = move |block: usize| {
        let around = page.tree.ancestors(page.blocks[block].first).filter(|id| page.tree[*id].is_element());
        around.take(AROUND).any(|id| page.tree[id].marks.meet(mark))
    };
    (0..page.blocks.len()).filter(move |block| is_short(*block) && is_marked(*block))
}

/// `By A Name | 3 May` is `A Name`.
pub(super) fn name(line: &str) -> String {
    let line = line.split(['|', '\n', '•', '·', '(', '/']).next().unwrap_or_default().trim();
    let lower = line.to_lowercase();
    let is_rest = |rest: &str| rest.is_empty() || rest.starts_with([' ', ':']);
    let by = BY.iter().find(|by| lower.strip_prefix(**by).is_some_and(is_rest));
    let rest = by.and_then(|by| line.get(by.len()..)).unwrap_or(line);
    rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | '-' | '–')).to_owned()
}

/// Whether it is one name, or several that begin as names do.
pub(super) fn are_names(text: &str) -> bool {
    let mut names = text.split([',', ';', '&']).flat_map(|part| part.split(" and ")).map(str::trim);
    let is_one = |name: &str| {
        let name = name.strip_prefix("and ").unwrap_or(name);
        name.is_empty() || is_name(name) && !name.starts_with(char::is_lowercase)
    };
    is_name(text) || text.starts_with(char::is_alphabetic) && names.all(is_one)
}

/// Up to six words that begin with letters: no address, no sentence.
pub(super) fn is_name(text: &str) -> bool {
    let words = text.split_whitespace().count();
    (1..=6).contains(&words)
        && text.len() <= LINE_LETTERS as usize
        && text.chars().next().is_some_and(char::is_alphabetic)
        && !text.contains("://")
        && !text.contains('@')
        && !text.chars().any(|c| c.is_ascii_digit())
}
