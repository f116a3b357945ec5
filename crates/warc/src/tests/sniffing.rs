use super::*;
use proptest::prelude::*;

#[track_caller]
fn check(payload: &[u8], declared: Option<&str>, wanted: &str) {
    assert_eq!(identify(payload, declared), wanted);
}

#[test]
fn bytes_say_what_they_are() {
    check(b"  \n<!DOCTYPE html><p>", None, "text/html");
    check(b"<!-- hi --><html>", None, "text/html");
    check(b"\xEF\xBB\xBF<HTML lang=en>", Some("text/plain"), "text/html");
    check(b"<?xml version='1.0'?><!DOCTYPE html><html xmlns='x'>", None, "application/xhtml+xml");
    check(b"<?xml version='1.0'?><rss>", Some("text/html"), "application/rss+xml");
    check(b"<?xml version='1.0'?><urlset>", None, "application/xml");
    check(b"<svg width=1>", None, "image/svg+xml");
    check(b"%PDF-1.7", Some("text/html"), "application/pdf");
    check(b"\x89PNG\r\n\x1A\n\0", None, "image/png");
    check(b"\xFF\xD8\xFF\xE0\0\x10JFIF", None, "image/jpeg");
    check(b"GIF89a", None, "image/gif");
    check(b"RIFF\x10\0\0\0WEBPVP8 ", None, "image/webp");
    check(b"{\"a\": 1}", None, "application/json");
    check(b"[1, 2]", None, "application/json");
    check(b"[link](x)", None, "text/plain");
    check(b"\xFF\xFE<\0h\0t\0m\0l\0>\0", None, "text/html");
}

#[test]
fn what_bytes_do_not_tell_the_server_does() {
    check(b"body { color: red }", Some("text/css"), "text/css");
    check(b"let a = 1;", Some("application/javascript"), "application/javascript");
    check(b"plain words", Some("image/png"), "text/plain");
    check(b"BM is how this text begins", None, "text/plain");
    check(b"\0\x01\x02", Some("text/html"), "application/octet-stream");
    check(b"\0\x01\x02", Some("application/x-thing"), "application/x-thing");
    check(b"", None, "text/plain");
}

#[test]
fn gzip_is_looked_through() {
    let of = |head: &str, payload: &[u8]| identify_payload(HttpMessage { head: head.as_bytes(), payload });
    let coded = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/plain\r\n\r\n";
    assert_eq!(of(coded, &gzip(PAGE)).as_deref(), Some("text/html"));
    assert_eq!(of(coded, &gzip(PAGE)[..10]).as_deref(), Some("text/plain"));
    assert_eq!(of(coded, b"").as_deref(), None);
    let brotli = "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Type: text/css; x=y\r\n\r\n";
    assert_eq!(of(brotli, b"???").as_deref(), Some("text/css"));
}

proptest! {
    #[test]
    fn any_bytes_have_a_type(payload in prop::collection::vec(any::<u8>(), 0..100)) {
        prop_assert!(identify(&payload, None).contains('/'));
    }
}
