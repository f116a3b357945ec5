//! The end of the article: a line that announces what stands behind articles, with no chapter behind it.

use super::{Choice, Verdict};
use crate::vocabulary::{END_BEGINNINGS, ENDS};
use std::ops::Range;

/// Letters of the longest line that ends an article.
const LETTERS_MOST: u32 = 60;
/// The share of the prose that stands before it.
const SHARE_BEFORE: f32 = 0.4;

impl Choice<'_, '_> {
    /// Drops what follows a line that ends the article.
    pub(super) fn drop_after_end(&mut self, region: &Range<usize>) {
        if let Some(end) = self.end(region) {
            self.drop(end..region.end, Verdict::After);
        }
    }

    /// The line that ends the article, and no chapter or part of one.
    fn end(&self, region: &Range<usize>) -> Option<usize> {
        let least = SHARE_BEFORE * self.sums.over(region).prose;
        let is_late = |block: usize| self.sums.over(&(region.start..block)).prose > least;
        let may_end = |block: &usize| {
            self.is_seen(*block)
                && self.page.count(*block).letters < LETTERS_MOST
                && is_late(*block)
                && self.says_the_end(*block)
        };
        let mut ends = region.clone().filter(may_end).peekable();
        ends.peek()?;
        let chapters = self.chapters(region);
        ends.find(|block| !chapters.go_on_behind(*block))
    }

    /// Whether it is in the text, or is not for what it says itself.
    fn is_seen(&self, block: usize) -> bool {
        matches!(self.verdicts[block], Verdict::Keep | Verdict::Links | Verdict::Line)
    }

    /// Whether it says that what follows is no longer the article: more than a few words may be a sentence, which says nothing
    /// of the kind.
    pub(super) fn says_the_end(&self, block: usize) -> bool {
        if self.is_within(block) {
            return false;
        }
        let line = self.line(block);
        let words = line.trim_end_matches(|c: char| !c.is_alphabetic());
        let begins = |phrase: &str| line.starts_with(phrase);
        ENDS.split('|').any(|phrase| words == phrase)
            || !line.ends_with('.') && END_BEGINNINGS.split('|').any(begins)
    }
}
