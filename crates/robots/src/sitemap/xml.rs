use memchr::{memchr, memmem};
use std::borrow::Cow;

/// A piece of markup, as far as sitemaps need to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `<name attributes>` or `<name attributes/>`.
    Open(Tag<'a>),
    /// `</name>`.
    Close(Name<'a>),
    /// Text, entities not decoded.
    Text(&'a [u8]),
    /// The inside of a CDATA section.
    Literal(&'a [u8]),
}

/// A start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// Its name.
    pub(super) name: Name<'a>,
    attributes: &'a [u8],
}

/// An element's name: `prefix:local`, the prefix possibly empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name<'a> {
    /// Before the colon.
    pub(super) prefix: &'a [u8],
    /// After it.
    pub(super) local: &'a [u8],
}

/// The tokens of a document, whatever its state. Comments, declarations and instructions are skipped, a `<` that
/// begins nothing is dropped. No octet is looked at more than a constant number of times.
pub(super) fn tokens(document: &[u8]) -> impl Iterator<Item = Token<'_>> {
    let mut scanner = Scanner { rest: document, absent: [false; Skipped::COUNT] };
    std::iter::from_fn(move || {
        while !scanner.rest.is_empty() {
            if let Some(token) = scanner.step() {
                return Some(token);
            }
        }
        None
    })
}

impl<'a> Tag<'a> {
    /// The value of an attribute, entities not decoded.
    pub(super) fn attribute(self, name: &[u8]) -> Option<&'a [u8]> {
        let mut rest = self.attributes;
        while let Some(equals) = memchr(b'=', rest) {
            let key = rest[..equals].trim_ascii();
            let value = rest[equals + 1..].trim_ascii_start();
            let (&quote, value) = value.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
            let end = memchr(quote, value).unwrap_or(value.len());
            if key == name {
                return Some(&value[..end]);
            }
            rest = value.get(end + 1..).unwrap_or_default();
        }
        None
    }
}

/// Decodes XML's own entities and character references; others, and a bare `&`, stay as they are.
pub(super) fn decode(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr(b'&', text) else { return Cow::Borrowed(text) };
    let mut out = text[..first].to_vec();
    let mut rest = &text[first..];
    while let [_, after @ ..] = rest {
        if let Some(Reference { character, len }) = reference(after) {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            rest = &after[len..];
        } else {
            out.push(b'&');
            rest = after;
        }
        let next = memchr(b'&', rest).unwrap_or(rest.len());
        out.extend_from_slice(&rest[..next]);
        rest = &rest[next..];
    }
    Cow::Owned(out)
}

struct Scanner<'a> {
    rest: &'a [u8],
    /// Ends that were looked for and don't come any more: a document of openings alone must not cost a square.
    absent: [bool; Skipped::COUNT],
}

/// What is passed over up to its end.
#[derive(Debug, Clone, Copy)]
enum Skipped {
    Comment,
    Literal,
    Instruction,
    Declaration,
}

impl Skipped {
    const COUNT: usize = 4;

    fn end(self) -> &'static [u8] {
        match self {
            Self::Comment => b"-->",
            Self::Literal => b"]]>",
            Self::Instruction => b"?>",
            Self::Declaration => b">",
        }
    }
}

impl<'a> Scanner<'a> {
    fn step(&mut self) -> Option<Token<'a>> {
        match self.rest {
            [b'<', b'!', b'-', b'-', inside @ ..] => self.skip(Skipped::Comment, inside),
            [b'<', b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', inside @ ..] => {
                return self.skip(Skipped::Literal, inside).map(Token::Literal);
            }
            [b'<', b'?', inside @ ..] => self.skip(Skipped::Instruction, inside),
            [b'<', b'!', inside @ ..] => self.skip(Skipped::Declaration, inside),
            [b'<', inside @ ..] => return self.tag(inside),
            text => {
                return Some(Token::Text(self.advance(text, memchr(b'<', text).unwrap_or(text.len()), 0)));
            }
        };
        None
    }

    /// The inside. Where the end is missing only the opening is passed: what follows may still hold URLs.
    fn skip(&mut self, skipped: Skipped, inside: &'a [u8]) -> Option<&'a [u8]> {
        let absent = &mut self.absent[skipped as usize];
        let end = if *absent { None } else { memmem::find(inside, skipped.end()) };
        *absent = end.is_none();
        self.rest = inside;
        end.map(|end| self.advance(inside, end, skipped.end().len()))
    }

    fn tag(&mut self, inside: &'a [u8]) -> Option<Token<'a>> {
        // A `<` can't be in a tag, so the next one bounds the search.
        let bound = memchr(b'<', inside).unwrap_or(inside.len());
        let end = tag_end(&inside[..bound]);
        let body = self.advance(inside, end.unwrap_or(bound), usize::from(end.is_some()));
        end.and_then(|_| token_of(body))
    }

    /// Goes on `past` octets behind `end`, and returns what lies before it.
    fn advance(&mut self, from: &'a [u8], end: usize, past: usize) -> &'a [u8] {
        self.rest = &from[end + past..];
        &from[..end]
    }
}

fn token_of(body: &[u8]) -> Option<Token<'_>> {
    let (closes, body) = body.strip_prefix(b"/").map_or((false, body), |body| (true, body));
    let end = body.iter().position(|b| b.is_ascii_whitespace() || *b == b'/').unwrap_or(body.len());
    let name = Name::of(&body[..end])?;
    let attributes = &body[end..];
    Some(if closes { Token::Close(name) } else { Token::Open(Tag { name, attributes }) })
}

impl<'a> Name<'a> {
    fn of(text: &'a [u8]) -> Option<Self> {
        let colon = memchr(b':', text);
        let prefix = colon.map_or(&[][..], |colon| &text[..colon]);
        let local = colon.map_or(text, |colon| &text[colon + 1..]);
        (!local.is_empty()).then_some(Self { prefix, local })
    }
}

/// The first `>` outside quotes; if the quotes don't close, the first at all.
fn tag_end(body: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (at, &octet) in body.iter().enumerate() {
        match (quote, octet) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(octet),
            (Some(open), _) if open == octet => quote = None,
            _ => {}
        }
    }
    memchr(b'>', body)
}

struct Reference {
    character: char,
    /// Octets after the `&`, the semicolon included.
    len: usize,
}

fn reference(after: &[u8]) -> Option<Reference> {
    const LONGEST: usize = "#x0010FFFF;".len();
    let end = memchr(b';', &after[..after.len().min(LONGEST)])?;
    let character = match &after[..end] {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"apos" => '\'',
        [b'#', b'x' | b'X', digits @ ..] => character(digits, 16)?,
        [b'#', digits @ ..] => character(digits, 10)?,
        _ => return None,
    };
    Some(Reference { character, len: end + 1 })
}

fn character(digits: &[u8], radix: u32) -> Option<char> {
    char::from_u32(u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()?)
}
