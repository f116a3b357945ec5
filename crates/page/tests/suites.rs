//! The shared cases. Each test prints its rate; what is held is held exactly, what is not is listed by name.

use data_encoding::BASE64;
use page::{Document, Header, LinkKind, Page, Place, Settings, parse};
use serde_json::Value;
use std::collections::BTreeSet;
use weburl::Url;

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_default()
}

/// `key` as text or `key_b64` as bytes.
fn bytes(case: &Value, key: &str) -> Vec<u8> {
    match case[format!("{key}_b64")].as_str() {
        Some(coded) => BASE64.decode(coded.as_bytes()).expect("base64"),
        None => text(case, key).as_bytes().to_vec(),
    }
}

fn read(url: &str, content_type: &str, body: &[u8]) -> Page {
    let url = Url::parse(url).expect("a URL");
    let headers = [Header { name: "Content-Type", value: content_type }];
    parse(&Document { url: &url, headers: &headers, body }, &Settings::default())
}

/// What `document.links` holds, and what a tree without template contents would.
fn hyperlinks(page: &Page) -> BTreeSet<&str> {
    page.links.iter().filter(|link| link.kind.is_hyperlink()).map(|link| link.url.as_str()).collect()
}

#[test]
fn links_of_saved_pages_are_those_of_html5lib() {
    let mut differing = Vec::new();
    let cases = testdata::lines("cases/html-links-real.jsonl.gz");
    for case in &cases {
        let page = read(text(case, "url"), "text/html", &bytes(case, "html"));
        let expected: BTreeSet<&str> =
            case["links"].as_array().expect("links").iter().filter_map(Value::as_str).collect();
        let found = hyperlinks(&page);
        if found != expected {
            let missing: Vec<_> = expected.difference(&found).collect();
            let extra: Vec<_> = found.difference(&expected).collect();
            differing.push(format!("{}: missing {missing:?}, extra {extra:?}", text(case, "page")));
        }
    }
    println!("html-links-real: {} of {}", cases.len() - differing.len(), cases.len());
    assert!(differing.is_empty(), "{differing:#?}");
}

/// URL, anchor, nofollow.
type ShownLink = (String, String, bool);

#[test]
fn links_of_small_pages_have_their_anchor_and_rel() {
    let cases = testdata::lines("cases/html-links-unit.jsonl");
    let mut held = 0;
    for case in &cases {
        let encoding = format!("text/html; charset={}", text(case, "encoding"));
        let page = read(text(case, "url"), &encoding, &bytes(case, "body"));
        let expected = first_of_each(case["links"].as_array().expect("links").iter().map(expected_link));
        let found = first_of_each(hyperlinks_of(&page));
        if found == expected {
            held += 1;
        } else {
            // One case is about a crawl's filter on file name extensions, not about what links a page has.
            assert!(text(case, "test").ends_with("test_ignored_extensions"), "{found:?} is not {expected:?}");
        }
    }
    println!("html-links-unit: {held} of {}", cases.len());
}

fn expected_link(link: &Value) -> ShownLink {
    let url = Url::parse(text(link, "url")).expect("a URL");
    (url.to_string(), text(link, "text").to_owned(), link["nofollow"].as_bool().expect("a boolean"))
}

fn hyperlinks_of(page: &Page) -> impl Iterator<Item = ShownLink> {
    let links = page.links.iter().filter(|link| link.kind.is_hyperlink() && link.place == Place::Document);
    links.map(|link| (link.url.to_string(), link.anchor.clone(), link.rel.has(page::Rel::NOFOLLOW)))
}

/// The cases keep fragments, which our links have not: of links to one URL, the first stands for all.
fn first_of_each(links: impl Iterator<Item = ShownLink>) -> Vec<ShownLink> {
    let mut seen = BTreeSet::new();
    links.filter(|link| seen.insert(link.0.clone())).collect()
}

#[test]
fn encodings_are_those_a_browser_picks() {
    let cases = testdata::lines("cases/html-encoding.jsonl");
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let data = bytes(case, "data");
            let found = page::charset::sniff(&data, None);
            (found.name() != text(case, "encoding")).then(|| {
                format!(
                    "{found:?}, not {}: {}",
                    text(case, "encoding"),
                    String::from_utf8_lossy(&data[..data.len().min(120)])
                )
            })
        })
        .collect();
    println!("html-encoding: {} of {}", cases.len() - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// An argument or an expectation: text, or `{"__b": latin-1}` for bytes.
fn argument(value: &Value) -> Vec<u8> {
    value["__b"].as_str().map_or_else(
        || value.as_str().unwrap_or_default().as_bytes().to_vec(),
        |latin1| latin1.chars().map(|c| u8::try_from(u32::from(c)).expect("one byte")).collect(),
    )
}

/// The URL of a document whose case names none.
const NO_BASE: &str = "http://no.base/";

struct MetaCase<'a> {
    case: &'a Value,
    body: Vec<u8>,
    url: String,
}

