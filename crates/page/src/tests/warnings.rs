use super::with_headers;
use crate::{Document, Header, Limits, Page, Settings, parse};
use weburl::Url;

fn read(content_type: &str, body: &[u8]) -> Page {
    let url = Url::parse("http://site.test/").unwrap();
    let headers = [Header { name: "content-type", value: content_type }];
    parse(&Document { url: &url, headers: &headers, body }, &Settings::default())
}

/// The encoding and the warnings of a document.
#[track_caller]
fn check(content_type: &str, body: &[u8], charset: &str, expected: &[&str]) {
    let page = read(content_type, body);
    let warnings: Vec<String> = page.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        (page.charset.as_str(), warnings),
        (charset, expected.iter().map(|w| (*w).to_owned()).collect())
    );
}

#[test]
fn what_agrees_is_not_spoken_of() {
    check("text/html; charset=utf-8", "<meta charset=UTF8>é".as_bytes(), "utf-8", &[]);
    check("text/html", "\u{feff}<meta charset=utf-16>é".as_bytes(), "utf-8", &[]);
    check("text/html", b"<meta charset=latin1>\xe9", "windows-1252", &[]);
    check("text/html", b"ascii", "windows-1252", &[]);
    check("text/html", "é".as_bytes(), "utf-8", &[]);
    check("text/plain; charset=utf-8", b"<meta charset=koi8-r>", "utf-8", &[]);
}

#[test]
fn xml_is_in_utf_8_where_it_says_nothing() {
    let html_within = "<description><![CDATA[<p><meta charset=koi8-r>é]]></description>";
    let overruled = "a meta element declares koi8-r; UTF-8 throughout says otherwise and is stronger";
    for content_type in ["application/xml", "text/xml", "application/xhtml+xml", "application/rss+xml"] {
        check(content_type, b"<x/>", "utf-8", &[]);
        check(content_type, html_within.as_bytes(), "utf-8", &[overruled]);
        check(content_type, b"<?xml version='1.0' encoding='latin1'?><x>\xe9</x>", "windows-1252", &[]);
        check(&format!("{content_type}; charset=latin1"), b"<x>\xe9</x>", "windows-1252", &[]);
    }
    check("application/xhtml+xml", b"<html><meta charset='koi8-r'/>\xe9", "koi8-r", &[]);
    check("text/html", b"<?xml version='1.0' encoding='koi8-r'?><p>x", "koi8-r", &[]);
}

#[test]
fn a_meta_whose_charset_is_none_says_nothing() {
    let meta = b"<meta charset=x http-equiv=content-type content='text/html; charset=koi8-r'>";
    let unknown = "a meta element declares the encoding `x`, which nobody knows";
    check("text/html", meta, "windows-1252", &[unknown]);
}

#[test]
fn ascii_in_utf_16_is_told_without_a_mark() {
    let html = "<!doctype html><p>plain";
    let little: Vec<u8> = html.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = html.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (body, charset) in [(little, "utf-16le"), (big, "utf-16be")] {
        let guessed = format!("the encoding is declared nowhere; {charset} was guessed");
        check("text/html", &body, charset, &[&guessed]);
        assert_eq!(read("text/html", &body).text, "plain");
    }
}

#[test]
fn the_stronger_declaration_is_named() {
    check(
        "text/html; charset=utf-8",
        b"<meta charset=koi8-r>",
        "utf-8",
        &["a meta element declares koi8-r; Content-Type says otherwise and is stronger"],
    );
    check(
        "text/html; charset=koi8-r",
        "\u{feff}<meta charset=shift_jis>".as_bytes(),
        "utf-8",
        &[
            "Content-Type declares koi8-r; the byte-order mark says otherwise and is stronger",
            "a meta element declares shift_jis; the byte-order mark says otherwise and is stronger",
        ],
    );
    check(
        "text/html",
        b"<?xml version='1.0' encoding='koi8-r'?><meta charset=utf-8>",
        "utf-8",
        &["the XML declaration declares koi8-r; a meta element says otherwise and is stronger"],
    );
}

