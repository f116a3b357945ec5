//! The parts of a page that refer to others, as they are written in it.

use crate::captures::{fields_of, headers, limits};
use crate::limits::{LINKS, TEXT_BYTES};
use markup::{Attributes, Dialect, Open, Scanner, Tag, TagSet, Token, reference};
use page::{Document, LinkKinds, PageKind, Room, Settings, Unpacked};
use serde_json::{Map, Value, json};
use warc::{HttpMessage, Record};
use weburl::Url;

/// What the page in a response refers to, as far as it is parsed; nothing where it is none.
pub(super) fn of(record: &Record, parsed_bytes: usize) -> Option<Value> {
    let url = Url::parse(record.target_uri()?).ok()?;
    let http = HttpMessage::split(&record.block);
    let fields = fields_of(http);
    let headers = headers(&fields);
    let settings =
        Settings { kinds: LinkKinds::of(&[]), limits: limits(parsed_bytes), ..Settings::default() };
    let document = Document { url: &url, headers: &headers, body: http.payload };
    let mut room = Room::default();
    let coding = document.list("content-encoding");
    let body = &Unpacked::of(http.payload, coding.as_deref(), &settings.limits, &mut room);
    let page = page::parse_unpacked(&Document { url: &url, headers: &headers, body }, &settings);
    let is_page = page.kind == PageKind::Html && !http.payload.is_empty();
    is_page.then(|| Reading::default().read(&page.decoded(body), page.title.as_deref()))
}

/// Elements and the attribute of each that refers to something.
const REFERENCES: [Reference; 25] = [
    Reference(Tag::A, "A@/href", "href"),
    Reference(Tag::Area, "AREA@/href", "href"),
    Reference(Tag::Img, "IMG@/src", "src"),
    Reference(Tag::Img, "IMG@/srcset", "srcset"),
    Reference(Tag::Iframe, "IFRAME@/src", "src"),
    Reference(Tag::Frame, "FRAME@/src", "src"),
    Reference(Tag::Embed, "EMBED@/src", "src"),
    Reference(Tag::Object, "OBJECT@/data", "data"),
    Reference(Tag::Video, "VIDEO@/src", "src"),
    Reference(Tag::Video, "VIDEO@/poster", "poster"),
    Reference(Tag::Audio, "AUDIO@/src", "src"),
    Reference(Tag::Source, "SOURCE@/src", "src"),
    Reference(Tag::Source, "SOURCE@/srcset", "srcset"),
    Reference(Tag::Track, "TRACK@/src", "src"),
    Reference(Tag::Form, "FORM@/action", "action"),
    Reference(Tag::Input, "INPUT@/src", "src"),
    Reference(Tag::Input, "INPUT@/formaction", "formaction"),
    Reference(Tag::Button, "BUTTON@/formaction", "formaction"),
    Reference(Tag::Blockquote, "BLOCKQUOTE@/cite", "cite"),
    Reference(Tag::Q, "Q@/cite", "cite"),
    Reference(Tag::Ins, "INS@/cite", "cite"),
    Reference(Tag::Del, "DEL@/cite", "cite"),
    Reference(Tag::Body, "BODY@/background", "background"),
    Reference(Tag::Table, "TABLE@/background", "background"),
    Reference(Tag::Td, "TD@/background", "background"),
];

/// An element, how WAT calls the attribute, and its name.
struct Reference(Tag, &'static str, &'static str);

/// Attributes that are told with a reference.
const BESIDE: [&str; 8] = ["rel", "type", "hreflang", "target", "title", "alt", "method", "media"];
const META: [&str; 5] = ["name", "property", "http-equiv", "charset", "content"];

#[derive(Default)]
struct Reading {
    metas: Vec<Value>,
    head_links: Vec<Value>,
    scripts: Vec<Value>,
    links: Vec<Value>,
    base: Option<String>,
    is_in_body: bool,
    /// The anchor that is open, and its text so far.
    anchor: Option<usize>,
    text: String,
}

