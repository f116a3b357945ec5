//! What a response says before its document: links of Link, the target of Refresh, directives of X-Robots-Tag.

use crate::directives::Directives;
use crate::limits::{HEADER_LINKS, SMALL_VALUE_BYTES};
use crate::link::{Link, LinkKind, Place, link_element_kind};
use crate::link_header::{self, HeaderLink};
use crate::page::{Document, Settings};
use crate::refresh::{self, Refresh};
use crate::rel::Rel;
use crate::resolve::Resolver;
use crate::srcset;
use crate::text::collapse;
use encoding_rs::UTF_8;
use weburl::Url;

/// What the headers brought in. References are resolved against the address of the response: RFC 8288 3.1 knows no
/// `base` element.
pub(crate) struct Said {
    pub(crate) links: Vec<Link>,
    pub(crate) canonical: Option<Url>,
    pub(crate) refresh: Option<Refresh>,
    pub(crate) directives: Directives,
    pub(crate) links_cut: bool,
}

impl Said {
    /// Reads Link and X-Robots-Tag, several of them too, and Refresh.
    pub(crate) fn of<B>(document: &Document<'_, B>, settings: &Settings<'_>) -> Self {
        let mut reading = Reading {
            resolver: Resolver::new(document.url, None, UTF_8),
            settings,
            said: Self {
                links: Vec::new(),
                canonical: None,
                refresh: None,
                directives: Directives::NONE,
                links_cut: false,
            },
        };
        for link in document.all("link").flat_map(link_header::parse) {
            reading.link(&link, document.url);
        }
        if let Some(value) = document.header("refresh") {
            reading.refresh(value);
        }
        let asked = document.all("x-robots-tag").map(|value| Directives::of_header(value, settings.agent));
        reading.said.directives = asked.fold(Directives::NONE, Directives::with);
        reading.said
    }
}

struct Reading<'s> {
    resolver: Resolver,
    settings: &'s Settings<'s>,
    said: Said,
}

impl Reading<'_> {
    fn link(&mut self, link: &HeaderLink<'_>, document: &Url) {
        if !self.is_about(document, link.anchor.as_deref()) {
            return;
        }
        let rel = link.rel.as_deref().map_or(Rel::NONE, Rel::parse);
        if rel.has(Rel::PRELOAD) {
            for reference in link.image_srcset.as_deref().map(srcset::urls).unwrap_or_default() {
                self.keep(LinkKind::Preload, self.resolver.resolve(reference), Rel::NONE);
            }
        }
        let url = self.resolver.resolve(link.reference);
        if rel.has(Rel::CANONICAL) && self.said.canonical.is_none() {
            self.said.canonical.clone_from(&url);
        }
        let before = self.said.links.len();
        self.keep(link_element_kind(rel, link.media_type.as_deref()), url, rel);
        if let Some(kept) = self.said.links.get_mut(before) {
            kept.hreflang = link.hreflang.as_deref().map(|lang| collapse(lang, SMALL_VALUE_BYTES));
        }
    }

    /// A link with an anchor elsewhere says nothing of this document.
    fn is_about(&self, document: &Url, anchor: Option<&str>) -> bool {
        anchor.is_none_or(|anchor| self.resolver.resolve(anchor).as_ref() == Some(document))
    }

    fn refresh(&mut self, value: &str) {
        let Some(value) = refresh::parse(value) else { return };
        let Some(url) = value.reference.and_then(|reference| self.resolver.resolve(reference)) else {
            return;
        };
        self.keep(LinkKind::MetaRefresh, Some(url.clone()), Rel::NONE);
        self.said.refresh = Some(Refresh { delay_ms: value.delay_ms, url });
    }

    fn keep(&mut self, kind: LinkKind, url: Option<Url>, rel: Rel) {
        let Some(url) = url.filter(|_| self.settings.kinds.has(kind)) else { return };
        if self.said.links.len() >= HEADER_LINKS {
            self.said.links_cut = true;
            return;
        }
        let (anchor, hreflang) = (String::new(), None);
        self.said.links.push(Link { url, kind, rel, anchor, hreflang, place: Place::Header });
    }
}
