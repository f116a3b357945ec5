use super::xml::{Name, Tag, Token, decode};
use super::{Entry, Listing, Shown, value};
use crate::limits::URL_BYTES;
use crate::text::{is_http, text_of, trim};
use stdx::WallTime;

/// Makes entries out of markup. It knows no nesting beyond "in an entry": broken documents have none to rely on.
pub(super) struct Collector<'a, 's> {
    shown: &'a mut Shown<'s>,
    dialect: Option<Dialect>,
    /// The prefix of the dialect's own elements; others (`image:loc`, `xhtml:link`) are extensions. `None` until one of them shows it.
    prefix: Option<Vec<u8>>,
    in_entry: bool,
    /// The element of the entry that speaks of something else, while it is open.
    aside: Option<&'static [u8]>,
    /// It has elements that a page begins with.
    resembles_html: bool,
    draft: Draft,
    /// The field whose text is being gathered.
    open: Option<Field>,
    gathered: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// `sitemapindex`.
    Index,
    /// `urlset`.
    UrlSet,
    /// RSS 2.0 and 1.0, Atom.
    Feed,
    /// No sitemap at all.
    Html,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Loc,
    /// The URL of an RSS item that has no link; also where `isPermaLink` says that it is none.
    Guid,
    /// What stands in an entry in front of its first element: its URL, where it has no other.
    Bare,
    Modified,
    /// A date that gives way to [`Field::Modified`].
    Published,
    Priority,
}

#[derive(Default)]
struct Draft {
    loc: Option<String>,
    guid: Option<String>,
    bare: Option<String>,
    modified: Option<String>,
    published: Option<String>,
    priority: Option<String>,
}

impl<'a, 's> Collector<'a, 's> {
    pub(super) fn new(shown: &'a mut Shown<'s>) -> Self {
        Self {
            shown,
            dialect: None,
            prefix: None,
            in_entry: false,
            aside: None,
            resembles_html: false,
            draft: Draft::default(),
            open: None,
            gathered: Vec::new(),
        }
    }

    pub(super) fn take(&mut self, token: Token<'_>) {
        if self.open == Some(Field::Bare) && matches!(token, Token::Open(_) | Token::Close(_)) {
            self.end_field();
        }
        match token {
            Token::Open(tag) => self.opened(tag),
            Token::Close(name) => self.closed(name),
            Token::Text(text) if self.open.is_some() => self.gather(&decode(text)),
            Token::Literal(text) if self.open.is_some() => self.gather(text),
            Token::Text(_) | Token::Literal(_) => {}
        }
    }

    /// Ends the entry that is open, without a field that is not closed: it is a part of one. `false` if there was no element of any
    /// known dialect.
    pub(super) fn finish(mut self) -> bool {
        self.end_entry();
        if self.dialect.is_none() {
            self.shown.totals.is_html = self.resembles_html;
        }
        self.dialect.is_some()
    }

    fn opened(&mut self, tag: Tag<'_>) {
        if self.dialect.is_none() {
            self.recognise(tag);
        }
        if self.prefix.is_none() && matches!(tag.name.local, b"channel" | b"item") {
            self.prefix = Some(tag.name.prefix.to_owned());
        }
        if !self.is_own(tag.name) {
            return;
        }
        let aside = self.leads_aside(tag.name.local).filter(|_| self.in_entry && !tag.is_empty());
        if self.is_entry(tag.name.local) {
            self.open_entry();
        } else if aside.is_some() {
            self.aside = self.aside.or(aside);
        } else if let Some(field) = self.field(tag.name.local) {
            self.open_field(field, tag);
        }
    }

    fn closed(&mut self, name: Name<'_>) {
        if !self.is_own(name) {
            return;
        }
        if self.is_entry(name.local) {
            self.end_field();
            self.end_entry();
        } else if self.aside == Some(name.local) {
            self.aside = None;
        } else if self.open.is_some() && self.field(name.local) == self.open {
            self.end_field();
        }
    }

    fn recognise(&mut self, tag: Tag<'_>) {
        let root = tag.name;
        let Some(dialect) = Dialect::of(root.local) else {
            self.resembles_html |= HTML.iter().any(|name| root.local.eq_ignore_ascii_case(name));
            return;
        };
        self.shown.totals.base = tag.attribute(b"xml:base").map(|base| text_of(&decode(base)));
        self.dialect = Some(dialect);
        if dialect == Dialect::Index {
            self.shown.totals.listing = Listing::Sitemaps;
        }
        self.shown.totals.is_html = dialect == Dialect::Html;
        // RSS 1.0: the elements have another prefix than the root, mostly none.
        self.prefix = (root.local != b"RDF").then(|| root.prefix.to_owned());
    }

    fn is_own(&self, name: Name<'_>) -> bool {
        self.prefix.as_deref().is_some_and(|prefix| prefix == name.prefix)
    }

    fn open_entry(&mut self) {
        // `<loc><url>…`: an entry inside an empty field is a slip, not an entry.
        if self.open.is_some() && trim(&self.gathered).is_empty() {
            return;
        }
        self.end_field();
        self.end_entry();
        self.in_entry = true;
        self.open = self.is_strict().then_some(Field::Bare);
    }

    fn open_field(&mut self, field: Field, tag: Tag<'_>) {
        self.end_field();
        if field == Field::Loc && self.draft.loc.is_some() && self.dialect != Some(Dialect::Feed) {
            self.end_entry();
        }
        match tag.attribute(b"href") {
            Some(href) if field == Field::Loc => self.atom_link(tag, href),
            _ => self.open = Some(field),
        }
    }

