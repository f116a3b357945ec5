//! What the head of a document says, as it is written there.

use crate::limits::{JSON_LD_BYTES, JSON_LD_SCRIPTS, METAS};
use markup::{Attributes, Tag};

/// A named value of `meta`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meta<'a> {
    pub(crate) name: &'a str,
    /// With character references still in it.
    pub(crate) content: &'a str,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Head<'a> {
    pub(crate) metas: Vec<Meta<'a>>,
    /// The first `title`, with character references still in it.
    pub(crate) title: Option<&'a str>,
    pub(crate) lang: Option<&'a str>,
    pub(crate) json_ld: Vec<&'a str>,
    /// Whether the script that is open holds JSON-LD.
    in_json_ld: bool,
}

impl<'a> Head<'a> {
    pub(crate) fn element(&mut self, tag: Tag, attributes: &Attributes<'a>) {
        match tag {
            Tag::Html => self.lang = self.lang.or_else(|| written(attributes, &["lang", "xml:lang"])),
            Tag::Meta => self.meta(attributes),
            Tag::Script => {
                let kind = written(attributes, &["type"]).unwrap_or_default();
                let essence = kind.split(';').next().unwrap_or_default();
                self.in_json_ld = essence.trim_ascii().eq_ignore_ascii_case("application/ld+json");
            }
            _ => {}
        }
    }

    /// The content of an element whose content is no markup.
    pub(crate) fn raw_text(&mut self, tag: Tag, text: &'a str) {
        match tag {
            Tag::Title => self.title = self.title.or(Some(text)),
            Tag::Script
                if self.in_json_ld && self.json_ld.len() < JSON_LD_SCRIPTS && text.len() <= JSON_LD_BYTES =>
            {
                self.json_ld.push(text);
            }
            _ => {}
        }
    }

    fn meta(&mut self, attributes: &Attributes<'a>) {
        let name = written(attributes, &["property", "name", "itemprop", "http-equiv"]);
        if let (Some(name), Some(content)) = (name, written(attributes, &["content"]))
            && self.metas.len() < METAS
        {
            self.metas.push(Meta { name, content });
        }
    }
}

/// The first of these attributes that is there.
pub(crate) fn written<'a>(attributes: &Attributes<'a>, names: &[&str]) -> Option<&'a str> {
    let value = |name: &&str| attributes.iter().find(|attribute| attribute.name.eq_ignore_ascii_case(name));
    names.iter().find_map(value).map(|attribute| attribute.written)
}
