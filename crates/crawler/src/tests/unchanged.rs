//! Answers with 304.

use super::examples::{capture, config};
use super::hand::{Hand, OK};
use crate::blocked::unasked;
use crate::{Asks, Exit};
use frontier::FailureKind;

const PAGE: &str = "http://a.example/page";
const NOT_MODIFIED: &str = "HTTP/1.1 304 Not Modified";
const BUSY: &str = "HTTP/1.1 503 Service Unavailable";

#[test]
fn what_nobody_asked_about_is_a_failure() {
    let failure = unasked(&capture(PAGE, NOT_MODIFIED, "")).expect("a failure");
    assert_eq!(failure.kind, FailureKind::NotModified);
    let failure = unasked(&capture(PAGE, "HTTP/1.1 101 Switching Protocols", "")).expect("a failure");
    assert_eq!(failure.kind, FailureKind::Protocol);
    assert!(unasked(&capture(PAGE, OK, "")).is_none());
    let mut failed = capture(PAGE, "HTTP/1.1 412 Precondition Failed", "");
    assert!(unasked(&failed).is_none(), "it says so to everybody");
    let request = &mut std::sync::Arc::get_mut(&mut failed).expect("nobody else has it").request_head;
    *request = b"GET /page HTTP/1.1\r\nIf-None-Match: \"1\"\r\n\r\n"[..].into();
    assert_eq!(unasked(&failed).expect("a failure").kind, FailureKind::NotModified);
}

/// How a page is asked for that is answered like this for ever.
fn asked(answer: &str) -> Vec<Asks> {
    let mut hand = Hand::new(config(), &[PAGE]);
    let (mut asked, mut steps) = (Vec::new(), 0);
    while hand.exit.is_none() && steps < 1_000 {
        hand.run(1, answer);
        hand.poll();
        for job in &hand.fetches {
            asked.push((job.url.path() == "/robots.txt", job.asks));
        }
        steps += 1;
    }
    assert_eq!(hand.exit, Some(Exit::Done));
    let of_robots = asked.iter().filter(|(is_robots, _)| *is_robots);
    assert!(of_robots.clone().count() > 0 && of_robots.clone().all(|(_, asks)| *asks == Asks::Whatever));
    asked.iter().filter(|(is_robots, _)| !is_robots).map(|(_, asks)| *asks).collect()
}

#[test]
fn who_answers_a_condition_falsely_is_asked_without_one_and_who_is_busy_with_it() {
    use Asks::{IfModified, Whatever};
    assert_eq!(asked(NOT_MODIFIED), [IfModified, Whatever, Whatever, Whatever, Whatever]);
    assert_eq!(asked(BUSY), [IfModified, IfModified, IfModified, Whatever, Whatever]);
}
