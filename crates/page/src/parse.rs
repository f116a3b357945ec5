use crate::charset::{self, Charset, CharsetSource, Transcript};
use crate::harvest::Harvest;
use crate::headers::Said;
use crate::language;
use crate::limits::WARNINGS;
use crate::media::{self, PageKind, page_kind};
use crate::page::{Cut, Document, Page, Settings, Terms, Warning};
use crate::reader::Reader;
use crate::resolve::Resolver;
use crate::unpacked::{Room, Unpacked};
use markup::Dialect;

/// A document behind its codings.
type Plain<'a> = Document<'a, &'a Unpacked<'a>>;

/// Reads a document: undoes its codings, finds its encoding, and takes links, text and the rest in one pass.
/// Infallible, linear in the body, bounded by `settings.limits`.
pub fn parse(document: &Document<'_>, settings: &Settings<'_>) -> Page {
    let Document { url, headers, body } = *document;
    let mut room = Room::default();
    let coding = document.list("content-encoding");
    let body = &Unpacked::of(body, coding.as_deref(), &settings.limits, &mut room);
    parse_unpacked(&Document { url, headers, body }, settings)
}

/// The same for a body whose codings are undone already.
pub fn parse_unpacked(document: &Plain<'_>, settings: &Settings<'_>) -> Page {
    let parsed = &document.body.start;
    let content_type = document.content_type();
    let kind = if is_still_coded(document.body) { PageKind::Other } else { page_kind(content_type, parsed) };
    let mut page = blank(document, kind, Said::of(document, settings));
    page.cut.add_if(Cut::PARSING, (parsed.len() as u64) < document.body.len);
    if kind != PageKind::Other {
        let charset = charset::sniff(parsed, content_type);
        page.warnings.append(&mut charset::doubts(charset, parsed, content_type));
        read(&mut page, document, settings, charset, parsed);
    }
    if page.cut.has(Cut::DECODING.with(Cut::PARSING)) {
        page.warnings.push(Warning::Truncated(parsed.len() as u64));
    }
    page.warnings.truncate(WARNINGS);
    page
}

/// As browsers do, a coding that nobody knows, or that is not there, is passed over, unless the bytes look as if there were one.
fn is_still_coded(body: &Unpacked<'_>) -> bool {
    body.findings.warnings.iter().any(|warning| match warning {
        Warning::TooManyCodings(_) => true,
        Warning::UnknownCoding(_) | Warning::NotCoded(_) => page_kind(None, &body.start) == PageKind::Other,
        _ => false,
    })
}

/// What is known before the body is read.
fn blank(document: &Plain<'_>, kind: PageKind, said: Said) -> Page {
    let Unpacked { len, findings, .. } = document.body;
    let mut cut = Cut::NOTHING;
    cut.add_if(Cut::DECODING, findings.capped);
    cut.add_if(Cut::LINKS, said.links_cut);
    Page {
        kind,
        dialect: Dialect::Html,
        charset: "binary".to_owned(),
        charset_source: CharsetSource::Default,
        title: None,
        base: document.url.clone(),
        canonical: said.canonical,
        refresh: said.refresh,
        links: said.links,
        text: String::new(),
        language: None,
        html_lang: None,
        directives: said.directives,
        terms: Terms::default(),
        decoded_len: *len,
        cut,
        warnings: findings.warnings.clone(),
    }
}

fn read(page: &mut Page, document: &Plain<'_>, settings: &Settings<'_>, charset: Charset, bytes: &[u8]) {
    let Transcript { text, replaced } = charset.transcribe(bytes);
    // The character that the end of the bytes cuts was whole.
    let cut = usize::from(page.cut.has(Cut::DECODING.with(Cut::PARSING)) && text.ends_with('\u{fffd}'));
    if replaced > cut {
        page.warnings.push(Warning::Malformed(replaced - cut));
    }
    page.charset = charset.name();
    page.charset_source = charset.source;
    let reader = Reader::new(settings);
    page.dialect = dialect(page.kind, document, &text);
    let harvest =
        if page.kind == PageKind::Text { reader.plain(&text) } else { reader.markup(&text, page.dialect) };
    harvest_into(page, document, settings, charset, harvest);
}

/// XHTML sent as XML is XML to a browser, where it is well-formed enough to say so.
fn dialect(kind: PageKind, document: &Plain<'_>, text: &str) -> Dialect {
    let is_declared = || document.content_type().is_some_and(media::is_xml);
    let says_so = || text.trim_ascii_start().starts_with("<?xml") || is_rooted_in_xhtml(text);
    if matches!(kind, PageKind::Xml | PageKind::Feed) || is_declared() && says_so() {
        Dialect::Xml
    } else {
        Dialect::Html
    }
}

/// Whether the first element is an `html` of XHTML's namespace, behind comments and a document type.
fn is_rooted_in_xhtml(text: &str) -> bool {
    let mut rest = text.trim_ascii_start();
    while let Some(declaration) = rest.strip_prefix("<!") {
        let end = if declaration.starts_with("--") { "-->" } else { ">" };
        let Some((_, behind)) = declaration.split_once(end) else { return false };
        rest = behind.trim_ascii_start();
    }
    let root = rest.strip_prefix("<html").filter(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace()));
    root.and_then(|root| root.split_once('>')).is_some_and(|(tag, _)| tag.contains(XHTML))
}

/// The namespace of XHTML.
const XHTML: &str = "http://www.w3.org/1999/xhtml";

fn harvest_into(
    page: &mut Page,
    document: &Plain<'_>,
    settings: &Settings<'_>,
    charset: Charset,
    mut harvest: Harvest<'_>,
) {
    let resolver = Resolver::new(document.url, harvest.base.as_deref(), charset.encoding);
    let from_page = || harvest.refresh.as_ref().and_then(|refresh| refresh.resolve(&resolver));
    page.refresh = page.refresh.take().or_else(from_page);
    let canonical = harvest.canonical.as_deref().and_then(|reference| resolver.resolve(reference));
    page.canonical = canonical.or_else(|| page.canonical.take());
    page.directives = page.directives.with(harvest.directives);
    page.terms = std::mem::take(&mut harvest.terms);
    harvest.resolve_into(&mut page.links, &resolver, &settings.limits);
    page.cut.add_if(Cut::LINKS, harvest.links_cut);
    page.cut.add_if(Cut::TEXT, harvest.text_cut);
    page.base = resolver.base().clone();
    page.title = harvest.title;
    page.html_lang = harvest.html_lang;
    page.language = language::detect(&harvest.text);
    page.text = harvest.text;
}
