//! The words that are shown, beside those of html5ever's tree without what HTML says is not shown.

use data_encoding::BASE64;
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, ns, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use page::{Document, Header, Settings, parse};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use weburl::Url;

fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn text(html: &str) -> String {
    let url = Url::parse("http://site.test/").unwrap();
    let headers = [Header { name: "content-type", value: "text/html; charset=utf-8" }];
    parse(&Document { url: &url, headers: &headers, body: html.as_bytes() }, &Settings::default()).text
}

fn in_tree(html: &str) -> String {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let dom = parse_document(RcDom::default(), options).one(html);
    let mut found = String::new();
    walk(&dom.document, &mut found);
    found
}

fn walk(node: &Handle, found: &mut String) {
    if let NodeData::Text { contents } = &node.data {
        found.push_str(&contents.borrow());
    }
    if is_shown(node) {
        node.children.borrow().iter().for_each(|child| walk(child, found));
    }
}

/// Elements that show no text, or none that is the page's.
const SILENT: [&str; 19] = [
    "head",
    "script",
    "style",
    "title",
    "textarea",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "select",
    "datalist",
    "video",
    "audio",
    "canvas",
    "progress",
    "meter",
    "svg",
    "annotation",
    "annotation-xml",
];

fn is_shown(node: &Handle) -> bool {
    let NodeData::Element { name, attrs, .. } = &node.data else { return true };
    let attrs = attrs.borrow();
    let value = |wanted: &str| {
        attrs.iter().find(|attr| *attr.name.local == *wanted).map(|attr| attr.value.to_string())
    };
    let is_html = name.ns == ns!(html);
    let has_frame = matches!(&*name.local, "html" | "body");
    let is_hidden = value("hidden").is_some_and(|value| value.to_lowercase() != "until-found") && !has_frame;
    let is_shut = &*name.local == "dialog" && value("open").is_none();
    let is_popover = &*name.local != "dialog" && value("popover").is_some() && !has_frame;
    !(SILENT.contains(&&*name.local) || is_html && (is_hidden || is_shut || is_popover))
}

/// Pages with their addresses.
fn saved() -> impl Iterator<Item = (String, String)> {
    let files = ["cases/html-links-real.jsonl.gz", "extract/articles.jsonl.gz", "extract/snippets.jsonl.gz"];
    files.into_iter().flat_map(testdata::lines).filter_map(|case: Value| {
        let coded = || BASE64.decode(case["html_b64"].as_str()?.as_bytes()).ok();
        let html = case["html"].as_str().map(str::to_owned).or_else(|| String::from_utf8(coded()?).ok())?;
        Some((case["url"].as_str().unwrap_or_default().to_owned(), html))
    })
}

#[test]
fn saved_pages_show_the_letters_of_their_trees() {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let may_hide = |html: &str| ["hidden", "popover", "<dialog"].iter().any(|word| html.contains(word));
    for (page, html) in saved().filter(|(_, html)| may_hide(html)) {
        assert!(letters(&text(&html)) == letters(&in_tree(&html)), "{page}");
    }
}

/// No formatting elements: where these are not ended, a tree moves what has been read.
fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "p", "div", "ul", "li", "dl", "dt", "dd", "span", "x-y", "section", "h2", "h3", "button", "dialog",
        "form", "object", "table", "td", "tr",
    ])
}

/// What stands in a table and in none of its cells is moved out of it; a form goes on around what it is ended within.
fn hides(name: &str) -> bool {
    !["form", "table", "tr", "td"].contains(&name)
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => name().prop_map(|name| format!("<{name}>")),
        2 => name().prop_filter("hides", |name| hides(name)).prop_map(|name| format!("<{name} hidden>")),
        3 => name().prop_map(|name| format!("</{name}>")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tag_soup_shows_the_words_of_its_tree(pieces in prop::collection::vec(piece(), 0..12)) {
        let pieces = pieces.iter().enumerate().map(|(nth, piece)| format!("{piece} w{nth} "));
        let html = pieces.fold("<!doctype html>".to_owned(), |html, piece| html + &piece);
        prop_assert_eq!(words(&text(&html)), words(&in_tree(&html)), "{}", html);
    }
}
