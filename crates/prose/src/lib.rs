//! The main text of a page, without what surrounds it on every page of its site, and what the page says about itself.
//!
//! Pure, infallible, and bounded by the limits of [`limits`] in time, memory and nesting for any input whatever.
//!
//! ```text
//! html ── tree ── blocks ── choose ──┬── text, Markdown
//!           │        what is marked as something else, what announces other pages,
//!           │        what lies outside the article, lines that are on every page
//!           └── head ── about ───────┴── title, author, date, site, language
//! ```
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
