use crate::limits::{ENCODED_BYTES, REFERENCE_BYTES};
use encoding_rs::{EncoderResult, Encoding, UTF_8};
use std::borrow::Cow;
use std::fmt::Write;
use weburl::{Url, UrlError};

/// What references of a document are resolved against, and in which encoding their queries are written.
pub(crate) struct Resolver {
    base: Url,
    /// Whether the base is of a scheme that is not crawled: then only absolute references lead to the web.
    base_is_elsewhere: bool,
    encoding: &'static Encoding,
}

impl Resolver {
    /// `href` is that of the document's first `base` element (HTML 4.2.3, "frozen base URL").
    pub(crate) fn new(document: &Url, href: Option<&str>, encoding: &'static Encoding) -> Self {
        let encoding = encoding.output_encoding();
        let mut resolver = Self { base: document.clone(), base_is_elsewhere: false, encoding };
        match href.map(|href| resolver.join(href)) {
            Some(Ok(base)) => resolver.base = base,
            Some(Err(UrlError::Scheme { scheme, .. })) => {
                resolver.base_is_elsewhere = !matches!(scheme.as_str(), "data" | "javascript");
            }
            Some(Err(UrlError::Malformed { .. } | UrlError::TooLong { .. })) | None => {}
        }
        resolver
    }

    /// The document base URL.
    pub(crate) fn base(&self) -> &Url {
        &self.base
    }

    /// The target of a reference, where it is one that can be crawled.
    pub(crate) fn resolve(&self, reference: &str) -> Option<Url> {
        if reference.len() > REFERENCE_BYTES {
            return None;
        }
        if self.base_is_elsewhere {
            return Url::parse(reference).ok();
        }
        self.join(reference).ok()
    }

    fn join(&self, reference: &str) -> Result<Url, UrlError> {
        if self.encoding == UTF_8 || reference.is_ascii() {
            return self.base.join(reference);
        }
        self.base.join(&encode_query(reference, self.encoding))
    }
}

/// Writes the query in the document's encoding, as URL 5.2 "percent-encode after encoding" does: bytes of ASCII stay as they are, also where
/// an encoding makes part of a character of them; characters that it lacks become character references.
fn encode_query<'a>(reference: &'a str, encoding: &'static Encoding) -> Cow<'a, str> {
    let fragment = reference.find('#').unwrap_or(reference.len());
    let Some(query) = reference[..fragment].find('?') else { return Cow::Borrowed(reference) };
    let mut written = reference[..=query].to_owned();
    push_encoded(&mut written, &reference[query + 1..fragment], encoding);
    written.push_str(&reference[fragment..]);
    Cow::Owned(written)
}

fn push_encoded(written: &mut String, query: &str, encoding: &'static Encoding) {
    let mut encoder = encoding.new_encoder();
    let (mut rest, mut octets) = (query, [0; ENCODED_BYTES]);
    loop {
        let (result, read, len) = encoder.encode_from_utf8_without_replacement(rest, &mut octets, true);
        octets[..len].iter().for_each(|octet| push_octet(written, *octet));
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(c) => _ = write!(written, "%26%23{}%3B", u32::from(c)),
        }
    }
}

/// What of ASCII no query holds bare the parser encodes; a `#` it would take for the fragment's.
fn push_octet(written: &mut String, octet: u8) {
    if octet.is_ascii() && octet != b'#' {
        written.push(char::from(octet));
    } else {
        _ = write!(written, "%{octet:02X}");
    }
}
