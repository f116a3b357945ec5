//! Everything that reads a document, on what nobody wrote.

#[path = "common/tree.rs"]
mod tree;

use flate2::read::MultiGzDecoder;
use fuzz::Fuzz;
use meter::Meter;
use page::{Document, Header, LinkKinds, Page, Settings, parse};
use std::io::Read;
use weburl::Url;

#[global_allocator]
static METER: Meter = Meter::new();

const PAGES: [&str; 9] = [
    "<title>a \0</title><p>b \0c<pre>d \0\n</pre>",
    "<!doctype html><html lang=de><meta charset=utf-8><title>a &amp; b</title><base href=/x/><p>text <a href='y?ü#z' rel=nofollow>l</a>",
    "<link rel=canonical href=/c><link rel='alternate' hreflang=fr href=fr><link rel=preload imagesrcset='a 1x, b 2x'>",
    "<meta http-equiv=refresh content='5; url=next'><meta name=robots content='noindex, nofollow'><meta name=tdm-reservation content=1>",
    "<img src=1 srcset='2 1x, 3,4 (x) 2x'><video poster=5><source src=6></video><form action=7><input formaction=8><object data=9>",
    "<svg><a xlink:href=1><image href=2 /></a></svg><math><a href=3></a></math><template><a href=4></template><noscript><a href=5>",
    "<frameset><frame src=1 longdesc=2></frameset><noframes><a href=3></noframes>",
    "<?xml version='1.0' encoding='koi8-r'?><rss><channel><title>t</title><link href='x'/></channel></rss>",
    "<pre>\n a\tb</pre><table><tr><td>1<td>2</table><select><option>x</select><script>y</script><textarea>z</textarea>",
];

const WORDS: [&str; 32] = [
    "<a href=",
    "<base href=",
    "<link rel=",
    " href=",
    "<meta ",
    "charset=",
    "http-equiv=",
    "content=",
    "refresh",
    "robots",
    "srcset=",
    "<template>",
    "</template>",
    "<svg>",
    "</svg>",
    "<noscript>",
    "<frameset>",
    "<title>",
    "<pre>",
    "<select>",
    "</a>",
    "<td>",
    "http://",
    "//x.test/",
    "../",
    "?",
    "#",
    "&amp;",
    "data:",
    "javascript:",
    "\u{feff}",
    "é",
];

const TYPES: [&str; 6] = [
    "text/html",
    "text/html; charset=utf-8",
    "text/html; charset=shift_jis",
    "application/xhtml+xml",
    "application/rss+xml",
    "text/plain",
];

/// URLs may be long where a base is: so much of them is kept.
const LINK_BYTES: usize = 64 << 10;

