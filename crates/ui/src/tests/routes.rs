use super::speak::{Served, TOKEN, ask_at, serve_through};
use control::Command;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

fn parsed(body: &str) -> Value {
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
        assert!(parsed(&answer.body).is_object(), "{path}");
    }
    assert_eq!(parsed(&served.get("/api/v1/snapshot").body)["snapshot"]["pages"], 42);
    for (search, host) in [("A", "a.example"), ("B%C3%9CCHER.Example", "xn--bcher-kva.example.example")] {
        let hosts = served.get(&format!("/api/v1/hosts?q={search}"));
        assert_eq!(parsed(&hosts.body)["rows"][0]["host"], host);
    }
    assert_eq!(parsed(&served.get("/api/v1/settings").body)["set"]["delay_ms"], 3_000);
    let explained = served.get("/api/v1/explain?url=http%3A%2F%2Fa.example%2F%3Fx%3D1%2B1");
    assert_eq!(parsed(&explained.body)["url"], "http://a.example/?x=1+1");
    assert!(served.get("/metrics").body.contains("\ndrumlin_pages_total 42\n"));
}

/// Zeros would be a reset of every counter to whoever draws them.
#[test]
fn numbers_that_nobody_knows_yet_are_not_zeros() {
    let served = Served::new();
    served.desk.recovering.store(true, Ordering::Relaxed);
    let (second, _server) = serve_through(&served);
    for path in ["/metrics", "/api/v1/snapshot", "/api/v1/errors", "/api/v1/exclusions"] {
        for answer in [served.get(path), ask_at(second, &format!("GET {path} HTTP/1.1"), "")] {
            assert_eq!(answer.status, 503, "{path}");
            let error = parsed(&answer.body)["error"].to_string();
            assert!(error.contains("being recovered"), "{path}: {error}");
        }
    }
    served.desk.recovering.store(false, Ordering::Relaxed);
    assert_eq!(served.get("/metrics").status, 200);
}

/// RFC 9110, sections 9.1 and 9.3.2.
#[test]
fn head_is_get_without_the_body() {
    let served = Served::new();
    let (second, _server) = serve_through(&served);
    for path in ["/", "/api/v1/settings", "/api/v1/nothing", "/api/v1/commands"] {
        let got = served.get(path);
        let asked = format!("HEAD {path} HTTP/1.1");
        for head in [served.ask(&asked, ""), ask_at(second, &asked, "")] {
            assert_eq!((head.status, head.body.as_str()), (got.status, ""), "{path}");
            let length = format!("content-length: {}", got.body.len());
            assert!(head.head.contains(&length), "{path}: {}", head.head);
        }
    }
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
        ("/api/v1/history?span=long", 400),
        ("/api/v1/history?since=yesterday", 400),
        ("/api/v1/explain?host=a.example", 504),
        ("/api/v1/hosts?sort=colour", 400),
        ("/api/v1/hosts?limit=1000000", 400),
        ("/api/v1/hosts?limit=0", 400),
        ("/api/v1/commands", 405),
    ];
    for (path, status) in cases {
        let answer = served.get(path);
        assert_eq!(answer.status, status, "{path}");
        assert!(parsed(&answer.body)["error"].is_string(), "{path}");
    }
    for (method, path, allowed) in [
        ("DELETE", "/", "get, head"),
        ("TRACE", "/app.js", "get, head"),
        ("OPTIONS", "/api/v1/snapshot", "get, head"),
        ("POST", "/metrics", "get, head"),
        ("PUT", "/api/v1/commands", "post"),
    ] {
        let answer = served.ask(&format!("{method} {path} HTTP/1.1"), "");
        assert_eq!(answer.status, 405, "{method} {path}");
        assert!(answer.head.contains(&format!("\r\nallow: {allowed}\r\n")), "{}", answer.head);
    }
}

#[test]
fn a_command_reaches_the_desk_and_its_receipt_comes_back() {
    let served = Served::new();
    let answer = served.command(r#"{"exclude": {"host": "A.example"}}"#);
    let receipt = json!({ "entry": 7, "effect": "done", "said": "done (entry 7 of the journal)" });
    assert_eq!((answer.status, parsed(&answer.body)), (200, receipt));
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
        assert!(parsed(&answer.body)["malformed"]["reason"].is_string(), "{garbled}");
    }
    for misshapen in ["null", "{}", "[]", r#"["pause"]"#, "7", r#"{"seeds": [], "retry": "all"}"#] {
        let reason = parsed(&served.command(misshapen).body)["malformed"]["reason"].to_string();
        assert!(reason.contains("an object with one key"), "{misshapen}: {reason}");
    }
    assert!(served.desk.told.lock().expect("no test panics with it").is_empty());
}

#[test]
fn through_a_second_server_everything_is_the_same() {
    let served = Served::new();
    let (address, _server) = serve_through(&served);
    let ask = |head: &str, body: &str| ask_at(address, head, body);
    let snapshot = ask("GET /api/v1/snapshot HTTP/1.1", "");
    assert_eq!(parsed(&snapshot.body)["snapshot"]["pages"], 42);
    assert_eq!(ask("GET / HTTP/1.1", "").status, 200);
    let command = "POST /api/v1/commands HTTP/1.1\r\nContent-Type: application/json";
    assert_eq!(ask(command, "\"pause\"").status, 401, "it has a token of its own");
    let with_token = format!("{command}\r\nAuthorization: {TOKEN}");
    assert_eq!(ask(&with_token, "\"pause\"").status, 200);
    assert_eq!(ask(&with_token, "\"stop\"").status, 409);
    drop(served);
    assert_eq!(ask("GET /api/v1/snapshot HTTP/1.1", "").status, 502, "the crawl has gone");
}
