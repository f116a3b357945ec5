//! What is taken over as it stands is what parsing would give: held against the parser by itself.

use crate::{Url, plain, resolve};
use proptest::prelude::*;
use testdata::cases;

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
        "http://a.test/C:/c%7C/d|/e",
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
        "http://b.test:81a/",
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

/// Holds both ways of resolving against the standard.
fn check_path(base: &str, start: &str, text: &str) {
    let path = path_state(Vec::new(), base);
    let base = Url::parse(&format!("http://h/{base}")).unwrap();
    assert_eq!(base.path(), path, "{base}");
    let mut above: Vec<_> = path[1..].split('/').map(str::to_owned).collect();
    above.pop();
    let above = if matches!(start, "" | "./" | "http:") { above } else { Vec::new() };
    let expected = format!("http://h{}?/C:/../q", path_state(above, text));
    let reference = format!("{start}{text}?/C:/../q");
    assert_eq!(base.join(&reference).unwrap().as_str(), expected, "{reference:?} in {base}");
    let parsed = resolve::join(base.as_str(), &reference).unwrap();
    assert_eq!(parsed.as_str(), expected, "{reference:?} in {base}, parsed");
}

proptest! {
    #[test]
    fn taking_over_and_parsing_agree(base in 0usize..6, text in reference()) {
        check(&bases()[base], &text);
    }

    #[test]
    fn paths_are_those_of_the_standard(base in path(), start in prop::sample::select(STARTS.to_vec()), text in path()) {
        let has_scheme = text.split(['/', '\\']).next().is_some_and(|first| first.contains(':'));
        let start = if start.is_empty() && has_scheme { "./" } else { start };
        check_path(&base, start, &text);
    }
}

/// Texts made of what URLs are made of, and of what they are not.
fn reference() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        8 => "[a-z0-9]{1,3}",
        6 => "[/?#:.&=]",
        1 => prop::sample::select(vec![
            "http://", "https://", "../", "./", "/..", "//", "a.test", "xn--", "1.2", ":80", ":443", "%2e", "%c3", "%", "\\", " ",
            "C:", "c|/", "/c%7C",
        ]).prop_map(str::to_owned),
        1 => "[ -~]",
        1 => prop::sample::select(vec!["ä", "\t", "\n", "\u{0}", "\u{200b}", "。"]).prop_map(str::to_owned),
    ];
    let scheme = prop_oneof!["", Just("http://".to_owned()), Just("https://b.test/".to_owned())];
    (scheme, prop::collection::vec(part, 0..8)).prop_map(|(scheme, parts)| scheme + &parts.concat())
}

/// What may stand in front of a path: three that leave it relative, others that do not.
const STARTS: [&str; 8] = ["", "./", "http:", "/", "\\", "http:/", "//h/", "http://h/"];

/// Paths of drive letters, dot segments and what looks like either, the first segment not empty.
fn path() -> impl Strategy<Value = String> {
    let segments = [
        "C:", "C|", "q:", "z\t|", "c%7C", "qC:", "qq|", "C:d", "b:c", "b", ".b", "..", "..", "\n.%2E",
        "%2e%2e", ".", "%2E", "",
    ];
    let part = (prop::sample::select(vec!["/", "/", "\\"]), prop::sample::select(segments.to_vec()));
    let first = prop::sample::select(segments[..segments.len() - 1].to_vec());
    (first, prop::collection::vec(part, 0..8)).prop_map(|(first, parts)| {
        parts.into_iter().fold(first.to_owned(), |path, (slash, segment)| path + slash + segment)
    })
}

/// The path state of the URL Standard, for web URLs and what needs no encoding: the path that a text behind these
/// segments leads to.
fn path_state(mut segments: Vec<String>, text: &str) -> String {
    let text = text.replace(['\t', '\n'], "").replace('\\', "/");
    let mut is_directory = false;
    for segment in text.split('/') {
        let dots = segment.to_ascii_lowercase().replace("%2e", ".");
        is_directory = matches!(dots.as_str(), "." | "..");
        if dots == ".." {
            segments.pop();
        } else if !is_directory {
            segments.push(segment.to_owned());
        }
    }
    segments.extend(is_directory.then(String::new));
    format!("/{}", segments.join("/"))
}
