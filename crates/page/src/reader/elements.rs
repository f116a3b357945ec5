use super::{Reader, feeds};
use crate::directives::{self, Directives};
use crate::limits::{LICENSE_BYTES, PINGS, SMALL_VALUE_BYTES};
use crate::link::{LinkKind, LinkKinds, Place, link_element_kind};
use crate::rel::Rel;
use crate::srcset;
use crate::text::collapse;
use markup::{Attributes, Open, Tag, TagSet};
use std::borrow::Cow;

/// Names of `meta` elements that hold a licence.
const LICENSE_METAS: [&str; 6] =
    ["license", "dcterms.license", "dc.license", "dcterms.rights", "dc.rights", "copyright"];

/// Start tags after which a `frameset` is ignored (HTML 13.2.6.4.7).
pub(super) const ENDS_FRAMESET_OK: TagSet = TagSet::of(&[
    Tag::Body,
    Tag::Pre,
    Tag::Listing,
    Tag::Li,
    Tag::Dd,
    Tag::Dt,
    Tag::Button,
    Tag::Applet,
    Tag::Marquee,
    Tag::Object,
    Tag::Table,
    Tag::Area,
    Tag::Br,
    Tag::Embed,
    Tag::Img,
    Tag::Image,
    Tag::Keygen,
    Tag::Wbr,
    Tag::Input,
    Tag::Hr,
    Tag::Textarea,
    Tag::Xmp,
    Tag::Iframe,
    Tag::Select,
    Tag::Template,
]);

/// Elements of HTML that change nothing here, and are many.
pub(super) const INERT: TagSet = TagSet::of(&[
    Tag::Span,
    Tag::B,
    Tag::I,
    Tag::Em,
    Tag::Strong,
    Tag::Small,
    Tag::Font,
    Tag::S,
    Tag::U,
    Tag::Sub,
    Tag::Sup,
    Tag::Time,
    Tag::Label,
    Tag::Other,
]);

const PAGE_ELEMENTS: TagSet = TagSet::of(&[
    Tag::A,
    Tag::Area,
    Tag::Base,
    Tag::Frame,
    Tag::Html,
    Tag::Iframe,
    Tag::Link,
    Tag::Meta,
    Tag::Template,
]);

/// Elements that once had a background of their own.
const BACKGROUNDS: TagSet =
    TagSet::of(&[Tag::Body, Tag::Table, Tag::Tbody, Tag::Td, Tag::Tfoot, Tag::Th, Tag::Thead, Tag::Tr]);

const RESOURCE_ELEMENTS: TagSet = BACKGROUNDS.with(TagSet::of(&[
    Tag::Audio,
    Tag::Bgsound,
    Tag::Blockquote,
    Tag::Button,
    Tag::Del,
    Tag::Embed,
    Tag::FeImage,
    Tag::Form,
    Tag::Head,
    Tag::Image,
    Tag::Img,
    Tag::Input,
    Tag::Ins,
    Tag::Object,
    Tag::Q,
    Tag::Script,
    Tag::Source,
    Tag::Track,
    Tag::Use,
    Tag::Video,
]));

const RESOURCES: LinkKinds = LinkKinds::of(&[
    LinkKind::Image,
    LinkKind::Script,
    LinkKind::Media,
    LinkKind::Embed,
    LinkKind::Form,
    LinkKind::Citation,
    LinkKind::Description,
]);

/// The elements whose attributes are read: a crawl does not pay for resources it does not collect.
pub(super) fn wanted(kinds: LinkKinds) -> TagSet {
    if kinds.meets(RESOURCES) { PAGE_ELEMENTS.with(RESOURCE_ELEMENTS) } else { PAGE_ELEMENTS }
}

/// Those at which anything is done.
pub(super) fn acting(kinds: LinkKinds) -> TagSet {
    wanted(kinds).with(TagSet::of(&[Tag::Frameset, Tag::Title]))
}

