//! Which elements a start tag closes, and how far an end tag reaches (HTML 13.2.6.4.7, without adoption).

use crate::elements::{CELLS, HEADINGS, LISTS};
use markup::{CLOSES_P, TABLE_PARTS, Tag, TagSet};

/// Cells, and what stands beside the rows.
const OF_ROWS: TagSet = CELLS.with(TagSet::of(&[Tag::Caption]));

const P: TagSet = TagSet::of(&[Tag::P]);
const TABLE: TagSet = TagSet::of(&[Tag::Table]);
/// What a heading ends no other heading beyond.
const SECTIONS: TagSet = TagSet::of(&[Tag::Div, Tag::Section, Tag::Article, Tag::Li, Tag::Blockquote]);

/// What stands between an element and the rest of the page.
const WALLS: TagSet = TagSet::of(&[
    Tag::Td,
    Tag::Th,
    Tag::Caption,
    Tag::Table,
    Tag::Template,
    Tag::Object,
    Tag::Marquee,
    Tag::Button,
]);

/// What a start tag ends: the outermost open element of `ends` within the innermost of `wall`.
#[derive(Clone, Copy)]
pub(super) struct Implied {
    pub(super) ends: TagSet,
    pub(super) wall: TagSet,
}

impl Implied {
    pub(super) fn by(tag: Tag) -> Option<Self> {
        let one = |tags: &[Tag], wall| Self { ends: TagSet::of(tags), wall };
        Some(match tag {
            Tag::Li => one(&[Tag::Li], WALLS.with(LISTS)),
            Tag::Dd | Tag::Dt => one(&[Tag::Dd, Tag::Dt], WALLS.with(TagSet::of(&[Tag::Dl]))),
            Tag::Option => one(&[Tag::Option], TagSet::of(&[Tag::Select, Tag::Optgroup, Tag::Datalist])),
            Tag::Optgroup => one(&[Tag::Optgroup, Tag::Option], TagSet::of(&[Tag::Select])),
            Tag::Select | Tag::Input => one(&[Tag::Select], WALLS),
            Tag::Td | Tag::Th | Tag::Caption => {
                Self { ends: OF_ROWS, wall: TABLE.with(TagSet::of(&[Tag::Tr])) }
            }
            Tag::Tr => Self {
                ends: OF_ROWS.with(TagSet::of(&[Tag::Tr])),
                wall: TABLE.with(TagSet::of(&[Tag::Tbody, Tag::Thead, Tag::Tfoot])),
            },
            Tag::Tbody | Tag::Thead | Tag::Tfoot => Self { ends: TABLE_PARTS, wall: TABLE },
            tag if HEADINGS.has(tag) => Self { ends: HEADINGS.with(P), wall: WALLS.with(SECTIONS) },
            tag if CLOSES_P.has(tag) => Self { ends: P, wall: WALLS },
            _ => return None,
        })
    }
}

/// What an end tag does not reach beyond.
pub(super) fn wall_of(tag: Tag) -> TagSet {
    match tag {
        Tag::Table | Tag::Body | Tag::Html => TagSet::of(&[]),
        tag if TABLE_PARTS.has(tag) => TABLE,
        Tag::Li => WALLS.with(LISTS),
        _ => WALLS,
    }
}
