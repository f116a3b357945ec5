//! The tokenizer: one pass over decoded text, no tree, no allocation per token, linear for any input.
//!
//! It follows the tokenizer of HTML 13.2.5, and knows of tree construction what changes the tokens: which
//! elements hold raw text, which are open, and so where foreign content begins and ends.

mod attributes;
mod elements;
mod open;
mod raw_text;

pub use attributes::{Attribute, Attributes};

use crate::find_near::find_near;
use crate::tag::{Label, NEVER_SHOWN, Name, Tag, TagSet};
use elements::Elements;
use memchr::{memchr, memmem};
use raw_text::RawKind;

/// Which grammar a document is read by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Tag soup.
    Html,
    /// XML read leniently: every element may be self-closing, CDATA is text anywhere, and what HTML reads as raw text and does not show is
    /// markup of which only the text counts.
    Xml,
}

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// Characters, with character references still in them.
    Text(&'a str),
    /// Characters as they are: CDATA, or the content of a raw text element.
    Raw(&'a str),
    /// A start tag; its attributes are in [`Scanner::attributes`] until the next token is asked for.
    Open(Open),
    /// An end tag.
    Close(Open),
}

/// A tag, in one word: what is written byte by byte and read as two at once has the processor wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(4))]
pub struct Open {
    /// Its element.
    pub tag: Tag,
    /// Whether it belongs to SVG or `MathML`.
    pub foreign: bool,
    /// Whether the element is empty because the tag says so (foreign content and XML only).
    pub empty: bool,
}

/// Reads tokens off a text.
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    /// Elements whose attributes are wanted.
    wanted: TagSet,
    attributes: Attributes<'a>,
    elements: Elements,
    frames: bool,
    raw: Option<RawKind>,
    /// The element of XML whose tags are passed over, while it is open.
    unread: Option<Tag>,
    /// Whether somebody asks for what is hidden.
    minds_hidden: bool,
}

#[expect(
    clippy::inline_always,
    reason = "a token that is handed over in memory costs more than what is read of it"
)]
impl<'a> Scanner<'a> {
    /// At the beginning of a text; the attributes of the `wanted` elements will be read, those of others skipped.
    pub fn new(text: &'a str, dialect: Dialect, wanted: TagSet) -> Self {
        let wanted = wanted.with(open::WANTED);
        let (attributes, elements) = (Attributes::default(), Elements::default());
        Self {
            text,
            at: 0,
            dialect,
            wanted,
            attributes,
            elements,
            frames: false,
            raw: None,
            unread: None,
            minds_hidden: false,
        }
    }

    /// The same, that tells what [is hidden](Self::is_hidden).
    #[must_use]
    pub fn minding_hidden(self) -> Self {
        Self { wanted: self.wanted.with(TagSet::of(&[Tag::Dialog])), minds_hidden: true, ..self }
    }

    /// Whether an element is open after the last token that HTML says is not shown: one with `hidden` that is not `until-found`, one
    /// with `popover`, or a `dialog` without `open`. Of XML nobody knows.
    pub fn is_hidden(&self) -> bool {
        self.elements.has_hidden()
    }

    /// Whether one of these elements is open after the last token; of XML nobody knows.
    pub fn has_open(&mut self, tags: TagSet) -> bool {
        self.dialect == Dialect::Xml || self.elements.has_open(tags)
    }

    /// Whether an element of SVG or `MathML` is open after the last token; of XML nobody knows.
    pub fn has_foreign(&self) -> bool {
        self.dialect == Dialect::Xml || self.elements.has_foreign()
    }

    /// Says that a `frameset` has taken the place of the body: there is nothing foreign from here on, and of raw text only `noframes`.
    pub fn enter_frameset(&mut self) {
        (self.frames, self.elements) = (true, Elements::default());
    }

