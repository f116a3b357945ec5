//! What is taken over as it stands is what parsing would give: held against the parser by itself.

use super::cases::cases;
use crate::{Url, plain, resolve};
use proptest::prelude::*;

/// The parser's answer in the requested form, and where it says the parts are.
fn by_parser(parsed: Result<url::Url, url::ParseError>) -> Option<[String; 5]> {
    let mut url = parsed.ok()?;
    url.set_fragment(None);
    Some([
        url.host_str()?.to_owned(),
        url.port_or_known_default()?.to_string(),
        url.path().to_owned(),
        format!("{:?}", url.query()),
        url.to_string(),
    ])
}

fn by_taking_over(url: &Url) -> [String; 5] {
    [
        url.host().to_owned(),
        url.port().to_string(),
        url.path().to_owned(),
        format!("{:?}", url.query()),
        url.as_str().to_owned(),
    ]
}

/// Says whether the text was plain.
fn check(base: &Url, text: &str) -> bool {
    if let Some(url) = plain::parse(text) {
        assert_eq!(Some(by_taking_over(&url)), by_parser(resolve::parse(text)), "{text}");
    }
    let joined = plain::join(base, text);
    if let Some(url) = &joined {
        assert_eq!(
            Some(by_taking_over(url)),
            by_parser(resolve::join(base.as_str(), text)),
            "{text} in {base}"
        );
    }
    joined.is_some()
}

fn bases() -> Vec<Url> {
    let texts = [
        "http://a.test",
        "https://a.test:8080/b/c/d?q=/e/../f",
        "https://a.test/b//",
        "http://[::1]:81/b/c",
        "http://127.0.0.1/%2e%2e/b",
    ];
    texts.into_iter().map(|text| Url::parse(text).unwrap()).collect()
}

#[test]
fn plain_references_need_no_parser() {
    let plain = [
        "",
        "#a",
        "b",
        "b/c?d=e&f",
        "/b",
        "?b",
        "../b",
        "../../../b/../",
        "./b",
        "../",
        "./",
        "http://b.test",
        "https://b.test:81/c?d#e",
        "http://b.test?c",
        "http://b_c.test/a:b@c",
        "b?c=http://d/",
        "//b",
        "//b.test:81/c?d#e",
        " b",
        "\n /b\t",
        " ",
        "/%C3%A4/b%20c",
        "%e4",
    ];
    for base in bases() {
        let found: Vec<_> = plain.iter().filter(|text| !check(&base, text)).collect();
        assert_eq!(found, [&"../../../b/../"], "all others are");
    }
}

#[test]
fn what_may_be_anything_else_is_left_to_the_parser() {
    let odd = [
        "///b",
        "//B.test",
        "//a@b.test/",
        "/\\b",
        "..",
        ".",
        "../..",
        "b/../c",
        "b/./c",
        "/%2e/",
        ".b",
        "b:c",
        "HTTP://b.test/",
        "b\tc",
        "b c",
        "ä",
        "http:b",
        "http:/b",
        "http://",
        "http:///b",
        "http://B.test",
        "http://1.2.3.4/",
        "http://b.test:80/",
        "http://b.test:081/",
        "http://b.test:99999/",
        "http://b.test:/",
        "http://a@b.test/",
        "http://xn--4ca.test/",
        "http://b..test/",
        "http://.b.test/",
        "http://b.0x1/",
        "javascript:b",
        "?'",
        "?\"",
    ];
    for base in bases() {
        for text in odd {
            assert!(!check(&base, text), "{text}");
        }
    }
}

#[test]
fn the_cases_of_others_agree() {
    for case in ["url-whatwg.jsonl", "url-resolve.jsonl"].into_iter().flat_map(cases) {
        let text = |name: &str| case[name].as_str().unwrap_or_default().to_owned();
        let base = Url::parse(&text("base")).unwrap_or_else(|_| bases().remove(1));
        check(&base, &text("input"));
    }
}

proptest! {
    #[test]
    fn taking_over_and_parsing_agree(base in 0usize..5, text in reference()) {
        check(&bases()[base], &text);
    }
}

/// Texts made of what URLs are made of, and of what they are not.
fn reference() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        8 => "[a-z0-9]{1,3}",
        6 => "[/?#:.&=]",
        1 => prop::sample::select(vec![
            "http://", "https://", "../", "./", "/..", "//", "a.test", "xn--", "1.2", ":80", ":443", "%2e", "%c3", "%", "\\", " ",
        ]).prop_map(str::to_owned),
        1 => "[ -~]",
        1 => prop::sample::select(vec!["ä", "\t", "\n", "\u{0}", "\u{200b}", "。"]).prop_map(str::to_owned),
    ];
    let scheme = prop_oneof!["", Just("http://".to_owned()), Just("https://b.test/".to_owned())];
    (scheme, prop::collection::vec(part, 0..8)).prop_map(|(scheme, parts)| scheme + &parts.concat())
}