impl<'a> Reader<'a, '_> {
    pub(super) fn element(&mut self, open: Open, attributes: &Attributes<'a>) {
        match open.tag {
            Tag::A => self.anchor(open, attributes),
            Tag::Area => {
                self.reference(LinkKind::Area, "href", attributes);
                self.pings(attributes);
            }
            Tag::Iframe => self.frame(LinkKind::Iframe, attributes),
            Tag::Frameset => self.begin_frameset(),
            Tag::Link => self.link_element(attributes),
            Tag::Base => self.base(attributes),
            Tag::Meta => self.meta(attributes),
            Tag::Title => self.begin_title(open),
            Tag::Html => {
                self.html_lang(attributes);
                self.reference(LinkKind::Manifest, "manifest", attributes);
            }
            tag if self.settings.kinds.meets(RESOURCES) => self.resource(tag, attributes),
            _ => {}
        }
    }

    /// An element of SVG or `MathML`: SVG has links too.
    pub(super) fn foreign_element(&mut self, open: Open, attributes: &Attributes<'a>) {
        let kind = match open.tag {
            Tag::A => LinkKind::SvgAnchor,
            Tag::Image | Tag::FeImage | Tag::Use => LinkKind::Image,
            Tag::Script => LinkKind::Script,
            _ => return,
        };
        if let Some(reference) = attributes.get("href").or_else(|| attributes.get("xlink:href")) {
            self.link(kind, reference, rel(attributes));
        }
    }

    fn anchor(&mut self, open: Open, attributes: &Attributes<'a>) {
        self.end_anchor();
        let before = self.harvest.candidates.len();
        self.reference(LinkKind::Anchor, "href", attributes);
        if !open.empty && self.harvest.candidates.len() > before {
            self.anchor = Some(before);
        }
        self.pings(attributes);
    }

    fn pings(&mut self, attributes: &Attributes<'a>) {
        if !self.settings.kinds.has(LinkKind::Ping) {
            return;
        }
        let Some(addresses) = attributes.get("ping") else { return };
        for address in addresses.split_ascii_whitespace().take(PINGS) {
            self.link(LinkKind::Ping, Cow::Owned(address.to_owned()), Rel::NONE);
        }
    }

    pub(super) fn frame(&mut self, kind: LinkKind, attributes: &Attributes<'a>) {
        self.reference(kind, "src", attributes);
        self.reference(LinkKind::Description, "longdesc", attributes);
    }

    /// An empty one refers to nothing, but for what one clicks at.
    fn reference(&mut self, kind: LinkKind, name: &str, attributes: &Attributes<'a>) {
        let reference = attributes.get(name);
        if let Some(reference) = reference.filter(|text| kind.is_hyperlink() || !text.is_empty()) {
            self.link(kind, reference, rel(attributes));
        }
    }

    fn link_element(&mut self, attributes: &Attributes<'a>) {
        self.end_words();
        let rel = if self.is_feed() { feeds::rel(attributes) } else { rel(attributes) };
        if rel.has(Rel::PRELOAD) {
            self.srcset(LinkKind::Preload, "imagesrcset", attributes);
        }
        let Some(reference) = attributes.get("href").filter(|text| !text.is_empty()) else { return };
        let kind = link_element_kind(rel, attributes.get("type").as_deref());
        if rel.has(Rel::CANONICAL) && self.harvest.canonical.is_none() && self.place() == Place::Document {
            self.harvest.canonical = Some(reference.clone());
        }
        let before = self.harvest.candidates.len();
        self.link(kind, reference, rel);
        if let Some(link) = self.harvest.candidates.get_mut(before) {
            link.hreflang = attributes.get("hreflang");
        }
    }

    /// Not within `noscript`: to a browser that runs scripts it is not there, and nobody honest says it to the others alone.
    fn base(&mut self, attributes: &Attributes<'a>) {
        if self.harvest.base.is_none() && self.place() == Place::Document {
            self.harvest.base = attributes.get("href");
        }
    }

    fn meta(&mut self, attributes: &Attributes<'a>) {
        let Some(content) = attributes.get("content") else { return };
        let pragma = attributes.get("http-equiv");
        if pragma.is_some_and(|pragma| pragma.eq_ignore_ascii_case("refresh")) {
            self.refresh(&content);
        } else if let Some(name) = attributes.get("name") {
            self.named_meta(name.trim_ascii(), &content);
        }
    }

    fn named_meta(&mut self, name: &str, content: &str) {
        let terms = &mut self.harvest.terms;
        if directives::is_robots_meta(name, self.settings.agent) && !self.regions.in_template() {
            self.harvest.directives = self.harvest.directives.with(Directives::of_meta(content));
        } else if name.eq_ignore_ascii_case("tdm-reservation") {
            terms.tdm_reservation.get_or_insert_with(|| collapse(content, SMALL_VALUE_BYTES));
        } else if LICENSE_METAS.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            terms.license.get_or_insert_with(|| collapse(content, LICENSE_BYTES));
        }
    }

    fn resource(&mut self, tag: Tag, attributes: &Attributes<'a>) {
        match tag {
            Tag::Img | Tag::Image => {
                self.reference(LinkKind::Image, "src", attributes);
                self.srcset(LinkKind::Image, "srcset", attributes);
                self.reference(LinkKind::Image, "lowsrc", attributes);
                self.reference(LinkKind::Description, "longdesc", attributes);
            }
            Tag::Source => {
                self.reference(LinkKind::Media, "src", attributes);
                self.srcset(LinkKind::Image, "srcset", attributes);
            }
            Tag::Video => {
                self.reference(LinkKind::Media, "src", attributes);
                self.reference(LinkKind::Image, "poster", attributes);
            }
            Tag::Audio | Tag::Track | Tag::Bgsound => self.reference(LinkKind::Media, "src", attributes),
            Tag::Script => self.reference(LinkKind::Script, "src", attributes),
            Tag::Embed => self.reference(LinkKind::Embed, "src", attributes),
            Tag::Object => self.reference(LinkKind::Embed, "data", attributes),
            Tag::Form => self.reference(LinkKind::Form, "action", attributes),
            Tag::Button => self.reference(LinkKind::Form, "formaction", attributes),
            Tag::Input => {
                self.reference(LinkKind::Image, "src", attributes);
                self.reference(LinkKind::Form, "formaction", attributes);
            }
            Tag::Blockquote | Tag::Q | Tag::Ins | Tag::Del => {
                self.reference(LinkKind::Citation, "cite", attributes);
            }
            Tag::Head => self.reference(LinkKind::Description, "profile", attributes),
            tag if BACKGROUNDS.has(tag) => self.reference(LinkKind::Image, "background", attributes),
            _ => {}
        }
    }

    fn srcset(&mut self, kind: LinkKind, name: &str, attributes: &Attributes<'a>) {
        if let Some(value) = attributes.get(name) {
            for url in srcset::urls(&value) {
                self.link(kind, Cow::Owned(url.to_owned()), Rel::NONE);
            }
        }
    }
}

pub(super) fn rel(attributes: &Attributes<'_>) -> Rel {
    attributes.get("rel").map_or(Rel::NONE, |value| Rel::parse(&value))
}
