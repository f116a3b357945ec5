//! What was chosen of a page, and its two renderings.

mod delimiters;
mod inline;
mod line;
mod markdown;
mod nesting;
mod piece;
mod plain;
mod table;

pub(crate) use line::plain as plain_line;
pub(crate) use piece::heading_level;

use crate::about::About;
use crate::blocks::Block;
use crate::choose::Verdict;
use crate::tree::Tree;

/// The main text of a page, with its structure.
pub struct Article<'a> {
    tree: Tree<'a>,
    /// Those that were kept.
    blocks: Vec<Block>,
    about: About,
}

impl<'a> Article<'a> {
    pub(crate) fn new(tree: Tree<'a>, mut blocks: Vec<Block>, verdicts: &[Verdict], about: About) -> Self {
        let mut verdicts = verdicts.iter();
        blocks.retain(|_| verdicts.next() == Some(&Verdict::Keep));
        Self { tree, blocks, about }
    }

    /// What the page says about itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Plain text: a line a block, `- ` before items, tabs between cells, code as it is. The title is not part of it.
    pub fn text(&self) -> String {
        plain::render(&self.tree, &self.blocks)
    }

    /// Markdown (`CommonMark`, with GitHub's tables): headings, lists, quotations, code and emphasis. The title is not
    /// part of it.
    pub fn markdown(&self) -> String {
        markdown::render(&self.tree, &self.blocks)
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}
