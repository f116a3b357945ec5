//! What XML says otherwise than HTML: RSS and Atom.

use super::Reader;
use crate::link::LinkKind;
use crate::rel::Rel;
use markup::{Attributes, Dialect, Tag, TagSet};
use std::borrow::Cow;

/// Elements whose attributes are read beside those of HTML: the root of a feed has a name that is not listed.
pub(super) fn wanted(dialect: Dialect) -> TagSet {
    if dialect == Dialect::Xml { TagSet::of(&[Tag::Other]) } else { TagSet::of(&[]) }
}

/// An Atom link that says nothing of itself is an alternate, and a registered relation has a long name as well (RFC 4287, 4.2.7.2).
pub(super) fn rel(attributes: &Attributes<'_>) -> Rel {
    const REGISTERED: &str = "http://www.iana.org/assignments/relation/";
    let Some(rel) = attributes.get("rel") else { return Rel::ALTERNATE };
    Rel::parse(rel.strip_prefix(REGISTERED).unwrap_or(&rel))
}

impl<'a> Reader<'a, '_> {
    /// The base that the root of a feed names holds for all of it (XML Base, 4.2); those of its elements are not heard.
    pub(super) fn begin_root(&mut self, tag: Tag, attributes: &Attributes<'a>) {
        self.root = Some(tag);
        if self.is_feed() {
            self.harvest.base = attributes.get("xml:base");
        }
    }

    /// Whether this is XML, and neither XHTML nor SVG.
    pub(super) fn is_feed(&self) -> bool {
        self.dialect == Dialect::Xml && self.root == Some(Tag::Other)
    }

    /// The `link` of RSS is a full URL, written as text.
    pub(super) fn end_words(&mut self) {
        if let Some(reference) = self.words.take().filter(|words| words.contains("://")) {
            self.link(LinkKind::Alternate, Cow::Owned(reference), Rel::ALTERNATE);
        }
    }
}