fn read(headers: &[Header<'_>], body: &[u8]) -> Page {
    let url = Url::parse("http://site.test/dir/page?q").expect("a URL");
    let mut settings = Settings { kinds: LinkKinds::ALL, ..Settings::default() };
    settings.limits.link_bytes = LINK_BYTES;
    settings.limits.decoded_bytes = 1 << 20;
    parse(&Document { url: &url, headers, body }, &settings)
}

fn read_typed(content_type: &str, body: &[u8]) -> Page {
    read(&[Header { name: "Content-Type", value: content_type }], body)
}

#[track_caller]
fn check(page: &Page) {
    for link in &page.links {
        let again = Url::parse(link.url.as_str()).expect("a link is a URL");
        assert_eq!(again, link.url);
        assert!(!link.url.as_str().contains('#') && link.anchor.len() <= 512, "{link:?}");
    }
    let is_trimmed = page.title.as_ref().is_none_or(|title| title.trim_ascii() == title);
    assert!(is_trimmed && page.warnings.len() <= 16);
}

#[test]
fn documents() {
    let cut = format!("<title>{} b", "a".repeat(2047));
    Fuzz::new("documents").seeds(PAGES).seeds([cut]).words(&WORDS).executions(2000).run(|input| {
        for content_type in TYPES {
            let mut page = None;
            let peak = METER.peak_while(|| page = Some(read_typed(content_type, input)));
            let page = page.expect("it was read");
            check(&page);
            // A byte of a legacy encoding is at most three in UTF-8.
            assert!(page.text.len() <= 4 * input.len() + 16, "{} bytes of text", page.text.len());
            assert!(
                peak <= 4 * LINK_BYTES + 512 * input.len() + (256 << 10),
                "{peak} bytes for {}",
                input.len()
            );
        }
    });
}

/// What the links of tag soup depend on: elements that hold raw text, that end others, that are read by another grammar.
const SOUP: [&str; 16] = [
    "<template><tr><svg></table><a href>",
    "<title><a href=1></title><body><p><a href=2>x</a><table><tr><td><a href=3></table><plaintext><a href=4>",
    "<div><svg><g><a href=1></a><foreignObject><p><a href=2></p></foreignObject></g></svg></div><a href=3>",
    "<svg><title><a href=1></title><desc><b></desc></svg><a href=2>",
    "<math><mi><a href=1></mi><annotation-xml encoding=text/html><a href=2></annotation-xml><mrow></mrow></math><a href=3>",
    "<frameset><frame src=1><noframes><a href=2></noframes></frameset><a href=3>",
    "<template><a href=1><template><a href=2></template></template><base href=/b/><link href=3>",
    "<select><option><a href=1></select><script><!-- <script></script> --></script><iframe src=2><a href=3></iframe><area href=4>",
    "<x-y><svg></x-y><a href=1></svg><span><math></span><a href=2>",
    "<script><!--/script><iframe src>",
    "<e><a href><template><a><frameset>",
    "\0<frameset><frame src>",
    "<template>></template><frameset><link href>",
    "<math><mi><a><svg><foreignObject><p><a></p></foreignObject></math><a href>",
    "<template><a href><Object></template><",
    "<base href=o:><link href>",
];

const SOUP_WORDS: [&str; 53] = [
    "<a href=1>",
    "</a>",
    "<area href=2>",
    "<iframe src=3>",
    "<frame src=4>",
    "<link href=5>",
    "<base href=/6/>",
    "<svg>",
    "</svg>",
    "<math>",
    "</math>",
    "<foreignObject>",
    "</foreignObject>",
    "<desc>",
    "</desc>",
    "<title>",
    "</title>",
    "<mi>",
    "</mi>",
    "<annotation-xml encoding=text/html>",
    "<annotation-xml>",
    "</annotation-xml>",
    "<g>",
    "</g>",
    "<x-y>",
    "</x-y>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<b>",
    "</b>",
    "<span>",
    "</span>",
    "<table>",
    "<td>",
    "</td>",
    "</table>",
    "<template>",
    "</template>",
    "<select>",
    "</select>",
    "<frameset>",
    "</frameset>",
    "<body>",
    "</body>",
    "<head>",
    "</head>",
    "<style>",
    "</style>",
    "<noscript>",
    "</noscript>",
    "<![CDATA[",
];

/// Short inputs: html5ever takes most of the time.
const SOUP_BYTES: usize = 256;

#[test]
fn links() {
    Fuzz::new("links").seeds(SOUP).words(&SOUP_WORDS).most_bytes(SOUP_BYTES).executions(2000).run(|input| {
        // A NUL in a name is U+FFFD (HTML 13.2.5.8); ours takes it as it is, so that there must be no other.
        let html = format!("<!doctype html>{}", String::from_utf8_lossy(input).replace('\u{fffd}', "é"));
        if !is_read_otherwise(&html.to_ascii_lowercase()) {
            let (found, mut there) = (tree::scanned(&html), tree::in_tree(&html));
            // A link in a template comes back outside where a cell of it is left open: a clone, of which no tag tells.
            there.retain(|(element, url, template)| {
                *template
                    || !found.contains(&(*element, url.clone(), true))
                    || found.contains(&(*element, url.clone(), false))
            });
            assert_eq!(found, there, "{html}");
        }
    });
}

/// What html5ever reads otherwise than a browser does, or ours by choice.
fn is_read_otherwise(html: &str) -> bool {
    // To html5ever, `annotation-xml` bounds no scope.
    let bases = html.matches("<base").count();
    // What stands in a table, but in no cell, comes before the table in a tree: of two bases the second may be the first.
    let swapped = bases > 1 && html.contains("<table");
    html.contains("annotation-xml")
        || html.contains("<noscript") && bases > 0
        || swapped
        || ends_around_foreign(html)
        || forgets(html)
        || begins_with_a_column_in_a_template(html)
}

/// In a template that begins with a column nothing is but columns (HTML 13.2.6.4.22): `<template><col><svg><a>` opens neither.
fn begins_with_a_column_in_a_template(html: &str) -> bool {
    [&["<template"][..], &["<col"]].into_iter().try_fold(html, behind_first).is_some()
}

/// Two things that Chromium forgets where a `frameset` comes, and ours with it: that a template stood in the head, once an end tag begins
/// the body (HTML 13.2.6.4.4), and a NUL.
fn forgets(html: &str) -> bool {
    const ENDS: &[&str] = &["</body", "</html"];
    let template = [&["<template"], ENDS, &["<frameset"]].into_iter().try_fold(html, behind_first);
    template.is_some() || html.contains('\0') && html.contains("<frameset")
}

/// To html5ever nothing of SVG or `MathML` is special (HTML 13.2.4.2): an end tag in an integration point ends what is around all of it,
/// which shows where two of them are nested or where the point is left. To Chromium it does not (`<q><svg><desc><svg></q><a>`: an anchor of SVG).
fn ends_around_foreign(html: &str) -> bool {
    const FOREIGN: [&str; 2] = ["<svg", "<math"];
    const LEFT: &[&str] =
        &["</foreignobject", "</desc", "</title", "</mi", "</mn", "</mo", "</ms", "</mtext"];
    const POINTS: &[&str] = &["<foreignobject", "<desc", "<title", "<mi", "<mn", "<mo", "<ms", "<mtext"];
    let is_nested = FOREIGN.into_iter().map(|tag| html.matches(tag).count()).sum::<usize>() > 1;
    let behind = [&FOREIGN, POINTS, &["</"]].into_iter().try_fold(html, behind_first);
    behind.is_some_and(|rest| is_nested || behind_first(rest, LEFT).is_some())
}

/// What comes after the first of these.
fn behind_first<'a>(html: &'a str, any: &[&str]) -> Option<&'a str> {
    let behind = any.iter().filter_map(|tag| Some(html.split_once(tag)?.1));
    behind.max_by_key(|rest| rest.len())
}

