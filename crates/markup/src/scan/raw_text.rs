use crate::tag::{Tag, is_space};
use memchr::memmem::Finder;
use memchr::{memchr, memchr2};
use std::sync::LazyLock;

/// How the content of an element is read when it is not markup (HTML 13.2.6.2, the generic parsing algorithms).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RawKind {
    /// RCDATA: character references count, tags do not.
    Escapable(&'static [u8]),
    /// RAWTEXT: nothing counts but the end tag.
    Plain(&'static [u8]),
    /// Script data, with its escapes.
    Script,
    /// Everything to the end of the document.
    Endless,
}

impl RawKind {
    pub(super) fn of(tag: Tag) -> Option<Self> {
        Some(match tag {
            Tag::Title => Self::Escapable(b"title"),
            Tag::Textarea => Self::Escapable(b"textarea"),
            Tag::Style => Self::Plain(b"style"),
            Tag::Xmp => Self::Plain(b"xmp"),
            Tag::Iframe => Self::Plain(b"iframe"),
            Tag::Noembed => Self::Plain(b"noembed"),
            Tag::Noframes => Self::Plain(b"noframes"),
            Tag::Script => Self::Script,
            Tag::Plaintext => Self::Endless,
            _ => return None,
        })
    }

    /// Bytes before the end tag; all of them where there is none.
    pub(super) fn content_len(self, bytes: &[u8]) -> usize {
        match self {
            Self::Escapable(name) | Self::Plain(name) => plain_len(bytes, name),
            Self::Script => script_len(bytes),
            Self::Endless => bytes.len(),
        }
    }
}

static END_TAG: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("</"));
static COMMENT: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("<!--"));

/// Scripts are full of `<`, but rarely of `</`.
fn plain_len(bytes: &[u8], name: &[u8]) -> usize {
    END_TAG.find_iter(bytes).find(|at| ends_here(&bytes[*at..], name)).unwrap_or(bytes.len())
}

/// Most hide nothing.
fn script_len(bytes: &[u8]) -> usize {
    let len = plain_len(bytes, b"script");
    if COMMENT.find(&bytes[..len]).is_some() { escaped_script_len(bytes) } else { len }
}

/// Whether `</name` and a delimiter stand here.
fn ends_here(bytes: &[u8], name: &[u8]) -> bool {
    bytes.starts_with(b"</") && names(&bytes[2..], name)
}

/// Whether a tag name and a delimiter stand here.
fn names(bytes: &[u8], name: &[u8]) -> bool {
    let Some(delimiter) = bytes.get(name.len()) else { return false };
    (is_space(*delimiter) || matches!(delimiter, b'/' | b'>'))
        && bytes[..name.len()].eq_ignore_ascii_case(name)
}

#[derive(Clone, Copy)]
enum Script {
    Data,
    Escaped,
    DoubleEscaped,
}

/// The script data states of HTML 13.2.5.4 and 15 to 31: `<!--` hides `<script>`, and `<script>` within it
/// hides the next `</script>`.
fn escaped_script_len(bytes: &[u8]) -> usize {
    let mut state = Script::Data;
    let mut at = 0;
    loop {
        let found = match state {
            Script::Data => memchr(b'<', &bytes[at..]),
            Script::Escaped | Script::DoubleEscaped => memchr2(b'<', b'-', &bytes[at..]),
        };
        let Some(step) = found else { return bytes.len() };
        at += step;
        let here = &bytes[at..];
        state = match state {
            Script::Data | Script::Escaped if ends_here(here, b"script") => return at,
            Script::Data if here.starts_with(b"<!--") => {
                at += 1;
                Script::Escaped
            }
            Script::Escaped | Script::DoubleEscaped if here.starts_with(b"-->") => Script::Data,
            Script::Escaped if here[0] == b'<' && names(&here[1..], b"script") => Script::DoubleEscaped,
            Script::DoubleEscaped if ends_here(here, b"script") => Script::Escaped,
            unchanged => unchanged,
        };
        at += 1;
    }
}

#[cfg(test)]
mod tests;
