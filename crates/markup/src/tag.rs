//! The elements that mean something to somebody, by name.

macro_rules! tags {
    ($($tag:ident = $name:literal),* $(,)?) => {
        /// An element name; [`Tag::Other`] is any that is not listed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Tag { $(#[doc = $name] $tag),*, #[doc = "any that is not listed"] Other }

        const NAMES: &[(&str, Tag)] = &[$(($name, Tag::$tag)),*];
    };
}

tags! {
    A = "a", Address = "address", Annotation = "annotation", AnnotationXml = "annotation-xml", Applet = "applet", Area = "area",
    Article = "article", Aside = "aside", Audio = "audio", B = "b", Base = "base", Bgsound = "bgsound", Big = "big",
    Blockquote = "blockquote", Body = "body", Br = "br", Button = "button", Canvas = "canvas",
    Caption = "caption", Center = "center", Code = "code", Datalist = "datalist", Dd = "dd", Del = "del",
    Desc = "desc", Details = "details", Dialog = "dialog", Dir = "dir", Div = "div", Dl = "dl", Dt = "dt",
    Em = "em", Embed = "embed", FeImage = "feimage", Fieldset = "fieldset", Figcaption = "figcaption", Figure = "figure",
    Font = "font", Footer = "footer", ForeignObject = "foreignobject", Form = "form", Frame = "frame",
    Frameset = "frameset", H1 = "h1", H2 = "h2", H3 = "h3", H4 = "h4", H5 = "h5", H6 = "h6", Head = "head",
    Header = "header", Hgroup = "hgroup", Hr = "hr", Html = "html", I = "i", Iframe = "iframe",
    Image = "image", Img = "img", Input = "input", Ins = "ins", Kbd = "kbd", Keygen = "keygen", Label = "label", Legend = "legend", Li = "li", Link = "link",
    Listing = "listing", Main = "main", Marquee = "marquee", Math = "math", Menu = "menu", Meta = "meta",
    Meter = "meter",
    Mi = "mi", Mn = "mn", Mo = "mo", Ms = "ms", Mtext = "mtext", Nav = "nav", Nobr = "nobr",
    Noembed = "noembed", Noframes = "noframes", Noscript = "noscript", Object = "object", Ol = "ol",
    Optgroup = "optgroup", Option = "option", P = "p", Plaintext = "plaintext", Pre = "pre", Progress = "progress", Q = "q",
    S = "s", Samp = "samp", Script = "script", Search = "search", Section = "section", Select = "select",
    Small = "small", Source = "source", Span = "span", Strike = "strike", Strong = "strong", Style = "style",
    Sub = "sub", Summary = "summary", Sup = "sup", Svg = "svg", Table = "table", Tbody = "tbody", Td = "td",
    Template = "template", Textarea = "textarea", Tfoot = "tfoot", Th = "th", Thead = "thead", Time = "time",
    Title = "title", Tr = "tr", Track = "track", Tt = "tt", U = "u", Ul = "ul", Use = "use", Video = "video",
    Wbr = "wbr", Xmp = "xmp",
}

impl Tag {
    /// The element of a name in any case.
    pub fn of(name: &[u8]) -> Self {
        key(name).map_or(Self::Other, Self::of_key)
    }

    fn of_key(key: u128) -> Self {
        let mut slot = slot(key);
        while TABLE[slot].key != 0 {
            if TABLE[slot].key == key {
                return TABLE[slot].tag;
            }
            slot = (slot + 1) % SLOTS;
        }
        Self::Other
    }
}

/// The name that a tag begins with, up to white space, `/` or `>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) tag: Tag,
    /// Its bytes.
    pub(crate) len: usize,
}

impl Name {
    /// Reads it and makes its key in one go, where it is no longer than most are.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let (mut len, mut key) = (0, 0_u64);
        while let Some(byte) = bytes.get(len).filter(|_| len < 8) {
            let letter = LETTER[usize::from(*byte)];
            if letter == ENDS_NAME {
                return Self { tag: Tag::of_key(u128::from(key)), len };
            }
            (len, key) = (len + 1, key << 8 | u64::from(letter));
        }
        let ends = bytes.iter().position(|byte| LETTER[usize::from(*byte)] == ENDS_NAME);
        let len = ends.unwrap_or(bytes.len());
        Self { tag: Tag::of(&bytes[..len]), len }
    }
}

/// What tells an element from others: its tag, and of [`Tag::Other`] a hash of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) tag: Tag,
    pub(crate) hash: u32,
}

impl Label {
    pub(crate) const COL: Self = Self { tag: Tag::Other, hash: hash(b"col") };
    pub(crate) const COLGROUP: Self = Self { tag: Tag::Other, hash: hash(b"colgroup") };