#[test]
fn encodings() {
    let seeds: [&[u8]; 7] = [
        b"<meta charset=utf-8>",
        b"<meta http-equiv=content-type content='text/html; charset=shift_jis'>\x82\xa0",
        b"\xff\xfe<\0a\0",
        b"\xef\xbb\xbf\xc3\xa9",
        b"\x1b$B$3$l$O\x1b(B",
        b"<?xml version='1.0' encoding='koi8-r'?>\xc1",
        b"caf\xe9 \x93x\x94",
    ];
    let words = [
        "<meta ",
        "charset",
        "=",
        "content=",
        "http-equiv=content-type",
        "<!--",
        "-->",
        "utf-16",
        "x-user-defined",
    ];
    Fuzz::new("encodings").seeds(seeds).words(&words).run(|input| {
        let charset = page::charset::sniff(input, None);
        assert_eq!(charset, page::charset::sniff(input, Some("text/html")));
        let text = charset.decode(input);
        assert!(text.len() <= 3 * input.len());
        if let Ok(utf8) = std::str::from_utf8(input)
            && charset.encoding == encoding_rs::UTF_8
        {
            assert_eq!(utf8.trim_start_matches('\u{feff}'), text.trim_start_matches('\u{feff}'));
        }
    });
}

/// Those that are read.
const NAMES: [&str; 5] = ["Link", "Refresh", "X-Robots-Tag", "Content-Type", "Content-Encoding"];

