//! Lines where the article is that are not of it.

use super::chapters::Behind;
use super::{Choice, Verdict};
use crate::elements::{CELLS, LISTS, PREFORMATTED, heading_level};
use crate::tree::NodeId;
use crate::vocabulary::{ENDS, LINES, SENTENCES};
use markup::{Tag, TagSet};
use std::ops::Range;

/// Letters of the longest line that is told by what it begins with.
const LINE_LETTERS: u32 = 160;
/// Words of the shortest sentence that a paragraph may be.
const SENTENCE_WORDS: u32 = 6;
/// Letters of the longest line that ends an article, and the share of the prose that stands before it.
const END_LETTERS: u32 = 60;
const END_SHARE: f32 = 0.4;
/// Chapters of an article whose headings say that it ends: more are no article's.
const CHAPTERS: u32 = 8;
/// The share of links from which a block is a list of links.
const LINKED: f32 = 0.6;
/// Letters of an item, on average, in a list of links.
const ITEM_LETTERS: u32 = 90;
/// Items that tell of a link, in a list that does; one of so many must; and letters that are said of a link.
const TOLD_LEAST: usize = 2;
const TOLD_SHARE: usize = 3;
const TOLD_LETTERS: u32 = 16;
/// Words of a line that says something though it is no paragraph.
const WORDS_LEAST: u32 = 3;
/// Blocks of a row that are asked what it says.
const ROW_BLOCKS: usize = 8;
/// Letters of a block that nobody writes twice.
const AGAIN_LETTERS: u32 = 20;

/// Elements whose lines are of the text, whatever they begin with.
const WITHIN: TagSet = TagSet::of(&[Tag::Li, Tag::Dt, Tag::Dd, Tag::Pre]);

/// Lists of any kind.
const LISTING: TagSet = LISTS.with(TagSet::of(&[Tag::Dl]));
/// Elements in which a text may be a word.
const SHORT: TagSet =
    TagSet::of(&[Tag::P, Tag::Li, Tag::Dd, Tag::Dt, Tag::Pre, Tag::Summary, Tag::Blockquote]);
/// Elements whose lines may be the same.
const REPEATING: TagSet = TagSet::of(&[Tag::Li, Tag::Pre]).with(CELLS);

impl Choice<'_, '_> {
    pub(super) fn drop_lines(&mut self, region: Range<usize>) {
        self.measure();
        self.drop_link_lists(region.clone());
        for block in region.clone() {
            if self.kept(block) {
                self.verdicts[block] = self.verdict(block);
            }
        }
        self.drop_after_end(&region);
        self.drop_repeated(region.clone());
        self.drop_bare_headings(region);
    }

    fn drop_link_lists(&mut self, region: Range<usize>) {
        let mut block = region.start;
        while block < region.end {
            let list = self.page.nearest(block, LISTING);
            let items = list.map_or(block..block + 1, |list| self.page.within(list));
            let sum = self.sums.over(&items);
            block = items.end.max(block + 1);
            if list.is_some()
                && sum.linked * 2 > sum.letters
                && sum.letters < ITEM_LETTERS * items.len() as u32
                && !self.tells_of_links(&items)
            {
                self.drop(items, Verdict::Links);
            }
        }
    }

    /// Whether sentences of a list tell of what they link.
    fn tells_of_links(&self, items: &Range<usize>) -> bool {
        let told = items.clone().filter(|item| self.tells_of_a_link(*item)).count();
        told >= TOLD_LEAST && told * TOLD_SHARE >= items.len()
    }

    fn tells_of_a_link(&self, item: usize) -> bool {
        let count = self.page.count(item);
        self.kept(item) && count.linked > 0 && count.letters - count.linked >= TOLD_LETTERS && count.stops > 0
    }

    fn verdict(&self, block: usize) -> Verdict {
        let count = self.page.count(block);
        if Some(block) == self.title {
            Verdict::Title
        } else if self.is_gutter(block) {
            Verdict::Gutter
        } else if count.letters <= LINE_LETTERS
            && self.begins_with(block, LINES)
            && !(self.is_whole_sentence(block) && self.begins_with(block, SENTENCES))
        {
            Verdict::Line
        } else if self.page.is_heading(block) {
            Verdict::Keep
        } else if count.link_density() > LINKED && self.is_of_links(block) {
            Verdict::Links
        } else if count.words < WORDS_LEAST && !self.may_be_a_word(block) {
            Verdict::Line
        } else {
            Verdict::Keep
        }
    }

    /// Whether it is a column of numbers, of the lines of the code in the next cell.
    fn is_gutter(&self, block: usize) -> bool {
        let next = block + 1;
        let is_code = |block: usize| self.page.is_in(block, PREFORMATTED);
        is_code(block)
            && next < self.page.blocks.len()
            && is_code(next)
            && self.are_cells_of_a_row(block, next)
            && counts_up(&self.page.line(block))
    }

    fn are_cells_of_a_row(&self, block: usize, next: usize) -> bool {
        let cell = |block: usize| self.page.nearest(block, CELLS);
        let are_beside =
            |(a, b): (NodeId, NodeId)| a != b && self.page.tree[a].parent == self.page.tree[b].parent;
        cell(block).zip(cell(next)).is_some_and(are_beside)
    }

    /// Whether one that is mostly links is nothing else: code may refer with every name, a word of a paragraph may be a link, and a
    /// cell what its row is about.
    fn is_of_links(&self, block: usize) -> bool {
        let is_word = self.page.tag(block) == Tag::P && self.page.count(block).words < WORDS_LEAST;
        !is_word
            && !self.page.is_in(block, PREFORMATTED)
            && !self.is_told_of(block)
            && !self.is_among_told(block)
    }

