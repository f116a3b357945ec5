use super::by_inner_label;
use encoding_rs::Encoding;
use memchr::{memchr, memmem};

/// "Prescan a byte stream to determine its encoding", HTML 13.2.3.2. `head` is the first 1,024 bytes; a
/// construct that runs out of them says nothing. `unknown` takes labels that are none.
pub(super) fn prescan(head: &[u8], unknown: &mut dyn FnMut(&[u8])) -> Option<&'static Encoding> {
    let mut bytes = Cursor { bytes: head, at: 0 };
    loop {
        bytes.at += memchr(b'<', bytes.rest())?;
        let rest = bytes.rest();
        if rest.starts_with(b"<!--") {
            bytes.at += 2 + memmem::find(&rest[2..], b"-->")? + 3;
        } else if is_meta(rest) {
            bytes.at += 5;
            let meta = Meta::read(&mut bytes)?;
            if let Some(encoding) = meta.encoding() {
                return Some(encoding);
            }
            meta.unknown.iter().for_each(|label| unknown(label));
        } else if is_tag(rest) {
            bytes.at += rest.iter().position(|b| is_space(*b) || *b == b'>')?;
            while let Step::Attribute(_) = bytes.attribute()? {}
        } else if rest.len() > 1 && matches!(rest[1], b'!' | b'/' | b'?') {
            bytes.at += memchr(b'>', rest)?;
        } else {
            bytes.at += 1;
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

fn is_meta(rest: &[u8]) -> bool {
    rest.len() > 5 && rest[1..5].eq_ignore_ascii_case(b"meta") && (is_space(rest[5]) || rest[5] == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    let name = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
    rest.get(name).is_some_and(u8::is_ascii_alphabetic)
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

enum Step {
    Attribute(Attribute),
    TagEnd,
}

struct Attribute {
    name: Vec<u8>,
    value: Vec<u8>,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips while the predicate holds; nothing when the bytes run out.
    fn skip(&mut self, skipped: impl Fn(u8) -> bool) -> Option<u8> {
        while skipped(self.peek()?) {
            self.at += 1;
        }
        self.peek()
    }

    fn take(&mut self, taken: impl Fn(u8) -> bool) -> Option<Vec<u8>> {
        let start = self.at;
        self.skip(taken)?;
        Some(self.bytes[start..self.at].to_ascii_lowercase())
    }

    /// "Get an attribute"; nothing when the bytes run out.
    fn attribute(&mut self) -> Option<Step> {
        if self.skip(|b| is_space(b) || b == b'/')? == b'>' {
            return Some(Step::TagEnd);
        }
        let name = self.name()?;
        if self.skip(is_space)? != b'=' {
            return Some(Step::Attribute(Attribute { name, value: Vec::new() }));
        }
        self.at += 1;
        let value = self.value()?;
        Some(Step::Attribute(Attribute { name, value }))
    }

    /// A name ends at space, `/`, `>` or `=`, but may begin with `=`.
    fn name(&mut self) -> Option<Vec<u8>> {
        let start = self.at;
        self.at += 1;
        self.skip(|b| !is_space(b) && !matches!(b, b'/' | b'>' | b'='))?;
        Some(self.bytes[start..self.at].to_ascii_lowercase())
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        let quote = self.skip(is_space)?;
        if quote == b'>' {
            return Some(Vec::new());
        }
        if !matches!(quote, b'"' | b'\'') {
            return self.take(|b| !is_space(b) && b != b'>');
        }
        self.at += 1;
        let value = self.take(|b| b != quote)?;
        self.at += 1;
        Some(value)
    }
}

#[derive(Default)]
struct Meta {
    seen: Vec<Vec<u8>>,
    got_pragma: bool,
    need_pragma: Option<bool>,
    charset: Option<&'static Encoding>,
    unknown: Option<Vec<u8>>,
}

impl Meta {
    fn read(bytes: &mut Cursor<'_>) -> Option<Self> {
        let mut meta = Self::default();
        while let Step::Attribute(attribute) = bytes.attribute()? {
            if !meta.seen.contains(&attribute.name) {
                meta.take(&attribute);
                meta.seen.push(attribute.name);
            }
        }
        Some(meta)
    }

    fn take(&mut self, attribute: &Attribute) {
        match attribute.name.as_slice() {
            b"http-equiv" => self.got_pragma = attribute.value == b"content-type",
            b"content" if self.need_pragma.is_none() => {
                if let Some(encoding) = charset_in_content(&attribute.value).and_then(by_inner_label) {
                    self.charset = Some(encoding);
                    self.need_pragma = Some(true);
                }
            }
            b"charset" => {
                self.charset = by_inner_label(&attribute.value);
                self.unknown = self.charset.is_none().then(|| attribute.value.clone());
                self.need_pragma = Some(false);
            }
            _ => {}
        }
    }

    fn encoding(&self) -> Option<&'static Encoding> {
        match self.need_pragma {
            Some(true) if self.got_pragma => self.charset,
            Some(false) => self.charset,
            _ => None,
        }
    }
}

/// "Extracting a character encoding from a meta element": the label after `charset =`.
pub(super) fn charset_in_content(content: &[u8]) -> Option<&[u8]> {
    let lower = content.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let after = from + memmem::find(&lower[from..], b"charset")? + b"charset".len();
        let rest = content[after..].trim_ascii_start();
        let Some(value) = rest.strip_prefix(b"=") else {
            from = after;
            continue;
        };
        return label(value.trim_ascii_start());
    }
}

fn label(value: &[u8]) -> Option<&[u8]> {
    match *value.first()? {
        quote @ (b'"' | b'\'') => memchr(quote, &value[1..]).map(|end| &value[1..=end]),
        _ => Some(&value[..value.iter().position(|b| is_space(*b) || *b == b';').unwrap_or(value.len())]),
    }
}
