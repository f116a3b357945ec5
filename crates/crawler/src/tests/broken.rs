//! Answers that broke off.

use super::examples::{capture, config, key};
use super::hand::{Hand, OK};
use crate::Exit;
use crate::blocked::broken_off;
use archive::{Capture, Truncation};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use frontier::{Failure, FailureKind, Kind, Origin, PageSubject, RetryPolicy};
use std::io::Write;
use std::sync::Arc;

const PAGE: &str = "http://a.example/page";
const GZIP: &str = "HTTP/1.1 200 OK\r\nContent-Encoding:\r\n gzip";

fn cut(url: &str, head: &str, body: &[u8], truncated: Option<Truncation>) -> Arc<Capture> {
    let body = Bytes::copy_from_slice(body).into();
    Arc::new(Capture { body, truncated, ..capture(url, head, "").as_ref().clone() })
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// What becomes of a page whose robots.txt is answered so: asked for, forbidden, or why it waits.
fn check(head: &str, body: &[u8], truncated: Option<Truncation>, expected: &str) {
    let mut hand = Hand::new(config(), &[PAGE]);
    hand.go_on();
    assert_eq!(hand.fetches[0].url.path(), "/robots.txt");
    hand.answer_with(|url| cut(url, head, body, truncated));
    for _ in 0..3 {
        hand.poll();
        hand.end_commit();
        hand.now = hand.now + 1000;
    }
    let waits = || hand.crawler.waiting(1, hand.now).pop().and_then(|host| host.because).unwrap_or_default();
    let got = match hand.fetches.first() {
        Some(job) => format!("asked for {}", job.url.path()),
        None if hand.exit == Some(Exit::Done) => "forbidden".to_owned(),
        None => waits(),
    };
    assert_eq!(got, expected, "{head} {truncated:?}");
}

#[test]
fn a_robots_txt_that_broke_off_could_not_be_had() {
    let (rules, whole) = (b"User-agent: *\n", b"User-agent: *\nDisallow: /\n");
    check(OK, rules, None, "asked for /page");
    check(OK, whole, None, "forbidden");
    for cut in [Truncation::Disconnect, Truncation::Time, Truncation::Unspecified] {
        check(OK, rules, Some(cut), "the file broke off");
        check(OK, whole, Some(cut), "the file broke off");
    }
    for taken in [Truncation::Length, Truncation::Unclosed] {
        check(OK, rules, Some(taken), "asked for /page");
        check(OK, whole, Some(taken), "forbidden");
    }
    let part = |range: &str| format!("HTTP/1.1 206 Part\r\nContent-Range: bytes {range}");
    check(&part("0-3/100"), rules, None, "a part of the file was sent");
    check(&part("4-9/10"), rules, None, "a part of the file was sent");
    check(&part("0-3/*"), rules, None, "a part of the file was sent");
    check(&part("0-9/10"), rules, None, "asked for /page");
    check("HTTP/1.1 206 Part", rules, None, "asked for /page");
    check("HTTP/1.1 404 None", b"", Some(Truncation::Disconnect), "asked for /page");
}

#[test]
fn a_coded_robots_txt_is_read_if_all_of_it_can_be_undone() {
    let rules: Vec<u8> = (0..1000).flat_map(|n| format!("Disallow: /{n}\n").into_bytes()).collect();
    let coded = gzip(&[b"User-agent: *\n", &rules[..], b"Disallow: /page\n"].concat());
    let half = &coded[..coded.len() / 2];
    check(GZIP, &coded, None, "forbidden");
    check(GZIP, half, None, "the file broke off");
    check(GZIP, half, Some(Truncation::Length), "asked for /page");
    check(GZIP, &coded[..10], None, "the file is in a coding that could not be undone");
    check(GZIP, b"User-agent: *\nDisallow: /\n", None, "forbidden");
    let named = |coding: &str| format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}");
    check(&named("UTF-8"), b"User-agent: *\nDisallow: /\n", None, "forbidden");
    check(&named("sdch"), &coded, None, "the file is in a coding that could not be undone");
    check(&named("br, zstd"), &coded, None, "the file broke off");
}

