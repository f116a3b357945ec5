//! Categories of elements (HTML 13.2.4.2 and what 13.2.6.4 lists).

use crate::tag::{self, BLOCK, CLOSES_P, TABLE_PARTS, Tag, TagSet, VOID};

/// Elements that belong to the head wherever they stand.
pub(super) const HEAD: TagSet = TagSet::of(&[
    Tag::Base,
    Tag::Bgsound,
    Tag::Link,
    Tag::Meta,
    Tag::Noframes,
    Tag::Script,
    Tag::Style,
    Tag::Template,
    Tag::Title,
]);

/// Elements that bring no formatting back: they stand in the head, or hold no text that is shown.
pub(super) const METADATA: TagSet =
    HEAD.with(TagSet::of(&[Tag::Hr, Tag::Iframe, Tag::Noembed, Tag::Source, Tag::Textarea, Tag::Track]));

/// Elements that are open everywhere, or nowhere.
pub(super) const NAMELESS: TagSet = TagSet::of(&[Tag::Body, Tag::Frame, Tag::Frameset, Tag::Head, Tag::Html]);

/// What groups of rows stand in; no end tag of a table reaches further.
pub(super) const TABLES: TagSet = TagSet::of(&[Tag::Table, Tag::Template]);

/// What rows stand in.
pub(super) const SECTIONS: TagSet = TABLES.with(TagSet::of(&[Tag::Tbody, Tag::Tfoot, Tag::Thead]));

/// What cells stand in.
pub(super) const ROWS: TagSet = SECTIONS.with(TagSet::of(&[Tag::Tr]));

pub(super) const HEADINGS: TagSet = TagSet::of(&tag::HEADINGS);

pub(super) const FORMATTING: TagSet = TagSet::of(&[
    Tag::A,
    Tag::B,
    Tag::Big,
    Tag::Code,
    Tag::Em,
    Tag::Font,
    Tag::I,
    Tag::Nobr,
    Tag::S,
    Tag::Small,
    Tag::Strike,
    Tag::Strong,
    Tag::Tt,
    Tag::U,
]);

/// Elements within which formatting is their own.
pub(super) const MARKS: TagSet =
    TagSet::of(&[Tag::Applet, Tag::Caption, Tag::Marquee, Tag::Object, Tag::Td, Tag::Template, Tag::Th]);

/// Those that take their formatting along whenever they are closed.
pub(super) const CLEARS: TagSet = MARKS.without(&[Tag::Applet, Tag::Marquee, Tag::Object]);

/// Elements that end without an end tag where an option begins.
pub(super) const IMPLIED: TagSet =
    TagSet::of(&[Tag::Dd, Tag::Dt, Tag::Li, Tag::Optgroup, Tag::Option, Tag::P]);

/// Special elements within which an item of a list may end the one before.
pub(super) const ITEM_PASSES: TagSet = TagSet::of(&[Tag::Address, Tag::Div, Tag::P]);

/// Elements whose start tags do more than end a paragraph or bring formatting back.
const RULED: TagSet =
    VOID.with(NAMELESS).with(METADATA).with(TABLE_PARTS).with(HEADINGS).with(TagSet::of(&[
        Tag::Button,
        Tag::Dd,
        Tag::Dt,
        Tag::Form,
        Tag::Li,
        Tag::Math,
        Tag::Nobr,
        Tag::Optgroup,
        Tag::Option,
        Tag::Select,
        Tag::Svg,
        Tag::Table,
    ]));

/// What an element is, at one look.
#[derive(Clone, Copy)]
pub(super) struct Traits(u8);

impl Traits {
    pub(super) const RULED: Self = Self(1);
    pub(super) const BLOCK: Self = Self(2);
    pub(super) const FORMATTING: Self = Self(4);
    pub(super) const MARKS: Self = Self(8);
    pub(super) const VOID: Self = Self(16);

    pub(super) fn of(tag: Tag) -> Self {
        Self(TRAITS[tag as usize])
    }

    pub(super) const fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }
}

static TRAITS: [u8; 128] = TagSet::table(&[RULED, CLOSES_P, FORMATTING, MARKS, VOID]);

/// Elements whose end tags reach as far as a scope.
pub(super) const SCOPED: TagSet = CLOSES_P
    .with(TagSet::of(&[Tag::Applet, Tag::Button, Tag::Marquee, Tag::Object, Tag::Select]))
    .without(&[Tag::Hr, Tag::Plaintext, Tag::Xmp, Tag::Table]);

/// Elements that bound a scope.
pub(super) const SCOPE: TagSet = TagSet::of(&[
    Tag::Applet,
    Tag::Caption,
    Tag::Marquee,
    Tag::Object,
    Tag::Select,
    Tag::Table,
    Tag::Td,
    Tag::Template,
    Tag::Th,
]);

/// HTML's special category.
pub(super) const SPECIAL: TagSet = BLOCK
    .with(VOID)
    .without(&[Tag::Dialog, Tag::Image, Tag::Legend, Tag::Optgroup, Tag::Option])
    .with(TagSet::of(&[
        Tag::Applet,
        Tag::Button,
        Tag::Frame,
        Tag::Frameset,
        Tag::Head,
        Tag::Iframe,
        Tag::Noembed,
        Tag::Noframes,
        Tag::Noscript,
        Tag::Object,
        Tag::Script,
        Tag::Select,
        Tag::Style,
        Tag::Td,
        Tag::Template,
        Tag::Textarea,
        Tag::Th,
        Tag::Title,
    ]));
