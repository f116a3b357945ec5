//! Which blocks are the main text.
//!
//! Everything is kept at first. Then goes, in this order: what is marked as something else, what announces other pages, what
//! lies outside the element that holds nearly all prose, and lines that stand on every page. Each step measures by
//! what the steps before it left.

mod chapters;
mod lines;
mod marked;
mod region;
mod sums;
mod teasers;
mod title;
mod titled;

use crate::blocks::{self, Block, Count};
use crate::marks::Marks;
use crate::tree::{NodeId, Tree};
use markup::{Tag, TagSet};
use std::ops::Range;
use sums::Sums;
pub(crate) use title::{BETWEEN, is_part};

/// What becomes of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Keep,
    /// An element around it is marked as something else.
    Marked,
    /// It announces another page.
    Teaser,
    /// It is not where the article is.
    Outside,
    /// It is a list of links.
    Links,
    /// It is a line of the page, not of its text.
    Line,
    /// It numbers lines of code.
    Gutter,
    /// It is a heading with nothing under it.
    Bare,
    /// It is the title.
    Title,
    /// It stands after the end of the article.
    After,
    /// It says again what the block before it says.
    Again,
}

/// What was decided.
pub(crate) struct Chosen {
    /// One a block.
    pub(crate) verdicts: Vec<Verdict>,
    /// The block that is the title.
    pub(crate) title: Option<usize>,
}

const HEADINGS: TagSet = TagSet::of(&markup::HEADINGS);

/// Marks that still count where believing all of them would leave nothing.
const CERTAIN: Marks =
    Marks::COMMENTS.with(Marks::NAVIGATION).with(Marks::FOOTER).with(Marks::ADVERT).with(Marks::LEGAL);

/// The share of the prose that marks must leave.
const LEFT_LEAST: f32 = 0.2;

/// Judges the blocks of a page that calls itself by these titles.
pub(crate) fn choose(tree: &Tree<'_>, blocks: &[Block], titles: &[String]) -> Chosen {
    let mut choice = Choice::new(tree, blocks, titles);
    let all = choice.sums.prose();
    choice.drop_marked(Marks::ALL);
    if choice.sums.prose() < LEFT_LEAST * all {
        choice.verdicts.fill(Verdict::Keep);
        choice.measure();
        choice.drop_marked(CERTAIN);
    }
    choice.drop_teasers();
    let region = choice.drop_outside();
    choice.drop_lines(region);
    Chosen { verdicts: choice.verdicts, title: choice.title }
}

/// A page, and what was decided of it so far.
struct Choice<'t, 'a> {
    tree: &'t Tree<'a>,
    blocks: &'t [Block],
    verdicts: Vec<Verdict>,
    /// Of the blocks that were kept when it was last measured.
    sums: Sums,
    title: Option<usize>,
    titles_are_ids: bool,
}

impl<'t, 'a> Choice<'t, 'a> {
    fn new(tree: &'t Tree<'a>, blocks: &'t [Block], titles: &[String]) -> Self {
        let verdicts = vec![Verdict::Keep; blocks.len()];
        let title = title::find(tree, blocks, titles);
        let mut choice = Self { tree, blocks, verdicts, sums: Sums::default(), title, titles_are_ids: false };
        choice.titles_are_ids = choice.titles_are_ids();
        choice.measure();
        choice
    }

    fn measure(&mut self) {
        self.sums = Sums::of(self.tree, self.blocks, &self.verdicts);
    }

    fn within(&self, id: NodeId) -> Range<usize> {
        blocks::within(self.blocks, self.tree.subtree(id))
    }

    fn count(&self, block: usize) -> &'t Count {
        &self.blocks[block].count
    }

    fn tag(&self, block: usize) -> Tag {
        self.tree[self.blocks[block].node].tag
    }

    fn is_heading(&self, block: usize) -> bool {
        HEADINGS.has(self.tag(block))
    }

    fn kept(&self, block: usize) -> bool {
        self.verdicts[block] == Verdict::Keep
    }

    /// What was dropped before stays as it is.
    fn drop(&mut self, range: Range<usize>, verdict: Verdict) {
        self.verdicts[range].iter_mut().filter(|old| **old == Verdict::Keep).for_each(|old| *old = verdict);
    }

    fn has_title(&self, range: &Range<usize>) -> bool {
        self.title.is_some_and(|title| range.contains(&title))
    }
}
