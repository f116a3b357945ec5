//! The links of a document as the scanner finds them, and as they stand in html5ever's tree.

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, ns, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use page::{Document, Header, LinkKind, LinkKinds, Place, Settings, parse};
use std::collections::BTreeSet;
use weburl::{Url, UrlError};

const DOCUMENT: &str = "http://site.test/dir/page";

/// Element, URL, and whether it stands in a template.
pub(crate) type Found = BTreeSet<(&'static str, String, bool)>;

pub(crate) fn scanned(html: &str) -> Found {
    let url = Url::parse(DOCUMENT).unwrap();
    let headers = [Header { name: "content-type", value: "text/html; charset=utf-8" }];
    let settings = Settings { kinds: LinkKinds::ALL, ..Settings::default() };
    let page = parse(&Document { url: &url, headers: &headers, body: html.as_bytes() }, &settings);
    let links = page
        .links
        .iter()
        .filter_map(|link| Some((element(link.kind)?, link.url.to_string(), link.place == Place::Template)));
    links.collect()
}

fn element(kind: LinkKind) -> Option<&'static str> {
    Some(match kind {
        LinkKind::Anchor => "a",
        LinkKind::SvgAnchor => "svg a",
        LinkKind::Area => "area",
        LinkKind::Iframe => "iframe",
        LinkKind::Frame => "frame",
        LinkKind::Other => "link",
        _ => return None,
    })
}

pub(crate) fn in_tree(html: &str) -> Found {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let dom = parse_document(RcDom::default(), options).one(html);
    let mut walk = Walk { base: None, references: Vec::new() };
    walk.node(&dom.document, false, false);
    let base = base(walk.base.as_deref());
    let resolved = |(element, reference, template): (_, String, _)| {
        let url = base.as_ref().map_or_else(|| Url::parse(&reference), |base| base.join(&reference));
        Some((element, url.ok()?.to_string(), template))
    };
    walk.references.into_iter().filter_map(resolved).collect()
}

/// Nothing where it is of a scheme that is not the web's (HTML 4.2.3).
fn base(href: Option<&str>) -> Option<Url> {
    let document = Url::parse(DOCUMENT).unwrap();
    match href.map(|href| document.join(href)) {
        Some(Ok(base)) => Some(base),
        Some(Err(UrlError::Scheme { scheme, .. })) if scheme != "data" && scheme != "javascript" => None,
        _ => Some(document),
    }
}

struct Walk {
    base: Option<String>,
    references: Vec<(&'static str, String, bool)>,
}

impl Walk {
    /// A base within `noscript` is passed over by choice: suites of others have it so, as a browser that runs scripts does.
    fn node(&mut self, node: &Handle, template: bool, noscript: bool) {
        let mut noscript = noscript;
        if let NodeData::Element { name, attrs, template_contents, .. } = &node.data {
            let attrs = attrs.borrow();
            // Where SVG has both, the one without a namespace counts (SVG 2, section 16.1.1).
            let value = |wanted: &str| {
                let named = || attrs.iter().filter(|attr| *attr.name.local == *wanted);
                let own = named().find(|attr| attr.name.ns == ns!());
                own.or_else(|| named().next()).map(|attr| attr.value.to_string())
            };
            if name.ns == ns!(html) {
                noscript |= &*name.local == "noscript";
                let (element, attribute) = match &*name.local {
                    "a" => ("a", "href"),
                    "area" => ("area", "href"),
                    "link" => ("link", "href"),
                    "iframe" => ("iframe", "src"),
                    "frame" => ("frame", "src"),
                    _ => ("", ""),
                };
                let is_hyperlink = matches!(element, "a" | "area");
                if let Some(reference) = value(attribute).filter(|text| is_hyperlink || !text.is_empty()) {
                    self.references.push((element, reference, template));
                }
                if &*name.local == "base" && self.base.is_none() && !template && !noscript {
                    self.base = value("href");
                }
            } else if &*name.local == "a"
                && let Some(reference) = value("href")
            {
                self.references.push(("svg a", reference, template));
            }
            if let Some(contents) = &*template_contents.borrow() {
                self.node(contents, true, noscript);
            }
        }
        for child in node.children.borrow().iter() {
            self.node(child, template, noscript);
        }
    }
}
