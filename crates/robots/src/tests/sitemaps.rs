use crate::{Extent, Sitemap, limits, parse_sitemap, read_sitemap};
use proptest::prelude::*;
use std::io::{self, Read};

/// The URLs, joined by blanks.
#[track_caller]
fn check(body: &str, want: &str) {
    assert_eq!(locs(&parse_sitemap(body.as_bytes())), want, "{body}");
}

fn locs(sitemap: &Sitemap) -> String {
    sitemap.urls.iter().map(|entry| entry.loc.as_str()).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check_date(text: &str, want: Option<&str>) {
    let body = format!("<urlset><url><loc>/</loc><lastmod>{text}</lastmod></url></urlset>");
    let lastmod = parse_sitemap(body.as_bytes()).urls[0].lastmod.map(stdx::WallTime::iso_millis);
    assert_eq!(lastmod.as_deref(), want, "{text}");
}

#[test]
fn urls_and_what_is_said_of_them() {
    let sitemap = parse_sitemap(
        br#"<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
            <url><loc> http://a.test/?b=1&amp;c=&#50; </loc><lastmod>2005-01-01</lastmod><priority>0.8</priority></url>
            <url><loc><![CDATA[http://a.test/?d&e]]></loc><priority>7</priority></url></urlset>"#,
    );
    assert!(!sitemap.is_index);
    assert_eq!(locs(&sitemap), "http://a.test/?b=1&c=2 http://a.test/?d&e");
    assert_eq!(sitemap.urls[0].priority, Some(0.8));
    assert_eq!(sitemap.urls[0].lastmod.unwrap().digits14(), "20050101000000");
    assert_eq!((sitemap.urls[1].priority, sitemap.urls[1].lastmod), (None, None));
}

#[test]
fn an_index_is_one() {
    assert!(
        parse_sitemap(b"<sitemapindex><sitemap><loc>http://a.test/s</loc></sitemap></sitemapindex>").is_index
    );
    assert!(parse_sitemap(b"<sitemap><loc>http://a.test/s</loc></sitemap>").is_index);
    assert!(
        parse_sitemap(b"<?xml version='1.0'?><sitemapindex xmlns='s'></sitemapindex>").is_index,
        "an empty one too"
    );
}

#[test]
fn namespaces() {
    check("<s:urlset xmlns:s='x'><s:url><s:loc>http://a/</s:loc></s:url></s:urlset>", "http://a/");
    check(
        "<urlset><url><loc>http://a/</loc><image:image><image:loc>http://i/</image:loc></image:image></url></urlset>",
        "http://a/",
    );
    check("<urlset><url><loc>http://a/</loc><xhtml:link href='http://b/'/></url></urlset>", "http://a/");
}

#[test]
fn broken_markup() {
    check("<urlset><url><loc>http://a/<url><loc>http://b/</url>", "http://a/ http://b/");
    check("<urlset><url><loc>http://a/</url><url><loc>http://b/</loc>", "http://a/ http://b/");
    check("<urlset><loc>http://a/</loc><loc>http://b/</loc></urlset>", "http://a/ http://b/");
    check("<urlset><!-- <url><loc>http://a/</loc></url> --><url><loc>http://b/</loc></url>", "http://b/");
    check("<urlset><!-- <url><loc>http://a/</loc></url>", "http://a/");
    check("<urlset><url><loc><![CDATA[http://a/</loc></url>", "http://a/");
    check("<urlset x=\"><url><loc>http://a/?x&y&z;&#xD800;</loc></url>", "http://a/?x&y&z;&#xD800;");
    check("garbage & more <br> <urlset a='>'><url><loc>http://a/</loc></url>", "http://a/");
    check("<urlset><url><loc/></url><url><loc></loc></url></urlset>", "");
}

#[test]
fn a_url_may_stand_in_its_entry_without_a_loc() {
    check(
        "<sitemapindex><sitemap>http://e.com/1</sitemap><sitemap> http://e.com/2?a&amp;b</sitemap>",
        "http://e.com/1 http://e.com/2?a&b",
    );
    check("<urlset><url><![CDATA[http://e.com/3]]><lastmod>2005</lastmod></url></urlset>", "http://e.com/3");
    check(
        "<urlset><url>http://e.com/4<loc>http://e.com/5</loc>http://e.com/6</url></urlset>",
        "http://e.com/5",
    );
    check("<urlset><url>/7</url><url>words</url>http://e.com/8</urlset>", "");
    check("<urlset><url><i:image><i:loc>http://e.com/9</i:loc></i:image></url></urlset>", "");
    check("<urlset><url>http://e.com/<i:image>10</i:image></url></urlset>", "http://e.com/");
    check("<rss><image><url>http://e.com/11</url></image><item>http://e.com/12</item></rss>", "");
}

#[test]
fn no_url_is_invented() {
    let check_loc = |loc: &str, want: &str| check(&format!("<urlset><loc>{loc}</loc></urlset>"), want);
    check_loc("&test;", "");
    check_loc("words", "");
    check_loc("www.e.com/a:b", "");
    check_loc("é:b", "");
    check_loc("/a", "/a");
    check_loc("//e.com/", "//e.com/");
    check_loc("HTTP://e.com/&test;", "HTTP://e.com/&test;");
    check_loc("\u{A0}\u{200B}http://e.com/a\u{FEFF}\n\u{A0}", "http://e.com/a");
    check_loc("&#xA0;http://e.com/a&#x200B;", "http://e.com/a");
    check_loc(" &lt;![CDATA[ http://e.com/?a&amp;b ]]&gt; ", "http://e.com/?a&b");
    check_loc("&lt;![CDATA[&amp;nbsp;]]&gt;", "");
    let cut = format!("\u{A0}http://e.com/{}", "x".repeat(limits::URL_BYTES));
    check_loc(&cut, "");
    check("<urlset><url><loc>&test;</loc><loc>http://e.com/a</loc></url></urlset>", "http://e.com/a");
    check("<feed><entry><link>&test;</link></entry><entry><link href='b.html'/></entry></feed>", "b.html");
}

#[test]
fn feeds() {
    check(
        "<rss><channel><link>http://c/</link><item><link>http://a/</link><guid>http://g/</guid></item>\
         <item><guid>http://b/</guid></item><item><guid isPermaLink='false'>http://d/</guid></item>\
         <item><guid isPermaLink='false'>tag:7</guid></item>\
         <item><guid isPermaLink='false'>http://e/</guid><link>http://f/</link></item></channel></rss>",
        "http://a/ http://b/ http://d/ http://f/",
    );
    check(
        "<feed xmlns='http://www.w3.org/2005/Atom'><link href='http://c/'/><entry><link rel='edit' href='http://e/'/>\
         <link href='http://a/?x&amp;y'/></entry><entry><link rel='alternate' href='/b'/></entry></feed>",
        "http://a/?x&y /b",
    );
    check(
        "<feed><entry><link href='/a'/><link rel='alternate' hreflang='de' href='/de'/><link rel='edit' href='/e'/>\
         <link href='&test;'/></entry><entry><link href='/b'/></entry></feed>",
        "/de /a /b",
    );
    check(
        "<rdf:RDF><channel><link>http://c/</link></channel><item><link>http://a/</link></item></rdf:RDF>",
        "http://a/",
    );
    check(
        "<rss><item><image><url>http://i/</url></image><link>http://a/</link></item><item><link>http://b/</link></item></rss>",
        "http://a/ http://b/",
    );
    check("<feed><entry><source><link href='/s'/></source><link href='/a'/></entry></feed>", "/a");
    check("<rss><item><source url='/s'/><link>/a</link></item></rss>", "/a");
    check(
        "<rss><item><image><url>http://i/</url><link>http://l/</link></image><link>http://a/</link></item></rss>",
        "http://a/",
    );
    check(
        "<feed><entry><content type='xhtml'><div><source></source><link href='/c'/></div></content><link href='/a'/></entry></feed>",
        "/a",
    );
    check("<feed><entry><summary><link href='/s'/></summary><link href='/a'/></entry></feed>", "/a");
    check(
        "<feed><entry><link rel='http://www.iana.org/assignments/relation/alternate' href='/a'/></entry>\
         <entry><link rel='ALTERNATE' href='/b'/></entry>\
         <entry><link rel='http://www.iana.org/assignments/relation/self' href='/c'/></entry></feed>",
        "/a /b",
    );
    check(
        "<rdf:RDF><rss:channel><rss:link>http://c/</rss:link></rss:channel>\
         <rss:item><rss:link>http://a/</rss:link><link>http://b/</link></rss:item></rdf:RDF>",
        "http://a/",
    );
    check(
        "<urlset><url><loc>http://a/</loc><image xmlns='x'><loc>http://i/</loc></image></url></urlset>",
        "http://a/",
    );
    let based =
        parse_sitemap(b"<feed xml:base='/b/?x&amp;y'><entry xml:base='/c/'><link href='1'/></entry></feed>");
    assert_eq!(based.base.as_deref(), Some("/b/?x&y"));
    let dated = "<feed><entry><link href='/'/><published>2001-01-01T00:00:00Z</published>\
                 <updated>2002-01-01T00:00:00Z</updated></entry></feed>";
    assert_eq!(parse_sitemap(dated.as_bytes()).urls[0].lastmod.unwrap().digits14(), "20020101000000");
}

#[test]
fn text_lists() {
    check("\u{FEFF}http://a/\r\n\r\n  HTTPS://b/ \nftp://c/\nnot a URL", "http://a/ HTTPS://b/");
    check("<!DOCTYPE html><html><body>\nhttp://a/\n</body></html>", "");
    let utf16: Vec<u8> = "\u{FEFF}http://a/".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(locs(&parse_sitemap(&utf16)), "http://a/");
}

#[test]
fn dates() {
    check_date("2005-06-10", Some("2005-06-10T00:00:00.000Z"));
    check_date("2005-06", Some("2005-06-01T00:00:00.000Z"));
    check_date("2005", Some("2005-01-01T00:00:00.000Z"));
    check_date("2005-06-10T13:34Z", Some("2005-06-10T13:34:00.000Z"));
    check_date("2005-06-10T13:34:51.25+01:30", Some("2005-06-10T12:04:51.250Z"));
    check_date("2005-06-10 13:34:51 -0500", Some("2005-06-10T18:34:51.000Z"));
    check_date("Fri, 10 Jun 2005 13:34:51 +0100", Some("2005-06-10T12:34:51.000Z"));
    check_date("10 June 05 13:34:51 EST", Some("2005-06-10T18:34:51.000Z"));
    check_date("10 Jun 2005 13:34:51 gmt", Some("2005-06-10T13:34:51.000Z"));
    check_date("2005-13-01", None);
    check_date("2005-06-10T13:34:51+é", None);
    check_date("yesterday", None);
    check_date("1960-01-01", None);
}

#[test]
fn a_sitemap_ends_at_its_limit() {
    let one = "<url><loc>http://a/</loc></url>";
    let body = format!("<urlset>{}</urlset>", one.repeat(limits::SITEMAP_URLS + 7));
    let sitemap = parse_sitemap(body.as_bytes());
    assert_eq!((sitemap.urls.len(), sitemap.beyond_limit), (limits::SITEMAP_URLS, 7));
    let long = "x".repeat(limits::URL_BYTES);
    check(&format!("<urlset><url><loc>http://a/{long}</loc></url></urlset>"), "");
}

/// URLs of a sitemap that is longer than a window, whose markup begins `at` octets into it.
fn pushed_back(markup: &str, at: usize) -> String {
    let head = "<urlset>";
    locs(&parse_sitemap(format!("{head}{}{markup}", " ".repeat(at - head.len())).as_bytes()))
}

#[test]
fn where_a_window_ends_does_not_matter() {
    let markup = "<url><loc>http://a/?x=1&amp;y=&#x31;&amp;</loc><!-- > <url><loc>http://c/</loc> --></url>\
                  <url a='>'><loc><![CDATA[http://b/?<>]]></loc></url><?x <url> ?><url><loc>http://d/</loc>";
    let want = "http://a/?x=1&y=1& http://b/?<> http://d/";
    assert_eq!(pushed_back(markup, 10), want);
    for at in limits::WINDOW_BYTES - markup.len()..=limits::WINDOW_BYTES + 2 {
        assert_eq!(pushed_back(markup, at), want, "at {at}");
    }
}

#[test]
fn what_is_longer_than_a_window() {
    let long = "x".repeat(2 * limits::WINDOW_BYTES);
    let after = "<url><loc>http://a/</loc></url>";
    check(&format!("<urlset>{long}{after}"), "http://a/");
    check(&format!("<urlset><loc>{long}</loc>{after}"), "http://a/");
    check(&format!("<urlset><url {long}>{after}"), "http://a/");
    check(&format!("<urlset><!-- {long} -->{after}"), "http://a/");
    check(&format!("http://b/\n{long}\nhttp://c/ {long}\n"), "http://b/ http://c/");
}

#[test]
fn a_long_sitemap_in_utf16() {
    let url = |n| format!("<url><loc>http://a/é\u{1F980}{n}</loc></url>");
    let urls: String = (0..4_000).map(url).collect();
    let text = format!("\u{FEFF}<urlset>{urls}</urlset>");
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(parse_sitemap(&utf16), parse_sitemap(text.as_bytes()));
    assert_eq!(parse_sitemap(&utf16).urls.len(), 4_000);
    let lone = [&[0xFF, 0xFE][..], &[0, 0xD8, b'<', 0, 0, 0xDC], &utf16_le("<loc>x</loc><url><loc>/y</loc>")]
        .concat();
    assert_eq!(locs(&parse_sitemap(&lone)), "/y");
}

/// A sitemap that declares `encoding`, in these octets.
fn declaring(encoding: &str, loc: &[u8]) -> Vec<u8> {
    let start = format!("<?xml version='1.0' encoding = \"{encoding}\"?><urlset><url><loc>http://e.com/");
    [start.as_bytes(), loc, b"</loc></url></urlset>"].concat()
}

#[test]
fn the_declared_encoding_is_the_documents() {
    #[track_caller]
    fn check(encoding: &str, loc: &[u8], want: &str) {
        assert_eq!(locs(&parse_sitemap(&declaring(encoding, loc))), format!("http://e.com/{want}"));
    }
    check("ISO-8859-1", b"\xE9", "é");
    check("windows-1252", b"\x80", "€");
    check("Shift_JIS", b"\x93\xFA\x96{", "日本");
    check("GBK", b"\xD6\xD0", "中");
    check("utf-8", "é".as_bytes(), "é");
    check("utf8", b"\xE9", "%E9");
    check("utf-16", "é".as_bytes(), "é");
    check("klingon", b"\xE9", "%E9");
    check("replacement", b"\xE9", "%E9");
    let marked = [b"\xEF\xBB\xBF", declaring("ISO-8859-1", "é".as_bytes()).as_slice()].concat();
    assert_eq!(locs(&parse_sitemap(&marked)), "http://e.com/é", "a mark goes over it");
    let blank = [b"\r\n ", declaring("ISO-8859-1", b"\xE9").as_slice()].concat();
    assert_eq!(locs(&parse_sitemap(&blank)), "http://e.com/é");
    let elsewhere = b"<urlset><!--<?xml encoding='ISO-8859-1'?>--><loc>http://e.com/\xE9</loc>";
    assert_eq!(locs(&parse_sitemap(elsewhere)), "http://e.com/%E9");
}

#[test]
fn utf16_needs_no_mark_where_it_is_declared() {
    let text = "<?xml version='1.0' encoding='UTF-16'?><urlset><url><loc>http://e.com/é</loc></url></urlset>";
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(locs(&parse_sitemap(&utf16_le(text))), "http://e.com/é");
    assert_eq!(locs(&parse_sitemap(&big)), "http://e.com/é");
    let odd = [&[0xFF, 0xFE], utf16_le("http://e.com/").as_slice(), b"x"].concat();
    assert_eq!(locs(&parse_sitemap(&odd)), "http://e.com/", "an odd octet at the end is none");
}

#[test]
fn a_long_sitemap_in_a_declared_encoding() {
    let loc = b"\x93\xFA</loc></url><url><loc>http://e.com/".repeat(20_000);
    let sitemap = parse_sitemap(&declaring("Shift_JIS", &loc));
    assert_eq!(sitemap.urls.len(), 20_001);
    assert!(sitemap.urls[..20_000].iter().all(|entry| entry.loc == "http://e.com/日"));
}

fn utf16_le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn what_cannot_be_read_is_an_error() {
    for body in [&b"<urlset><url><loc>http://a/"[..], b"http://a/\n", b"\xFF\xFEh\0", b""] {
        let mut urls = 0;
        assert!(
            read_sitemap(|| Ok(body.chain(Broken)), || Extent::Whole, |_, _| urls += 1).is_err(),
            "{body:?}"
        );
        assert_eq!(urls, 0, "an entry that did not end is not shown");
    }
}

#[test]
fn of_what_is_cut_no_half_url_is_shown() {
    for (body, whole, cut) in [
        ("<urlset><url><loc>http://a/</loc></url><url><loc>http://b/t", 1, 1),
        ("<urlset><url><loc>http://a/</loc><lastmod>20", 1, 1),
        ("<sitemapindex><sitemap>http://a/t", 0, 0),
        ("http://a/\nhttp://b/t", 2, 1),
    ] {
        for (extent, want) in [(Extent::Whole, whole), (Extent::Cut, cut)] {
            let mut urls = 0;
            read_sitemap(|| Ok(body.as_bytes()), || extent, |_, _| urls += 1).unwrap();
            assert_eq!(urls, want, "{body}");
        }
    }
}

#[test]
fn a_page_is_known_without_its_root() {
    let is_html =
        |body: &str| read_sitemap(|| Ok(body.as_bytes()), || Extent::Whole, |_, _| {}).unwrap().is_html;
    for body in ["<!doctype html><title>404</title><p><a href=/x>x</a>", "<BODY><p>", "<html>http://a/"] {
        assert!(is_html(body), "{body}");
    }
    for body in ["<p>\nhttp://a/", "http://a/\n<p>", "<urlset><p>", "<title>x</title><urlset/>", "words", ""]
    {
        assert!(!is_html(body), "{body}");
    }
}

/// A disk that is gone.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("gone"))
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        parse_sitemap(&bytes);
    }

    #[test]
    fn any_markup_is_read(body in "(</?(urlset|url|loc|lastmod|item|link)[ /=']{0,3}>|<!\\[CDATA\\[|\\]\\]>|<!--|-->|[&;#x09a<>:]{1,4}){0,20}") {
        parse_sitemap(body.as_bytes());
    }
}