#[test]
fn headers() {
    let seeds = [
        "</a>; rel=\"next, x\"; hreflang=de, <b>;rel=preload;imagesrcset=\"1 1x, 2 2x\"",
        "0.5; url='x'",
        "noindex, googlebot: nofollow, unavailable_after: 25 Jun 2010 15:00:00 PST",
        "text/html; charset=\"utf-8\"; charset=x",
        "gzip, deflate, br",
    ];
    let words = [
        "<",
        ">",
        "rel=",
        "canonical",
        "anchor=",
        "\"",
        "\\",
        ";",
        ",",
        "url=",
        "charset=",
        "none",
        "drumlin:",
    ];
    Fuzz::new("headers").seeds(seeds).words(&words).run(|input| {
        let value = String::from_utf8_lossy(input);
        for name in NAMES {
            check(&read(&[Header { name, value: &value }, Header { name, value: &value }], b"<a href=x>y"));
        }
    });
}

/// Attributes with a language of their own, in a page around them.
#[test]
fn attributes() {
    let seeds =
        ["a 1x, b 2x", "0; url=x", " 1.5 ,URL = \"y\" z", "a,b (c,d) 1w,,e", "//[::1]:80/ü?ü", "1 2 3"];
    let words =
        [",", " ", "(", ")", ";", "url", "=", "1x", "\t", "http://", "\\", "/../", "%", "@", ":", "xn--"];
    Fuzz::new("attributes").seeds(seeds).words(&words).run(|input| {
        let value = String::from_utf8_lossy(input).replace('"', "&quot;");
        let html = format!(
            "<base href=\"{value}\"><img srcset=\"{value}\"><meta http-equiv=refresh content=\"{value}\"><a href=\"{value}\" ping=\"{value}\">"
        );
        check(&read_typed("text/html; charset=shift_jis", html.as_bytes()));
    });
}

#[test]
fn codings() {
    let zipped = |text: &str| {
        let mut bytes = Vec::new();
        flate2::read::GzEncoder::new(text.as_bytes(), flate2::Compression::default())
            .read_to_end(&mut bytes)
            .expect("memory");
        bytes
    };
    let two = [zipped("one"), zipped("two")].concat();
    let seeds = [zipped("hello hello hello hello"), zipped(""), two, b"\x0b\x05\x80hello\x03".to_vec()];
    Fuzz::new("codings").seeds(seeds).most_bytes(2048).run(|input| {
        for coding in ["gzip", "deflate", "br", "zstd", "gzip, gzip"] {
            let mut decoded = None;
            let peak = METER.peak_while(|| decoded = Some(page::decode_body(input, Some(coding), 1 << 20)));
            let decoded = decoded.expect("it was decoded");
            assert!(decoded.bytes.len() <= 1 << 20 && peak <= 32 << 20, "{coding}: {peak}");
        }
        let mut theirs = Vec::new();
        let is_sound = MultiGzDecoder::new(input).take(1 << 20).read_to_end(&mut theirs).is_ok();
        if is_sound && !theirs.is_empty() && theirs.len() < 1 << 20 {
            assert_eq!(page::decode_body(input, Some("gzip"), 1 << 20).bytes, theirs);
        }
    });
}

#[test]
fn texts() {
    let seeds = [
        "The quick brown fox jumps over the lazy dog",
        "Съешь же ещё этих мягких французских булок",
        "これは日本語の文章です。",
        "a 1 b 2, 3.4",
    ];
    Fuzz::new("texts").seeds(seeds).words(&[" ", "\n", "the ", "und ", "の", "ا", "한", "1999-12-31"]).run(
        |input| {
            let text = String::from_utf8_lossy(input);
            assert!(
                page::language::detect(&text).is_none_or(|found| (0.0..=1.0).contains(&found.confidence))
            );
            assert_eq!(page::fingerprint(&text), page::fingerprint(&text));
        },
    );
}
