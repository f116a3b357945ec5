use crate::surt;
use crate::surt::{of_any, plain};
use proptest::prelude::*;
use testdata::cases;

fn check(url: &str, expected: &str) {
    assert_eq!(surt(url), expected, "{url}");
}

#[test]
fn the_python_package_agrees_on_every_case() {
    let all = cases("url-surt.jsonl");
    let wrong: Vec<_> = all
        .iter()
        .filter(|case| surt(case["input"].as_str().unwrap()) != case["surt"].as_str().unwrap())
        .collect();
    println!("url-surt: {} of {} right", all.len() - wrong.len(), all.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn most_urls_are_plain() {
    let is_plain = |url: &str| plain(url).is_some();
    assert!(
        ["https://www.example.com", "http://a.example.org/b/c.html?id=1&a=%20#f", "https://example.com/"]
            .map(is_plain)
            == [true; 3]
    );
    assert!(
        ["http://127.0.0.1/", "http://example.com:80/", "http://example.com/A", "http://example.com/a//b"]
            .map(is_plain)
            == [false; 4]
    );
}

#[test]
fn archives_know_a_page_by_one_name() {
    check("http://www.Example.com:80/A//b/../C/?b=2&a=1#f", "com,example)/a/c?a=1&b=2");
    check("https://www2.example.com:8443", "com,example:8443)/");
    check("http://example.com/?jsessionid=0123456789abcdefghijklemopqrstuv&a=1", "com,example)/?a=1");
    check("http://example.com/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "com,example)/a.aspx");
    check("http://user:pass@127.1/%2561", "1,0,0,127)/a");
    check("dns:example.com", "dns:example.com");
    check("", "-");
}

proptest! {
    #[test]
    fn a_plain_url_has_the_surt_of_any(
        url in "https?://(www[0-9]?\\.)?[a-z0-9._-]{0,9}(/[a-z0-9./_-]{0,9})?(\\?[a-z&=#A-Z0-9%;]{0,20})?",
    ) {
        if let Some(plain) = plain(&url) {
            prop_assert_eq!(plain, of_any(&url));
        }
    }

    #[test]
    fn what_is_plain_of_any_text_has_the_same(url in "http://[a-e0-1./?#:@%=& \t-]{0,12}") {
        if let Some(plain) = plain(&url) {
            prop_assert_eq!(plain, of_any(&url));
        }
    }

    #[test]
    fn any_text_has_a_surt(text in "\\PC{0,60}") {
        prop_assert!(surt(&text).is_ascii());
    }
}