impl MetaCase<'_> {
    fn page(&self) -> Page {
        let named = self.case["kw"]["encoding"].as_str().or(self.case["args"][2].as_str()).unwrap_or("utf-8");
        let label = named.replace("latin-1", "latin1");
        // The function is given text and told its encoding; we are given the bytes that text has in it.
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label");
        let body = match self.case["args"][0].as_str() {
            Some(text) => encoding.encode(text).0.into_owned(),
            None => self.body.clone(),
        };
        let url = if self.url.is_empty() { NO_BASE } else { &self.url };
        read(url, &format!("text/html; charset={label}"), &body)
    }
}

fn meta_cases<'a>(all: &'a [Value], function: &str) -> Vec<MetaCase<'a>> {
    let of = all.iter().filter(|case| case["fn"] == function);
    of.map(|case| MetaCase {
        case,
        body: argument(&case["args"][0]),
        url: String::from_utf8(argument(&case["args"][1])).expect("UTF-8"),
    })
    .collect()
}

/// Equal as URLs: the cases write them unnormalised.
fn same_url(found: &str, expected: &str) -> bool {
    found == expected || Url::parse(expected).is_ok_and(|url| url.as_str() == found)
}

#[test]
fn base_urls_are_those_of_w3lib() {
    let all = testdata::lines("cases/html-meta.jsonl");
    let cases = meta_cases(&all, "get_base_url");
    for case in &cases {
        let expected = text(case.case, "expect");
        // Without a document URL an absent base is the empty string; here a document always has one.
        let page = case.page();
        let expected = if expected.is_empty() { NO_BASE } else { expected };
        assert!(same_url(page.base.as_str(), expected), "{} is not {expected}: {}", page.base, case.case);
    }
    println!("html-meta, get_base_url: {0} of {0}", cases.len());
}

#[test]
fn refreshes_are_those_of_w3lib() {
    let all = testdata::lines("cases/html-meta.jsonl");
    let cases = meta_cases(&all, "get_meta_refresh");
    for case in &cases {
        let page = case.page();
        let expected = &case.case["expect"];
        match (&page.refresh, expected[1].as_str()) {
            (None, None) => {}
            (Some(refresh), Some(url)) => {
                let delay_ms = (expected[0].as_f64().expect("seconds") * 1000.0).round() as u64;
                assert!(same_url(refresh.url.as_str(), url), "{refresh:?} is not {expected}");
                assert_eq!(refresh.delay_ms, delay_ms, "{}", case.case);
                assert!(
                    page.links
                        .iter()
                        .any(|link| link.kind == LinkKind::MetaRefresh && link.url == refresh.url)
                );
            }
            (found, _) => panic!("{found:?} is not {expected}: {}", case.case),
        }
    }
    println!("html-meta, get_meta_refresh: {0} of {0}", cases.len());
}

/// Where the WHATWG standards, which browsers follow, say otherwise than w3lib; by a part of the input.
const ENCODING_DISAGREEMENTS: &[&str] = &[
    "text/html; charset=\"utf-8",
    "Fake-Content-Type-Header",
    "httpequiv=\"ContentType\"",
    "< meta http-equiv='Content-Type'",
    "this isn't searched",
    " Latin-1",
];

#[test]
fn declared_encodings_are_those_of_w3lib_where_browsers_agree() {
    let all = testdata::lines("cases/html-meta.jsonl");
    let functions =
        ["http_content_type_encoding", "html_body_declared_encoding", "read_bom", "resolve_encoding"];
    let cases: Vec<_> = all.iter().filter(|case| functions.contains(&text(case, "fn"))).collect();
    let mut held = 0;
    for case in &cases {
        let input = argument(&case["args"][0]);
        let found = declared(text(case, "fn"), &input);
        let expect = if case["fn"] == "read_bom" { &case["expect"][0] } else { &case["expect"] };
        let label = expect.as_str().map(whatwg_label);
        let expected = label.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
        if found.map(same_family) == expected.map(same_family) {
            held += 1;
        } else {
            let shown = String::from_utf8_lossy(&input);
            let known = ENCODING_DISAGREEMENTS.iter().any(|part| shown.contains(part));
            assert!(known, "{found:?} is not {expected:?}: {shown}");
        }
    }
    println!("html-meta, declared encodings: {held} of {}", cases.len());
}

fn whatwg_label(label: &str) -> &str {
    match label {
        "utf-16-be" => "utf-16be",
        "utf-16-le" => "utf-16le",
        other => other,
    }
}

/// GBK is GB18030 but for two code points.
fn same_family(encoding: &'static encoding_rs::Encoding) -> &'static encoding_rs::Encoding {
    if encoding == encoding_rs::GBK { encoding_rs::GB18030 } else { encoding }
}

fn declared(function: &str, input: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    use page::CharsetSource::{ByteOrderMark, Header, Meta, XmlDeclaration};
    let label = String::from_utf8_lossy(input);
    let charset = match function {
        "http_content_type_encoding" => page::charset::sniff(b"", Some(&label)),
        "resolve_encoding" => return encoding_rs::Encoding::for_label(input),
        _ => page::charset::sniff(input, None),
    };
    let sources: &[_] = match function {
        "http_content_type_encoding" => &[Header],
        "read_bom" => &[ByteOrderMark],
        _ => &[Meta, XmlDeclaration],
    };
    sources.contains(&charset.source).then_some(charset.encoding)
}
