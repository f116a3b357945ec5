//! The heading that is the page's title.

use super::HEADINGS;
use crate::article::plain_line;
use crate::blocks::Block;
use crate::limits::TITLE_CANDIDATES;
use crate::marks::Marks;
use crate::tree::Tree;
use markup::Tag;

/// Letters of the longest title.
const LETTERS_MOST: u32 = 300;
/// Letters from which two titles can be told to be one.
const LETTERS_LEAST: usize = 8;

/// The first `h1` that the head says too; or else any such heading; or else the first `h1` of two words or more.
pub(super) fn find(tree: &Tree<'_>, blocks: &[Block], titles: &[String]) -> Option<usize> {
    let titles: Vec<String> = titles.iter().map(|title| letters(title)).collect();
    let headings: Vec<usize> = candidates(tree, blocks).take(TITLE_CANDIDATES).collect();
    let is_first = |at: &&usize| tree[blocks[**at].node].tag == Tag::H1;
    let said = |at: &&usize| is_said(&letters(&plain_line(tree, &blocks[**at])), &titles);
    let firsts = || headings.iter().filter(is_first);
    let found = firsts().find(said).or_else(|| headings.iter().find(said));
    found.or_else(|| firsts().find(|at| blocks[**at].count.words > 1)).copied()
}

fn candidates(tree: &Tree<'_>, blocks: &[Block]) -> impl Iterator<Item = usize> {
    let is_title = |block: &Block| {
        let node = &tree[block.node];
        block.count.letters <= LETTERS_MOST && (HEADINGS.has(node.tag) || node.marks.meet(Marks::TITLE))
    };
    (0..blocks.len()).filter(move |at| is_title(&blocks[*at]))
}

/// Whether the head says it, perhaps with the name of the site, or says its beginning.
fn is_said(own: &str, titles: &[String]) -> bool {
    const SITE_MOST: usize = 3;
    titles.iter().filter(|_| own.len() >= LETTERS_LEAST).any(|title| {
        title.contains(own) && own.len() * SITE_MOST >= title.len()
            || title.len() >= LETTERS_LEAST && own.contains(title.as_str())
    })
}

/// Letters and digits only, in lower case: titles differ in what is between.
pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