#[test]
fn labels_that_nobody_knows_are_shown() {
    check(
        "text/html; charset=utf-99",
        b"<meta charset=koi8-r>",
        "koi8-r",
        &["Content-Type declares the encoding `utf-99`, which nobody knows"],
    );
    check(
        "text/html",
        b"<meta charset='x&y'><meta charset=utf-8>",
        "utf-8",
        &["a meta element declares the encoding `x&y`, which nobody knows"],
    );
    let page = read(&format!("text/html; charset={}", "x".repeat(10_000)), b"");
    assert!(page.warnings[0].to_string().len() < 200);
}

#[test]
fn a_guess_says_so() {
    check(
        "text/html",
        b"caf\xe9",
        "windows-1252",
        &["the encoding is declared nowhere; windows-1252 was guessed"],
    );
    let russian = encoding_rs::WINDOWS_1251.encode("Съешь же ещё этих мягких французских булок").0;
    check(
        "text/html",
        &russian,
        "windows-1251",
        &["the encoding is declared nowhere; windows-1251 was guessed"],
    );
    let japanese = encoding_rs::ISO_2022_JP.encode("これは日本語の文章です").0;
    check(
        "text/html",
        &japanese,
        "iso-2022-jp",
        &["the encoding is declared nowhere; iso-2022-jp was guessed"],
    );
    let script = vec![b' '; 8000];
    for before in [&b"<!-- \xa9 -->"[..], b"<title>\xd1\xfa\xe5\xf8\xfc</title>"] {
        let page = read("text/html", &[before, &script, &russian].concat());
        assert_eq!(page.charset, "windows-1251", "a sign far before the text says little");
    }
    let late = format!("<!--{}--><meta charset=koi8-r>", "x".repeat(2000));
    check("text/html", late.as_bytes(), "koi8-r", &["the encoding is declared beyond the first 1024 bytes"]);
}

#[test]
fn xml_that_declares_nothing_is_in_utf8_but_for_a_slip() {
    let of = |text: &[u8]| [b"<?xml version='1.0'?><a>", text, b"</a>"].concat();
    check("text/xml", &of(b"gr\xc3\xb6\xc3\x9fe, \xe9"), "utf-8", &["1 malformed character was replaced"]);
    let guessed = "the encoding is declared nowhere; windows-1252 was guessed";
    check("text/xml", &of(b"gr\xf6\xdfe, \xe9"), "windows-1252", &[guessed]);
}

#[test]
fn what_was_replaced_is_counted() {
    check(
        "text/html; charset=utf-8",
        b"a\xffb\xe2\x82c \xef\xbf\xbd",
        "utf-8",
        &["2 malformed characters were replaced"],
    );
    check("text/html; charset=shift_jis", b"a\x81", "shift_jis", &["1 malformed character was replaced"]);
    check("text/html; charset=utf-8", "\u{fffd}".as_bytes(), "utf-8", &[]);
}

#[test]
fn what_was_cut_is_not_malformed() {
    let url = Url::parse("http://site.test/").unwrap();
    let settings =
        Settings { limits: Limits { parsed_bytes: 4, ..Limits::default() }, ..Settings::default() };
    let headers = [Header { name: "content-type", value: "text/plain; charset=utf-8" }];
    let page = parse(&Document { url: &url, headers: &headers, body: "abcé".as_bytes() }, &settings);
    let warnings: Vec<String> = page.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["there is more than the first 4 bytes, which were read"]);
}

#[test]
fn warnings_are_few_whatever_comes() {
    let metas = "<meta charset=x>".repeat(60);
    let content_type = "text/html".to_owned() + &"; charset=y".repeat(1000);
    let page = with_headers(&[Header { name: "content-type", value: &content_type }], &metas);
    assert_eq!(page.warnings.len(), 16);
}
