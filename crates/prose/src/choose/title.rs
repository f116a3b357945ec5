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

/// The first `h1` that the head says too; or else any such heading; or else the first `h1` of two words or more.
pub(super) fn find(page: &Page<'_>, titles: &[String]) -> Option<usize> {
    let titles: Vec<Words> = titles.iter().map(|title| Words::of(title.clone())).collect();
    let headings: Vec<Heading> = candidates(page)
        .take(TITLE_CANDIDATES)
        .map(|block| Heading { block, words: Words::of(page.line(block)) })
        .collect();
    let is_first = |at: &&Heading| page.tag(at.block) == Tag::H1;
    let is_bare = |at: &&Heading| titles.iter().any(|title| is_part(&title.written, &at.words.written));
    let said = |at: &&Heading| is_said(&at.words.letters, &titles) || is_first(at) && is_bare(at);
    let firsts = || headings.iter().filter(is_first);
    if let Some(found) = firsts().find(said).or_else(|| headings.iter().find(said)) {
        let is_of_content = |at: &Heading| is_of_content(page, at.block);
        let mut others = headings.iter().filter(|other| make_a_title(found, other, &titles));
        let other = if is_of_content(found) { None } else { others.find(|other| is_of_content(other)) };
        return Some(other.unwrap_or(found).block);
    }
    firsts().find(|at| page.count(at.block).words > 1).map(|at| at.block)
}

/// A heading that may be the title.
struct Heading {
    block: usize,
    words: Words,
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

/// Whether a title begins with one of them and ends with the other: one is the name of the site.
fn make_a_title(one: &Heading, other: &Heading, titles: &[Words]) -> bool {
    let (one, other) = (one.words.letters.as_str(), other.words.letters.as_str());
    let is_made = |title: &Words, begin: &str, end: &str| {
        title.letters.strip_prefix(begin).is_some_and(|rest| rest.ends_with(end))
    };
    let are_words = !one.is_empty() && !other.is_empty();
    are_words && titles.iter().any(|title| is_made(title, one, other) || is_made(title, other, one))
}

fn is_of_content(page: &Page<'_>, block: usize) -> bool {
    let mut around = page.tree.ancestors(page.element(block));
    around.any(|at| page.tree[at].marks.meet(Marks::CONTENT.with(Marks::BODY)))
}

fn candidates(page: &Page<'_>) -> impl Iterator<Item = usize> {
    let is_called_so = |block: usize| page.tree[page.element(block)].marks.meet(Marks::TITLE);
    let is_short = |block: usize| page.count(block).letters <= LETTERS_MOST;
    (0..page.blocks.len())
        .filter(move |block| is_short(*block) && (page.is_heading(*block) || is_called_so(*block)))
}

/// Whether the head says it, perhaps with the name of the site, or says its beginning.
fn is_said(own: &str, titles: &[Words]) -> bool {
    const SITE_MOST: usize = 3;
    titles.iter().map(|title| &title.letters).filter(|_| own.len() >= LETTERS_LEAST).any(|title| {
        title.contains(own) && own.len() * SITE_MOST >= title.len()
            || title.len() >= LETTERS_LEAST && own.contains(title.as_str())
    })
}
