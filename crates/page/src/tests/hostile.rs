//! Input that its author meant badly. That each of these ends at all within a test run is the proof that no
//! step is worse than linear: every one is megabytes long.

use super::coding::gzip;
use super::{HTML, page_of};
use crate::{Cut, Document, Header, Limits, Settings, parse};
use proptest::prelude::*;
use weburl::Url;

const SIZE: usize = 2 << 20;

#[test]
fn repetition_of_any_construct_is_linear() {
    for unit in [
        "<div>",
        "</div>",
        "<a href=x>",
        "<a href='x' ",
        "<a href=\"",
        "<",
        "</",
        "<!--",
        "<!-- --",
        "--",
        "<!",
        "<![CDATA[",
        "<?",
        "&",
        "&amp",
        "&#1",
        "&#x",
        "<svg>",
        "<svg><desc>",
        "<math><mi>",
        "<title>",
        "<title",
        "<script>",
        "<script><!--",
        "<script><!--<script>",
        "</script",
        "<textarea></textare",
        "<style></",
        "<template>",
        "<select>",
        "<table><td>",
        "<base href=x>",
        "<meta http-equiv=refresh content='0;url=x'>",
        "<p \"",
        "<p '=",
        "<p =",
        "<p /",
        "\0",
        "\r",
        " \n",
        "é",
        "<pre>\n",
        "<a href=x>a</a>b",
        "<noscript>",
        "<frameset>",
        "<plaintext>",
        "]]>",
        "-->",
        "<!doctype [",
    ] {
        let page = page_of(HTML, &unit.repeat(SIZE / unit.len()));
        assert!(page.text.len() <= Limits::default().text_bytes);
        let page = page_of("application/xml", &unit.repeat(SIZE / unit.len()));
        assert!(page.links.len() <= Limits::default().links);
    }
}

#[test]
fn one_endless_value_is_linear() {
    for (before, unit, after) in [
        ("<a href='", "x", "'>"),
        ("<a href='", "&", "'>"),
        ("<a href='/", "../", "'>"),
        ("<a rel='", "x ", "' href=y>"),
        ("<img srcset='", "x,", "'>"),
        ("<img srcset='", "x (", "'>"),
        ("<meta http-equiv=refresh content='", "0", "'>"),
        ("<meta name=robots content='", "a,", "'>"),
        ("<a ", "x=y ", ">"),
        ("<title>", "x ", ""),
        ("<a href=x>", "word ", ""),
        ("<base href='/", "x", "'>"),
        ("<!--", "-", ""),
        ("<script><!--", "-", ""),
        ("<p>", "&#0", ""),
        ("<", "x", ">"),
        ("<html lang='", "x", "'>"),
    ] {
        let page = page_of(HTML, &format!("{before}{}{after}", unit.repeat(SIZE / unit.len())));
        assert!(page.links.iter().all(|link| link.anchor.len() <= Limits::default().anchor_bytes));
        assert!(page.title.is_none_or(|title| title.len() <= Limits::default().title_bytes));
    }
}

#[test]
fn what_is_cut_is_marked() {
    let url = Url::parse("http://site.test/").unwrap();
    let headers = [Header { name: "content-type", value: HTML }];
    let body = "<a href=x>word word</a> ".repeat(100);
    let cut_by = |limits: Limits| {
        let settings = Settings { limits, ..Settings::default() };
        parse(&Document { url: &url, headers: &headers, body: body.as_bytes() }, &settings)
    };
    assert_eq!(cut_by(Limits::default()).cut, Cut::NOTHING);
    let page = cut_by(Limits { links: 10, ..Limits::default() });
    assert_eq!((page.links.len(), page.cut), (10, Cut::LINKS));
    let page = cut_by(Limits { text_bytes: 101, ..Limits::default() });
    assert_eq!((page.text.len(), page.cut, page.links.len()), (101, Cut::TEXT, 100));
    let page = cut_by(Limits { link_bytes: 100, ..Limits::default() });
    assert_eq!((page.links.len(), page.cut), (100 / "http://site.test/x".len(), Cut::LINKS));
    let base = format!("<base href='/{}'>", "x/".repeat(3970));
    let page = page_of(HTML, &(base + &"<a href=ééééééééééééééé>".repeat(10_000)));
    assert_eq!((page.links.len(), page.cut), (0, Cut::LINKS), "too long, and each took time to tell");
    assert_eq!(cut_by(Limits { parsed_bytes: 100, ..Limits::default() }).cut, Cut::PARSING);
    let short = Limits { decoded_bytes: 100, parsed_bytes: 100, ..Limits::default() };
    assert_eq!(
        (cut_by(short).cut, cut_by(short).decoded_len),
        (Cut::PARSING, 2400),
        "there is nothing to decode"
    );
    let coded = gzip(body.as_bytes());
    let headers = [headers[0], Header { name: "content-encoding", value: "gzip" }];
    let settings = Settings { limits: Limits { parsed_bytes: 200, ..short }, ..Settings::default() };
    let page = parse(&Document { url: &url, headers: &headers, body: &coded }, &settings);
    assert_eq!((page.cut, page.decoded_len), (Cut::DECODING, 100));
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400), content_type in "(text/html|application/xml|text/plain|)(; charset=(utf-8|utf-16|gbk|iso-2022-jp|x))?") {
        let url = Url::parse("http://site.test/").unwrap();
        let headers = [Header { name: "content-type", value: &content_type }];
        let settings = Settings::default();
        let page = parse(&Document { url: &url, headers: &headers, body: &bytes }, &settings);
        prop_assert_eq!(page.decoded_len, bytes.len() as u64);
    }

    #[test]
    fn any_characters_are_read(text in "[<>/!a-z\"'= &#;\\-\\[\\]?\u{0}\r\n]{0,200}") {
        page_of(HTML, &text);
        page_of("text/xml", &text);
    }
}
