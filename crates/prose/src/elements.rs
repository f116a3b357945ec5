//! Sets of elements that several steps ask for. A text is in none of them: its tag is [`Tag::Other`].

use markup::{BLOCK, Tag, TagSet};

pub(crate) const HEADINGS: TagSet = TagSet::of(&markup::HEADINGS);
pub(crate) const CELLS: TagSet = TagSet::of(&[Tag::Td, Tag::Th]);
pub(crate) const LISTS: TagSet = TagSet::of(&[Tag::Ul, Tag::Ol, Tag::Menu, Tag::Dir]);
/// Elements whose white space is of the text.
pub(crate) const PREFORMATTED: TagSet = TagSet::of(&markup::PREFORMATTED);
/// Elements that begin a block: those on lines of their own, and cells.
pub(crate) const BREAKS: TagSet = BLOCK.without(&[Tag::Br]).with(CELLS);

/// 1 to 6 for `h1` to `h6`.
pub(crate) fn heading_level(tag: Tag) -> Option<usize> {
    markup::HEADINGS.iter().position(|heading| *heading == tag).map(|at| at + 1)
}
