use crate::{Decoded, Document, Header, PageKind, Settings, Warning, decode_body, parse};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::*;
use std::io::Write;
use weburl::Url;

const CAP: usize = 1 << 20;

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[track_caller]
fn check(decoded: &Decoded<'_>, expected: &[u8]) {
    assert_eq!((decoded.bytes.as_ref(), decoded.complete, decoded.capped), (expected, true, false));
    assert_eq!(decoded.warnings, []);
}

#[test]
fn each_coding_is_undone() {
    let text = b"what was said ".repeat(500);
    check(&decode_body(&text, None, CAP), &text);
    check(&decode_body(&text, Some("identity"), CAP), &text);
    check(&decode_body(&gzip(&text), Some("GZip"), CAP), &text);
    check(&decode_body(&gzip(&text), Some("x-gzip"), CAP), &text);
    check(&decode_body(&zlib(&text), Some("deflate"), CAP), &text);
    check(&decode_body(&deflate(&text), Some("deflate"), CAP), &text);
    check(&decode_body(&zstd::encode_all(&*text, 1).unwrap(), Some("zstd"), CAP), &text);
    check(&decode_body(&gzip(&zlib(&text)), Some("deflate, gzip"), CAP), &text);
    check(&decode_body(b"", Some("gzip"), CAP), b"");
    check(&decode_body(&gzip(b""), Some("gzip"), CAP), b"");
}

/// `hello brotli`, stored: a window header, one uncompressed meta-block, the empty last one (RFC 7932, 9.2).
#[test]
fn brotli_is_undone() {
    let coded =
        [0xb0, 0x00, 0x10, b'h', b'e', b'l', b'l', b'o', b' ', b'b', b'r', b'o', b't', b'l', b'i', 0x03];
    let decoded = decode_body(&coded, Some("br"), CAP);
    assert_eq!(String::from_utf8_lossy(&decoded.bytes), "hello brotli");
}

#[test]
fn members_are_concatenated_and_what_follows_is_ignored() {
    let two = [gzip(b"one "), gzip(b"two")].concat();
    check(&decode_body(&two, Some("gzip"), CAP), b"one two");
    let twice = gzip(b"same").repeat(2);
    check(&decode_body(&twice, Some("gzip"), CAP), b"samesame");
    let padded = [gzip(b"one"), b"\0\0garbage".to_vec()].concat();
    check(&decode_body(&padded, Some("gzip"), CAP), b"one");
}

#[test]
fn what_came_of_a_broken_body_is_kept() {
    let text: Vec<u8> = (0..60_000u32).flat_map(|n| n.to_string().into_bytes()).collect();
    let coded = gzip(&text);
    let decoded = decode_body(&coded[..coded.len() / 2], Some("gzip"), CAP);
    assert!(!decoded.complete && !decoded.capped);
    assert!(decoded.bytes.len() > text.len() / 4 && text.starts_with(&decoded.bytes));
    assert_eq!(decoded.warnings, [Warning::BrokenCoding("gzip".into())]);
}

/// With a wrong checksum, which browsers and curl find only after they have passed all of it on.
#[test]
fn all_of_a_zlib_body_comes_before_its_checksum() {
    for text in [PAGE.to_vec(), (0..20_000u32).flat_map(|n| n.to_string().into_bytes()).collect()] {
        let mut coded = zlib(&text);
        *coded.last_mut().unwrap() ^= 1;
        let decoded = decode_body(&coded, Some("deflate"), CAP);
        assert!(decoded.bytes == text && !decoded.complete, "{} of {}", decoded.bytes.len(), text.len());
        assert_eq!(decoded.warnings, [Warning::BrokenCoding("deflate".into())]);
    }
}

