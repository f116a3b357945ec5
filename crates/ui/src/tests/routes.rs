use super::speak::{Served, TOKEN, exchange, serve_through};
use control::Command;
use serde_json::Value;
use std::net::TcpStream;

fn json(body: &str) -> Value {
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"))
}

#[test]
fn what_is_to_be_seen_is_there() {
    let served = Served::new();
    for path in [
        "/api/v1/snapshot",
        "/api/v1/history",
        "/api/v1/history?span=whole",
        "/api/v1/explain?url=http%3A%2F%2Fa.example%2F",
        "/api/v1/hosts?q=A&sort=name&limit=5",
        "/api/v1/pages",
        "/api/v1/errors",
        "/api/v1/exclusions",
        "/api/v1/traps",
        "/api/v1/settings",
        "/api/v1/ledger",
        "/api/v1/outputs",
    ] {
        let answer = served.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        assert!(json(&answer.body).is_object(), "{path}");
    }
    assert_eq!(json(&served.get("/api/v1/snapshot").body)["snapshot"]["pages"], 42);
    assert_eq!(json(&served.get("/api/v1/hosts?q=A").body)["rows"][0]["host"], "a.example");
    assert_eq!(json(&served.get("/api/v1/settings").body)["set"]["delay_ms"], 3_000);
    let explained = served.get("/api/v1/explain?url=http%3A%2F%2Fa.example%2F%3Fx%3D1%2B1");
    assert_eq!(json(&explained.body)["url"], "http://a.example/?x=1+1");
    assert!(served.get("/metrics").body.contains("\ndrumlin_pages_total 42\n"));
}

/// RFC 9110, sections 9.1 and 9.3.2.
#[test]
fn head_is_get_without_the_body() {
    let served = Served::new();
    let (second, _server) = serve_through(&served);
    for path in ["/", "/api/v1/settings", "/api/v1/nothing", "/api/v1/commands"] {
        let got = served.get(path);
        let through = exchange(
            TcpStream::connect(second).expect("a server"),
            &[&format!("HEAD {path} HTTP/1.1"), &format!("Host: {second}")],
            "",
        );
        for head in [served.ask(&format!("HEAD {path} HTTP/1.1"), ""), through] {
            assert_eq!((head.status, head.body.as_str()), (got.status, ""), "{path}");
            let length = format!("content-length: {}", got.body.len());
            assert!(head.head.contains(&length), "{path}: {}", head.head);
        }
    }
    let allowed = served.ask(&format!("POST /metrics HTTP/1.1\r\nAuthorization: {TOKEN}"), "");
    assert!(allowed.status == 405 && allowed.head.contains("allow: get, head"), "{}", allowed.head);
}

/// What a part of the page names: after these words, up to the quotation mark.
fn parts_named(text: &str) -> Vec<String> {
    let after = |word: &'static str| text.split(word).skip(1).filter_map(|rest| rest.split('"').next());
    let named = after("src=\"/").chain(after("href=\"/")).chain(after("from \"./"));
    named.map(|name| format!("/{name}")).collect()
}

#[test]
fn every_part_of_the_page_is_there_and_makes_no_markup_of_text() {
    let served = Served::new();
    let mut parts = vec!["/".to_owned()];
    let mut next = 0;
    while let Some(part) = parts.get(next).cloned() {
        let answer = served.get(&part);
        assert_eq!(answer.status, 200, "{part}");
        for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
            assert!(!answer.body.contains(word), "{part} makes markup or code of text: {word}");
        }
        let new = parts_named(&answer.body).into_iter().filter(|part| !parts.contains(part));
        let new: Vec<String> = new.collect();
        parts.extend(new);
        next += 1;
    }
    assert_eq!(parts.len(), 10, "{parts:?}");
}

#[test]
fn what_makes_no_sense_is_said_so() {
    let served = Served::new();
    let cases = [
        ("/api/v1/nothing", 404),
        ("/api/v1/explain", 400),
        ("/api/v1/explain?host=a.example", 504),
        ("/api/v1/hosts?sort=colour", 400),
        ("/api/v1/hosts?limit=1000000", 400),
        ("/api/v1/hosts?limit=0", 400),
        ("/api/v1/commands", 405),
    ];
    for (path, status) in cases {
        let answer = served.get(path);
        assert_eq!(answer.status, status, "{path}");
        assert!(json(&answer.body)["error"].is_string(), "{path}");
    }
    assert_eq!(served.ask("DELETE / HTTP/1.1", "").status, 401);
    assert_eq!(served.ask(&format!("PUT / HTTP/1.1\r\nAuthorization: {TOKEN}"), "").status, 405);
}

#[test]
fn a_command_reaches_the_desk_and_its_receipt_comes_back() {
    let served = Served::new();
    let answer = served.command(r#"{"exclude": {"host": "A.example"}}"#);
    assert_eq!((answer.status, &json(&answer.body)["entry"]), (200, &Value::from(7)));
    assert_eq!(served.command("\"pause\"").status, 200);
    let told = served.desk.told.lock().expect("no test panics with it").clone();
    assert!(matches!(&told[..], [Command::Exclude(_), Command::Pause]), "{told:?}");
}

#[test]
fn a_command_that_is_refused_says_why() {
    let served = Served::new();
    let ending = served.command("\"stop\"");
    assert_eq!((ending.status, ending.body.as_str()), (409, "\"ending\""));
    let busy = served.command("\"resume\"");
    assert_eq!((busy.status, busy.body.as_str()), (504, "\"busy\""));
    for garbled in ["", "{}", "\"explode\"", r#"{"exclude": {"pattern": "("}}"#, "[[[["] {
        let answer = served.command(garbled);
        assert_eq!(answer.status, 400, "{garbled}");
        assert!(json(&answer.body)["malformed"]["reason"].is_string(), "{garbled}");
    }
    assert!(served.desk.told.lock().expect("no test panics with it").is_empty());
}

#[test]
fn through_a_second_server_everything_is_the_same() {
    let served = Served::new();
    let (address, _server) = serve_through(&served);
    let ask = |head: &str, body: &str| {
        let host = format!("Host: {address}");
        exchange(TcpStream::connect(address).expect("a server"), &[head, &host], body)
    };
    let snapshot = ask("GET /api/v1/snapshot HTTP/1.1", "");
    assert_eq!(json(&snapshot.body)["snapshot"]["pages"], 42);
    assert_eq!(ask("GET / HTTP/1.1", "").status, 200);
    let command = "POST /api/v1/commands HTTP/1.1\r\nContent-Type: application/json";
    assert_eq!(ask(command, "\"pause\"").status, 401, "it has a token of its own");
    let with_token = format!("{command}\r\nAuthorization: {TOKEN}");
    assert_eq!(ask(&with_token, "\"pause\"").status, 200);
    assert_eq!(ask(&with_token, "\"stop\"").status, 409);
    drop(served);
    assert_eq!(ask("GET /api/v1/snapshot HTTP/1.1", "").status, 502, "the crawl has gone");
}