    pub(crate) fn of(tag: Tag, name: &[u8]) -> Self {
        if tag == Tag::Other { Self { tag, hash: hash(name) } } else { Self::of_listed(tag) }
    }

    pub(crate) fn of_listed(tag: Tag) -> Self {
        Self { tag, hash: 0 }
    }

    /// Whether they name the same.
    pub(crate) fn is(self, other: Self) -> bool {
        self.tag == other.tag && (self.tag != Tag::Other || self.hash == other.hash)
    }

    /// Whether it is a part of a table that holds nothing, or columns only.
    pub(crate) fn is_column(self) -> bool {
        self == Self::COL || self == Self::COLGROUP
    }

    /// Whether it is an element without content that is not listed.
    pub(crate) fn is_void(self) -> bool {
        self.tag == Tag::Other && is_one_of(self.hash, &UNLISTED_VOID)
    }

    /// Whether it is an element of HTML that ends foreign ones.
    pub(crate) fn breaks_out(self) -> bool {
        BREAKOUT.has(self.tag) || self.tag == Tag::Other && is_one_of(self.hash, &UNLISTED_BREAKOUT)
    }

    /// Whether it is one of the elements that are `MathML` in a text integration point too.
    pub(crate) fn is_glyph(self) -> bool {
        self.tag == Tag::Other && is_one_of(self.hash, &GLYPHS)
    }
}

const UNLISTED_VOID: [u32; 2] = [hash(b"basefont"), hash(b"param")];
const UNLISTED_BREAKOUT: [u32; 2] = [hash(b"ruby"), hash(b"var")];
const GLYPHS: [u32; 2] = [hash(b"malignmark"), hash(b"mglyph")];

fn is_one_of(hash: u32, hashes: &[u32]) -> bool {
    hashes.contains(&hash)
}

/// FNV-1a of the name in lower case.
const fn hash(name: &[u8]) -> u32 {
    let (mut hash, mut i) = (0x811C_9DC5_u32, 0);
    while i < name.len() {
        hash = (hash ^ name[i].to_ascii_lowercase() as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    hash
}

/// The white space of HTML tags.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0c)
}

/// Stands for no letter: in the names of elements there is none so low.
const ENDS_NAME: u8 = b'/';

static LETTER: [u8; 256] = lower_case();

/// The bytes of names in lower case.
const fn lower_case() -> [u8; 256] {
    let mut letters = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let letter = byte as u8;
        letters[byte] =
            if is_space(letter) || letter == b'>' { ENDS_NAME } else { letter.to_ascii_lowercase() };
        byte += 1;
    }
    letters
}

/// A set of elements, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagSet(u128);

impl TagSet {
    /// The set of these elements.
    pub const fn of(tags: &[Tag]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < tags.len() {
            bits |= 1 << tags[i] as u8;
            i += 1;
        }
        Self(bits)
    }

    /// Every element.
    pub const ALL: Self = Self(u128::MAX);

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set less these elements.
    #[must_use]
    pub const fn without(self, tags: &[Tag]) -> Self {
        Self(self.0 & !Self::of(tags).0)
    }

    /// Whether the element is in it.
    pub const fn has(self, tag: Tag) -> bool {
        self.0 >> tag as u8 & 1 == 1
    }

    /// Whether they have any element in common.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Which of these sets each element is in, by its number: a bit for each of them, the first the lowest.
    pub const fn table(sets: &[Self]) -> [u8; 128] {
        let mut table = [0; 128];
        let mut set = 0;
        while set < sets.len() {
            let mut tag = 0;
            while tag < table.len() {
                table[tag] |= ((sets[set].0 >> tag & 1) as u8) << set;
                tag += 1;
            }
            set += 1;
        }
        table
    }
}

/// Headings, by their levels.
pub const HEADINGS: [Tag; 6] = [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6];

/// Elements that end foreign content where they stand in it (HTML 13.2.6.5).
const BREAKOUT: TagSet = TagSet::of(&[
    Tag::B,
    Tag::Big,
    Tag::Blockquote,
    Tag::Body,
    Tag::Br,
    Tag::Center,
    Tag::Code,
    Tag::Dd,
    Tag::Div,
    Tag::Dl,
    Tag::Dt,
    Tag::Em,
    Tag::Embed,
    Tag::H1,
    Tag::H2,
    Tag::H3,
    Tag::H4,
    Tag::H5,
    Tag::H6,
    Tag::Head,
    Tag::Hr,
    Tag::I,
    Tag::Img,
    Tag::Li,
    Tag::Listing,
    Tag::Menu,
    Tag::Meta,
    Tag::Nobr,
    Tag::Ol,
    Tag::P,
    Tag::Pre,
    Tag::S,
    Tag::Small,
    Tag::Span,
    Tag::Strong,
    Tag::Strike,
    Tag::Sub,
    Tag::Sup,
    Tag::Table,
    Tag::Tt,
    Tag::U,
    Tag::Ul,
]);