    /// The attributes of the start tag that was returned last, where they were asked for.
    pub fn attributes(&self) -> &Attributes<'a> {
        &self.attributes
    }

    /// The next token; nothing at the end of the text.
    #[inline(always)]
    pub fn next_token(&mut self) -> Option<Token<'a>> {
        if let Some(kind) = self.raw.take()
            && let Some(token) = self.raw_text(kind)
        {
            return Some(token);
        }
        while self.at < self.text.len() {
            if !self.at_markup(self.at) {
                return Some(self.text_run());
            }
            if let Some(token) = self.markup() {
                return Some(token);
            }
        }
        None
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes()[self.at..]
    }

    /// Whether a tag, a comment or a declaration begins here.
    fn at_markup(&self, at: usize) -> bool {
        let bytes = self.bytes();
        bytes[at] == b'<'
            && match bytes.get(at + 1) {
                Some(b'!' | b'?') => true,
                Some(b'/') => at + 2 < bytes.len(),
                Some(byte) => byte.is_ascii_alphabetic(),
                None => false,
            }
    }

    #[inline(always)]
    fn text_run(&mut self) -> Token<'a> {
        let start = self.at;
        let mut from = start;
        loop {
            let Some(step) = find_near(b'<', &self.bytes()[from..]) else {
                self.at = self.text.len();
                break;
            };
            self.at = from + step;
            if self.at_markup(self.at) {
                break;
            }
            from = self.at + 1;
        }
        let run = &self.text[start..self.at];
        // NULs alone are no characters (HTML 13.2.6.4.7).
        if !run.starts_with('\0') || run.bytes().any(|byte| byte != 0) {
            self.elements.text();
        }
        Token::Text(run)
    }

    #[inline(always)]
    fn markup(&mut self) -> Option<Token<'a>> {
        match self.rest()[1] {
            b'!' => self.declaration(),
            b'?' => self.processing_instruction(),
            b'/' if self.rest()[2].is_ascii_alphabetic() => self.close(),
            b'/' => self.skip_past(b'>'),
            _ => self.open(),
        }
    }

    fn declaration(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        if rest.starts_with(b"<!--") {
            self.at += comment_len(rest);
            return None;
        }
        if rest.starts_with(b"<![CDATA[") && (self.dialect == Dialect::Xml || self.elements.has_cdata()) {
            return Some(self.cdata());
        }
        if self.dialect == Dialect::Xml && memchr(b'[', &rest[..past(rest, b">")]).is_some() {
            self.at += subset_len(rest);
        }
        self.skip_past(b'>')
    }

    fn cdata(&mut self) -> Token<'a> {
        let start = self.at + b"<![CDATA[".len();
        let inner = &self.text[start..];
        let end = memmem::find(inner.as_bytes(), b"]]>");
        self.at = end.map_or(self.text.len(), |end| start + end + 3);
        Token::Raw(&inner[..end.unwrap_or(inner.len())])
    }

    fn processing_instruction(&mut self) -> Option<Token<'a>> {
        if self.dialect == Dialect::Html {
            return self.skip_past(b'>');
        }
        self.at += past(self.rest(), b"?>");
        None
    }

    fn skip_past(&mut self, byte: u8) -> Option<Token<'a>> {
        self.at += past(self.rest(), &[byte]);
        None
    }

    #[inline(always)]
    fn close(&mut self) -> Option<Token<'a>> {
        let rest = &self.rest()[2..];
        let Name { tag, len } = Name::read(rest);
        let label = Label::of(tag, &rest[..len]);
        self.at += 2 + len;
        self.tag_end(TagSet::of(&[]), tag)?;
        if self.dialect == Dialect::Xml {
            return self.close_in_xml(tag);
        }
        let foreign = !self.frames && self.elements.close(label);
        Some(Token::Close(Open { tag, foreign, empty: false }))
    }

    #[inline(always)]
    fn open(&mut self) -> Option<Token<'a>> {
        let rest = &self.rest()[1..];
        let Name { tag, len } = Name::read(rest);
        let label = Label::of(tag, &rest[..len]);
        self.at += 1 + len;
        let self_closing = self.tag_end(self.wanted, tag)?;
        if self.dialect == Dialect::Xml {
            return self.open_in_xml(tag, self_closing);
        }
        if self.frames {
            self.raw = RawKind::of(tag).filter(|_| tag == Tag::Noframes);
            return Some(Token::Open(Open { tag, foreign: false, empty: false }));
        }
        let foreign = if self.minds_hidden && self.attributes.hide(tag) {
            self.elements.open_hidden(label, self_closing, &self.attributes)
        } else {
            self.elements.open(label, self_closing, &self.attributes)
        };
        if !foreign && let Some(kind) = RawKind::of(tag) {
            self.raw = Some(kind);
        }
        Some(Token::Open(Open { tag, foreign, empty: foreign && self_closing }))
    }

    fn open_in_xml(&mut self, tag: Tag, empty: bool) -> Option<Token<'a>> {
        if self.unread.is_some() {
            return None;
        }
        self.unread = Some(tag).filter(|tag| NEVER_SHOWN.has(*tag) && !empty);
        Some(Token::Open(Open { tag, foreign: false, empty }))
    }

    fn close_in_xml(&mut self, tag: Tag) -> Option<Token<'a>> {
        if self.unread.is_some_and(|unread| unread != tag) {
            return None;
        }
        self.unread = None;
        Some(Token::Close(Open { tag, foreign: false, empty: false }))
    }

    /// Moves past the tag's `>`; says whether `/` stood before it. Nothing when the text ends within the tag.
    #[inline(always)]
    fn tag_end(&mut self, wanted: TagSet, tag: Tag) -> Option<bool> {
        self.attributes.clear();
        let rest = &self.text[self.at..];
        if rest.starts_with('>') {
            self.at += 1;
            return Some(false);
        }
        let end = if wanted.has(tag) { self.attributes.read(rest) } else { attributes::skip(rest) };
        self.at += end.len;
        if end.hides && self.minds_hidden {
            self.attributes.read(rest);
        }
        end.tag
    }

    /// The content of a raw text element, up to its end tag. Nothing where it is empty.
    fn raw_text(&mut self, kind: RawKind) -> Option<Token<'a>> {
        let inner = &self.text[self.at..];
        let len = kind.content_len(inner.as_bytes());
        self.at += len;
        match kind {
            _ if len == 0 => None,
            RawKind::Escapable(_) => Some(Token::Text(&inner[..len])),
            _ => Some(Token::Raw(&inner[..len])),
        }
    }
}

