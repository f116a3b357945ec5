//! What the attributes of an element say about it.

mod lookup;

use crate::elements::HEADINGS;
use crate::head::written;
use crate::limits::STYLE_CHARS;
use crate::vocabulary::{LINK_TYPES, NOTES, PROPERTIES, ROLES, STYLES};
use markup::{Attributes, Open, Tag, TagSet};

/// A set of meanings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Marks(u32);

impl Marks {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self(u32::MAX);
    /// The body of an article, said so.
    pub(crate) const BODY: Self = Self(1);
    /// Content of some kind.
    pub(crate) const CONTENT: Self = Self(1 << 1);
    pub(crate) const COMMENTS: Self = Self(1 << 2);
    pub(crate) const SHARE: Self = Self(1 << 3);
    /// Other pages: related, most read, recommended.
    pub(crate) const RELATED: Self = Self(1 << 4);
    pub(crate) const NAVIGATION: Self = Self(1 << 5);
    pub(crate) const FOOTER: Self = Self(1 << 6);
    pub(crate) const HEADER: Self = Self(1 << 7);
    pub(crate) const SIDEBAR: Self = Self(1 << 8);
    pub(crate) const ADVERT: Self = Self(1 << 9);
    /// Newsletters, logins, paywalls.
    pub(crate) const SUBSCRIBE: Self = Self(1 << 10);
    /// Cookies, consent, imprint.
    pub(crate) const LEGAL: Self = Self(1 << 11);
    /// Author, date and the like.
    pub(crate) const BYLINE: Self = Self(1 << 12);
    /// Keywords and categories.
    pub(crate) const KEYWORDS: Self = Self(1 << 13);
    pub(crate) const CAPTION: Self = Self(1 << 14);
    pub(crate) const HIDDEN: Self = Self(1 << 15);
    /// Print, rate, zoom, close.
    pub(crate) const TOOLS: Self = Self(1 << 16);
    /// Galleries and players.
    pub(crate) const MEDIA: Self = Self(1 << 17);
    pub(crate) const AUTHOR: Self = Self(1 << 18);
    pub(crate) const DATE: Self = Self(1 << 19);
    pub(crate) const TITLE: Self = Self(1 << 20);
    pub(crate) const LEAD: Self = Self(1 << 21);

    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether they have a meaning in common.
    pub(crate) const fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Words, one blank between them, and what they mean.
pub(crate) struct Meaning {
    pub(crate) marks: Marks,
    pub(crate) words: &'static str,
}

/// Elements whose names and roles are looked at: all but those within lines.
const NAMED: TagSet = TagSet::ALL.without(&[
    Tag::B,
    Tag::Br,
    Tag::Em,
    Tag::Font,
    Tag::I,
    Tag::Img,
    Tag::Input,
    Tag::Option,
    Tag::Q,
    Tag::S,
    Tag::Source,
    Tag::Sub,
    Tag::Sup,
    Tag::U,
    Tag::Wbr,
]);

/// Elements whose ids are made of their text.
const TITLED: TagSet = HEADINGS.with(TagSet::of(&[Tag::Dt, Tag::Dl]));

/// Words of an id that says what a section is; a title has more.
const ROLE_WORDS: usize = 2;

/// What the id of a section may say. Documentation makes ids of titles, of one word too: a chapter on errors, on searching or on widgets.
const SAID_OF_SECTIONS: Marks =
    Marks::COMMENTS.with(Marks::RELATED).with(Marks::NAVIGATION).with(Marks::FOOTER);

/// What an id says of an element's role: nothing where it is made of a title or of what is defined there.
pub(crate) fn of_id(tag: Tag, id: &str) -> Marks {
    if TITLED.has(tag) || (tag == Tag::Section && lookup::is_longer(id, ROLE_WORDS)) {
        return Marks::NONE;
    }
    let marks = lookup::of_name(id);
    if tag == Tag::Section { marks.only(SAID_OF_SECTIONS) } else { marks }
}

/// The marks of an element.
pub(crate) fn of(open: Open, attributes: &Attributes<'_>) -> Marks {
    if open.foreign || !NAMED.has(open.tag) {
        return by_tag(open);
    }
    let is_text = open.tag == Tag::Template && attributes.make_a_shadow_root()
        || open.tag == Tag::Aside && is_note(attributes);
    let by_tag = if is_text { Marks::NONE } else { by_tag(open) };
    attributes.iter().fold(by_tag, |marks, attribute| {
        let value = attribute.written;
        marks.with(match attribute.name.len() {
            2 if is(attribute.name, "id") => of_id(open.tag, value),
            3 if is(attribute.name, "rel") && open.tag == Tag::A => exact(LINK_TYPES, value),
            4 if is(attribute.name, "role") => exact(ROLES, value),
            5 if is(attribute.name, "class") => lookup::of_name(value),
            5 if is(attribute.name, "style") => of_style(value),
            6 if is(attribute.name, "hidden") && !is(value, "until-found") => Marks::HIDDEN,
            7 if is(attribute.name, "popover") && open.tag != Tag::Dialog => Marks::HIDDEN,
            8 if is(attribute.name, "itemprop") => exact(PROPERTIES, value),
            11 if is(attribute.name, "aria-hidden") && is(value, "true") => Marks::HIDDEN,
            _ => Marks::NONE,
        })
    })
}

/// Whether what stands aside is a note to the text: a footnote, a tip (DPUB-ARIA 5.1), or a list of them.
fn is_note(attributes: &Attributes<'_>) -> bool {
    let says = |name: &str, is_so: fn(&str) -> bool| {
        written(attributes, &[name]).is_some_and(|value| value.split_ascii_whitespace().any(is_so))
    };
    says("role", |role| NOTES.iter().any(|note| is(role, note)))
        || says("class", |class| class.starts_with("footnote") || class.starts_with("endnote"))
}

fn is(name: &str, expected: &str) -> bool {
    name.eq_ignore_ascii_case(expected)
}

fn by_tag(open: Open) -> Marks {
    if open.foreign {
        return if open.tag == Tag::Svg { Marks::HIDDEN } else { Marks::NONE };
    }
    match open.tag {
        Tag::Nav | Tag::Menu | Tag::Search => Marks::NAVIGATION,
        Tag::Footer => Marks::FOOTER,
        Tag::Header => Marks::HEADER,
        Tag::Aside => Marks::SIDEBAR,
        Tag::Article | Tag::Main => Marks::CONTENT,
        Tag::Figcaption => Marks::CAPTION,
        Tag::Time => Marks::DATE,
        Tag::Address => Marks::BYLINE,
        Tag::Button | Tag::Select | Tag::Datalist | Tag::Label | Tag::Input | Tag::Dialog => Marks::TOOLS,
        Tag::Template | Tag::Noscript | Tag::Object | Tag::Audio | Tag::Video | Tag::Canvas => Marks::HIDDEN,
        _ => Marks::NONE,
    }
}

/// The marks of values that are words of a fixed set.
fn exact(table: &[Meaning], value: &str) -> Marks {
    let mut marks = Marks::NONE;
    for word in value.split_ascii_whitespace() {
        for meaning in table.iter().filter(|meaning| meaning.words.split(' ').any(|listed| is(word, listed)))
        {
            marks = marks.with(meaning.marks);
        }
    }
    marks
}

fn of_style(value: &str) -> Marks {
    let bare: String = value.chars().take(STYLE_CHARS).filter(|c| !c.is_whitespace()).collect();
    let bare = bare.to_ascii_lowercase();
    let hides = STYLES.iter().any(|style| bare.contains(style));
    if hides { Marks::HIDDEN } else { Marks::NONE }
}
