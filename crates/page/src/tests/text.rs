use super::{HTML, page_of, with_headers};
use crate::{CharsetSource, Header, Limits, PageKind, Place, page_kind};
use markup::Dialect;

#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(page_of(HTML, html).text, expected, "{html}");
}

#[test]
fn blocks_break_lines_and_inline_elements_join() {
    check("<p>one <b>two</b>\n three</p><p>four<br>five", "one two three\nfour\nfive");
    check("<ul><li>a<li>b</ul>", "a\nb");
    check("<table><tr><td>1<td>2</tr><tr><td>3</table>", "1\t2\n3");
    check("in<i>ter</i>national <span> x </span> y", "international x y");
    check("1 &lt; 2 &amp; 3 < 4", "1 < 2 & 3 < 4");
    check("a<img src=x alt=alternative>b", "a b");
}

#[test]
fn what_is_preformatted_ends_with_what_it_stands_in() {
    check("<div><pre>a  b</div>c  d<p>e\n f", "a  b\nc d\ne f");
    check("<table><tr><td><pre>a  b</td><td>c  d</table>", "a  b\tc d");
    check("<pre>a  b<p>c  d</pre>e  f", "a  b\nc  d\ne f");
    check("<pre>a  b</div>c  d", "a  bc  d");
    let xhtml = "<?xml version='1.0'?><html><body><pre/><p>a  b</p><pre>c  d</pre></body></html>";
    assert_eq!(page_of("application/xhtml+xml", xhtml).text, "a b\nc  d");
}

#[test]
fn what_is_not_shown_is_no_text() {
    check("<head><title>t</title><style>c</style></head><script>b</script><!-- d -->e", "e");
    check(
        "a<template>b</template><noscript>c</noscript><svg><title>d</title></svg><textarea>e</textarea>f",
        "af",
    );
    check("<select><option>a</select><video>b</video><iframe>c</iframe>d", "d");
    check("</template></noscript>shown", "shown");
    check("a<noscript><p>x</p></noscript>b<template><pre></template> c  d", "ab c d");
}

#[test]
fn an_end_tag_that_ends_nothing_breaks_no_word() {
    check("<p>a<b>b</b></nav>c</div>d", "abcd");
    check("<div>a</div></div>b<nav>c</nav>d</nav>e", "a\nb\nc\nde");
    check("a</p>b</br>c<h2>d</h3>e<table><tr><td>f</table>g", "a\nb\nc\nd\ne\nf\ng");
    check("<div hidden><ul><li>a</ul></div>b<ul><li>c<li>d</ul>e", "b\nc\nd\ne");
}

#[test]
fn what_html_says_is_hidden_is_no_text() {
    check("a<div hidden>b<div>c</div>d</div>e", "a\ne");
    check("a<span HIDDEN=''>b</span>c<b hidden=no>d</b>e<x-y hidden>f</x-y>g", "aceg");
    check("<div hidden=until-found>a</div><div hidden='Until-Found'>b</div>", "a\nb");
    check("<dialog>a</dialog><dialog open>b</dialog><dialog open hidden>c</dialog>d", "b\nd");
    check("a<div popover>b<p>c</p></div>d<p popover=manual>e<p>f", "a\nd\nf");
    check("<dialog popover>a</dialog><dialog open popover>b</dialog><div open popover>c</div>d", "b\nd");
    check("<button popovertarget=x>a</button><p data-popover>b", "a\nb");
    check("<html hidden><body hidden>a", "a");
    check("a<br hidden>b<input hidden>c<img hidden>d", "a\nb c d");
    check("<div class=hidden aria-hidden=true data-x=' hidden '>a</div>", "a");
    check("<template hidden>a</template><svg hidden><text>b</svg><script hidden>c</script>d", "d");
    let page = page_of(HTML, "<div hidden><a href=1>x</a></div>");
    assert_eq!((page.links.len(), page.links[0].place, page.text.as_str()), (1, Place::Document, ""));
    let xhtml = "<?xml version='1.0'?><html><body><p hidden='hidden'>a</p><p>b</p></body></html>";
    assert_eq!(page_of("application/xhtml+xml", xhtml).text, "a\nb");
}

#[test]
fn what_is_hidden_ends_where_a_browser_ends_it() {
    check("<p hidden>a<p>b", "b");
    check("<p hidden>a<span>b<div>c</div>", "c");
    check("<ul><li hidden>a<ul><li>b</ul>c<li>d</ul>", "d");
    check("<dl><dt hidden>a<dd>b<dd hidden>c</dl>d", "b\nd");
    check("<table><tr><td hidden>a<td>b<tr hidden><td>c<td>d<tr><td>e</table>", "b\ne");
    check("<table><tbody hidden><tr><td>a</table>b", "b");
    check("<section><div hidden>a</section>b", "b");
    check("<p><span hidden>a<p>b", "b");
    check("<div hidden>a</span></p>b</section></li>c</div>d", "d");
    check("<div hidden><table><tr><td><div>a</table></div>b", "b");
    check("<button hidden>a<button>b</button>", "b");
    check("<div hidden><video>a</div>b", "b");
    check("<form><form hidden>a</form>b", "a\nb");
    check("<form><p hidden>a</form>b", "b");
    check("<table><form hidden><tr><td>a</table>b", "a\nb");
}

