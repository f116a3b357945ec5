//! Redirects from one form of a URL to another.

use super::examples::{capture, config};
use super::hand::Hand;
use crate::limits::CIRCLES;
use crate::{CrawlConfig, Exit, circles::Circles};
use weburl::KeyHash;

/// Crawls one URL, whose forms lead where `leads` says or else are a page; says which were asked for.
fn asked(leads: fn(&str, usize) -> Option<&'static str>) -> Vec<String> {
    asked_by(config(), leads)
}

fn asked_by(config: CrawlConfig, leads: fn(&str, usize) -> Option<&'static str>) -> Vec<String> {
    let mut hand = Hand::new(CrawlConfig { limit: Some(50), ..config }, &["http://a.example/1"]);
    let mut asked: Vec<String> = Vec::new();
    while hand.exit.is_none() {
        hand.poll();
        hand.end_commit();
        while let Some(job) = hand.fetches.first() {
            let url = job.url.as_str().to_owned();
            if url.ends_with("robots.txt") {
                hand.answer("HTTP/1.1 404 None");
                continue;
            }
            let head = match leads(&url, asked.len()) {
                Some(to) => format!("HTTP/1.1 301 Moved\r\nLocation: {to}"),
                None => "HTTP/1.1 200 OK".to_owned(),
            };
            asked.push(url);
            hand.answer_with(|url| capture(url, &head, "body"));
        }
        hand.poll();
        if let Some(next) = hand.crawler.next_deadline(hand.now) {
            hand.now = next;
        }
    }
    assert_eq!(hand.exit, Some(Exit::Done));
    asked
}

#[test]
fn forms_that_lead_to_each_other_are_gone_round_twice() {
    let asked = asked(|url, _| {
        Some(if url.starts_with("https") { "http://a.example/1" } else { "https://a.example/1" })
    });
    let [http, https] = ["http://a.example/1", "https://a.example/1"];
    assert_eq!(asked, [http, https, http, https]);
}

#[test]
fn who_has_gone_round_once_may_be_let_in() {
    let asked = asked(|url, before| match (url.starts_with("https"), before) {
        (false, 0) => Some("https://a.example/1"),
        (true, _) => Some("http://a.example/1"),
        (false, _) => None,
    });
    assert_eq!(asked.len(), 3);
}

#[test]
fn a_redirect_to_itself_that_sets_a_cookie_is_followed_once_where_cookies_are_kept() {
    const ITSELF: &str = "http://a.example/1";
    const WITH_COOKIE: &str = "http://a.example/1\r\nSet-Cookie: seen=1";
    let keeps = || CrawlConfig { keeps_cookies: true, ..config() };
    assert_eq!(asked_by(keeps(), |_, before| (before == 0).then_some(WITH_COOKIE)).len(), 2);
    assert_eq!(asked_by(keeps(), |_, _| Some(WITH_COOKIE)).len(), 2, "it has been shown");
    assert_eq!(asked_by(keeps(), |_, _| Some(ITSELF)).len(), 1, "there is nothing to show");
    assert_eq!(asked(|_, _| Some(WITH_COOKIE)).len(), 1, "nobody keeps it");
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut circles = Circles::default();
    assert!(!circles.closes(KeyHash(0), "a", "b"));
    assert!(!circles.closes(KeyHash(0), "b", "a"));
    for key in 1..CIRCLES as u64 {
        circles.closes(KeyHash(key), "a", "b");
    }
    assert!(!circles.closes(KeyHash(0), "b", "a"), "it was forgotten");
}
