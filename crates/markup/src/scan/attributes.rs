use crate::limits::ATTRIBUTES;
use crate::reference;
use memchr::{memchr, memchr2, memchr3};
use std::borrow::Cow;

/// The attributes of one start tag, as written. The buffer is used again for the next tag.
#[derive(Default)]
pub struct Attributes<'a> {
    found: Vec<Attribute<'a>>,
}

/// One attribute, as written.
#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a> {
    /// Its name, in whatever case.
    pub name: &'a str,
    /// Its value, with character references still in it.
    pub written: &'a str,
}

impl<'a> Attribute<'a> {
    /// Its value, character references decoded.
    pub fn value(&self) -> Cow<'a, str> {
        decode(self.written)
    }
}

/// Where a tag ends.
pub(super) struct TagEnd {
    /// Bytes to the end, the `>` included.
    pub(super) len: usize,
    /// Whether `/` stood before the `>`; nothing when the text ends within the tag.
    pub(super) tag: Option<bool>,
}

/// The white space of HTML tags.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0c)
}

impl<'a> Attributes<'a> {
    pub(super) fn clear(&mut self) {
        self.found.clear();
    }

    /// The value of an attribute, character references decoded; the first of several counts.
    pub fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        self.found.iter().find(|a| a.name.eq_ignore_ascii_case(name)).map(Attribute::value)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Attribute<'a>> {
        self.found.iter().copied()
    }

    /// Whether the attribute is there, with whatever value.
    pub fn has(&self, name: &str) -> bool {
        self.found.iter().any(|a| a.name.eq_ignore_ascii_case(name))
    }

    /// Reads to the end of the tag; `rest` begins after its name.
    pub(super) fn read(&mut self, rest: &'a str) -> TagEnd {
        walk(rest, |name, value| {
            if self.found.len() < ATTRIBUTES {
                self.found.push(Attribute { name, written: value });
            }
        })
    }
}

/// Finds the end of a tag whose attributes nobody wants, from quote to quote; where a quote stands anywhere but
/// after `name=`, it walks.
pub(super) fn skip(rest: &str) -> TagEnd {
    let bytes = rest.as_bytes();
    let mut from = 0;
    while let Some(step) = memchr3(b'>', b'"', b'\'', &bytes[from..]) {
        let at = from + step;
        let before = &bytes[from..at];
        if bytes[at] == b'>' {
            return match end(before) {
                End::Plain => TagEnd { len: at + 1, tag: Some(false) },
                End::Slash => TagEnd { len: at + 1, tag: Some(true) },
                End::Unclear => walk(rest, |_, _| {}),
            };
        }
        if !opens_value(before) {
            return walk(rest, |_, _| {});
        }
        let Some(value) = memchr(bytes[at], &bytes[at + 1..]) else { break };
        from = at + 1 + value + 1;
    }
    TagEnd { len: bytes.len(), tag: None }
}

/// Whether the quote that follows begins a value: `name=` stands before it, and is itself no value.
fn opens_value(before: &[u8]) -> bool {
    let Some((b'=', before)) = before.split_last() else { return false };
    let name = before.iter().rposition(|b| is_space(*b)).map_or(0, |space| space + 1);
    let earlier = before[..name].trim_ascii_end();
    name < before.len() && memchr2(b'=', b'/', &before[name..]).is_none() && earlier.last() != Some(&b'=')
}

/// What stands before the `>` of a tag.
enum End {
    Plain,
    Slash,
    /// A slash that may be the end of a value without quotes.
    Unclear,
}

fn end(inner: &[u8]) -> End {
    let Some((b'/', before)) = inner.split_last() else { return End::Plain };
    if memchr(b'=', before).is_none() { End::Slash } else { End::Unclear }
}

fn decode(value: &str) -> Cow<'_, str> {
    if memchr(0, value.as_bytes()).is_none() {
        return reference::in_attribute(value);
    }
    Cow::Owned(reference::in_attribute(&value.replace('\0', "\u{fffd}")).into_owned())
}

/// The attribute states of HTML 13.2.5.32 to 40.
fn walk<'a>(rest: &'a str, mut found: impl FnMut(&'a str, &'a str)) -> TagEnd {
    let bytes = rest.as_bytes();
    let cut = TagEnd { len: bytes.len(), tag: None };
    let mut at = 0;
    loop {
        let gap = at;
        while at < bytes.len() && (is_space(bytes[at]) || bytes[at] == b'/') {
            at += 1;
        }
        match bytes.get(at) {
            None => return cut,
            Some(b'>') => return TagEnd { len: at + 1, tag: Some(at > gap && bytes[at - 1] == b'/') },
            Some(_) => {}
        }
        let name = at;
        at += 1;
        while at < bytes.len() && !is_space(bytes[at]) && !matches!(bytes[at], b'/' | b'>' | b'=') {
            at += 1;
        }
        let name = &rest[name..at];
        let equals = at + bytes[at..].iter().take_while(|b| is_space(**b)).count();
        if bytes.get(equals) != Some(&b'=') {
            found(name, "");
            continue;
        }
        let Some(value) = value(rest, equals + 1) else { return cut };
        found(name, value.text);
        at = value.end;
    }
}

struct Value<'a> {
    text: &'a str,
    end: usize,
}

/// The value after `=`; nothing when the text ends within it.
fn value(rest: &str, from: usize) -> Option<Value<'_>> {
    let bytes = rest.as_bytes();
    let start = from + bytes[from..].iter().position(|b| !is_space(*b))?;
    match bytes[start] {
        b'>' => Some(Value { text: "", end: start }),
        quote @ (b'"' | b'\'') => {
            let end = start + 1 + memchr(quote, &bytes[start + 1..])?;
            Some(Value { text: &rest[start + 1..end], end: end + 1 })
        }
        _ => {
            let end = start + bytes[start..].iter().position(|b| is_space(*b) || *b == b'>')?;
            Some(Value { text: &rest[start..end], end })
        }
    }
}