#[test]
fn media_that_nobody_ends_end_with_what_they_stand_in() {
    check("<div><video src=x /></div>a<p>b<canvas/></p>c", "a\nb\nc");
    check("<p>a<span><audio><b>b</b>c</span>d", "ad");
    check("a <progress max=2>1 of <b>2</b></progress>b <meter value=3>three</meter>c", "a b c");
    check("<div><video><div>a<p>b<p>c</div>d<source></source></video>e</div>f", "e\nf");
}

#[test]
fn what_ends_svg_shows_text_again() {
    check("a<svg><text>x<p>b</p>c", "a\nb\nc");
    check("<div>a<svg><text>x</div>b", "a\nb");
    check("a<svg><desc>x<p>y</p></desc><text>z</svg>b", "ab");
    check("a<math><annotation>x<p>b", "a\nb");
}

#[test]
fn preformatted_text_keeps_its_lines_and_blanks() {
    check("<pre>\n x\n\n  y</pre>z", " x\n\n  y\nz");
    check("<p>a</p><pre>b\r\nc\n</pre><p>d", "a\nb\nc\nd");
    check("<pre>a <b>b</b>  c</pre>", "a b  c");
}

#[test]
fn a_title_that_is_cut_ends_without_a_blank() {
    let title = "a".repeat(Limits::default().title_bytes - 1);
    let page = page_of(HTML, &format!("<title>{title} b</title>"));
    assert_eq!(page.title.as_deref(), Some(title.as_str()));
}

#[test]
fn titles_are_collapsed_and_the_first_counts() {
    let page =
        page_of(HTML, "<title>\n One &amp;\t<b>two </title><title>x</title><svg><title>y</title></svg>");
    assert_eq!(page.title.as_deref(), Some("One & <b>two"));
    assert_eq!(page_of(HTML, "<svg><title>y</title></svg>").title, None);
    assert_eq!(page_of(HTML, "<title></title>").title, None);
    assert_eq!(page_of(HTML, "<html lang=' de-AT '>").html_lang.as_deref(), Some("de-AT"));
}

#[test]
fn documents_are_read_by_what_they_are() {
    let feed = "<?xml version='1.0'?><rss><channel><title>T</title><item><title>I</title><link>L</link></item></channel></rss>";
    let page = page_of("application/rss+xml", feed);
    assert_eq!((page.kind, page.title.as_deref(), page.text.as_str()), (PageKind::Feed, Some("T"), "I\nL"));
    let page = page_of("text/plain", " <p>as\n it  is");
    assert_eq!((page.kind, page.text.as_str()), (PageKind::Text, " <p>as\n it  is"));
    let page = page_of("image/png", "<a href=x>");
    assert_eq!((page.kind, page.links.len(), page.charset.as_str()), (PageKind::Other, 0, "binary"));
    let xhtml = "<?xml version='1.0'?><html><head><title/><script src='x'/></head><body>shown <![CDATA[<too>]]></body></html>";
    let page = page_of("application/xhtml+xml", xhtml);
    assert_eq!((page.kind, page.text.as_str()), (PageKind::Html, "shown <too>"));
    assert_eq!((page.dialect, page_of(HTML, xhtml).dialect), (Dialect::Xml, Dialect::Html));
    let rooted = "<!DOCTYPE html><!-- > --><html lang='en' xmlns='http://www.w3.org/1999/xhtml'><head><script src='x'/><title>T</title></head>\
                  <body><p>The <abbr>HTML</abbr> <cite>Standard</cite>, <mark>see</mark> H<sub>2</sub>O.</p></body></html>";
    let page = page_of("application/xhtml+xml", rooted);
    assert_eq!((page.dialect, page.title.as_deref()), (Dialect::Xml, Some("T")));
    assert_eq!(page.text, "The HTML Standard, see H2O.");
    assert_eq!(page_of("application/xhtml+xml", "<html><p>x").dialect, Dialect::Html);
    let scripted = "<?xml version='1.0'?><html><body><p>a</p><script>w('<b>x</b>'); y<a href='/s'>z</a></script><p>b</p>\
                    <textarea><i/>c</textarea><iframe src='/i'/><style/>d</body></html>";
    let page = page_of("application/xhtml+xml", scripted);
    assert_eq!((page.text.as_str(), page.links.len()), ("a\nb\nd", 1));
    assert_eq!(page_of("", " <!DOCTYPE html><p>x").kind, PageKind::Html);
    assert_eq!(page_of("", "just words").kind, PageKind::Text);
    assert_eq!(page_of("", "\u{1}\u{2}").kind, PageKind::Other);
    for no_type in [
        "text/html charset=utf-8",
        "text/html: charset=utf-8",
        "\"text/html\"",
        "text / html",
        "text/html\\; x",
        "text/",
        "/",
    ] {
        assert_eq!(page_of(no_type, "<!DOCTYPE html><p>x").kind, PageKind::Html, "{no_type}");
        assert_eq!(page_of(no_type, "\u{1}\u{2}").kind, PageKind::Other, "{no_type}");
    }
}

