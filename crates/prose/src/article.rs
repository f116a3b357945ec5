//! What was chosen of a page, and its two renderings.

mod code;
mod delimiters;
mod inline;
mod markdown;
mod nesting;
mod piece;
mod plain;
mod table;

use crate::about::About;
use crate::choose::Verdict;
use crate::page::Page;

/// The main text of a page, with its structure.
pub struct Article<'a> {
    /// With the blocks that were kept.
    page: Page<'a>,
    about: About,
}

impl<'a> Article<'a> {
    pub(crate) fn new(mut page: Page<'a>, verdicts: &[Verdict], about: About) -> Self {
        let mut verdicts = verdicts.iter();
        page.blocks.retain(|_| verdicts.next() == Some(&Verdict::Keep));
        Self { page, about }
    }

    /// What the page says about itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Plain text: a line a block, `- ` before items, tabs between cells, code as it is. The title is not part of it.
    pub fn text(&self) -> String {
        plain::render(&self.page)
    }

    /// Markdown (`CommonMark`, with GitHub's tables): headings, lists, quotations, code and emphasis. The title is not
    /// part of it.
    pub fn markdown(&self) -> String {
        markdown::render(&self.page)
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.page.blocks.is_empty()
    }
}