/// Elements that stand on lines of their own.
pub const BLOCK: TagSet = TagSet::of(&[
    Tag::Address,
    Tag::Article,
    Tag::Aside,
    Tag::Blockquote,
    Tag::Body,
    Tag::Br,
    Tag::Caption,
    Tag::Center,
    Tag::Dd,
    Tag::Details,
    Tag::Dialog,
    Tag::Dir,
    Tag::Div,
    Tag::Dl,
    Tag::Dt,
    Tag::Fieldset,
    Tag::Figcaption,
    Tag::Figure,
    Tag::Footer,
    Tag::Form,
    Tag::H1,
    Tag::H2,
    Tag::H3,
    Tag::H4,
    Tag::H5,
    Tag::H6,
    Tag::Header,
    Tag::Hgroup,
    Tag::Hr,
    Tag::Html,
    Tag::Legend,
    Tag::Li,
    Tag::Listing,
    Tag::Main,
    Tag::Marquee,
    Tag::Menu,
    Tag::Nav,
    Tag::Ol,
    Tag::Optgroup,
    Tag::Option,
    Tag::P,
    Tag::Plaintext,
    Tag::Pre,
    Tag::Search,
    Tag::Section,
    Tag::Summary,
    Tag::Table,
    Tag::Tbody,
    Tag::Tfoot,
    Tag::Thead,
    Tag::Tr,
    Tag::Ul,
    Tag::Xmp,
]);

/// Elements whose white space is shown as it is.
pub const PREFORMATTED: [Tag; 4] = [Tag::Pre, Tag::Listing, Tag::Xmp, Tag::Plaintext];

/// Elements whose content is raw text in HTML, and is not shown as text of the page.
pub const NEVER_SHOWN: TagSet =
    TagSet::of(&[Tag::Script, Tag::Style, Tag::Textarea, Tag::Iframe, Tag::Noembed, Tag::Noframes]);

/// Elements that have no content, as far as they are listed.
pub const VOID: TagSet = TagSet::of(&[
    Tag::Area,
    Tag::Base,
    Tag::Bgsound,
    Tag::Br,
    Tag::Embed,
    Tag::Hr,
    Tag::Image,
    Tag::Img,
    Tag::Input,
    Tag::Keygen,
    Tag::Link,
    Tag::Meta,
    Tag::Source,
    Tag::Track,
    Tag::Wbr,
]);

/// What a table is made of.
pub const TABLE_PARTS: TagSet =
    TagSet::of(&[Tag::Caption, Tag::Tbody, Tag::Td, Tag::Tfoot, Tag::Th, Tag::Thead, Tag::Tr]);

/// Elements whose start tags end a paragraph.
pub const CLOSES_P: TagSet = BLOCK.without(&[
    Tag::Body,
    Tag::Br,
    Tag::Caption,
    Tag::Html,
    Tag::Legend,
    Tag::Marquee,
    Tag::Optgroup,
    Tag::Option,
    Tag::Tbody,
    Tag::Tfoot,
    Tag::Thead,
    Tag::Tr,
]);

const SLOTS: usize = 512;

#[derive(Clone, Copy)]
struct Slot {
    key: u128,
    tag: Tag,
}

static TABLE: [Slot; SLOTS] = table();

/// Up to 16 letters in one word, in lower case.
const fn key(name: &[u8]) -> Option<u128> {
    if name.len() > 16 {
        return None;
    }
    let (first, last) = name.split_at(name.len().saturating_sub(8));
    Some((letters(first) as u128) << 64 | letters(last) as u128)
}

/// Up to 8 of them.
const fn letters(name: &[u8]) -> u64 {
    let mut letters = 0;
    let mut i = 0;
    while i < name.len() {
        letters = letters << 8 | name[i].to_ascii_lowercase() as u64;
        i += 1;
    }
    letters
}

const fn slot(key: u128) -> usize {
    let folded = key as u64 ^ (key >> 64) as u64;
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55) as usize
}

const fn table() -> [Slot; SLOTS] {
    assert!(NAMES.len() < 128, "a tag set has 128 bits");
    let mut table = [Slot { key: 0, tag: Tag::Other }; SLOTS];
    let mut i = 0;
    while i < NAMES.len() {
        let Some(key) = key(NAMES[i].0.as_bytes()) else { panic!("a name longer than 16 letters") };
        let mut at = slot(key);
        while table[at].key != 0 {
            at = (at + 1) % SLOTS;
        }
        table[at] = Slot { key, tag: NAMES[i].1 };
        i += 1;
    }
    table
}
