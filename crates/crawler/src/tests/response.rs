use super::examples::{START, capture, config, key, url};
use crate::blocked::blocked;
use crate::response::{Target, codings, header, response_of, target_of};
use crate::{CrawlConfig, Rules};
use frontier::Redirect;
use regex::Regex;
use std::sync::Arc;
use weburl::{Folding, Scope, ScopeRules};

const PAGE: &str = "http://a.example/1?b=2&a=1";

fn check_retry_after(value: &str, expected: Option<u64>) {
    let capture = capture(PAGE, &format!("HTTP/1.1 503 Busy\r\nRetry-After: {value}"), "");
    let response = response_of(&capture, &url(PAGE), Some(key(PAGE)), &config().rules);
    assert_eq!(response.retry_after_ms, expected, "{value}");
}

#[test]
fn retry_after_in_seconds_or_as_a_date() {
    assert_eq!(START.as_ms(), 1_700_000_000_000, "Tue, 14 Nov 2023 22:13:20 GMT");
    check_retry_after("120", Some(120_000));
    check_retry_after(" 0 ", Some(0));
    check_retry_after("99999999999999999999999", Some(u64::MAX));
    check_retry_after("Tue, 14 Nov 2023 22:14:20 GMT", Some(60_000 - 40));
    check_retry_after("Tuesday, 14-Nov-23 22:14:20 GMT", Some(60_000 - 40));
    check_retry_after("Tue, 14 Nov 2023 22:00:00 GMT", Some(0));
    for carelessly in [
        "Tue, 14 Nov 2023 22:14:20 +0000",
        "Tue, 14 Nov 2023 23:14:20 +0100",
        "Tue, 14 Nov 2023 17:14:20 -0500",
        "Wed, 14 Nov 2023 22:14:20 UTC",
        "Tuesday, 14-Nov-2023 22:14:20 GMT",
        "tue,  14 nov 2023 22:14:20 gmt",
    ] {
        check_retry_after(carelessly, Some(60_000 - 40));
    }
    check_retry_after("Tue, 14 Nov 2023 22:13:60 GMT", Some(40_000 - 40));
    check_retry_after("Tue, 14 Nov 2023 22:14:20 GMT\r\nDate: Tue, 14 Nov 2023 22:12:20 GMT", Some(120_000));
    check_retry_after(
        "Tue, 14 Nov 2023 22:14:20 GMT\r\nDate: Tue, 14 Nov 2023 22:14:10 GMT",
        Some(60_000 - 40),
    );
    for garbage in ["", "-5", "+5", "1.5", "soon", "12 apples", "Tue, 32 Nov 2023 22:14:20 GMT"] {
        check_retry_after(garbage, None);
    }
}

#[test]
fn headers_are_found_whatever_their_case_and_the_first_counts() {
    let head = b"HTTP/1.1 200 OK\r\nX-One : 1\r\ncontent-TYPE:  Text/HTML ; charset=x \r\nContent-Type: b\r\nbroken\r\nBad: \xff\r\n\r\n";
    assert_eq!(header(head, "x-one").as_deref(), Some("1"));
    assert_eq!(header(head, "Content-Type").as_deref(), Some("Text/HTML ; charset=x"));
    assert_eq!(header(head, "bad").as_deref(), Some("\u{FF}"), "ISO-8859-1");
    assert_eq!(header(head, "broken"), None);
    assert_eq!(header(b"", "a"), None);
    assert_eq!(header(b"a: 1", "a"), None, "the status line is no header");
    let capture = capture(PAGE, "HTTP/1.1 200 OK\r\ncontent-TYPE:  Text/HTML ; charset=x", "abc");
    let response = response_of(&capture, &url(PAGE), Some(key(PAGE)), &config().rules);
    assert_eq!((response.content_type.as_deref(), response.bytes), (Some("text/html"), 3));
}

#[test]
fn only_redirects_with_a_target_lead_elsewhere() {
    let target = |status, head: &[u8]| match target_of(status, head, &url(PAGE)) {
        Target::Here => "here".to_owned(),
        Target::Nowhere => "nowhere".to_owned(),
        Target::There(target) => target.to_string(),
    };
    for status in [301, 302, 303, 307, 308] {
        assert_eq!(target(status, b"\nLocation: /2#x\r\n"), "http://a.example/2");
        assert_eq!(target(status, b"\nLocation: //b.example"), "http://b.example/");
        assert_eq!(target(status, b"\nLocation: mailto:a@b"), "nowhere");
        assert_eq!(target(status, b"\nLocation: http://"), "nowhere");
        assert_eq!(target(status, b"\n"), "nowhere");
    }
    for status in [200, 201, 300, 304, 305, 306, 404, 500] {
        assert_eq!(target(status, b"\nLocation: /2\r\n"), "here");
    }
}