#[test]
fn what_is_not_shown_ends_with_what_it_stands_in() {
    check("<div><datalist><option>a</div>b", "b");
    check("<div><video><p>a</div>b", "b");
    check("<select><option>a<select><option>b</select>c", "bc");
    check("<select><option>a<input>b", "b");
    for end in ["</td>", "</tr>", "<td>", "<tr>"] {
        check(&format!("<table><tr><td><select><option>a{end}b</table>c"), "b\nc");
    }
    check("<table><tr><td><select><option>a</table>b</table>c", "bc");
    check("<select><table><tr><td>a</td><td>b</table>c</select>d", "d");
    check("<div><select><option>a</div>b</select>c", "c");
}

#[test]
fn a_shadow_root_is_shown() {
    let root = "<template shadowrootmode=open>";
    check(&format!("a<x-y>{root}<p>b</template><p>c</x-y>"), "a\nb\nc");
    check("<x-y><template shadowrootmode=CLOSED>a</template>", "a");
    check("<x-y><template shadowrootmode=no>a</template>b", "b");
    check(&format!("<template>a<x-y>{root}b</template>c</template>d"), "d");
    check(&format!("<x-y>{root}a<template>b</template>c</template>d"), "acd");
    let page = page_of(HTML, &format!("<x-y>{root}<a href=1>x</a></template></x-y>"));
    assert_eq!((page.links.len(), page.links[0].place), (1, Place::Document));
}

#[test]
fn a_type_that_servers_give_to_anything_is_looked_into() {
    let kind = |content_type: &str, body: &str| page_of(content_type, body).kind;
    for content_type in ["text/plain", "text/plain; charset=ISO-8859-1", "Text/Plain;charset=utf-8"] {
        assert_eq!(kind(content_type, "\x7fELF\x02\x01"), PageKind::Other, "{content_type}");
        assert_eq!(kind(content_type, "one\x0c\x1b[1mtwo"), PageKind::Text, "{content_type}");
        assert_eq!(kind(content_type, "<rss></rss>"), PageKind::Text, "{content_type}");
    }
    for content_type in ["text/plain; charset=koi8-r", "text/csv"] {
        assert_eq!(kind(content_type, "\x7fELF\x02\x01"), PageKind::Text, "{content_type}");
    }
    for feed in
        ["<rss version='2.0'>", "<?xml version='1.0'?>\n<!-- x -->\n<feed xmlns='x'>", "\u{feff} <rdf:RDF>"]
    {
        assert_eq!(kind("text/html", feed), PageKind::Feed, "{feed}");
        assert_eq!(kind("application/xhtml+xml", feed), PageKind::Html, "{feed}");
    }
    for page in ["<feedback>", "<html><rss>", "x<rss>", "<!-- <rss>", "<!doctype html><p>", "<rss"] {
        assert_eq!(kind("text/html", page), PageKind::Html, "{page}");
    }
    let feed = page_of(HTML, "<rss><channel><item><link>http://site.test/a</link></item></channel></rss>");
    assert_eq!(feed.links.len(), 1);
}

#[test]
fn a_file_that_is_sent_as_markup_is_no_page() {
    let kind = |content_type: &str, body: &[u8]| page_kind(Some(content_type), body);
    let files: [&[u8]; 12] = [
        b"\xff\xd8\xff\xe0\0\x10JFIF\0",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"GIF89a\x01\0\x01\0",
        b"BM\x36\x28\0\0\0\0\0\0",
        b"RIFF\x24\0\0\0WEBPVP8 ",
        b"\0\0\0\x18ftypmp42",
        b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj",
        b"%PDF-1.1\n1 0 obj",
        b"\x1f\x8b\x08\0\0",
        b"PK\x03\x04\x14\0",
        b"wOF2\0\x01\0\0",
        b"\0asm\x01\0\0\0",
    ];
    for file in files {
        for content_type in ["text/html", "text/html; charset=utf-8", "application/xhtml+xml", "text/xml"] {
            assert_eq!(kind(content_type, file), PageKind::Other, "{content_type} {file:?}");
        }
    }
    let pages: [&[u8]; 7] = [
        b"<p>a bell \x07 rings</p>",
        b"\0<html><p>x",
        b"BMW <b>\x07</b>",
        b"GIF89a <i>is a format</i>",
        b"ID3 <i>\x01</i>",
        b"PK <i>\x01</i>",
        b"\xff\xfe<\0p\0>\0",
    ];
    for page in pages {
        assert_eq!(kind("text/html", page), PageKind::Html, "{page:?}");
    }
}

