use crate::find_near::find_near;
use crate::limits::ATTRIBUTES;
use crate::reference;
use crate::tag::{Tag, is_space};
use memchr::memchr;
use std::borrow::Cow;
use std::ops::Range;

/// The attributes of one start tag, as written. The buffer is used again for the next tag.
#[derive(Default)]
pub struct Attributes<'a> {
    found: Vec<Attribute<'a>>,
    /// Whether `hidden` or `popover` is among them.
    hides: bool,
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
    /// Whether an attribute that was skipped is `hidden` or `popover`.
    pub(super) hides: bool,
}

impl TagEnd {
    fn new(len: usize, tag: Option<bool>) -> Self {
        Self { len, tag, hides: false }
    }
}

impl<'a> Attributes<'a> {
    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.hides = false;
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

    /// Whether a `template` with these holds what the element around it shows: its shadow tree, which no script has to attach
    /// (HTML 13.2.6.4.4).
    pub fn make_a_shadow_root(&self) -> bool {
        let mode = self.get("shadowrootmode").unwrap_or_default();
        ["open", "closed"].iter().any(|known| mode.eq_ignore_ascii_case(known))
    }

    /// Whether an element with these is not shown: it has `hidden`, and not as `until-found` (HTML 6.1), or `popover`, or is a `dialog`
    /// without `open`, which alone may have `popover` too (HTML 15.3.1).
    #[inline]
    pub fn hide(&self, tag: Tag) -> bool {
        self.hides && self.hide_for_good(tag) || tag == Tag::Dialog && !self.has("open")
    }

    #[cold]
    fn hide_for_good(&self, tag: Tag) -> bool {
        self.get("hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"))
            || tag != Tag::Dialog && self.has("popover")
    }

    /// Reads to the end of the tag; `rest` begins after its name.
    pub(super) fn read(&mut self, rest: &'a str) -> TagEnd {
        walk(rest.as_bytes(), |name, value| {
            if self.found.len() < ATTRIBUTES {
                self.hides |= hides(&rest.as_bytes()[name.clone()]);
                self.found.push(Attribute { name: &rest[name], written: &rest[value] });
            }
        })
    }
}

/// Finds the end of a tag whose attributes nobody wants: from one quoted value to the next, while what lies between is names, and one
/// `=` at its end. The rest of anything else is [walked](walk).
pub(super) fn skip(rest: &str) -> TagEnd {
    let bytes = rest.as_bytes();
    let (mut from, mut found) = (0, false);
    loop {
        let at = behind(bytes, from, PLAIN);
        found |= any_hides(&bytes[from..at]);
        match &bytes[at..] {
            [b'>', ..] => {
                return TagEnd { len: at + 1, tag: Some(at > from && bytes[at - 1] == b'/'), hides: found };
            }
            [b'=', quote @ (b'"' | b'\''), quoted @ ..] if at > from && is(bytes[at - 1], IN_NAME) => {
                let Some(len) = find_near(*quote, quoted) else { return TagEnd::new(bytes.len(), None) };
                from = at + len + 3;
            }
            _ => {
                let rest = &bytes[from..];
                let end = walk(rest, |name, _| found |= hides(&rest[name]));
                return TagEnd { len: end.len + from, hides: found, ..end };
            }
        }
    }
}

/// Whether one [hides] among names with white space between them.
fn any_hides(names: &[u8]) -> bool {
    names.len() >= HIDDEN.len() && names.split(|byte| is(*byte, SPACE | SLASH)).any(hides)
}

/// Whether an attribute of this name hides an element.
fn hides(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(HIDDEN) || name.eq_ignore_ascii_case(b"popover")
}

const HIDDEN: &[u8] = b"hidden";

fn decode(value: &str) -> Cow<'_, str> {
    if memchr(0, value.as_bytes()).is_none() {
        return reference::in_attribute(value);
    }
    Cow::Owned(reference::in_attribute(&value.replace('\0', "\u{fffd}")).into_owned())
}

/// The attribute states of HTML 13.2.5.32 to 40.
fn walk(bytes: &[u8], mut found: impl FnMut(Range<usize>, Range<usize>)) -> TagEnd {
    let cut = TagEnd::new(bytes.len(), None);
    let mut at = 0;
    loop {
        let gap = at;
        at = behind(bytes, at, SPACE | SLASH);
        match bytes.get(at) {
            None => return cut,
            Some(b'>') => return TagEnd::new(at + 1, Some(at > gap && bytes[at - 1] == b'/')),
            Some(_) => {}
        }
        let name = at..behind(bytes, at + 1, IN_NAME);
        let equals = behind(bytes, name.end, SPACE);
        if bytes.get(equals) != Some(&b'=') {
            at = name.end;
            found(name, at..at);
            continue;
        }
        let Some(value) = value(bytes, equals + 1) else { return cut };
        found(name, value.text);
        at = value.end;
    }
}

struct Value {
    text: Range<usize>,
    /// Behind its quote.
    end: usize,
}

/// The value after `=`; nothing when the text ends within it.
#[inline]
fn value(bytes: &[u8], from: usize) -> Option<Value> {
    let start = behind(bytes, from, SPACE);
    match *bytes.get(start)? {
        b'>' => Some(Value { text: start..start, end: start }),
        quote @ (b'"' | b'\'') => {
            let end = start + 1 + find_near(quote, &bytes[start + 1..])?;
            Some(Value { text: start + 1..end, end: end + 1 })
        }
        _ => {
            let end = behind(bytes, start, UNQUOTED);
            (end < bytes.len()).then_some(Value { text: start..end, end })
        }
    }
}

/// Where the bytes of these classes end.
fn behind(bytes: &[u8], from: usize, classes: u8) -> usize {
    let rest = bytes[from..].iter();
    rest.take_while(|byte| is(**byte, classes)).count() + from
}

fn is(byte: u8, classes: u8) -> bool {
    CLASS[usize::from(byte)] & classes != 0
}

const SPACE: u8 = 1;
const SLASH: u8 = 2;
const IN_NAME: u8 = 4;
const UNQUOTED: u8 = 8;
/// What ends neither a name nor a tag, and begins no value.
const PLAIN: u8 = 16;

static CLASS: [u8; 256] = classes();

/// What a byte may be within a tag.
const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            space if is_space(space) => SPACE | PLAIN,
            b'/' => SLASH | UNQUOTED | PLAIN,
            b'>' => 0,
            b'=' => UNQUOTED,
            b'"' | b'\'' => IN_NAME | UNQUOTED,
            _ => IN_NAME | UNQUOTED | PLAIN,
        };
        byte += 1;
    }
    classes
}

#[cfg(test)]
mod tests;
