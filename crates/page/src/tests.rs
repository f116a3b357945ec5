//! Tests of what a crawl sees of a page, and of each part by itself.

mod coding;
mod directives;
mod fingerprint;
mod hostile;
mod links;
mod text;
mod unpacking;
mod warnings;

use crate::page::{Document, Header, Settings};
use crate::{LinkKinds, Page, parse};
use weburl::Url;

const HTML: &str = "text/html; charset=utf-8";

fn page_of(content_type: &str, body: &str) -> Page {
    with_headers(&[Header { name: "content-type", value: content_type }], body)
}

fn with_headers(headers: &[Header<'_>], body: &str) -> Page {
    let url = Url::parse("http://site.test/dir/page").unwrap();
    let settings = Settings { kinds: LinkKinds::ALL, ..Settings::default() };
    parse(&Document { url: &url, headers, body: body.as_bytes() }, &settings)
}