#[test]
fn a_target_in_any_encoding_keeps_its_bytes() {
    let target = |location: &[u8]| {
        let head = [b"HTTP/1.1 301 Moved\r\nLocation: ", location, b"\r\n\r\n"].concat();
        let Target::There(target) = target_of(301, &head, &url(PAGE)) else { panic!("it leads somewhere") };
        target
    };
    assert_eq!(target(b"/t-caf\xe9?q=\xfc").as_str(), "http://a.example/t-caf%E9?q=%FC");
    for utf8 in
        ["/caf\u{e9}/\u{1f600}?\u{fc}=%20 x#\u{e4}", "\u{e9}", "//b\u{fc}cher.example/\u{fc}", "?\u{3a9}"]
    {
        assert_eq!(target(utf8.as_bytes()), url(PAGE).join(utf8).unwrap(), "{utf8}");
    }
}

#[test]
fn a_folded_line_is_one_header_and_none_of_its_own() {
    let head = b"HTTP/1.1 301 Moved\r\nX-A: b\r\n Location: /wrong\r\nLocation:\r\n\t/right\r\nContent-Encoding: br\r\n\
        Content-Encoding: gzip\r\n\r\n";
    assert_eq!(header(head, "x-a").as_deref(), Some("b Location: /wrong"));
    assert_eq!(codings(head).as_deref(), Some("br, gzip"));
    assert!(matches!(target_of(301, head, &url(PAGE)), Target::There(target) if target.path() == "/right"));
}

fn redirect(config: &CrawlConfig, location: &str) -> Redirect {
    let capture = capture(PAGE, &format!("HTTP/1.1 301 Moved\r\nLocation: {location}"), "");
    response_of(&capture, &url(PAGE), Some(key(PAGE)), &config.rules).redirect.unwrap()
}

#[test]
fn a_redirect_to_the_same_key_goes_on_and_another_is_a_discovery() {
    for same in ["https://a.example/1?b=2&a=1", "/1?a=1&b=2", "/1?b=2&a=1&utm_source=x", "/%31?b=2&a=1"] {
        assert!(matches!(redirect(&config(), same), Redirect::SameKey(_)), "{same}");
    }
    for other in ["/1", "/2?b=2&a=1", "http://b.example/1?b=2&a=1"] {
        assert!(matches!(redirect(&config(), other), Redirect::OtherKey(_)), "{other}");
    }
}

#[test]
fn another_form_out_of_scope_does_not_go_on() {
    let scope = ScopeRules::new(Scope::Any).exclude(vec![Regex::new("^https:").unwrap()]);
    let rules = Arc::new(Rules { scope, folding: Folding::ALL, seed: super::examples::SEED });
    let config = CrawlConfig { rules, ..config() };
    assert!(matches!(redirect(&config, "https://a.example/1?b=2&a=1"), Redirect::OtherKey(_)));
    assert!(matches!(redirect(&config, "/1?a=1&b=2"), Redirect::SameKey(_)));
}

#[test]
fn an_answer_of_somebody_in_front_of_the_site_is_known_by_its_documented_header() {
    let said =
        |head: &str| blocked(&capture(PAGE, head, "<title>Just a moment...")).map(|failure| failure.detail);
    assert_eq!(
        said("HTTP/1.1 403 Forbidden\r\nCF-Mitigated: challenge").as_deref(),
        Some("status 403 with `cf-mitigated: challenge`")
    );
    assert!(said("HTTP/1.1 202 Accepted\r\nx-amzn-waf-action: challenge").is_some());
    assert!(said("HTTP/1.1 405 No\r\nx-amzn-waf-action: captcha").is_some());
    assert!(said("HTTP/1.1 403 No\r\nx-vercel-mitigated: Deny").is_some());
    for page in [
        "HTTP/1.1 403 Forbidden\r\nServer: cloudflare",
        "HTTP/1.1 200 OK\r\nContent-Security-Policy: script-src https://www.google.com/recaptcha/",
        "HTTP/1.1 200 OK\r\nCF-Mitigated: ",
        "HTTP/1.1 429 Slow\r\nRetry-After: 600\r\nx-vercel-mitigated: challenge",
    ] {
        assert_eq!(said(page), None, "{page}");
    }
}