impl Reading {
    fn read(mut self, html: &str, title: Option<&str>) -> Value {
        let mut scanner = Scanner::new(html, Dialect::Html, TagSet::ALL);
        while let Some(token) = scanner.next_token() {
            match token {
                Token::Text(text) if self.anchor.is_some() => self.text(&reference::in_text(text)),
                Token::Open(open) => self.open(open, scanner.attributes()),
                Token::Close(close) => self.close(close.tag),
                Token::Text(_) | Token::Raw(_) => {}
            }
        }
        self.end_anchor();
        self.finish(title)
    }

    fn open(&mut self, open: Open, attributes: &Attributes<'_>) {
        match open.tag {
            _ if open.foreign || self.count() >= LINKS => return,
            Tag::Body => self.is_in_body = true,
            Tag::Base if self.base.is_none() => {
                self.base = attributes.get("href").map(std::borrow::Cow::into_owned);
            }
            Tag::Meta => self.metas.extend(told(attributes, &META)),
            Tag::Link => self.head_links.extend(referring("LINK@/href", "href", attributes)),
            Tag::Script => {
                let script = referring("SCRIPT@/src", "src", attributes);
                if self.is_in_body { self.links.extend(script) } else { self.scripts.extend(script) }
            }
            Tag::A => self.end_anchor(),
            _ => {}
        }
        for Reference(_, path, name) in REFERENCES.iter().filter(|reference| reference.0 == open.tag) {
            self.links.extend(referring(path, name, attributes));
        }
        if open.tag == Tag::A && attributes.has("href") {
            self.anchor = self.links.len().checked_sub(1);
        }
    }

    fn close(&mut self, tag: Tag) {
        match tag {
            Tag::Head => self.is_in_body = true,
            Tag::A => self.end_anchor(),
            _ => {}
        }
    }

    /// White space collapsed, and so many bytes of it.
    fn text(&mut self, text: &str) {
        let starts_apart = text.starts_with(|c: char| c.is_ascii_whitespace());
        let ends_apart = text.ends_with(|c: char| c.is_ascii_whitespace());
        for (word, nth) in text.split_ascii_whitespace().zip(0..) {
            if self.text.len() + word.len() >= TEXT_BYTES {
                return;
            }
            if (nth > 0 || starts_apart) && !self.text.is_empty() && !self.text.ends_with(' ') {
                self.text.push(' ');
            }
            self.text.push_str(word);
        }
        if ends_apart && !self.text.is_empty() && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    fn end_anchor(&mut self) {
        let text = std::mem::take(&mut self.text);
        if let Some(link) = self.anchor.take().filter(|_| !text.is_empty()) {
            self.links[link]["text"] = text.trim_end().into();
        }
    }

    fn count(&self) -> usize {
        self.metas.len() + self.head_links.len() + self.scripts.len() + self.links.len()
    }

    fn finish(self, title: Option<&str>) -> Value {
        let mut head = Map::new();
        if let Some(title) = title {
            head.insert("Title".to_owned(), title.into());
        }
        head.extend(self.base.map(|base| ("Base".to_owned(), base.into())));
        for (name, list) in [("Metas", self.metas), ("Link", self.head_links), ("Scripts", self.scripts)] {
            if !list.is_empty() {
                head.insert(name.to_owned(), list.into());
            }
        }
        json!({ "Head": head, "Links": self.links })
    }
}

/// Where an element refers to, and what it says of that.
fn referring(path: &str, name: &str, attributes: &Attributes<'_>) -> Option<Value> {
    let url = attributes.get(name)?;
    let mut said = json!({ "path": path, "url": url });
    let beside = told(attributes, &BESIDE).unwrap_or_default();
    said.as_object_mut()?.extend(beside.as_object().cloned().unwrap_or_default());
    Some(said)
}

/// Those of the attributes that are there.
fn told(attributes: &Attributes<'_>, names: &[&str]) -> Option<Value> {
    let present = names.iter().filter_map(|name| Some(((*name).to_owned(), attributes.get(name)?.into())));
    let object: Map<String, Value> = present.collect();
    (!object.is_empty()).then(|| object.into())
}
