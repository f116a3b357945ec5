//! Answers with 304.

use super::examples::{capture, config};
use super::hand::{Hand, OK};
use crate::blocked::unasked;
use crate::{Asks, Exit};
use frontier::FailureKind;

const PAGE: &str = "http://a.example/page";
const NOT_MODIFIED: &str = "HTTP/1.1 304 Not Modified";

#[test]
fn what_nobody_asked_about_is_a_failure() {
    let failure = unasked(&capture(PAGE, NOT_MODIFIED, "")).expect("a failure");
    assert_eq!(failure.kind, FailureKind::NotModified);
    let failure = unasked(&capture(PAGE, "HTTP/1.1 101 Switching Protocols", "")).expect("a failure");
    assert_eq!(failure.kind, FailureKind::Protocol);
    assert!(unasked(&capture(PAGE, OK, "")).is_none());
}

#[test]
fn only_the_first_attempt_at_a_page_has_conditions_and_robots_txt_never() {
    let mut hand = Hand::new(config(), &[PAGE]);
    let (mut asked, mut steps) = (Vec::new(), 0);
    while hand.exit.is_none() && steps < 1_000 {
        hand.run(1, NOT_MODIFIED);
        hand.poll();
        for job in &hand.fetches {
            asked.push((job.url.path() == "/robots.txt", job.asks));
        }
        steps += 1;
    }
    assert_eq!(hand.exit, Some(Exit::Done));
    assert_eq!((hand.crawler.tally.pages, hand.crawler.tally.captures), (0, 1));
    let of_robots = asked.iter().filter(|(is_robots, _)| *is_robots);
    assert!(of_robots.clone().count() > 0 && of_robots.clone().all(|(_, asks)| *asks == Asks::Whatever));
    let pages: Vec<Asks> = asked.iter().filter(|(is_robots, _)| !is_robots).map(|(_, asks)| *asks).collect();
    assert_eq!(pages[0], Asks::IfModified);
    assert!(pages.len() == 5 && pages[1..].iter().all(|asks| *asks == Asks::Whatever), "{pages:?}");
}
