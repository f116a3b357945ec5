use super::*;
use proptest::prelude::*;
use std::borrow::Cow;

fn check(head: &str, payload_len: u64, wanted: &str) {
    let got = archived_head(head.as_bytes(), payload_len);
    assert_eq!(String::from_utf8_lossy(&got), wanted);
}

#[test]
fn transfer_coding_goes_with_its_continuation_lines() {
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip,\r\n chunked\r\nServer: x\r\n\r\n",
        5,
        "HTTP/1.1 200 OK\r\nServer: x\r\n\r\n",
    );
    check("HTTP/1.1 200 OK\r\nTransfer-Encoding\r\n : chunked\r\n\r\n", 5, "HTTP/1.1 200 OK\r\n\r\n");
    let folded = "HTTP/1.1 200 OK\r\nContent-Length:\r\n 5\r\n\r\n";
    check(folded, 5, folded);
}

/// To readers that trim lines it would be the end of the head.
#[test]
fn a_line_of_blanks_goes() {
    check("HTTP/1.1 200 OK\r\n \r\na: b\r\n\t \r\n c\r\n\r\n", 0, "HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n");
}

#[test]
fn a_content_length_that_is_not_the_payloads_is_masked() {
    check("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 5, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
    for wrong in ["6", "", "5, 5", "-1", "99999999999999999999"] {
        check(
            &format!("HTTP/1.1 200 OK\r\ncontent-length: {wrong}\r\n\r\n"),
            5,
            &format!("HTTP/1.1 200 OK\r\nX-Crawler-content-length: {wrong}\r\n\r\n"),
        );
    }
}

#[test]
fn later_versions_are_written_as_http_1_1() {
    check("HTTP/2 200\r\na: b\r\n\r\n", 0, "HTTP/1.1 200 \r\na: b\r\n\r\n");
    check("HTTP/3 404 Not Found\r\n\r\n", 0, "HTTP/1.1 404 Not Found\r\n\r\n");
    check("HTTP/1.0 200 OK\r\n\r\n", 0, "HTTP/1.0 200 OK\r\n\r\n");
}

#[test]
fn line_ends_become_crlf_and_the_head_is_closed() {
    check("HTTP/1.1 200 OK\na: b\n\n", 0, "HTTP/1.1 200 OK\r\na: b\r\n\r\n");
    check("HTTP/1.1 200 OK\r\na: b", 0, "HTTP/1.1 200 OK\r\na: b\r\n\r\n");
    check("", 0, "\r\n\r\n");
}

#[test]
fn a_message_is_split_at_its_first_empty_line() {
    let message = HttpMessage::split(b"HTTP/1.1 301 Moved\r\nLocation:  /x \r\n\r\nbody\r\n\r\n");
    assert_eq!(message.status(), Some(301));
    assert_eq!(message.header("LOCATION").as_deref(), Some("/x"));
    assert_eq!(message.payload, b"body\r\n\r\n");
    assert_eq!(HttpMessage::split(b"no end").payload, b"");
    assert_eq!(HttpMessage::split(b"").status(), None);
}

const FOLDED: &[u8] = b"HTTP/1.1 200 OK\r\n Location: /of-no-field\r\nX-A: b\r\n Location: /wrong\r\nX-Robots-Tag: noindex,\r\n\
    \t nofollow \r\nlocation:\r\n  /right\r\nPlain: \xe9\r\nContent-Encoding: br\r\ncontent-encoding :\r\n gzip\r\n\r\n body: x\r\n";

#[test]
fn what_is_folded_is_one_line_and_what_is_not_is_borrowed() {
    let message = HttpMessage::split(FOLDED);
    assert_eq!(message.header("X-A").as_deref(), Some("b Location: /wrong"));
    assert_eq!(message.header("Location").as_deref(), Some("/right"));
    assert_eq!(message.header("X-Robots-Tag").as_deref(), Some("noindex, nofollow"));
    assert_eq!(message.values("plain").collect::<Vec<_>>(), [&b"\xe9"[..]]);
    let owned = header_lines(FOLDED).filter(|line| matches!(line, Cow::Owned(_))).count();
    assert_eq!((header_lines(FOLDED).count(), owned), (6, 4), "and the body is no part of it");
}

#[test]
fn several_fields_of_one_name_are_one_list_in_order() {
    let message = HttpMessage::split(FOLDED);
    assert_eq!(message.list("Content-Encoding").as_deref(), Some("br, gzip"));
    assert_eq!((message.list("plain").as_deref(), message.list("age")), (Some("é"), None));
    let coded = |head: &[u8]| HttpMessage { head, payload: &[] }.is_content_coded();
    assert!(coded(b"\nContent-Encoding: identity\nContent-Encoding: gzip\n"));
    assert!(!coded(b"\nContent-Encoding: identity\nContent-Encoding:\n"));
}

proptest! {
    #[test]
    fn any_head_ends_in_an_empty_line_and_is_stable(
        head in prop::collection::vec(prop_oneof![Just(b'\r'), Just(b'\n'), Just(b':'), any::<u8>()], 0..300),
        len in 0u64..10,
    ) {
        let once = archived_head(&head, len);
        prop_assert!(once.ends_with(b"\r\n\r\n"));
        prop_assert_eq!(&archived_head(&once, len), &once);
    }
}
