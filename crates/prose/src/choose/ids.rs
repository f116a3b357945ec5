//! Ids that are made of titles: a chapter on comments is none.

use crate::marks::{self, Marks};
use crate::page::Page;
use crate::titles::letters;
use crate::tree::NodeId;

/// Elements whose ids say what stands first in them and nothing else, on a page that makes its ids so: Sphinx, Texinfo, `AsciiDoc`
/// and `DocBook` give one to every section. A page that calls its comments `comments` has no others.
const MADE_SO: usize = 3;
/// Blocks among which the heading is: manuals lead elsewhere before it.
const BEFORE_HEADING: usize = 16;
/// Bytes of the longest title of which an id is made, blanks and addresses of its links included.
const TITLE_BYTES: usize = 2 << 10;
/// Letters of the shortest.
const LETTERS_LEAST: usize = 3;

/// What a page makes its ids of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ids {
    Roles,
    Titles,
}

impl Ids {
    pub(super) fn of(page: &Page<'_>) -> Self {
        let says_nothing = |id: &NodeId| said(page, *id) == Marks::NONE;
        let titled = page.tree.ids().filter(|id| is_titled(page, *id)).filter(says_nothing);
        if titled.take(MADE_SO).count() == MADE_SO { Self::Titles } else { Self::Roles }
    }

    /// What the id of an element would say of its role, were it not its title.
    pub(super) fn mistaken(self, page: &Page<'_>, id: NodeId) -> Marks {
        if self == Self::Titles && is_titled(page, id) { said(page, id) } else { Marks::NONE }
    }
}

/// What the id of an element says of its role.
fn said(page: &Page<'_>, id: NodeId) -> Marks {
    let node = &page.tree[id];
    marks::of_id(node.tag, node.id())
}

/// Whether the id of an element is what stands first in it or its heading, as far as letters go: numbers and marks are left
/// out of one or the other.
fn is_titled(page: &Page<'_>, id: NodeId) -> bool {
    let name = page.tree[id].id();
    if name.len() < LETTERS_LEAST {
        return false;
    }
    let within = page.within(id);
    let heading = within.clone().take(BEFORE_HEADING).find(|block| page.is_heading(*block));
    let mut titles = within.take(1).chain(heading).filter(|block| page.element(*block) != id);
    titles.any(|block| is_short(page, block) && is_made_of(name, &page.line(block)))
}

fn is_short(page: &Page<'_>, block: usize) -> bool {
    let mut lengths = page.blocks[block].nodes().map(|at| page.tree[at].value.len());
    lengths.try_fold(TITLE_BYTES, usize::checked_sub).is_some()
}

fn is_made_of(name: &str, title: &str) -> bool {
    let (name, title) = (letters(&unescaped(name)), letters(title));
    let (long, short) = if name.len() < title.len() { (title, name) } else { (name, title) };
    short.len() >= LETTERS_LEAST && (long.ends_with(&short) || long.starts_with(&short))
}

/// Without what Texinfo writes for a mark, `_002d` for a hyphen.
fn unescaped(name: &str) -> String {
    let mut pieces = name.split("_00");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + piece.get(2..).unwrap_or_default())
}