#[test]
fn xml_that_lists_pages_is_a_feed() {
    for (root, kind) in [
        ("<rss version='2.0'>", PageKind::Feed),
        ("<rss><item><![CDATA[<html >]]>", PageKind::Feed),
        ("<!DOCTYPE rdf:RDF [<!ENTITY a 'b'>]>\n<rdf:RDF xmlns='x'>", PageKind::Feed),
        ("<atom:feed>", PageKind::Feed),
        ("<urlset>", PageKind::Feed),
        ("<sitemapindex\n>", PageKind::Feed),
        ("<html><rss>", PageKind::Html),
        ("<feedback>", PageKind::Xml),
        ("<svg><rss>", PageKind::Xml),
        ("<book>", PageKind::Xml),
    ] {
        let body = format!("<?xml version='1.0'?>{root}");
        for content_type in ["application/xml", "application/rss+xml", ""] {
            assert_eq!(page_of(content_type, &body).kind, kind, "{root} {content_type}");
        }
    }
}

#[test]
fn an_internal_subset_ends_with_a_bracket_that_is_neither_quoted_nor_in_a_comment() {
    for subset in ["<!ENTITY a \"x]y>z\">", "<!-- don't ]> -->", "<?pi '] ?>", "<!ENTITY a 'b\"]'>", ""] {
        let body = format!("<!DOCTYPE book [{subset}]><book><p>text</p></book>");
        assert_eq!(page_of("application/xml", &body).text, "text", "{subset}");
    }
    assert_eq!(page_of("application/xml", "<!DOCTYPE book [<!ENTITY a '<p>text</p>").text, "");
}

#[test]
fn the_last_content_type_that_names_a_type_counts() {
    let read = |values: &[&str]| {
        let headers: Vec<_> = values.iter().map(|value| Header { name: "Content-Type", value }).collect();
        let page = with_headers(&headers, "<p>x");
        (page.kind, page.charset, page.charset_source == CharsetSource::Header)
    };
    let html = |charset: &str| (PageKind::Html, charset.to_owned(), true);
    let gbk = "text/html; charset=gbk";
    assert_eq!(read(&["text/html", gbk]), html("gbk"));
    assert_eq!(read(&[gbk, "TEXT/html ;x=1"]), html("gbk"), "the charset of the same type stays");
    assert_eq!(read(&[gbk, "text/html; charset=koi8-r"]), html("koi8-r"));
    assert_eq!(read(&["text/plain; charset=koi8-r", gbk]), html("gbk"));
    assert_eq!(read(&["text/html;charset=koi8-r, text/html ; charset=gbk"]), html("gbk"));
    assert_eq!(
        read(&["text/html;x=\"a,text/plain\";charset=gbk"]),
        html("gbk"),
        "a quoted comma ends nothing"
    );
    for nothing in ["", "html", "*/*", "charset=utf-8"] {
        assert_eq!(read(&[gbk, nothing]), html("gbk"), "{nothing}");
    }
    assert_eq!(read(&[gbk, "text/plain"]).0, PageKind::Text);
    assert_eq!(read(&["text/html", "image/png"]).0, PageKind::Other);
    assert_eq!(read(&["html", "*/*"]).0, PageKind::Html, "sniffed");
}

#[test]
fn the_charset_is_told_with_its_source() {
    let page = page_of("text/html; charset=Shift_JIS", "");
    assert_eq!((page.charset.as_str(), page.charset_source), ("shift_jis", CharsetSource::Header));
    let page = page_of("text/html", "<p>gr\u{fc}n");
    assert_eq!((page.charset.as_str(), page.charset_source), ("utf-8", CharsetSource::Utf8));
    let page = page_of("text/plain", "<meta charset=shift_jis>\u{fc}");
    assert_eq!((page.charset.as_str(), page.charset_source), ("utf-8", CharsetSource::Utf8));
    let page = page_of("text/html", "\u{feff}<p>x");
    assert_eq!((page.text.as_str(), page.charset_source), ("x", CharsetSource::ByteOrderMark));
}

#[test]
fn zero_bytes_are_no_text() {
    assert_eq!(page_of(HTML, "\0<p>a\0b\0 c\0</p><pre>\0d\0</pre>").text, "ab c\nd");
}
