use crate::limits::WINDOW_BYTES;
use crate::search::Search;
use memchr::memchr;
use std::borrow::Cow;
use std::io::{self, Read};

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

/// Shows the tokens of a document, whatever its state. Comments, declarations and instructions are skipped, a `<` that
/// begins nothing is dropped. No octet is looked at more than a constant number of times, and no more than a window of
/// them is held: what does not end within half of one is taken as if it never did.
pub(super) fn scan(document: impl Read, take: impl FnMut(Token<'_>)) -> io::Result<()> {
    Scanner::new().scan(document, take)
}

impl<'a> Tag<'a> {
    /// Whether it is its own end: `<name/>`.
    pub(super) fn is_empty(self) -> bool {
        self.attributes.ends_with(b"/")
    }

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

/// Where the scan of a document stands.
struct Scanner {
    /// Octets of the document up to the window's end.
    end: u64,
    more: More,
    /// Up to where an end was looked for and did not come: a document of openings alone must not cost a square.
    searched: [u64; Skipped::COUNT],
    search: Search,
}

/// Whether the document goes on behind the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum More {
    Follows,
    Ended,
}

/// What one step gives, and what it leaves.
enum Step<'a> {
    Token(Token<'a>, &'a [u8]),
    Nothing(&'a [u8]),
    /// It takes more of the document to tell.
    Unfinished,
}

const LITERAL: &[u8] = b"<![CDATA[";
/// Octets of a character reference after its `&`.
const LONGEST_REFERENCE: usize = "#x0010FFFF;".len();

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

impl Scanner {
    fn new() -> Self {
        Self { end: 0, more: More::Follows, searched: [0; Skipped::COUNT], search: Search::default() }
    }

    /// What [`scan`] does.
    fn scan(&mut self, mut document: impl Read, mut take: impl FnMut(Token<'_>)) -> io::Result<()> {
        let mut window = Vec::with_capacity(WINDOW_BYTES);
        while self.more == More::Follows {
            let room = (WINDOW_BYTES - window.len()) as u64;
            let read = document.by_ref().take(room).read_to_end(&mut window)? as u64;
            self.end += read;
            self.more = if read < room { More::Ended } else { More::Follows };
            let left = self.run(&window, &mut take).len();
            window.drain(..window.len() - left);
        }
        Ok(())
    }

    /// Shows the tokens of a window; gives what is left of it.
    fn run<'a>(&mut self, window: &'a [u8], take: &mut impl FnMut(Token<'_>)) -> &'a [u8] {
        let mut rest = window;
        while !rest.is_empty() {
            let step = match self.step(rest, self.more) {
                Step::Unfinished if rest.len() <= WINDOW_BYTES / 2 => break,
                Step::Unfinished => self.step(rest, More::Ended),
                step => step,
            };
            match step {
                Step::Token(token, left) => {
                    take(token);
                    rest = left;
                }
                Step::Nothing(left) => rest = left,
                Step::Unfinished => unreachable!("what has ended can be told"),
            }
        }
        rest
    }

    fn step<'a>(&mut self, rest: &'a [u8], more: More) -> Step<'a> {
        match rest {
            [b'<', ..] if more == More::Follows && rest.len() < LITERAL.len() => Step::Unfinished,
            [b'<', b'!', b'-', b'-', inside @ ..] => self.skip(Skipped::Comment, inside, more),
            [b'<', b'!', ..] if rest.starts_with(LITERAL) => {
                self.skip(Skipped::Literal, &rest[LITERAL.len()..], more)
            }
            [b'<', b'?', inside @ ..] => self.skip(Skipped::Instruction, inside, more),
            [b'<', b'!', inside @ ..] => self.skip(Skipped::Declaration, inside, more),
            [b'<', inside @ ..] => tag(inside, more, &mut self.search),
            text => text_step(text, more, &mut self.search),
        }
    }

    /// The inside of a literal; of all else nothing. Where the end is missing only the opening is passed: what follows
    /// may still hold URLs.
    fn skip<'a>(&mut self, skipped: Skipped, inside: &'a [u8], more: More) -> Step<'a> {
        let start = self.end - inside.len() as u64;
        let searched = &mut self.searched[skipped as usize];
        // An end may begin in the last octets that were looked at.
        let from = searched.saturating_sub(skipped.end().len() as u64 - 1).max(start) - start;
        let found = self.search.find(&inside[from as usize..], skipped.end()).map(|at| at + from as usize);
        let Some(end) = found else {
            *searched = self.end;
            return if more == More::Follows { Step::Unfinished } else { Step::Nothing(inside) };
        };
        let left = &inside[end + skipped.end().len()..];
        match skipped {
            Skipped::Literal => Step::Token(Token::Literal(&inside[..end]), left),
            _ => Step::Nothing(left),
        }
    }
}

fn tag<'a>(inside: &'a [u8], more: More, search: &mut Search) -> Step<'a> {
    // A `<` can't be in a tag, so the next one bounds the search.
    let bound = search.octet(inside, b'<');
    let body = &inside[..bound.unwrap_or(inside.len())];
    let is_whole = bound.is_some() || more == More::Ended;
    let Some(end) = quoted_end(body).or_else(|| memchr(b'>', body).filter(|_| is_whole)) else {
        return if is_whole { Step::Nothing(&inside[body.len()..]) } else { Step::Unfinished };
    };
    let left = &inside[end + 1..];
    token_of(&body[..end]).map_or(Step::Nothing(left), |token| Step::Token(token, left))
}

/// Text to the next `<`, or as much of it as is there without cutting a reference.
fn text_step<'a>(text: &'a [u8], more: More, search: &mut Search) -> Step<'a> {
    let end = match search.octet(text, b'<') {
        Some(end) => end,
        None if more == More::Ended => text.len(),
        None => {
            text.len()
                - text.iter().rev().take(LONGEST_REFERENCE).position(|b| *b == b'&').map_or(0, |at| at + 1)
        }
    };
    match end {
        0 => Step::Unfinished,
        _ => Step::Token(Token::Text(&text[..end]), &text[end..]),
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

/// The first `>` outside quotes; if the quotes don't close, there is none.
fn quoted_end(body: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (at, &octet) in body.iter().enumerate() {
        match (quote, octet) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(octet),
            (Some(open), _) if open == octet => quote = None,
            _ => {}
        }
    }
    None
}

struct Reference {
    character: char,
    /// Octets after the `&`, the semicolon included.
    len: usize,
}

fn reference(after: &[u8]) -> Option<Reference> {
    let end = memchr(b';', &after[..after.len().min(LONGEST_REFERENCE)])?;
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

#[cfg(test)]
mod tests;