    /// Whether it is an item, and one near it in the list tells of a link.
    fn is_among_told(&self, block: usize) -> bool {
        let list = self.page.nearest(block, LISTING).map(|list| self.page.within(list));
        let near = block.saturating_sub(ROW_BLOCKS)..block + ROW_BLOCKS;
        self.page.tag(block) == Tag::Li
            && list.is_some_and(|list| {
                (near.start.max(list.start)..near.end.min(list.end)).any(|item| self.tells_of_a_link(item))
            })
    }

    /// Whether it is all of a cell, and another of the row says something.
    fn is_told_of(&self, block: usize) -> bool {
        let Some(cell) = self.page.nearest(block, CELLS) else { return false };
        let row = self.page.within(self.page.tree[cell].parent).take(ROW_BLOCKS);
        let says_something = |at: usize| {
            let count = self.page.count(at);
            self.kept(at) && count.words >= WORDS_LEAST && count.link_density() <= LINKED
        };
        self.page.within(cell).len() == 1 && row.into_iter().any(says_something)
    }

    /// Whether it stands where a word says something: a cell with more in it may be a page's column.
    fn may_be_a_word(&self, block: usize) -> bool {
        let cell = || self.page.nearest(block, CELLS);
        CELLS.has(self.page.tag(block))
            || self.page.is_in(block, SHORT)
            || cell().is_some_and(|cell| self.page.within(cell).len() == 1)
    }

    /// Whether it begins with one of the phrases, or, as a heading, is one; what is within a list or code is of the text.
    fn begins_with(&self, block: usize, phrases: &str) -> bool {
        let line = self.line(block);
        let is_heading = self.page.is_heading(block);
        let says = |phrase: &str| if is_heading { line == phrase } else { line.starts_with(phrase) };
        !self.is_within(block) && phrases.split('|').any(says)
    }

    fn is_whole_sentence(&self, block: usize) -> bool {
        self.page.count(block).words >= SENTENCE_WORDS && self.line(block).ends_with(['.', '!', '?'])
    }

    /// Whether it says that what follows is no longer the article. A word alone is all of such a line, with others behind it, it
    /// names a chapter; and none is a sentence.
    pub(super) fn says_the_end(&self, block: usize) -> bool {
        if self.is_within(block) {
            return false;
        }
        let line = self.line(block);
        let word = line.trim_end_matches(|c: char| !c.is_alphabetic());
        let is_sentence = line.ends_with('.');
        ENDS.split('|').any(|phrase| match phrase.strip_suffix('.') {
            Some(alone) => word == alone,
            None if phrase.contains(' ') => line.starts_with(phrase) && !is_sentence,
            None => word == phrase,
        })
    }

    /// Whether it is of a list, a definition or code, and not a heading there.
    fn is_within(&self, block: usize) -> bool {
        !self.page.is_heading(block) && self.page.is_in(block, WITHIN)
    }

    /// Its text in lower case, without marks before it.
    fn line(&self, block: usize) -> String {
        let line = self.page.line(block).to_lowercase();
        line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '©').to_owned()
    }

    /// Drops what follows a line that ends articles.
    fn drop_after_end(&mut self, region: &Range<usize>) {
        let share = END_SHARE * self.sums.over(region).prose;
        let ends = |block: &usize| {
            let seen = matches!(self.verdicts[*block], Verdict::Keep | Verdict::Links | Verdict::Line);
            seen && self.page.count(*block).letters < END_LETTERS
                && self.sums.over(&(region.start..*block)).prose > share
                && self.says_the_end(*block)
        };
        let mut ends = region.clone().filter(ends).peekable();
        if ends.peek().is_none() {
            return;
        }
        let chapters = self.chapters(region);
        let mut ended = 0;
        let end = ends.find(|block| match chapters.behind(*block) {
            Behind::Parts => false,
            Behind::Chapters => {
                ended += 1;
                ended > CHAPTERS
            }
            Behind::Nothing => true,
        });
        if let Some(end) = end {
            self.drop(end..region.end, Verdict::After);
        }
    }

    /// Pages show a line twice where one is for small screens; cells, items and code repeat each other.
    fn drop_repeated(&mut self, region: Range<usize>) {
        let kept: Vec<usize> = region.filter(|block| self.kept(*block)).collect();
        for pair in kept.windows(2) {
            let line = |at: usize| self.page.line(pair[at]);
            let (before, after) = (self.page.count(pair[0]), self.page.count(pair[1]));
            if after.letters >= AGAIN_LETTERS
                && before == after
                && line(0) == line(1)
                && !self.page.is_in(pair[1], REPEATING)
            {
                self.verdicts[pair[1]] = Verdict::Again;
            }
        }
    }

    /// Drops headings with nothing under them: before one of their own level or a higher one, and at the end.
    fn drop_bare_headings(&mut self, region: Range<usize>) {
        const END: usize = 0;
        const CONTENT: usize = 7;
        let mut next = END;
        for block in region.rev() {
            if !self.kept(block) {
                continue;
            }
            match heading_level(self.page.tag(block)) {
                Some(level) if level >= next => self.verdicts[block] = Verdict::Bare,
                level => next = level.unwrap_or(CONTENT),
            }
        }
    }
}

/// `7 8 9`.
fn counts_up(text: &str) -> bool {
    let mut numbers = text.split_whitespace().map(|word| word.parse::<u32>().ok());
    let Some(Some(first)) = numbers.next() else { return false };
    numbers.zip(1..).all(|(number, nth)| number == first.checked_add(nth))
}