#[test]
fn a_page_that_broke_off_is_asked_for_again_and_then_taken_as_it_is() {
    let mut hand = Hand::new(config(), &[PAGE]);
    hand.go_on();
    hand.answer(OK);
    for (pages, captures) in [(0, 1), (1, 2)] {
        hand.go_on();
        assert_eq!(hand.fetches[0].url.path(), "/page");
        hand.answer_with(|url| cut(url, OK, b"<p>in the mid", Some(Truncation::Disconnect)));
        assert_eq!((hand.crawler.tally.pages, hand.crawler.tally.captures), (pages, captures));
    }
    assert_eq!(hand.crawler.tally.failures["disconnected"], 1);
    hand.run(100, OK);
    assert_eq!((hand.exit, hand.crawler.tally.pages), (Some(Exit::Done), 1));
}

/// Whatever an answer counts for, it may ask to be left alone (RFC 9110, section 10.2.3).
#[test]
fn an_answer_that_counts_for_none_may_ask_to_be_left_alone() {
    let blocked = "HTTP/1.1 403 Forbidden\r\ncf-mitigated: challenge";
    let cases = [(blocked, None), ("HTTP/1.1 304 Not Modified", None), (OK, Some(Truncation::Disconnect))];
    for (of_robots, (head, truncated)) in cases.into_iter().flat_map(|case| [(false, case), (true, case)]) {
        let mut hand = Hand::new(config(), &[PAGE]);
        hand.go_on();
        if !of_robots {
            hand.answer(OK);
            hand.go_on();
        }
        hand.answer_with(|url| cut(url, &format!("{head}\r\nRetry-After: 500"), b"x", truncated));
        let answered = hand.now;
        hand.go_on();
        assert!(hand.now.since_ms(answered) >= 500_000, "{head} after {}", hand.now.since_ms(answered));
    }
}

#[test]
fn only_what_may_come_whole_the_next_time_is_no_answer() {
    let subject = |attempts| {
        let (kind, origin) = (Kind::Sitemap, Origin::Seed);
        PageSubject { key: key(PAGE), depth: 0, hops: 0, attempts, kind, origin }
    };
    let failure_of = |head: &str, body: &[u8], attempts, truncated, retry: RetryPolicy| {
        broken_off(&cut(PAGE, head, body, truncated), &subject(attempts), &retry)
    };
    let part = &[b'x'; 1000];
    let failure =
        |head, attempts, truncated| failure_of(head, part, attempts, truncated, RetryPolicy::default());
    let failed = |kind, detail: &str| Some(Failure { kind, detail: detail.to_owned() });
    let broken = failed(FailureKind::Disconnected, "the body broke off after 1000 bytes");
    let stalled = failed(FailureKind::ResponseTimeout, "the body was left after 1000 bytes");
    for (truncated, expected) in [(Truncation::Disconnect, broken), (Truncation::Time, stalled)] {
        assert_eq!(failure(OK, 0, Some(truncated)), expected);
        assert_eq!(failure(OK, 1, Some(truncated)), None);
    }
    for (truncated, kind, words) in [
        (Truncation::Fault, FailureKind::Protocol, "the body broke off after 1 bytes: no chunk"),
        (Truncation::Time, FailureKind::ResponseTimeout, "the body was left after 1 bytes: no chunk"),
    ] {
        let told = Capture {
            cut_because: Some("no chunk".to_owned()),
            ..cut(PAGE, OK, b"x", Some(truncated)).as_ref().clone()
        };
        assert_eq!(broken_off(&told, &subject(0), &RetryPolicy::default()), failed(kind, words));
    }
    let once = RetryPolicy { attempts: 1, ..RetryPolicy::default() };
    assert_eq!(failure_of(OK, part, 0, Some(Truncation::Disconnect), once), None, "there is no next time");
    for attempts in [0, 1, 2] {
        let nothing = failed(FailureKind::Disconnected, "the body broke off after 0 bytes");
        assert_eq!(failure_of(OK, b"", attempts, Some(Truncation::Disconnect), once), nothing);
        assert_eq!(failure_of(OK, b"", attempts, None, once), None, "an empty page");
        let said = "HTTP/1.1 200 OK\r\nContent-Length: 0";
        assert_eq!(failure_of(said, b"", 1, Some(Truncation::Disconnect), once), None);
    }
    for other in [None, Some(Truncation::Length), Some(Truncation::Unclosed), Some(Truncation::Unspecified)] {
        assert_eq!(failure(OK, 0, other), None, "{other:?}");
    }
    for head in ["HTTP/1.1 404 None", "HTTP/1.1 503 Busy", "HTTP/1.1 301 Moved"] {
        assert_eq!(failure(head, 0, Some(Truncation::Disconnect)), None, "{head}: its head says it all");
    }
}
