//! What on a page is of other pages and people: comments, sidebars, entries of lists.

use crate::marks::Marks;
use crate::page::Page;
use crate::sums::{Sum, Sums};
use crate::tree::NodeId;
use markup::{Tag, TagSet};

/// Elements that are entries of archives, without a heading.
const ENTRIES: TagSet = TagSet::of(&[Tag::Li, Tag::Tr, Tag::Article]);
/// Entries of a list; the line under a title may have two dates.
const ENTRIES_LEAST: usize = 3;
/// Elements among which they are.
const SIBLINGS: usize = 64;
/// Letters of the shortest title.
const TITLE_LETTERS: u32 = 8;

/// A page, told apart from others.
pub(super) struct Others<'t, 'a> {
    page: &'t Page<'a>,
    /// The block that is the title of the page.
    title: Option<usize>,
    sums: Sums,
}

impl<'t, 'a> Others<'t, 'a> {
    pub(super) fn of(page: &'t Page<'a>, title: Option<usize>) -> Self {
        Self { page, title, sums: Sums::of(page, |_| true) }
    }

    /// Whether a node is of them: what has most of the text, or the title, is not, whatever it is called.
    pub(super) fn have(&self, id: NodeId, marks: Marks) -> bool {
        let small = |at: &NodeId| self.is_small(*at);
        let is_other = |at: NodeId| self.page.tree[at].marks.meet(marks) || self.is_entry(at);
        self.page.tree.ancestors(id).take_while(small).any(is_other) || self.is_of_an_archive(id)
    }

    fn is_small(&self, id: NodeId) -> bool {
        self.over(id).letters * 2 < self.over(NodeId::ROOT).letters
    }

    /// Whether it has a heading that leads to another page, and what is around it has another one.
    fn is_entry(&self, id: NodeId) -> bool {
        let headings = self.over(id).linked_headings;
        let has_title = self.title.is_some_and(|title| self.page.within(id).contains(&title));
        headings > 0 && !has_title && self.over(self.page.tree[id].parent).linked_headings > headings
    }

    /// Whether it stands in one of several entries that are links, a date each.
    fn is_of_an_archive(&self, id: NodeId) -> bool {
        let Some(entry) = self.page.tree.nearest(id, ENTRIES) else { return false };
        let is_like_it = |at: &NodeId| {
            let sum = self.over(*at);
            self.page.tree[*at].tag == self.page.tree[entry].tag
                && sum.linked >= TITLE_LETTERS
                && sum.linked * 2 > sum.letters
                && self.has_time(*at)
        };
        let beside = self.page.tree.children(self.page.tree[entry].parent).take(SIBLINGS);
        is_like_it(&entry) && beside.filter(is_like_it).take(ENTRIES_LEAST).count() == ENTRIES_LEAST
    }

    fn has_time(&self, id: NodeId) -> bool {
        self.page.tree.subtree(id).take(SIBLINGS).any(|at| self.page.tree[at].tag == Tag::Time)
    }

    fn over(&self, id: NodeId) -> Sum {
        self.sums.over(&self.page.within(id))
    }
}
