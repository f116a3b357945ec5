use super::{Tape, TapeFault};
use crate::limits::{HEAD_BYTES, INTERIM_HEADS, REQUEST_BYTES};
use proptest::prelude::*;

fn play(pieces: &[&[u8]]) -> Result<Tape, TapeFault> {
    let mut tape = Tape::default();
    for piece in pieces {
        tape.heard(&mut piece.to_vec())?;
    }
    Ok(tape)
}

/// What these pieces are to who reads on.
fn passed(pieces: &[&str]) -> String {
    let mut tape = Tape::default();
    let mut passed = Vec::new();
    for piece in pieces {
        let mut piece = piece.as_bytes().to_vec();
        tape.heard(&mut piece).unwrap();
        passed.extend(piece);
    }
    String::from_utf8(passed).unwrap()
}

#[test]
fn http_1_0_passes_as_http_1_1() {
    let (old, new) = (
        "\r\nHTTP/1.0 200 OK\r\nA: HTTP/1.0\r\n\r\nHTTP/1.0",
        "\r\nHTTP/1.1 200 OK\r\nA: HTTP/1.0\r\n\r\nHTTP/1.0",
    );
    for cut in 0..=old.len() {
        let (start, rest) = old.split_at(cut);
        assert_eq!(passed(&[start, rest]), new, "{cut}");
    }
    check("HTTP/1.0 200 OK\r\n\r\n", Some("HTTP/1.0 200 OK\r\n\r\n"));
    assert_eq!(passed(&["HTTP/1.01 200 OK\r\n\r\n"]), "HTTP/1.11 200 OK\r\n\r\n", "neither is read");
}

#[test]
fn a_later_http_1_passes_as_http_1_1() {
    let (later, known) = ("HTTP/1.2 200 OK\r\nA: HTTP/1.2\r\n\r\n", "HTTP/1.1 200 OK\r\nA: HTTP/1.2\r\n\r\n");
    for cut in 0..=later.len() {
        let (start, rest) = later.split_at(cut);
        assert_eq!(passed(&[start, rest]), known, "{cut}");
    }
    check(later, Some(later));
    for other in ["HTTP/2.0 200 OK\r\n\r\n", "HTTP/1 200 OK\r\n\r\n", "HTTP/1. 200 OK\r\n\r\n"] {
        assert_eq!(passed(&[other]), other);
    }
}

fn check(response: &str, head: Option<&str>) {
    let mut tape = play(&[response.as_bytes()]).unwrap();
    assert_eq!(tape.take_head().as_deref(), head.map(str::as_bytes), "{response:?}");
}

#[test]
fn a_head_ends_with_its_empty_line() {
    check("HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody\r\n\r\n", Some("HTTP/1.1 200 OK\r\nA: b\r\n\r\n"));
    check("HTTP/1.1 200 OK\nA: b\n\nbody", Some("HTTP/1.1 200 OK\nA: b\n\n"));
    check("HTTP/1.1 200 OK\r\n\nbody", Some("HTTP/1.1 200 OK\r\n\n"));
    check(
        "HTTP/1.1 200 OK\r\nA: b\r\n \r\nC: d\r\n\r\n",
        Some("HTTP/1.1 200 OK\r\nA: b\r\n \r\nC: d\r\n\r\n"),
    );
    check("HTTP/1.1 200 OK\r\nA: b\r\n", None);
    check("", None);
}

#[test]
fn empty_lines_and_interim_heads_before_it_are_dropped() {
    let last = "HTTP/1.1 101 Switching\r\n\r\n";
    check(&format!("\r\n\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 \r\nA: b\r\n\r\n{last}"), Some(last));
    check("\rHTTP/1.1 200 OK\r\n\r\n", Some("HTTP/1.1 200 OK\r\n\r\n"));
    check("HTTP/1.1 199\n\nHTTP/1.1 1000 x\n\n", None);
}

#[test]
fn limits_are_named() {
    let long = format!("HTTP/1.1 200 OK\r\n{}", "A: b\r\n".repeat(HEAD_BYTES));
    assert_eq!(play(&[long.as_bytes()]).unwrap_err(), TapeFault::HeadBytes);
    let blank = "\r\n".repeat(HEAD_BYTES);
    assert_eq!(play(&[blank.as_bytes()]).unwrap_err(), TapeFault::HeadBytes);
    let storm = "HTTP/1.1 102 P\r\n\r\n".repeat(INTERIM_HEADS as usize + 1);
    assert_eq!(play(&[storm.as_bytes()]).unwrap_err(), TapeFault::InterimHeads);
    let mut tape = Tape::default();
    assert_eq!(tape.sent(&vec![b'a'; REQUEST_BYTES]), Ok(()));
    assert_eq!(tape.sent(b"a"), Err(TapeFault::RequestBytes));
    assert_eq!(tape.fault(), Some(TapeFault::RequestBytes));
}

#[test]
fn a_long_body_is_not_a_long_head() {
    let mut response = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    response.resize(10 * HEAD_BYTES, b'x');
    let tape = play(&[&response]).unwrap();
    assert_eq!(tape.received(), response.len() as u64);
}

#[test]
fn rewinding_forgets_everything() {
    let mut tape = play(&[b"HTTP/1.1 200 OK\r\n\r\n"]).unwrap();
    tape.sent(b"GET").unwrap();
    tape.rewind();
    assert_eq!((tape.received(), tape.take_head(), tape.take_request().len()), (0, None, 0));
}

/// Bytes that look like responses: the parts that decide, in any order.
fn any_response() -> impl Strategy<Value = Vec<u8>> {
    let parts = ["HTTP/1.1 200 OK", "HTTP/1.1 100 C", "A: b", "\r\n", "\n", "\r", " ", "\r\n\r\n", "x"];
    prop::collection::vec(prop::sample::select(parts.to_vec()), 0..40)
        .prop_map(|parts| parts.concat().into_bytes())
}

proptest! {
    #[test]
    fn how_the_bytes_are_cut_into_reads_does_not_matter(response in any_response(), cuts in prop::collection::vec(0..200usize, 0..8)) {
        let mut whole = play(&[&response]).unwrap();
        let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(response.len())).collect();
        cuts.extend([0, response.len()]);
        cuts.sort_unstable();
        let pieces: Vec<_> = cuts.windows(2).map(|pair| &response[pair[0]..pair[1]]).collect();
        let mut pieced = play(&pieces).unwrap();
        prop_assert_eq!(whole.take_head(), pieced.take_head());
    }

    #[test]
    fn a_head_is_a_piece_of_the_response_up_to_an_empty_line(response in any_response()) {
        if let Some(head) = play(&[&response]).unwrap().take_head() {
            prop_assert!(head.ends_with(b"\n"));
            prop_assert!(response.windows(head.len()).any(|window| window == head));
            let text = String::from_utf8(head.to_vec()).unwrap();
            let empty_lines = text.split('\n').filter(|line| line.bytes().all(|byte| byte == b'\r')).count();
            prop_assert_eq!(empty_lines, 2, "the empty line, and what follows the last line feed: {:?}", text);
        }
    }
}
