use crate::{Request, Span};

#[test]
fn a_line_of_nginx() {
    let line = r#"127.0.0.1 - - [22/Nov/2026:04:14:54 +0100] "GET /a?b=%22c HTTP/1.1" 301 169 "-" "drumlin/0.1 (+me)""#;
    let request = Request::parse(line).unwrap();
    let from_us = 1_795_317_294_000_000;
    assert_eq!(request.ended, Span { from_us, to_us: from_us + 1_000_000 });
    assert_eq!((request.target.as_str(), request.status), ("/a?b=%22c", 301));
    assert_eq!(request.agent.as_deref(), Some("drumlin/0.1 (+me)"));
    assert_eq!((request.host, request.started), (None, None));
}

#[test]
fn a_virtual_host_before_it_and_marks_within() {
    let line =
        r#"A.example:8080 ::1 - bob [01/Jan/2027:00:00:00 -0030] "GET / HTTP/2.0" 200 5 "x \"y\" z" "curl""#;
    let request = Request::parse(line).unwrap();
    assert_eq!(request.host.as_deref(), Some("a.example"));
    assert_eq!(request.agent.as_deref(), Some("curl"));
    assert_eq!(request.ended.from_us, 1_798_763_400_000_000);
}

#[test]
fn a_backslash_is_escaped_in_the_way_of_nginx_and_in_that_of_apache() {
    let target = |written: &str| {
        let line = format!(r#"::1 - - [22/Nov/2026:04:14:54 +0100] "GET {written} HTTP/1.1" 200 1 "-" "-""#);
        Request::parse(&line).unwrap().target
    };
    for (written, sent) in [
        (r"/?q=%95\x5C", r"/?q=%95\"),
        (r"/?q=%95\\", r"/?q=%95\"),
        (r"/?q=\x5C\x5C", r"/?q=\\"),
        (r"/?q=\\\\", r"/?q=\\"),
        (r"/?q=\x5Cx5C", r"/?q=\x5C"),
        (r"/?q=\\x5C", r"/?q=\x5C"),
        (r"/?q=%5C|x5C", r"/?q=%5C|x5C"),
    ] {
        assert_eq!(target(written), sent, "{written}");
    }
}

#[test]
fn a_virtual_host_that_is_an_address() {
    for host in ["[::1]", "[::1]:8080"] {
        let line = format!(r#"{host} ::1 - - [22/Nov/2026:04:14:54 +0100] "GET / HTTP/1.1" 200 1 "-" "-""#);
        assert_eq!(Request::parse(&line).unwrap().host.as_deref(), Some("[::1]"));
    }
}

#[test]
fn a_name_of_a_user_is_no_moment() {
    for user in [
        r"[01/Jan/9999:00:00:00 +0000] \x22GET /x HTTP/1.1\x22 200",
        r#"[01/Jan/9999:00:00:00 +0000] \"GET /x HTTP/1.1\" 200"#,
    ] {
        let line =
            format!(r#"::1 - {user} [22/Nov/2026:04:14:54 +0100] "GET / HTTP/1.1" 200 1 "-" "drumlin/0.1""#);
        let request = Request::parse(&line).unwrap();
        assert_eq!((&*request.target, request.ended.from_us), ("/", 1_795_317_294_000_000));
    }
}

#[test]
fn a_line_of_simweb() {
    let line = r#"{"start_us":5,"end_us":9,"client_port":4,"address":"127.1.2.3","scheme":"http","host":"h.test","target":"/t","status":200,"body_bytes":0}"#;
    let request = Request::parse(line).unwrap();
    assert_eq!(request.started, Some(Span { from_us: 5, to_us: 6 }));
    assert_eq!(request.address, Some("127.1.2.3".parse().unwrap()));
    assert_eq!((request.host.as_deref(), request.target.as_str()), (Some("h.test"), "/t"));
}

#[test]
fn lines_that_say_nothing() {
    for line in [
        "",
        "{}",
        "a",
        r#"1.2.3.4 - - [22/Nov/2026:04:14:54 +0100] "POST / HTTP/1.1" 200 1 "-" "-""#,
        r#"1.2.3.4 - - [22/Nov/2026:04:14:54 +0100] "\x16\x03" 400 1 "-" "-""#,
        r#"1.2.3.4 - - [22/Xyz/2026:04:14:54 +0100] "GET / HTTP/1.1" 200 1 "-" "-""#,
        r#"1.2.3.4 - - [22/Nov/2026:04:14:54 +999999999999999999] "GET / HTTP/1.1" 200 1 "-" "-""#,
        r#"1.2.3.4 - - [32/Nov/2026:04:14:54 +0100] "GET / HTTP/1.1" 200"#,
        r#"1.2.3.4 - - [ "GET"#,
    ] {
        assert!(Request::parse(line).is_err() || line.contains("32/Nov"), "{line}");
    }
}
