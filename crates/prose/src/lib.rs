//! The main text of a page, without what surrounds it on every page of its site, and what the page says about itself.
//!
//! Pure, infallible, and bounded by the limits of [`limits`] in time, memory and nesting for any input whatever.
//!
//! ```text
//! html ── tree ── page ── choose ──┬── article: text, Markdown
//!           └── head ──────────────┴── about: title, author, date, site, language
//! ```
//!
//! The steps, in their order:
//!
//! 1. `tree`: tokens become a flat tree (`builder`, by what tags `implied` end), without what is `unseen` or no text (`content`). What
//!    stands in the head goes to `head`, and what attributes say of an element becomes its `marks`: names are words (`lookup`),
//!    which the `vocabulary` knows.
//! 2. `blocks`: the tree becomes a list of blocks, what stands on a line of its own, each with its letters, words and links (`count`).
//!    Both are the `page` of which all later steps ask; `sums` tell what any run of blocks holds.
//! 3. `choose`: every block is kept until something speaks against it.
//!    1. `title` finds the heading that is the title, among what the head calls it; `ids` whether ids are titles too.
//!    2. `marked`: what is marked as something else goes, as far as marks are `believed` and no `doubts` speak against them.
//!    3. `teasers`: so does what announces other pages,
//!    4. `region`: and what lies outside the element that holds nearly all prose, unless it is one of the `sentences` of the article.
//!    5. `lines`: there, lines of the page go, `links`, and the `gutter` of code;
//!    6. `end`: what stands behind the article, where no `chapters` do;
//!    7. `repeated`, `bare_headings`: and what is left over.
//! 4. `about`: what the head says comes first, with `json_ld`, then what stands beside the title (`byline`) and is not of `others`;
//!    `names` and `date` are read as people write them, and `titles` without their site.
//! 5. `article`: blocks become pieces (`piece`): paragraphs, headings, rows (`table`) and `code`, each in its `nesting` of quotations and
//!    items, and are written as `plain` text or as `markdown`, whose emphasis is written where it is read as such (`inline`, `delimiters`).
//!
//! `line` has the text of one block, `elements` the sets of elements that several steps ask for, and [`limits`] every bound.
//!
//! No rule knows a site. What a page calls its parts (`vocabulary`) is believed as far as it leaves an article: an
//! element that holds most of the prose of a page is not its sidebar, whatever its class.
//!
//! The measures that such rules go by are those of the literature: length, link density and neighbourhood of blocks
//! (Kohlschütter et al., *Boilerplate Detection using Shallow Text Features*, WSDM 2010; Pomikálek, *Removing Boilerplate
//! and Duplicate Content from Web Corpora*, 2011).

mod about;
mod article;
mod blocks;
mod choose;
mod elements;
mod head;
pub mod limits;
mod line;
mod marks;
mod page;
mod sums;
mod titles;
mod tree;
mod vocabulary;

pub use about::About;
pub use article::Article;
use markup::Dialect;
use page::Page;

/// Reads a decoded document of HTML.
pub fn read(html: &str) -> Article<'_> {
    read_by(html, Dialect::Html)
}

/// Reads a decoded document by the grammar that it is written in: some XHTML is XML.
pub fn read_by(html: &str, dialect: Dialect) -> Article<'_> {
    let tree::Built { tree, head } = tree::build(html, dialect);
    let page = Page::of(tree);
    let chosen = choose::choose(&page, &about::titles(&head));
    let about = about::of(&page, &head, chosen.title);
    Article::new(page, &chosen.verdicts, about)
}

#[cfg(test)]
mod tests;
