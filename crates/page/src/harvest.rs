use crate::directives::Directives;
use crate::limits::{Limits, SMALL_VALUE_BYTES};
use crate::link::{Link, LinkKind, Place};
use crate::page::Terms;
use crate::refresh::Refresh;
use crate::rel::Rel;
use crate::resolve::Resolver;
use crate::text::collapse;
use std::borrow::Cow;
use std::ops::Range;

/// What one pass over a document brought in, references not yet resolved: a `base` may come after them.
pub(crate) struct Harvest<'a> {
    pub(crate) base: Option<Cow<'a, str>>,
    pub(crate) candidates: Vec<Candidate<'a>>,
    pub(crate) refresh: Option<PendingRefresh<'a>>,
    pub(crate) canonical: Option<Cow<'a, str>>,
    pub(crate) title: Option<String>,
    pub(crate) html_lang: Option<String>,
    pub(crate) directives: Directives,
    pub(crate) terms: Terms,
    pub(crate) text: String,
    pub(crate) links_cut: bool,
    pub(crate) text_cut: bool,
}

/// What of a harvest is of the head: so many candidates, and which of these had been found.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each says of one field whether it was there")]
pub(crate) struct HeadOnly {
    candidates: usize,
    base: bool,
    refresh: bool,
    canonical: bool,
    title: bool,
}

/// A link as written.
pub(crate) struct Candidate<'a> {
    pub(crate) reference: Cow<'a, str>,
    pub(crate) kind: LinkKind,
    pub(crate) rel: Rel,
    pub(crate) hreflang: Option<Cow<'a, str>>,
    pub(crate) place: Place,
    /// Where in the visible text its own text stands.
    pub(crate) anchor: Range<usize>,
}

/// A refresh as written.
pub(crate) struct PendingRefresh<'a> {
    pub(crate) delay_ms: u64,
    pub(crate) reference: Cow<'a, str>,
}

impl PendingRefresh<'_> {
    pub(crate) fn resolve(&self, resolver: &Resolver) -> Option<Refresh> {
        let url = resolver.resolve(&self.reference)?;
        Some(Refresh { delay_ms: self.delay_ms, url })
    }
}

impl Harvest<'_> {
    /// Marks what there is so far.
    pub(crate) fn head_only(&self) -> HeadOnly {
        HeadOnly {
            candidates: self.candidates.len(),
            base: self.base.is_some(),
            refresh: self.refresh.is_some(),
            canonical: self.canonical.is_some(),
            title: self.title.is_some(),
        }
    }

    /// Keeps what there was then.
    pub(crate) fn keep(&mut self, head: HeadOnly) {
        self.candidates.truncate(head.candidates);
        self.base = self.base.take().filter(|_| head.base);
        self.refresh = self.refresh.take().filter(|_| head.refresh);
        self.canonical = self.canonical.take().filter(|_| head.canonical);
        self.title = self.title.take().filter(|_| head.title);
    }

    /// Adds the links that lead to the web, in document order, until their URLs reach `limits.link_bytes`. What leads nowhere counts
    /// as if it stood behind the base: it may be too long, and that took as much to find out.
    pub(crate) fn resolve_into(&mut self, links: &mut Vec<Link>, resolver: &Resolver, limits: &Limits) {
        links.reserve_exact(self.candidates.len());
        let mut room = limits.link_bytes;
        for candidate in &self.candidates {
            let url = resolver.resolve(&candidate.reference);
            let nowhere = || resolver.base().as_str().len() + candidate.reference.len();
            let Some(left) = room.checked_sub(url.as_ref().map_or_else(nowhere, |url| url.as_str().len()))
            else {
                self.links_cut = true;
                break;
            };
            room = left;
            let Some(url) = url else { continue };
            let anchor = collapse(&self.text[candidate.anchor.clone()], limits.anchor_bytes);
            links.push(Link {
                url,
                kind: candidate.kind,
                rel: candidate.rel,
                anchor,
                hreflang: candidate.hreflang.as_deref().map(|lang| collapse(lang, SMALL_VALUE_BYTES)),
                place: candidate.place,
            });
        }
    }
}
