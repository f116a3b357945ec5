//! The heading that is the page's title.

use crate::limits::TITLE_CANDIDATES;
use crate::marks::Marks;
use crate::page::Page;
use crate::titles::{is_part, letters};
use markup::Tag;

/// Letters of the longest title.
const LETTERS_MOST: u32 = 300;
/// Letters from which two titles can be told to be one.
const LETTERS_LEAST: usize = 8;
/// How many times as long a title may be with the name of the site.
const SITE_MOST: usize = 3;

/// The heading that the head says too, or else the first `h1` of two words or more.
pub(super) fn find(page: &Page<'_>, titles: &[String]) -> Option<usize> {
    let titles = titles.iter().map(|title| Words::of(title.clone())).collect();
    let headings = candidates(page).take(TITLE_CANDIDATES);
    let headings = headings.map(|block| Heading { block, words: Words::of(page.line(block)) }).collect();
    let search = Search { page, titles, headings };
    search.said().or_else(|| search.first_of_words()).map(|heading| heading.block)
}

fn candidates(page: &Page<'_>) -> impl Iterator<Item = usize> {
    let is_called_so = |block: usize| page.tree[page.element(block)].marks.meet(Marks::TITLE);
    let is_short = |block: usize| page.count(block).letters <= LETTERS_MOST;
    (0..page.blocks.len())
        .filter(move |block| is_short(*block) && (page.is_heading(*block) || is_called_so(*block)))
}

/// What is called a title.
struct Words {
    written: String,
    letters: String,
}

impl Words {
    fn of(written: String) -> Self {
        Self { letters: letters(&written), written }
    }
}

/// A heading that may be the title.
struct Heading {
    block: usize,
    words: Words,
}

struct Search<'t, 'a> {
    page: &'t Page<'a>,
    /// What the head calls the page.
    titles: Vec<Words>,
    headings: Vec<Heading>,
}

impl Search<'_, '_> {
    /// The first `h1` that the head says, or else the first heading: another one where that is the name of the site.
    fn said(&self) -> Option<&Heading> {
        let is_said = |heading: &&Heading| self.is_said(heading);
        let found = self.firsts().find(is_said).or_else(|| self.headings.iter().find(is_said))?;
        let is_title = |other: &&Heading| self.make_a_title(found, other) && self.is_of_content(other);
        let other = if self.is_of_content(found) { None } else { self.headings.iter().find(is_title) };
        Some(other.unwrap_or(found))
    }

    fn first_of_words(&self) -> Option<&Heading> {
        self.firsts().find(|heading| self.page.count(heading.block).words > 1)
    }

    fn firsts(&self) -> impl Iterator<Item = &Heading> {
        self.headings.iter().filter(|heading| self.is_first(heading))
    }

    fn is_first(&self, heading: &Heading) -> bool {
        self.page.tag(heading.block) == Tag::H1
    }

    fn is_of_content(&self, heading: &Heading) -> bool {
        let mut around = self.page.tree.ancestors(self.page.element(heading.block));
        around.any(|at| self.page.tree[at].marks.meet(Marks::CONTENT.with(Marks::BODY)))
    }

    fn is_said(&self, heading: &Heading) -> bool {
        let is_bare = |title: &Words| is_part(&title.written, &heading.words.written);
        self.titles.iter().any(|title| is_said(&heading.words.letters, &title.letters))
            || self.is_first(heading) && self.titles.iter().any(is_bare)
    }

    /// Whether a title begins with one of them and ends with the other: one is the name of the site.
    fn make_a_title(&self, one: &Heading, other: &Heading) -> bool {
        let (one, other) = (one.words.letters.as_str(), other.words.letters.as_str());
        let is_made = |title: &Words, begin: &str, end: &str| {
            title.letters.strip_prefix(begin).is_some_and(|rest| rest.ends_with(end))
        };
        let are_words = !one.is_empty() && !other.is_empty();
        are_words && self.titles.iter().any(|title| is_made(title, one, other) || is_made(title, other, one))
    }
}

/// Whether a title of the head is a heading, perhaps with the name of the site, or its beginning.
fn is_said(heading: &str, title: &str) -> bool {
    let is_whole = || title.contains(heading) && heading.len() * SITE_MOST >= title.len();
    let is_beginning = || title.len() >= LETTERS_LEAST && heading.contains(title);
    heading.len() >= LETTERS_LEAST && (is_whole() || is_beginning())
}
