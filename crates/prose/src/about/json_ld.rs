//! JSON-LD: what schema.org's articles say.

use super::label;
use super::names::{are_names, is_name};
use crate::limits::JSON_LD_VALUES;
use serde_json::{Map, Value};
use std::collections::VecDeque;

/// What was stated, by the first object that says it; articles before anything else.
#[derive(Debug, Default)]
pub(super) struct Stated {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) date: Option<String>,
    pub(super) site: Option<String>,
    pub(super) language: Option<String>,
}

/// Reads the scripts that are JSON; their depth is bounded by `serde_json`.
pub(super) fn read(scripts: &[&str]) -> Stated {
    let mut stated = Stated::default();
    let values: Vec<Value> = scripts.iter().filter_map(|script| parse(script)).collect();
    let objects = objects(&values);
    for Found { object, .. } in objects.iter().filter(|found| found.is_article()) {
        stated.article(object);
    }
    for Found { object, .. } in objects.iter().filter(|found| found.outermost && found.is_a(&["WebPage"])) {
        stated.date = stated.date.take().or_else(|| text(object.get("datePublished")));
    }
    for Found { object, .. } in objects.iter().filter(|found| found.is_a(SITES)) {
        stated.site = stated.site.take().or_else(|| text(object.get("name")));
    }
    stated
}

/// The first value. Many wrap it as XHTML wants it, or in a comment.
fn parse(script: &str) -> Option<Value> {
    let inner = script.split_once("<![CDATA[").map_or(script, |wrapped| wrapped.1);
    let from = inner.find(['{', '['])?;
    serde_json::Deserializer::from_str(&inner[from..]).into_iter().next()?.ok()
}

/// Authors that are named.
const AUTHORS: usize = 16;

const SITES: &[&str] = &["WebSite", "Organization", "NewsMediaOrganization"];

const ARTICLES: &[&str] = &[
    "Article",
    "NewsArticle",
    "BlogPosting",
    "Report",
    "ReportageNewsArticle",
    "AnalysisNewsArticle",
    "OpinionNewsArticle",
    "LiveBlogPosting",
    "ScholarlyArticle",
    "TechArticle",
    "SocialMediaPosting",
    "Recipe",
];

/// An object that was found.
struct Found<'v> {
    object: &'v Map<String, Value>,
    /// Whether it stands by itself, or in a graph that does: it is about the page, and about no thing on it.
    outermost: bool,
    /// Whether it is one of those that a blog or a list has.
    listed: bool,
}

/// Properties whose values are pages of their own.
const LISTS: &[&str] = &["blogPost", "blogPosts", "itemListElement"];

impl Found<'_> {
    /// The reviews of a product are others' words.
    fn is_article(&self) -> bool {
        self.is_a(ARTICLES) && !self.listed || self.outermost && self.is_a(&["Review"])
    }

    fn is_a(&self, kinds: &[&str]) -> bool {
        let is = |value: &Value| value.as_str().is_some_and(|kind| kinds.contains(&bare(kind)));
        match self.object.get("@type") {
            Some(Value::Array(types)) => types.iter().any(is),
            Some(kind) => is(kind),
            None => false,
        }
    }
}

/// A type without the address of its vocabulary.
fn bare(kind: &str) -> &str {
    let address = kind.strip_prefix("https://").or_else(|| kind.strip_prefix("http://"));
    address.and_then(|address| address.strip_prefix("schema.org/")).unwrap_or(kind)
}

/// A value that has not been looked into.
#[derive(Clone, Copy)]
struct Waiting<'v> {
    value: &'v Value,
    outermost: bool,
    listed: bool,
}

/// All objects, outermost first.
fn objects(values: &[Value]) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    let mut waiting: VecDeque<Waiting<'_>> =
        values.iter().map(|value| Waiting { value, outermost: true, listed: false }).collect();
    for _ in 0..JSON_LD_VALUES {
        let Some(next) = waiting.pop_front() else { break };
        let Waiting { value, outermost, listed } = next;
        match value {
            Value::Array(values) => {
                waiting.extend(values.iter().take(JSON_LD_VALUES).map(|value| Waiting { value, ..next }));
            }
            Value::Object(object) => {
                found.push(Found { object, outermost, listed });
                let inner = object.iter().filter(|(_, value)| value.is_object() || value.is_array());
                let inner = inner.take(JSON_LD_VALUES);
                waiting.extend(inner.map(|(name, value)| Waiting {
                    value,
                    outermost: outermost && name == "@graph",
                    listed: listed || LISTS.contains(&name.as_str()),
                }));
            }
            _ => {}
        }
    }
    found
}

impl Stated {
    fn article(&mut self, object: &Map<String, Value>) {
        let take =
            |old: &mut Option<String>, name: &str| *old = old.take().or_else(|| text(object.get(name)));
        take(&mut self.title, "headline");
        take(&mut self.date, "datePublished");
        take(&mut self.site, "publisher");
        take(&mut self.language, "inLanguage");
        self.author = self.author.take().or_else(|| object.get("author").and_then(names));
    }
}

/// A text, or the name of the thing that stands there.
fn text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => label(text),
        Value::Object(thing) => thing.get("name").and_then(Value::as_str).and_then(label),
        Value::Array(values) => {
            values.first().and_then(|first| if first.is_array() { None } else { text(Some(first)) })
        }
        _ => None,
    }
}

/// The names of an author, or of several.
fn names(author: &Value) -> Option<String> {
    let Value::Array(authors) = author else {
        return text(Some(author)).filter(|names| are_names(names));
    };
    let mut names: Vec<String> = Vec::new();
    for name in authors.iter().take(AUTHORS).filter_map(|author| text(Some(author))) {
        if is_name(&name) && !names.contains(&name) {
            names.push(name);
        }
    }
    Some(names.join(", ")).filter(|names| !names.is_empty())
}
