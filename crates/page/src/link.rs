use crate::rel::Rel;
use serde::{Deserialize, Serialize};
use weburl::Url;

/// One link of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, resolved against the page's base; http or https, without fragment.
    pub url: Url,
    /// What it is.
    pub kind: LinkKind,
    /// Its `rel`.
    pub rel: Rel,
    /// The text within the link, white space collapsed, bounded; empty but for [`LinkKind::Anchor`].
    pub anchor: String,
    /// The language that a `link` says its target has, as written: of translations under `rel=alternate`.
    pub hreflang: Option<String>,
    /// Where in the page it stands.
    pub place: Place,
}

impl Link {
    /// Whether a crawl follows it: it leads to a page, and stands where a reader can meet it.
    pub fn is_page_link(&self) -> bool {
        self.kind.is_page_link() && self.place != Place::Template
    }
}

/// Where a link stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// In the document.
    Document,
    /// Within `noscript`: there for a browser that runs no scripts.
    Noscript,
    /// Within `template`: not part of the document until a script makes it so.
    Template,
    /// Before the document, in the response's headers: Link or Refresh.
    Header,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal),* $(,)?) => {
        /// What a link is, by the element and the attribute that hold it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[repr(u8)]
        pub enum LinkKind { $($(#[$doc])* $kind),* }

        impl LinkKind {
            /// The name as it is written in outputs: `anchor`, `meta-refresh`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }

            /// The kind of that name.
            pub fn of_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$kind),)* _ => None }
            }
        }
    };
}

kinds! {
    /// `a[href]`.
    Anchor = "anchor",
    /// `area[href]`.
    Area = "area",
    /// `a[href]` in SVG.
    SvgAnchor = "svg-anchor",
    /// `iframe[src]`.
    Iframe = "iframe",
    /// `frame[src]`.
    Frame = "frame",
    /// `meta[http-equiv=refresh]`, or the Refresh header. Whatever is of `link` below may stand in a Link header too.
    MetaRefresh = "meta-refresh",
    /// `link[rel=alternate]` that is not a feed: a translation, a variant; in a feed, the page that it or its entry stands for.
    Alternate = "alternate",
    /// `link[rel=alternate]` of a feed's type.
    Feed = "feed",
    /// `link[rel=canonical]`.
    Canonical = "canonical",
    /// `link[rel=next]`.
    Next = "next",
    /// `link[rel=prev]`.
    Prev = "prev",
    /// `link` to a document around this one: index, contents, up, author, help, license …
    Related = "related",
    /// `link[rel=search]`.
    Search = "search",
    /// `link[rel=stylesheet]`.
    Stylesheet = "stylesheet",
    /// `link[rel=icon]` and its kin.
    Icon = "icon",
    /// `link[rel=preload]`, its `imagesrcset` too, prefetch, preconnect …
    Preload = "preload",
    /// `link[rel=manifest]`, and `html[manifest]` of old.
    Manifest = "manifest",
    /// `link` to an endpoint for programs.
    Endpoint = "endpoint",
    /// `link` of any other `rel`, or of none.
    Other = "other",
    /// `img[src]`, `img[srcset]`, `source[srcset]`, `input[src]`, `video[poster]`, `img[lowsrc]`, `background` of the
    /// body and of parts of tables, and SVG's `image[href]`, `feImage[href]`, `use[href]`.
    Image = "image",
    /// `script[src]`, SVG's `script[href]`.
    Script = "script",
    /// `video[src]`, `audio[src]`, `source[src]`, `track[src]`, `bgsound[src]`.
    Media = "media",
    /// `embed[src]`, `object[data]`.
    Embed = "embed",
    /// `form[action]`, `button[formaction]`, `input[formaction]`.
    Form = "form",
    /// `blockquote[cite]`, `q[cite]`, `ins[cite]`, `del[cite]`.
    Citation = "citation",
    /// `a[ping]`, `area[ping]`: who is told that the link was followed.
    Ping = "ping",
    /// `img[longdesc]`, `iframe[longdesc]`, `frame[longdesc]`, `head[profile]`: what describes this in words.
    Description = "description",
    /// `link[rel=edit]`, or an alternate of the type `application/x-wiki` (universaleditbutton.org): where this page is changed.
    Edit = "edit",
}

impl LinkKind {
    /// Whether it leads to a page, so that a crawl follows it.
    pub const fn is_page_link(self) -> bool {
        LinkKinds::PAGES.has(self)
    }

    /// Whether it is one of a browser's `document.links`.
    pub const fn is_hyperlink(self) -> bool {
        matches!(self, Self::Anchor | Self::Area)
    }
}

/// A set of kinds: what to collect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkKinds(u32);

impl LinkKinds {
    /// What leads to pages: a, area, iframe, frame, refresh, and `link` to documents.
    pub const PAGES: Self = Self::of(&[
        LinkKind::Anchor,
        LinkKind::Area,
        LinkKind::SvgAnchor,
        LinkKind::Iframe,
        LinkKind::Frame,
        LinkKind::MetaRefresh,
        LinkKind::Alternate,
        LinkKind::Feed,
        LinkKind::Canonical,
        LinkKind::Next,
        LinkKind::Prev,
        LinkKind::Related,
    ]);
    /// Every kind.
    pub const ALL: Self = Self(u32::MAX);

    /// The set of these kinds.
    pub const fn of(kinds: &[LinkKind]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < kinds.len() {
            bits |= 1 << kinds[i] as u8;
            i += 1;
        }
        Self(bits)
    }

    /// Both together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it holds this one.
    pub const fn has(self, kind: LinkKind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }

    /// Whether they have any kind in common.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The kind of a `link` element. A style sheet is one even as an alternate.
pub(crate) fn link_element_kind(rel: Rel, media_type: Option<&str>) -> LinkKind {
    const BY_REL: &[(Rel, LinkKind)] = &[
        (Rel::STYLESHEET, LinkKind::Stylesheet),
        (Rel::ICON, LinkKind::Icon),
        (Rel::PRELOAD, LinkKind::Preload),
        (Rel::MANIFEST, LinkKind::Manifest),
        (Rel::ENDPOINT, LinkKind::Endpoint),
        (Rel::CANONICAL, LinkKind::Canonical),
        (Rel::NEXT, LinkKind::Next),
        (Rel::PREV, LinkKind::Prev),
        (Rel::EDIT, LinkKind::Edit),
        (Rel::ALTERNATE, LinkKind::Alternate),
        (Rel::SEARCH, LinkKind::Search),
        (Rel::TREE, LinkKind::Related),
        (Rel::ABOUT, LinkKind::Related),
        (Rel::LICENSE, LinkKind::Related),
    ];
    let kind = BY_REL.iter().find(|(types, _)| rel.has(*types)).map_or(LinkKind::Other, |(_, kind)| *kind);
    if kind == LinkKind::Alternate { alternate_kind(media_type) } else { kind }
}

const FEED_TYPES: [&str; 6] = [
    "application/rss+xml",
    "application/atom+xml",
    "application/rdf+xml",
    "application/feed+json",
    "application/xml",
    "text/xml",
];

fn alternate_kind(media_type: Option<&str>) -> LinkKind {
    match media_type.map(crate::media::essence).as_deref() {
        None | Some("" | "text/html" | "application/xhtml+xml" | "text/plain") => LinkKind::Alternate,
        Some(essence) if FEED_TYPES.contains(&essence) => LinkKind::Feed,
        Some("application/x-wiki") => LinkKind::Edit,
        Some(_) => LinkKind::Endpoint,
    }
}
