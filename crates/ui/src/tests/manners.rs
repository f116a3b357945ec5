use super::speak::{Served, TOKEN, ask_at, serve_through, shout};
use crate::limits::{BODY_BYTES, CONNECTIONS};
use std::net::TcpStream;

const COMMAND: &str = "POST /api/v1/commands HTTP/1.1\r\nContent-Type: application/json";

#[test]
fn nothing_changes_without_the_token() {
    let served = Served::new();
    let stranger = served.ask(COMMAND, "\"pause\"");
    assert_eq!(stranger.status, 401);
    assert!(stranger.head.contains("\r\nwww-authenticate: bearer"), "{}", stranger.head);
    assert_eq!(served.ask(&format!("{COMMAND}\r\nAuthorization: Bearer 1"), "\"pause\"").status, 401);
    assert!(served.desk.told.lock().expect("no test panics with it").is_empty());
}

#[test]
fn through_the_socket_no_token_is_needed() {
    let served = Served::new();
    assert_eq!(served.ask_socket("GET /api/v1/snapshot HTTP/1.1", "").status, 200);
    assert_eq!(served.ask_socket(COMMAND, "\"pause\"").status, 200);
}

#[test]
fn a_page_elsewhere_cannot_have_a_browser_do_anything() {
    let served = Served::new();
    let with_token = format!("{COMMAND}\r\nAuthorization: {TOKEN}");
    let foreign = format!("{with_token}\r\nOrigin: https://evil.example");
    assert_eq!(served.ask(&foreign, "\"pause\"").status, 403);
    let marked = format!("{with_token}\r\nSec-Fetch-Site: cross-site");
    assert_eq!(served.ask(&marked, "\"pause\"").status, 403);
    let form = COMMAND.replace("application/json", "text/plain");
    assert_eq!(served.ask(&format!("{form}\r\nAuthorization: {TOKEN}"), "\"pause\"").status, 415);
    let rebound = shout(served.address, b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert!(rebound.starts_with("HTTP/1.1 421 "), "{rebound}");
    let doubled = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    let doubled = shout(served.address, doubled);
    assert!(doubled.starts_with("HTTP/1.1 400 "), "{doubled}");
    assert!(served.desk.told.lock().expect("no test panics with it").is_empty());
}

#[test]
fn every_answer_says_what_a_browser_may_do_with_it() {
    let served = Served::new();
    for path in ["/", "/api/v1/snapshot", "/nothing", "/metrics"] {
        let head = served.get(path).head;
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
        ] {
            assert!(head.contains(header), "{path}: {head}");
        }
        assert!(!head.contains("access-control-allow"), "{path}: {head}");
    }
}

#[test]
fn requests_are_bounded() {
    let served = Served::new();
    let long = format!("GET /?{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(100_000));
    let answer = shout(served.address, long.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 4") || answer.is_empty(), "{answer}");
    let answer = served.command(&" ".repeat(BODY_BYTES + 1));
    assert!(matches!(answer.status, 413 | 0), "{}", answer.status);
    let (second, _server) = serve_through(&served);
    let command = format!("{COMMAND}\r\nAuthorization: {TOKEN}");
    let answer = ask_at(second, &command, &" ".repeat(BODY_BYTES + 1));
    assert!(matches!(answer.status, 413 | 0), "through another server: {}", answer.status);
    assert_eq!(served.get("/api/v1/snapshot").status, 200, "and the next one is answered");
}

#[test]
fn when_the_house_is_full_whoever_comes_is_turned_away() {
    let served = Served::new();
    let seated: Vec<TcpStream> =
        (0..CONNECTIONS).map(|_| TcpStream::connect(served.address).expect("a server")).collect();
    assert_eq!(served.get("/api/v1/snapshot").status, 0, "no room");
    assert_eq!(served.ask_socket(COMMAND, "\"pause\"").status, 200, "and the operator has a seat of his own");
    drop(seated);
    let again = (0..100_000).find(|_| served.get("/api/v1/snapshot").status == 200);
    assert!(again.is_some(), "there is room again");
}
