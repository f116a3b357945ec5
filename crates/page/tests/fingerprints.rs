//! Fingerprints of real texts and pages: different ones are far from each other.

use data_encoding::BASE64;
use page::{Document, Header, Settings};

const NEAR_BITS: u32 = 6;

/// Pairs that are near each other.
fn near(bits: &[u64]) -> usize {
    let pairs = bits.iter().enumerate().flat_map(|(at, one)| bits[..at].iter().map(move |other| one ^ other));
    pairs.filter(|difference| difference.count_ones() <= NEAR_BITS).count()
}

#[test]
fn a_text_in_many_languages_is_many_texts() {
    let cases = testdata::lines("cases/lang.jsonl.gz");
    let pages = cases.iter().filter(|case| case["kind"] == "page");
    let bits: Vec<u64> = pages.filter_map(|case| page::fingerprint(case["text"].as_str()?)).collect();
    assert_eq!(near(&bits), 0);
}

/// The short ones are one Lorem ipsum over and over, so they are left out.
#[test]
fn saved_pages_are_far_apart() {
    let texts: Vec<String> = testdata::lines("cases/html-links-real.jsonl.gz").iter().map(text_of).collect();
    let bits: Vec<u64> =
        texts.iter().filter(|text| text.len() > 1_000).filter_map(|text| page::fingerprint(text)).collect();
    assert_eq!(near(&bits), 0, "of {} pages", bits.len());
}

fn text_of(case: &serde_json::Value) -> String {
    let field = |name: &str| case[name].as_str().expect("a text");
    let url = weburl::Url::parse(field("url")).expect("a URL");
    let body = BASE64.decode(field("html_b64").as_bytes()).expect("base64");
    let headers = [Header { name: "content-type", value: "text/html" }];
    page::parse(&Document { url: &url, headers: &headers, body: &body }, &Settings::default()).text
}