#[test]
fn a_body_that_is_not_coded_is_taken_as_it_is() {
    let decoded = decode_body(b"<p>plain", Some("gzip"), CAP);
    assert_eq!(decoded.bytes.as_ref(), b"<p>plain");
    assert_eq!(decoded.warnings, [Warning::NotCoded("gzip".into())]);
    let decoded = decode_body(b"x", Some("sdch"), CAP);
    assert_eq!(decoded.warnings, [Warning::UnknownCoding("sdch".into())]);
    assert!(decoded.complete, "as far as anybody can tell");
    let decoded = decode_body(b"x", Some("gzip,gzip,gzip,gzip"), CAP);
    assert_eq!((decoded.warnings, decoded.complete), (vec![Warning::TooManyCodings(4)], false));
}

const PAGE: &[u8] = b"<title>A hill</title><p>Some text<a href=/2>two</a>";

/// A page that came with these fields of Content-Encoding: its kind, its links, and what was wrong with it.
fn read(codings: &[&str], body: &[u8]) -> (PageKind, usize, Vec<Warning>) {
    let url = Url::parse("http://site.test/").unwrap();
    let html = Header { name: "content-type", value: "text/html; charset=utf-8" };
    let codings = codings.iter().map(|value| Header { name: "Content-Encoding", value });
    let headers: Vec<_> = std::iter::once(html).chain(codings).collect();
    let page = parse(&Document { url: &url, headers: &headers, body }, &Settings::default());
    (page.kind, page.links.len(), page.warnings)
}

#[test]
fn a_coding_that_nobody_knows_is_passed_over_where_there_is_something_to_read() {
    for coding in ["UTF-8", "none", "aws-chunked", "sdch"] {
        let unknown = Warning::UnknownCoding(coding.to_owned());
        assert_eq!(read(&[coding], PAGE), (PageKind::Html, 1, vec![unknown.clone()]));
        assert_eq!(read(&[coding], &gzip(PAGE)), (PageKind::Other, 0, vec![unknown]));
    }
    let not_there = vec![Warning::NotCoded("br".into())];
    assert_eq!(read(&["br"], PAGE), (PageKind::Html, 1, not_there.clone()));
    assert_eq!(read(&["br"], &gzip(PAGE)), (PageKind::Other, 0, not_there));
    let both = read(&["gzip, aws-chunked"], &gzip(PAGE));
    assert_eq!(both, (PageKind::Html, 1, vec![Warning::UnknownCoding("aws-chunked".into())]));
    assert_eq!(read(&["gzip,gzip,gzip,gzip"], PAGE).0, PageKind::Other, "nobody means that");
}

#[test]
fn several_fields_are_one_list() {
    assert_eq!(read(&["deflate", "gzip"], &gzip(&zlib(PAGE))), (PageKind::Html, 1, vec![]));
}

#[test]
fn bombs_stop_at_the_cap() {
    let zeros = vec![0; 20 << 20];
    for (coded, name) in
        [(gzip(&zeros), "gzip"), (zlib(&zeros), "deflate"), (zstd::encode_all(&*zeros, 1).unwrap(), "zstd")]
    {
        let decoded = decode_body(&coded, Some(name), CAP);
        assert_eq!((decoded.bytes.len(), decoded.capped, decoded.complete), (CAP, true, false), "{name}");
    }
    let decoded = decode_body(&zeros, None, CAP);
    assert_eq!((decoded.bytes.len(), decoded.capped), (CAP, true));
    let mut lying = gzip(b"small");
    let end = lying.len() - 4;
    lying[end..].copy_from_slice(&(CAP as u32).to_le_bytes());
    assert_eq!(decode_body(&lying, Some("gzip"), CAP).bytes.as_ref(), b"small");
}

proptest! {
    #[test]
    fn gzip_round_trips(parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..2000), 1..4)) {
        let coded: Vec<u8> = parts.iter().flat_map(|part| gzip(part)).collect();
        let decoded = decode_body(&coded, Some("gzip"), CAP);
        prop_assert_eq!(decoded.bytes.as_ref(), parts.concat());
        prop_assert!(decoded.complete);
    }

    #[test]
    fn nothing_breaks_a_decoder(bytes in prop::collection::vec(any::<u8>(), 0..300), name in "gzip|deflate|br|zstd") {
        prop_assert!(decode_body(&bytes, Some(&name), 4096).bytes.len() <= 4096);
    }
}
