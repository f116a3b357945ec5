//! Who and when, as it stands beside the title.

use super::date::{Order, find as find_date};
use super::others::Others;
use crate::article::plain_line;
use crate::blocks::{BREAKS, Block};
use crate::limits::LABEL_BYTES;
use crate::marks::Marks;
use crate::tree::{Kind, NodeId, Tree};
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
/// Nodes of a time or a name that are read.
const TEXT_NODES: usize = 16;
/// Elements around a block that may be marked for it.
const AROUND: usize = 3;

/// Marks of what has people and dates of its own; a box for what is related may be one for what is told of the page.
const OTHER_PEOPLE: Marks = Marks::COMMENTS;
/// Marks of what has times of its own.
const OTHER_TIMES: Marks = OTHER_PEOPLE.with(Marks::RELATED).with(Marks::NAVIGATION).with(Marks::SIDEBAR);

/// The first line marked as the author's name, or the first words within one: of no comment, and of no other page.
pub(super) fn author(tree: &Tree<'_>, blocks: &[Block], title: Option<usize>) -> Option<String> {
    let others = Others::of(tree, blocks, title);
    let is_own = |id: NodeId| !others.have(id, OTHER_PEOPLE);
    let lines = lines(tree, blocks, Marks::AUTHOR).take(LINES).filter(|block| is_own(block_id(block)));
    let found = lines.map(|block| name(&plain_line(tree, block))).find(|name| is_name(name));
    let is_named = |id: &NodeId| tree[*id].kind == Kind::Element && tree[*id].marks.meet(Marks::AUTHOR);
    let mut named = tree.ids().filter(is_named).take(NAMED).filter(|id| is_own(*id));
    found.or_else(|| named.find_map(|id| name_within_a_line(tree, id)))
}

/// The name that an element says that is no more than words, and of no quotation.
fn name_within_a_line(tree: &Tree<'_>, id: NodeId) -> Option<String> {
    const QUOTATIONS: TagSet = TagSet::of(&[Tag::Blockquote, Tag::Figure, Tag::Q]);
    let breaks = |at: u32| BREAKS.has(tree[NodeId(at)].tag);
    if tree.subtree(id).take(TEXT_NODES).any(breaks) || tree.nearest(id, QUOTATIONS).is_some() {
        return None;
    }
    let words = short_text(tree, id)?.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(name(&words)).filter(|name| is_name(name))
}

/// The first `time` that has a date, or the first line marked as one.
pub(super) fn date(tree: &Tree<'_>, blocks: &[Block], title: Option<usize>, order: Order) -> Option<String> {
    let others = Others::of(tree, blocks, title);
    let is_time = |id: &NodeId| tree[*id].kind == Kind::Element && tree[*id].tag == Tag::Time;
    let times = tree.ids().filter(is_time).take(TIMES);
    let mut times = times.filter(|id| !others.have(*id, OTHER_TIMES));
    let stated = times.find_map(|id| find_date(&stated_time(tree, id)?, order));
    let is_own = |block: &&Block| {
        let is_timed = tree.nearest(block_id(block), TagSet::of(&[Tag::Time])).is_some();
        !others.have(block_id(block), if is_timed { OTHER_TIMES } else { OTHER_PEOPLE })
    };
    let mut lines = lines(tree, blocks, Marks::DATE).take(LINES).filter(is_own);
    stated.or_else(|| lines.find_map(|block| find_date(&plain_line(tree, block), order)))
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
    let texts = || tree.subtree(id).take(TEXT_NODES).map(|at| &tree[NodeId(at)]);
    let texts = || texts().filter(|node| node.kind != Kind::Element).map(|node| node.value);
    let is_short = texts().map(str::len).sum::<usize>() <= LABEL_BYTES;
    is_short.then(|| texts().map(reference::in_text).collect())
}

/// Short lines in elements with a mark.
fn lines<'t>(tree: &'t Tree<'_>, blocks: &'t [Block], mark: Marks) -> impl Iterator<Item = &'t Block> {
    blocks.iter().filter(move |block| {
        let around = tree.ancestors(block_id(block)).filter(|id| tree[*id].kind == Kind::Element);
        block.count.letters <= LINE_LETTERS && around.take(AROUND).any(|id| tree[id].marks.meet(mark))
    })
}

/// The innermost node that a block begins with.
fn block_id(block: &Block) -> NodeId {
    NodeId(block.nodes.start)
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
