use crate::{Url, UrlError, resolve_any};
use proptest::prelude::*;
use testdata::cases;

fn check(text: &str, expected: &str) {
    assert_eq!(Url::parse(text).unwrap().as_str(), expected);
}

#[test]
fn the_requested_form_has_no_fragment_and_no_credentials() {
    check("HTTP://User:Pass@Example.COM:80/a/../b?q#f", "http://example.com/b?q");
    check("https://user@example.com", "https://example.com/");
    check("http://example.com/a^b?c^d", "http://example.com/a%5Eb?c^d");
    check("http://:secret@[2001:DB8::1]:8080/x", "http://[2001:db8::1]:8080/x");
}

#[test]
fn people_leave_the_scheme_out() {
    for (typed, meant) in [
        ("example.com/a", "http://example.com/a"),
        ("localhost:8080", "http://localhost:8080/"),
        ("//example.com/", "http://example.com/"),
        (" https://example.com ", "https://example.com/"),
        ("example.com:8080/a:b", "http://example.com:8080/a:b"),
    ] {
        assert_eq!(Url::parse_typed(typed).unwrap().as_str(), meant);
    }
    assert!(matches!(Url::parse_typed("mailto:a@example.com"), Err(UrlError::Scheme { .. })));
}

#[test]
fn a_url_of_a_list_has_no_remark_behind_a_tab() {
    assert_eq!(Url::parse_listed("http://example.com/a b").unwrap().as_str(), "http://example.com/a%20b");
    assert!(matches!(Url::parse_listed("http://example.com/a\tb"), Err(UrlError::Malformed { .. })));
}

#[test]
fn addresses_are_seen_through_their_spellings() {
    for text in ["http://127.0.0.1/", "http://2130706433/", "http://0x7f.1/", "http://127.0.0.1./"] {
        assert_eq!(Url::parse(text).unwrap().ip_literal(), Some([127, 0, 0, 1].into()), "{text}");
    }
    assert_eq!(Url::parse("http://[::1]/").unwrap().ip_literal(), Some("::1".parse().unwrap()));
    assert_eq!(Url::parse("http://localhost/").unwrap().ip_literal(), None);
}

#[test]
fn what_is_too_long_is_refused_and_quoted_briefly() {
    let long = format!("http://example.com/{}", "é".repeat(3_000));
    let error = Url::parse(&long).unwrap_err();
    assert!(matches!(error, UrlError::TooLong { .. }), "{error}");
    assert!(error.to_string().len() < 300);
    let base = Url::parse("http://example.com/").unwrap();
    assert!(matches!(base.join(&"a".repeat(8_000)), Err(UrlError::TooLong { .. })));
    assert!(base.join(&"a".repeat(7_900)).is_ok());
    let filled = |bytes: usize| "a".repeat(bytes - base.as_str().len());
    assert!(base.join(&filled(8_000)).is_ok_and(|url| url.as_str().len() == 8_000));
    assert!(matches!(base.join(&filled(8_001)), Err(UrlError::TooLong { .. })));
    // It would be short, but to make it so takes time.
    let winding = format!("http://example.com/{}", "a/../".repeat(2_000));
    assert!(matches!(Url::parse(&winding), Err(UrlError::TooLong { .. })));
    assert!(matches!(base.join(&winding), Err(UrlError::TooLong { .. })));
}

