//! Bytes to meaning: what a crawler takes from one document.
//!
//! Pure, infallible, linear in time and memory, and bounded by [`Limits`] for any input whatever.
//!
//! ```text
//! body ── coding ── charset ── scan ── reader ──┬── links   (resolved, of the kinds asked for)
//!                                               ├── text    (visible, a block a line) ── language
//!                                               └── title, base, canonical, refresh, directives
//! ```
//!
//! ```
//! use page::{Document, Header, LinkKind, LinkKinds, Settings, parse};
//! use weburl::Url;
//!
//! let url = Url::parse("https://example.org/hills/")?;
//! let headers = [
//!     Header { name: "Content-Type", value: "text/html" },
//!     Header { name: "Link", value: "</hills>; rel=canonical" },
//! ];
//! let body = b"<meta charset=utf-8><title>Hills</title><p>A <a href=drumlin>drumlin</a> is a hill.<img src=/ice.jpg>";
//! let document = Document { url: &url, headers: &headers, body: &body[..] };
//!
//! let page = parse(&document, &Settings::default());
//! assert_eq!(page.title.as_deref(), Some("Hills"));
//! assert_eq!(page.text, "A drumlin is a hill.");
//! assert_eq!(page.charset, "utf-8");
//! assert_eq!(page.canonical.as_ref().map(Url::path), Some("/hills"));
//! let link = page.links.iter().find(|link| link.kind == LinkKind::Anchor).expect("there is one");
//! assert_eq!((link.url.as_str(), link.anchor.as_str()), ("https://example.org/hills/drumlin", "drumlin"));
//!
//! // What else it refers to is there for who asks.
//! let images = Settings { kinds: LinkKinds::of(&[LinkKind::Image]), ..Settings::default() };
//! assert_eq!(parse(&document, &images).links[0].url.path(), "/ice.jpg");
//! # Ok::<(), weburl::UrlError>(())
//! ```
//!
//! * [`parse()`]: all of it, [`Document`] to [`Page`]; [`parse_unpacked`]: the same behind [`Unpacked`], which takes a body
//!   that memory does not hold.
//! * [`decode_body`], [`unpack`]: content-codings, with a cap against bombs, at once and as a stream.
//! * [`charset::sniff`]: the encoding, as browsers find it.
//! * [`language::detect`]: the language of a text.
//! * [`fingerprint()`]: what a text says, so that near-equal texts can be told.
//!
//! What is in which file, in the order of the picture: `parse` does all of it, from document to `page`; `coding`, behind which a body is `unpacked`; `media` and `magic`: what kind of
//! document it is; `charset`; `headers`, with `link_header`: what is said before it; the `reader`, which brings in a `harvest`; its references, which `resolve` against the base: `link`, with
//! `rel`, `srcset` and `refresh`; `directives`; `text`, its `language`, and its `fingerprint` over `words`.

pub mod charset;
mod coding;
mod directives;
mod fingerprint;
mod harvest;
mod headers;
pub mod language;
mod limits;
mod link;
mod link_header;
mod magic;
mod media;
mod page;
mod parse;
mod reader;
mod refresh;
mod rel;
mod resolve;
mod srcset;
mod text;
mod unpacked;
mod words;

pub use charset::{Charset, CharsetSource};
pub use coding::{Decoded, Findings, Open, Unpacking, decode_body, unpack};
pub use directives::Directives;
pub use fingerprint::fingerprint;
pub use language::{Language, Reliability, iso_639_3};
pub use limits::Limits;
pub use link::{Link, LinkKind, LinkKinds, Place};
pub use media::{PageKind, declared_type, essence, page_kind};
pub use page::{Cut, Document, Header, Page, Settings, Terms, Warning};
pub use parse::{parse, parse_unpacked};
pub use refresh::Refresh;
pub use rel::Rel;
pub use unpacked::{Room, Unpacked};

#[cfg(test)]
mod tests;
