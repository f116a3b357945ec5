use super::elements::{ENDS_FRAMESET_OK, INERT};
use super::region::REGIONS;
use markup::{BLOCK, HEADINGS, NEVER_SHOWN, PREFORMATTED, Tag, TagSet};

/// What the tags of an element do, at one look: most do little.
#[derive(Clone, Copy)]
pub(super) struct Traits(u8);

impl Traits {
    pub(super) const INERT: Self = Self(1);
    pub(super) const REGION: Self = Self(2);
    /// Those that do nothing to the lines of the text but begin and end one.
    pub(super) const LINE: Self = Self(4);
    /// Those that do something else to them.
    pub(super) const ODD_LAYOUT: Self = Self(8);
    pub(super) const ENDS_FRAMESET_OK: Self = Self(16);
    pub(super) const NEVER_SHOWN: Self = Self(32);
    /// Those whose end tags end nothing where none is open.
    pub(super) const COUNTED: Self = Self(64);

    pub(super) fn of(tag: Tag) -> Self {
        Self(TRAITS[tag as usize])
    }

    pub(super) const fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }
}

const ODD_LAYOUT: TagSet = TagSet::of(&PREFORMATTED).with(TagSet::of(&[
    Tag::Td,
    Tag::Th,
    Tag::Other,
    Tag::Title,
    Tag::Link,
    Tag::Img,
    Tag::Image,
    Tag::Button,
    Tag::Input,
]));

const LINE: TagSet = BLOCK.without(&PREFORMATTED);

/// All blocks but those that are there though nobody wrote them, or that another's end tag ends.
const COUNTED: TagSet = LINE.without(&[Tag::P, Tag::Br, Tag::Tr, Tag::Tbody]).without(&HEADINGS);

static TRAITS: [u8; 128] =
    TagSet::table(&[INERT, REGIONS, LINE, ODD_LAYOUT, ENDS_FRAMESET_OK, NEVER_SHOWN, COUNTED]);