#[test]
fn a_url_is_written_as_text_and_read_back() {
    let url = Url::parse("https://example.com/ä?ö").unwrap();
    let json = serde_json::to_string(&url).unwrap();
    assert_eq!(json, r#""https://example.com/%C3%A4?%C3%B6""#);
    assert_eq!(serde_json::from_str::<Url>(&json).unwrap(), url);
    assert!(serde_json::from_str::<Url>(r#""ftp://example.com/""#).is_err());
}

#[test]
fn every_crawl_case_of_web_platform_tests_resolves() {
    let all = cases("url-whatwg.jsonl");
    let wrong = |crawl: bool| {
        let chosen = all.iter().filter(move |case| (case["scope"] == "crawl") == crawl);
        let failed = chosen.filter(|case| {
            let href = resolve_any(case["input"].as_str().unwrap(), case["base"].as_str());
            href.as_deref() != case["href"].as_str()
        });
        failed.collect::<Vec<_>>()
    };
    println!("url-whatwg: {} cases, {} other ones wrong", all.len(), wrong(false).len());
    assert!(wrong(true).is_empty(), "{:#?}", wrong(true));
}

#[test]
fn domains_that_decode_to_nothing_are_still_domains() {
    let resolved = |text| resolve_any(text, None);
    assert_eq!(
        resolved("http://Me@XN--pokxncvks/Xn--a?q0qXN--#xN--").as_deref(),
        Some("http://Me@xn--pokxncvks/Xn--a?q0qXN--#xN--")
    );
    assert_eq!(resolved("http://xn--pokxncvks.\u{e9}/"), None);
    assert_eq!(resolve_any("b", Some("http://xn--pokxncvks/a")).as_deref(), Some("http://xn--pokxncvks/b"));
}

#[test]
fn a_domain_that_is_not_ascii_needs_good_punycode() {
    let odd = [
        "xn--a\u{ff0e}",
        "xn--a%EF%BC%8E",
        "xn--a%\te\nF%BC%8E",
        "xn--a\u{ad}",
        "xn--a.b\u{3002}c",
        "\u{fc}.xn--a",
    ];
    for host in odd {
        assert_eq!(resolve_any(&format!("http://{host}/"), None), None, "{host}");
        assert_eq!(resolve_any("b", Some(&format!("http://{host}/"))), None, "{host}");
    }
    let elsewhere = resolve_any("http://\u{fc}@xn--a/\u{fc}?\u{fc}#%C3%BC", None);
    assert_eq!(elsewhere.as_deref(), Some("http://%C3%BC@xn--a/%C3%BC?%C3%BC#%C3%BC"));
}

#[test]
fn two_dots_remove_drive_letters() {
    for (base, reference, expected) in [
        ("http://h/", "http://h/C:/../x", "http://h/x"),
        ("http://h/", "http://h/C|/../x", "http://h/x"),
        ("http://h/", "/C:/../x", "http://h/x"),
        ("http://h/", "C|/../x", "http://h/x"),
        ("http://h/", " \n\\\tC\r:\\.%2E\\x", "http://h/x"),
        ("http://h/", "HTTP:C:/../x", "http://h/x"),
        ("http://h/C:/y", "../x", "http://h/x"),
        ("http://h/a/C:/", "..", "http://h/a/"),
        ("http://h/qC:/C:/a:", "../../q:/qq|/../C:/#C:/..", "http://h/q:/C:/#C:/.."),
        ("http://h/", "https://a:80/C:/a/../?/C:/../d", "https://a:80/C:/?/C:/../d"),
        ("http://h/", "http://xn--a/C:/../xn--b", "http://xn--a/xn--b"),
        ("http://h/", "file:///C:/../x", "file:///C:/x"),
    ] {
        assert_eq!(resolve_any(reference, Some(base)).as_deref(), Some(expected), "{reference:?} in {base}");
    }
}

#[test]
fn references_resolve() {
    for case in cases("url-resolve.jsonl") {
        let href = resolve_any(case["input"].as_str().unwrap(), case["base"].as_str());
        assert_eq!(href.as_deref(), case["href"].as_str(), "{case}");
    }
}

proptest! {
    #[test]
    fn parsing_is_idempotent(text in "http://[a-z%.]{1,8}(:[0-9]{1,3})?/[ -~é]{0,30}") {
        if let Ok(url) = Url::parse(&text) {
            prop_assert_eq!(Url::parse(url.as_str()).unwrap(), url);
        }
    }
}
