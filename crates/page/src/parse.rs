use crate::charset::{self, Charset, CharsetSource};
use crate::coding::Findings;
use crate::directives::Directives;
use crate::harvest::Harvest;
use crate::limits::WARNINGS;
use crate::media::{PageKind, page_kind};
use crate::page::{Cut, Document, Page, Settings, Terms, Warning};
use crate::reader::Reader;
use crate::refresh::{self, Refresh};
use crate::resolve::Resolver;
use crate::unpacked::Unpacked;
use crate::{language, link_header};
use encoding_rs::UTF_8;
use markup::Dialect;

/// A document behind its codings.
type Plain<'a> = Document<'a, &'a Unpacked<'a>>;

/// Reads a document: undoes its codings, finds its encoding, and takes links, text and the rest in one pass.
/// Infallible, linear in the body, bounded by `settings.limits`.
pub fn parse(document: &Document<'_>, settings: &Settings) -> Page {
    let Document { url, headers, body } = *document;
    let body = &Unpacked::of(body, document.header("content-encoding"), &settings.limits);
    parse_unpacked(&Document { url, headers, body }, settings)
}

/// The same for a body whose codings are undone already.
pub fn parse_unpacked(document: &Plain<'_>, settings: &Settings) -> Page {
    let parsed = &document.body.start;
    let content_type = document.header("content-type");
    let is_coded = is_still_coded(&document.body.findings);
    let kind = if is_coded { PageKind::Other } else { page_kind(content_type, parsed) };
    let mut page = blank(document, kind);
    page.cut.add_if(Cut::PARSING, (parsed.len() as u64) < document.body.len);
    if kind != PageKind::Other {
        let charset = charset::sniff(parsed, content_type);
        read(&mut page, document, settings, charset, parsed);
    }
    page.warnings.truncate(WARNINGS);
    page
}

fn is_still_coded(findings: &Findings) -> bool {
    findings.warnings.iter().any(|w| matches!(w, Warning::TooManyCodings(_) | Warning::UnknownCoding(_)))
}

fn blank(document: &Plain<'_>, kind: PageKind) -> Page {
    let Unpacked { len, digest, findings, .. } = document.body;
    let mut cut = Cut::NOTHING;
    cut.add_if(Cut::DECODING, findings.capped);
    Page {
        kind,
        charset: "binary".to_owned(),
        charset_source: CharsetSource::Default,
        title: None,
        base: document.url.clone(),
        canonical: None,
        refresh: None,
        links: Vec::new(),
        text: String::new(),
        language: None,
        html_lang: None,
        directives: document
            .all("x-robots-tag")
            .map(Directives::of_header)
            .fold(Directives::NONE, Directives::with),
        terms: Terms::default(),
        digest: *digest,
        decoded_len: *len,
        cut,
        warnings: findings.warnings.clone(),
    }
}

fn read(page: &mut Page, document: &Plain<'_>, settings: &Settings, charset: Charset, bytes: &[u8]) {
    let text = charset.decode(bytes);
    if charset.encoding == UTF_8 && matches!(text, std::borrow::Cow::Owned(_)) {
        page.warnings.push(Warning::Malformed);
    }
    page.charset = charset.name();
    page.charset_source = charset.source;
    let reader = Reader::new(settings);
    let harvest = match page.kind {
        PageKind::Text => reader.plain(&text),
        PageKind::Xml => reader.markup(&text, Dialect::Xml),
        PageKind::Html | PageKind::Other => reader.markup(&text, html_dialect(document, &text)),
    };
    harvest_into(page, document, settings, charset, harvest);
}

/// XHTML sent as XML is XML to a browser, where it is well-formed enough to say so.
fn html_dialect(document: &Plain<'_>, text: &str) -> Dialect {
    let essence = document.header("content-type").map(crate::media::essence).unwrap_or_default();
    let is_xml = essence.ends_with("xml") && text.trim_ascii_start().starts_with("<?xml");
    if is_xml { Dialect::Xml } else { Dialect::Html }
}

fn harvest_into(
    page: &mut Page,
    document: &Plain<'_>,
    settings: &Settings,
    charset: Charset,
    mut harvest: Harvest<'_>,
) {
    let resolver = Resolver::new(document.url, harvest.base.as_deref(), charset.encoding);
    let from_page = || harvest.refresh.as_ref().and_then(|refresh| refresh.resolve(&resolver));
    page.refresh =
        document.header("refresh").and_then(|value| header_refresh(value, document)).or_else(from_page);
    page.canonical = harvest.canonical.as_deref().and_then(|reference| resolver.resolve(reference));
    if page.canonical.is_none() {
        let header = document.all("link").find_map(link_header::canonical);
        page.canonical = header.and_then(|reference| document.url.join(reference).ok());
    }
    page.directives = page.directives.with(harvest.directives);
    page.terms = std::mem::take(&mut harvest.terms);
    page.links = harvest.links(&resolver, &settings.limits);
    page.cut.add_if(Cut::LINKS, harvest.links_cut);
    page.cut.add_if(Cut::TEXT, harvest.text_cut);
    page.base = resolver.base().clone();
    page.title = harvest.title;
    page.html_lang = harvest.html_lang;
    page.language = language::detect(&harvest.text);
    page.text = harvest.text;
}

fn header_refresh(value: &str, document: &Plain<'_>) -> Option<Refresh> {
    let value = refresh::parse(value)?;
    let url = document.url.join(value.reference?).ok()?;
    Some(Refresh { delay_ms: value.delay_ms, url })
}
