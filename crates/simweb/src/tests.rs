mod bytes;
mod checker;
mod client;
mod composition;
mod graph;
mod hostile;
mod names;
mod scale;
mod server;
mod truth;

use crate::{Conditions, Method, Request, Scheme, Web, WebConfig};

fn small() -> Web {
    Web::new(WebConfig::small(7, 2_000))
}

fn get<'a>(host: &'a str, target: &'a str, scheme: Scheme) -> Request<'a> {
    Request { scheme, host, target, method: Method::Get, conditions: Conditions::default(), time_ms: 0 }
}

/// Every HTTP(S) URL in the `href` attributes of anchors and links, resolved by the `url` crate.
fn hrefs(page_url: &str, html: &[u8]) -> Vec<String> {
    let text: String = html.iter().map(|byte| char::from(*byte)).collect();
    let text = without(&without(&text, "<!--", "-->"), "<script", "</script>");
    let mut base = url::Url::parse(page_url).unwrap();
    let mut found = Vec::new();
    for tag in text.split('<').filter_map(|piece| piece.split_once(|c: char| c.is_whitespace())) {
        let Some(value) = attribute(tag.1) else { continue };
        match tag.0.to_ascii_lowercase().as_str() {
            "base" => base = url::Url::parse(&value).unwrap(),
            "a" | "link" => found.extend(resolve(&base, &value)),
            _ => {}
        }
    }
    found
}

fn resolve(base: &url::Url, value: &str) -> Option<String> {
    let mut url = base.join(&value.replace("&amp;", "&")).unwrap();
    url.set_fragment(None);
    let own = value == "#top" || !url.scheme().starts_with("http");
    (!own).then(|| url.to_string())
}

fn attribute(tag: &str) -> Option<String> {
    let at = tag.to_ascii_lowercase().find("href")?;
    let value = tag[at + 4..].trim_start().strip_prefix('=')?.trim_start();
    let value = match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split(quote).next()?,
        _ => value.split(|c: char| c.is_whitespace() || c == '>').next()?,
    };
    Some(value.trim().to_owned())
}

fn without(text: &str, open: &str, close: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        out.push_str(before);
        rest = after.split_once(close).map_or("", |(_, rest)| rest);
    }
    out + rest
}