    /// An entry may be there in several forms or languages, each with a link (RFC 4287, 4.1.2): the first is its URL, the others stand by
    /// themselves.
    fn atom_link(&mut self, tag: Tag<'_>, href: &[u8]) {
        if tag.attribute(b"rel").is_some_and(|rel| !is_alternate(rel)) {
            return;
        }
        let first = self.draft.loc.take();
        self.set(Field::Loc, &text_of(&decode(href)));
        if first.is_some()
            && let Some(loc) = std::mem::replace(&mut self.draft.loc, first)
        {
            self.shown.add(Entry { loc, lastmod: None, priority: None });
        }
    }

    fn gather(&mut self, text: &[u8]) {
        // One octet too many is enough to see that it is too long.
        let room = (URL_BYTES + 1).saturating_sub(self.gathered.len());
        let text = if self.gathered.is_empty() { text.trim_ascii_start() } else { text };
        self.gathered.extend_from_slice(&text[..text.len().min(room)]);
    }

    fn end_field(&mut self) {
        let field = self.open.take();
        // What fills the room may have been cut.
        if let Some(field) = field.filter(|_| self.gathered.len() <= URL_BYTES) {
            self.set(field, &text_of(&self.gathered));
        }
        self.gathered.clear();
    }

    fn set(&mut self, field: Field, text: &str) {
        let value = value::plain(text);
        let is_legible = match field {
            Field::Loc => value::is_url(value) && (!self.is_strict() || value::is_full(value)),
            Field::Guid | Field::Bare => is_http(value.as_bytes()),
            Field::Modified | Field::Published | Field::Priority => !value.is_empty(),
        };
        if is_legible {
            self.draft.set(field, value);
        }
    }

    /// A URL of a sitemap has to be a full one; those of feeds may be relative.
    fn is_strict(&self) -> bool {
        matches!(self.dialect, Some(Dialect::Index | Dialect::UrlSet))
    }

    fn end_entry(&mut self) {
        (self.in_entry, self.aside) = (false, None);
        if let Some(entry) = std::mem::take(&mut self.draft).entry() {
            self.shown.add(entry);
        }
    }

    fn is_entry(&self, name: &[u8]) -> bool {
        match name {
            b"item" | b"entry" => true,
            // In an item it is that of its image.
            b"url" | b"sitemap" => self.dialect != Some(Dialect::Feed),
            _ => false,
        }
    }

    /// What an Atom entry says, and the feed that it was taken from (RFC 4287, 4.1.3 and 4.2.11), the image of an RSS item, or an image or a
    /// video that is in a namespace of its own without a prefix.
    fn leads_aside(&self, name: &[u8]) -> Option<&'static [u8]> {
        let names: &[&[u8]] = match self.dialect? {
            Dialect::Feed => &[b"source", b"content", b"summary", b"image"],
            Dialect::UrlSet => &[b"image", b"video"],
            Dialect::Index | Dialect::Html => &[],
        };
        names.iter().copied().find(|aside| *aside == name)
    }

    fn field(&self, name: &[u8]) -> Option<Field> {
        match self.dialect? {
            _ if self.aside.is_some() => None,
            Dialect::Index | Dialect::UrlSet => Field::of_sitemap(name),
            Dialect::Feed if self.in_entry => Field::of_feed(name),
            Dialect::Feed | Dialect::Html => None,
        }
    }
}

/// Whether a link leads to the entry itself; a relation that is registered has a long name as well (RFC 4287, 4.2.7.2).
fn is_alternate(rel: &[u8]) -> bool {
    let name = rel.strip_prefix(b"http://www.iana.org/assignments/relation/").unwrap_or(rel);
    name.eq_ignore_ascii_case(b"alternate")
}

/// What a page begins with that leaves out its root.
const HTML: [&[u8]; 6] = [b"head", b"title", b"meta", b"body", b"p", b"div"];

impl Dialect {
    fn of(root: &[u8]) -> Option<Self> {
        match root {
            b"sitemapindex" | b"sitemap" => Some(Self::Index),
            b"urlset" | b"url" => Some(Self::UrlSet),
            b"rss" | b"RDF" | b"feed" => Some(Self::Feed),
            _ if root.eq_ignore_ascii_case(b"html") => Some(Self::Html),
            _ => None,
        }
    }
}

impl Field {
    fn of_sitemap(name: &[u8]) -> Option<Self> {
        match name {
            b"loc" => Some(Self::Loc),
            b"lastmod" => Some(Self::Modified),
            b"priority" => Some(Self::Priority),
            _ => None,
        }
    }

    fn of_feed(name: &[u8]) -> Option<Self> {
        match name {
            b"link" => Some(Self::Loc),
            b"guid" => Some(Self::Guid),
            b"updated" => Some(Self::Modified),
            b"pubDate" | b"published" => Some(Self::Published),
            _ => None,
        }
    }
}

impl Draft {
    /// The first legible value of a field counts.
    fn set(&mut self, field: Field, value: &str) {
        let slot = match field {
            Field::Loc => &mut self.loc,
            Field::Guid => &mut self.guid,
            Field::Bare => &mut self.bare,
            Field::Modified => &mut self.modified,
            Field::Published => &mut self.published,
            Field::Priority => &mut self.priority,
        };
        slot.get_or_insert_with(|| value.to_owned());
    }

    fn entry(self) -> Option<Entry> {
        let lastmod = self.modified.or(self.published).and_then(|text| WallTime::parse_date(&text));
        let priority = self.priority.and_then(|text| text.parse().ok()).filter(|p| (0.0..=1.0).contains(p));
        Some(Entry { loc: self.loc.or(self.guid).or(self.bare)?, lastmod, priority })
    }
}
