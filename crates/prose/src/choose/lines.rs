//! Lines where the article is that are not of it.

use super::{Choice, Verdict, WORDS_LEAST};
use crate::elements::{CELLS, PREFORMATTED};
use crate::vocabulary::{LINES, SENTENCES};
use markup::{Tag, TagSet};
use std::ops::Range;

/// Letters of the longest line that is told by what it begins with.
const LETTERS_MOST: u32 = 160;
/// Words of the shortest sentence that a paragraph may be.
const SENTENCE_WORDS: u32 = 6;

const ITEMS: TagSet = TagSet::of(&[Tag::Li, Tag::Dt, Tag::Dd]);
/// Elements whose lines are of the text, whatever they begin with.
const OF_THE_TEXT: TagSet = ITEMS.with(PREFORMATTED);
/// Elements in which a text may be a word.
const OF_A_WORD: TagSet = OF_THE_TEXT.with(TagSet::of(&[Tag::P, Tag::Summary, Tag::Blockquote]));

impl Choice<'_, '_> {
    /// Drops blocks that are no text by what they say themselves.
    pub(super) fn drop_lines(&mut self, region: &Range<usize>) {
        for block in region.clone() {
            if self.kept(block) {
                self.verdicts[block] = self.verdict(block);
            }
        }
    }

    fn verdict(&self, block: usize) -> Verdict {
        if Some(block) == self.title {
            Verdict::Title
        } else if self.is_gutter(block) {
            Verdict::Gutter
        } else if self.begins_as_a_line(block) {
            Verdict::Line
        } else if self.page.is_heading(block) {
            Verdict::Keep
        } else if self.is_of_links(block) {
            Verdict::Links
        } else if self.page.count(block).words < WORDS_LEAST && !self.may_be_a_word(block) {
            Verdict::Line
        } else {
            Verdict::Keep
        }
    }

    /// Whether it begins as a line of the page does, or, as a heading, is one, and is no sentence that may begin so.
    fn begins_as_a_line(&self, block: usize) -> bool {
        let count = self.page.count(block);
        if count.letters > LETTERS_MOST || self.is_within(block) {
            return false;
        }
        let line = self.line(block);
        let is_heading = self.page.is_heading(block);
        let says = |phrase: &str| if is_heading { line == phrase } else { line.starts_with(phrase) };
        let says_any = |phrases: &str| phrases.split('|').any(says);
        let is_sentence = count.words >= SENTENCE_WORDS && line.ends_with(['.', '!', '?']);
        says_any(LINES) && !(is_sentence && says_any(SENTENCES))
    }

    /// Whether it stands where a word says something: a cell with more in it may be a page's column.
    fn may_be_a_word(&self, block: usize) -> bool {
        let is_all_of = |cell| self.page.within(cell).len() == 1;
        CELLS.has(self.page.tag(block))
            || self.page.is_in(block, OF_A_WORD)
            || self.page.nearest(block, CELLS).is_some_and(is_all_of)
    }

    /// Whether it is of a list, a definition or code, and not a heading there.
    pub(super) fn is_within(&self, block: usize) -> bool {
        !self.page.is_heading(block) && self.page.is_in(block, OF_THE_TEXT)
    }

    /// Its text in lower case, without marks before it.
    pub(super) fn line(&self, block: usize) -> String {
        let line = self.page.line(block).to_lowercase();
        line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '©').to_owned()
    }
}
