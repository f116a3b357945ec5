use crate::{field, refreshed_head};

const STORED: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 40\r\nETag: \"one\"\r\n\
    Cache-Control: max-age=5,\r\n  private\r\nContent-Encoding: gzip\r\nLink: </a>; rel=next\r\n\r\n";

#[track_caller]
fn check(not_modified: &str, expected: &str) {
    let head = refreshed_head(STORED, not_modified.as_bytes());
    assert_eq!(String::from_utf8(head).unwrap(), expected);
}

#[test]
fn fields_of_the_304_take_the_place_of_stored_ones() {
    check(
        "HTTP/1.1 304 Not Modified\r\netag: W/\"two\"\r\ncache-control: no-store\r\nX-New: yes\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 40\r\nContent-Encoding: gzip\r\n\
         Link: </a>; rel=next\r\netag: W/\"two\"\r\ncache-control: no-store\r\nX-New: yes\r\n\r\n",
    );
}

#[test]
fn a_field_of_the_304_that_is_folded_comes_whole() {
    check(
        "HTTP/1.1 304 Not Modified\r\nCache-Control: no-store,\r\n\tETag: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 40\r\nETag: \"one\"\r\n\
         Content-Encoding: gzip\r\nLink: </a>; rel=next\r\nCache-Control: no-store, ETag: x\r\n\r\n",
    );
}

#[test]
fn what_is_about_bytes_or_the_connection_stays_as_it_was() {
    let same = String::from_utf8(STORED.to_vec()).unwrap();
    check(
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 0\r\nContent-Type: text/plain\r\ncontent-encoding: br\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\nKeep-Alive: timeout=5\r\nno field\r\n\r\n",
        &same,
    );
}

#[test]
fn a_field_is_given_byte_for_byte() {
    let head = b"HTTP/1.1 200 OK\r\nETag:  W/\"\xE4 b\" \r\nLast-Modified:\r\n\r\n";
    assert_eq!(field(head, "etag").as_deref(), Some(&b"W/\"\xE4 b\""[..]));
    assert_eq!((field(head, "last-modified"), field(head, "age")), (None, None));
    let folded = b"HTTP/1.1 200 OK\r\nETag:\r\n \"one\"\r\nLast-Modified: Mon, 02 Nov\r\n\t2026\r\n\r\n";
    assert_eq!(field(folded, "etag").as_deref(), Some(&b"\"one\""[..]));
    assert_eq!(field(folded, "last-modified").as_deref(), Some(&b"Mon, 02 Nov 2026"[..]));
}
