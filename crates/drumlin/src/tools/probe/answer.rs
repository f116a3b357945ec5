//! One function a kind of question, each over the code that the crawler runs.

use super::question::Question;
use crate::tools::robots::{requested, seconds};
use page::{Document, Link, LinkKind, Place, Rel, Settings};
use serde_json::{Value, json};
use std::borrow::Cow;
use thiserror::Error;
use weburl::{Folding, Key, Url};

/// The largest sitemap that the protocol allows, decompressed.
const SITEMAP_BYTES: usize = 50 << 20;

/// An answer, or why there is none.
pub(super) type Answer = Result<Value, Problem>;

/// What is wrong with a question.
#[derive(Debug, Error)]
pub(super) enum Problem {
    #[error("the line is not JSON: {0}")]
    NotJson(String),
    #[error("the line is not a JSON object")]
    NotAnObject,
    #[error("`{0}` is missing")]
    Missing(&'static str),
    #[error("`{0}` is not {1}")]
    Wrong(&'static str, &'static str),
    #[error("{0}")]
    Url(#[from] weburl::UrlError),
}

pub(super) fn robots(question: &Question) -> Answer {
    let robots = robots::Robots::parse(&question.bytes("robots")?, question.text("agent")?);
    let allow = question.optional_text("url")?.map(|url| robots.verdict(&requested(url)).allowed);
    let delay = robots.crawl_delay_ms().map(seconds);
    Ok(json!({"allow": allow, "delay": delay, "sitemaps": robots.sitemaps()}))
}

pub(super) fn url(question: &Question) -> Answer {
    let href = weburl::resolve_any(question.text("input")?, question.optional_text("base")?);
    Ok(json!({"href": href}))
}

pub(super) fn normalize(question: &Question) -> Answer {
    let key = Url::parse_typed(question.text("input")?).map(|url| Key::of(&url, &Folding::ALL));
    Ok(json!({"url": key.ok()}))
}

pub(super) fn surt(question: &Question) -> Answer {
    Ok(json!({"surt": weburl::surt(question.text("input")?)}))
}

pub(super) fn psl(question: &Question) -> Answer {
    let host = question.text("host")?.to_lowercase();
    Ok(json!({"registered": weburl::registrable_domain(&host)}))
}

/// What a reader of the page can follow: hyperlinks (a, area) and the refresh.
pub(super) fn links(question: &Question) -> Answer {
    let url = Url::parse_typed(question.text("url")?)?;
    let (headers, body) = (question.headers()?, question.bytes("body")?);
    let page = page::parse(&Document { url: &url, headers: &headers, body: &body }, &Settings::default());
    let links = page.links.iter().filter(|link| is_followed(link));
    Ok(json!({"links": links.map(link).collect::<Vec<_>>()}))
}

fn is_followed(link: &Link) -> bool {
    let leads_on = link.kind.is_hyperlink() || link.kind == LinkKind::MetaRefresh;
    leads_on && link.place != Place::Template
}

fn link(link: &Link) -> Value {
    json!({"url": link.url, "nofollow": link.rel.has(Rel::NOFOLLOW)})
}

pub(super) fn encoding(question: &Question) -> Answer {
    Ok(json!({"encoding": page::charset::sniff(&question.bytes("data")?, None).name()}))
}

pub(super) fn sitemap(question: &Question) -> Answer {
    let url = Url::parse_typed(question.text("url")?)?;
    let body = question.bytes("body")?;
    let sitemap = robots::parse_sitemap(&inflated(&body));
    let base = sitemap.base.as_ref().and_then(|base| url.join(base).ok()).unwrap_or(url);
    let urls: Vec<Url> = sitemap.urls.iter().filter_map(|entry| base.join(&entry.loc).ok()).collect();
    Ok(json!({"urls": urls, "is_index": sitemap.is_index}))
}

/// `sitemap.xml.gz` is served without a content-coding, so its first bytes are asked.
fn inflated(body: &[u8]) -> Cow<'_, [u8]> {
    if !body.starts_with(&[0x1f, 0x8b]) {
        return Cow::Borrowed(body);
    }
    page::decode_body(body, Some("gzip"), SITEMAP_BYTES).bytes
}

pub(super) fn lang(question: &Question) -> Answer {
    let language = page::language::detect(question.text("text")?);
    Ok(json!({"lang": language.map(|language| language.iso_639_1)}))
}
