//! Which blocks are the main text.
//!
//! Everything is kept at first. Then goes, in this order: what is marked as something else, what announces other pages, what
//! lies outside the element that holds nearly all prose, and lines that stand on every page. Each step measures by
//! what the steps before it left.

mod bare_headings;
mod believed;
mod chapters;
mod doubts;
mod end;
mod gutter;
mod ids;
mod lines;
mod links;
mod marked;
mod region;
mod repeated;
mod sentences;
mod teasers;
mod title;

use crate::page::Page;
use crate::sums::Sums;
use ids::Ids;
use std::ops::Range;

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
    /// It is links and nothing else.
    Links,
    /// It is a line of the page, not of its text.
    Line,
    /// It numbers lines of code.
    Gutter,
    /// It is the title.
    Title,
    /// It stands after the end of the article.
    After,
    /// It says again what the block before it says.
    Repeated,
    /// It is a heading with nothing under it.
    BareHeading,
}

/// What was decided.
pub(crate) struct Chosen {
    /// One a block.
    pub(crate) verdicts: Vec<Verdict>,
    /// The block that is the title.
    pub(crate) title: Option<usize>,
}

/// Words of a line that says something though it is no paragraph.
const WORDS_LEAST: u32 = 3;

/// Judges the blocks of a page that calls itself by these titles.
pub(crate) fn choose(page: &Page<'_>, titles: &[String]) -> Chosen {
    let mut choice = Choice::new(page, titles);
    choice.drop_marked();
    choice.drop_teasers();
    let region = choice.drop_outside();
    choice.drop_lines(&region);
    choice.drop_after_end(&region);
    choice.drop_repeated(&region);
    choice.drop_bare_headings(&region);
    Chosen { verdicts: choice.verdicts, title: choice.title }
}

/// A page, and what was decided of it so far.
struct Choice<'t, 'a> {
    page: &'t Page<'a>,
    verdicts: Vec<Verdict>,
    /// Of the blocks that were kept when it was last measured.
    sums: Sums,
    title: Option<usize>,
    ids: Ids,
}

impl<'t, 'a> Choice<'t, 'a> {
    fn new(page: &'t Page<'a>, titles: &[String]) -> Self {
        let verdicts = vec![Verdict::Keep; page.blocks.len()];
        let sums = Sums::of(page, |_| true);
        Self { page, verdicts, sums, title: title::find(page, titles), ids: Ids::of(page) }
    }

    fn measure(&mut self) {
        self.sums = Sums::of(self.page, |block| self.kept(block));
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