/// How far it is past the end mark; to the end where there is none.
fn past(bytes: &[u8], mark: &[u8]) -> usize {
    let found = if let [byte] = mark { memchr(*byte, bytes) } else { memmem::find(bytes, mark) };
    found.map_or(bytes.len(), |at| at + mark.len())
}

/// The length of a document type declaration up to the bracket that ends its internal subset (XML 1.0, 2.8): one that is quoted or in a
/// comment ends nothing.
fn subset_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| matches!(byte, b']' | b'"' | b'\'' | b'<')) {
        at += found;
        let rest = &bytes[at..];
        at += match rest[0] {
            b']' => return at,
            b'<' if rest.starts_with(b"<!--") => comment_len(rest),
            b'<' if rest.starts_with(b"<?") => past(rest, b"?>"),
            b'<' => 1,
            quote => 1 + past(&rest[1..], &[quote]),
        };
    }
    bytes.len()
}

/// The length of a comment that begins here: it ends at `-->` or `--!>`, or at once with `<!-->` and `<!--->`.
fn comment_len(bytes: &[u8]) -> usize {
    const OPENING: usize = 4;
    let inner = &bytes[OPENING..];
    if inner.starts_with(b">") {
        return OPENING + 1;
    }
    if inner.starts_with(b"->") {
        return OPENING + 2;
    }
    let mut at = 0;
    while let Some(dashes) = memmem::find(&inner[at..], b"--") {
        at += dashes + 2;
        at += inner[at..].iter().take_while(|b| **b == b'-').count();
        match &inner[at..] {
            [b'>', ..] => return OPENING + at + 1,
            [b'!', b'>', ..] => return OPENING + at + 2,
            _ => {}
        }
    }
    bytes.len()
}
