use crate::charset::{Charset, CharsetSource};
use crate::directives::Directives;
use crate::language::Language;
use crate::limits::{Limits, PRESCAN_BYTES};
use crate::link::{Link, LinkKinds};
use crate::media::{PageKind, declared_type};
use crate::refresh::Refresh;
use crate::unpacked::Unpacked;
use encoding_rs::Encoding;
use markup::Dialect;
use std::borrow::Cow;
use std::fmt;
use weburl::Url;

/// A document as it was received; its body as bytes, or [`Unpacked`] already.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a, B = &'a [u8]> {
    /// Where it came from, after redirects.
    pub url: &'a Url,
    /// The response's headers in order. Content-Type, Content-Encoding, X-Robots-Tag, Link and Refresh are read.
    pub headers: &'a [Header<'a>],
    /// The body: as bytes, with transfer-coding removed and content-coding kept.
    pub body: B,
}

/// One header of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header<'a> {
    /// In any case.
    pub name: &'a str,
    /// Without the white space around it.
    pub value: &'a str,
}

impl<'a, B> Document<'a, B> {
    /// The value of the first header of this name.
    pub fn header(&self, name: &str) -> Option<&'a str> {
        self.all(name).next()
    }

    /// The values of all headers of this name.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &'a str> + Clone {
        self.headers.iter().filter(move |h| h.name.eq_ignore_ascii_case(name)).map(|h| h.value)
    }

    /// What its Content-Types say together.
    pub fn content_type(&self) -> Option<&'a str> {
        declared_type(self.all("content-type"))
    }

    /// The values of all headers of this name as one list (RFC 9110, section 5.3).
    pub fn list(&self, name: &str) -> Option<String> {
        self.all(name).map(str::to_owned).reduce(|list, value| list + ", " + value.as_str())
    }
}

/// How a document is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings<'a> {
    /// The bounds.
    pub limits: Limits,
    /// Which links to collect.
    pub kinds: LinkKinds,
    /// The product token that directives may be addressed to, as robots.txt has it.
    pub agent: &'a str,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self { limits: Limits::default(), kinds: LinkKinds::PAGES, agent: "drumlin" }
    }
}

/// What a document means.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// How it was read.
    pub kind: PageKind,
    /// The grammar that its markup was read by.
    pub dialect: Dialect,
    /// Its encoding, as the Encoding Standard writes it in lower case; `binary` for [`PageKind::Other`].
    pub charset: String,
    /// What told the encoding.
    pub charset_source: CharsetSource,
    /// The first `title`, white space collapsed.
    pub title: Option<String>,
    /// What its references are resolved against.
    pub base: Url,
    /// The preferred URL, by `link[rel=canonical]` or else by the Link header.
    pub canonical: Option<Url>,
    /// Where it sends its readers on.
    pub refresh: Option<Refresh>,
    /// Its links of the kinds that were asked for: those of its headers, then those of the document, in their order.
    pub links: Vec<Link>,
    /// Its visible text: a block a line, white space collapsed but in `pre`.
    pub text: String,
    /// The language of that text.
    pub language: Option<Language>,
    /// What `html[lang]` claims, as written.
    pub html_lang: Option<String>,
    /// What it asks of robots.
    pub directives: Directives,
    /// What it says of its use.
    pub terms: Terms,
    /// Bytes of the decoded body.
    pub decoded_len: u64,
    /// What is missing because a limit was reached.
    pub cut: Cut,
    /// What was wrong with it.
    pub warnings: Vec<Warning>,
}

impl Page {
    /// The start of its body as text, in the encoding that was found; nothing of [`PageKind::Other`].
    pub fn decoded<'a>(&self, body: &'a Unpacked<'_>) -> Cow<'a, str> {
        let encoding = Encoding::for_label(self.charset.as_bytes());
        let source = self.charset_source;
        encoding.map_or(Cow::Borrowed(""), |encoding| Charset { encoding, source }.decode(&body.start))
    }
}

/// What a page says of its use, beside its directives and links of `rel=license`; as written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    /// `meta[name=tdm-reservation]` (W3C TDM Reservation Protocol).
    pub tdm_reservation: Option<String>,
    /// `meta` of a name that holds a licence: `license`, `dcterms.license`, `dc.rights` …
    pub license: Option<String>,
}

/// What was cut, as a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cut(u8);

impl Cut {
    /// Nothing.
    pub const NOTHING: Self = Self(0);
    /// Decoding stopped at its cap.
    pub const DECODING: Self = Self(1);
    /// The rest of the decoded body was not scanned.
    pub const PARSING: Self = Self(2);
    /// Further links were not kept.
    pub const LINKS: Self = Self(4);
    /// Further text was not kept.
    pub const TEXT: Self = Self(8);

    /// Whether any of these was cut.
    pub const fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn add_if(&mut self, mark: Self, reached: impl Into<bool>) {
        if reached.into() {
            self.0 |= mark.0;
        }
    }

    /// The names of what was cut.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let names = [
            ("decoding", Self::DECODING),
            ("parsing", Self::PARSING),
            ("links", Self::LINKS),
            ("text", Self::TEXT),
        ];
        names.into_iter().filter(move |(_, mark)| self.has(*mark)).map(|(name, _)| name)
    }
}

/// What was wrong with a document. Displays as a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// More content-codings than are undone.
    TooManyCodings(usize),
    /// A content-coding nobody here knows; the body stays as it was, and is read if it looks like something to read.
    UnknownCoding(String),
    /// The body is not in the coding that the header names; it was taken as it is.
    NotCoded(String),
    /// The coded body is broken or ends early; what could be decoded was kept.
    BrokenCoding(String),
    /// So many characters stand in for bytes that are malformed in the document's encoding.
    Malformed(usize),
    /// A label that names no encoding; it was passed over.
    UnknownCharset {
        /// As written, bounded.
        label: String,
        /// Where it stands.
        said_by: CharsetSource,
    },
    /// An encoding was declared, and what is stronger says otherwise.
    OverruledCharset {
        /// The encoding declared in vain.
        charset: String,
        /// Where it is declared.
        said_by: CharsetSource,
        /// What is stronger.
        by: CharsetSource,
    },
    /// The encoding is declared beyond the bytes where it should be.
    LateCharset,
    /// The encoding is declared nowhere; this one was guessed from the bytes.
    GuessedCharset(String),
    /// So many bytes were read, and there are more.
    Truncated(u64),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyCodings(count) => write!(f, "{count} content-codings; none was undone"),
            Self::UnknownCoding(name) => write!(f, "unknown content-coding `{name}`"),
            Self::NotCoded(name) => write!(f, "the body is not {name}, though its header says so"),
            Self::BrokenCoding(name) => write!(f, "the {name} body is broken or ends early"),
            Self::Malformed(1) => f.write_str("1 malformed character was replaced"),
            Self::Malformed(count) => write!(f, "{count} malformed characters were replaced"),
            Self::UnknownCharset { label, said_by } => {
                write!(f, "{said_by} declares the encoding `{label}`, which nobody knows")
            }
            Self::OverruledCharset { charset, said_by, by } => {
                write!(f, "{said_by} declares {charset}; {by} says otherwise and is stronger")
            }
            Self::LateCharset => {
                write!(f, "the encoding is declared beyond the first {PRESCAN_BYTES} bytes")
            }
            Self::GuessedCharset(name) => {
                write!(f, "the encoding is declared nowhere; {name} was guessed")
            }
            Self::Truncated(read) => write!(f, "there is more than the first {read} bytes, which were read"),
        }
    }
}
