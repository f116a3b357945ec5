use super::examples::{capture, config, config_without, location, spooled_to};
use crate::limits::SITEMAP_LEVELS;
use crate::{CaptureSeq, CrawlConfig, Digested, Material, PageText, ParseJob, Room, Source, Wants, digest};
use archive::{Body, Capture, Truncation};
use bytes::Bytes;
use disk::{Fault, FaultPlan, FaultyDisk, Lasts, MemDisk};
use flate2::{Compression, write::GzEncoder};
use frontier::{Kind, Yield};
use std::io::{self, Write};

const PAGE: &str = "http://a.example/dir/1";
const HTML: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8";

fn digested(head: &str, body: &str, kind: Kind, wants: Wants, config: &CrawlConfig) -> Digested {
    let body = Bytes::copy_from_slice(body.as_bytes());
    digested_of(head, body.into(), kind, wants, config).expect("memory can be read")
}

fn digested_of(
    head: &str,
    body: Body,
    kind: Kind,
    wants: Wants,
    config: &CrawlConfig,
) -> io::Result<Digested> {
    let capture = Capture { body, ..capture(PAGE, head, "").as_ref().clone() };
    digest(
        &job(kind, wants, config),
        &Material::of(&capture, "urn:uuid:1".to_owned(), "a.warc.gz".to_owned()),
        config,
        &mut Room::default(),
    )
}

fn job(kind: Kind, wants: Wants, config: &CrawlConfig) -> ParseJob {
    ParseJob {
        capture: CaptureSeq(4),
        source: Source::Stored,
        location: location(4),
        kind,
        depth: 2,
        hops: 1,
        wants,
        rules: config.rules.clone(),
    }
}

const ALL: Wants = Wants { links: true, row: true };

fn page(head: &str, body: &str) -> Digested {
    digested(head, body, Kind::Page, ALL, &config())
}

fn sitemap(head: &str, body: &str) -> Digested {
    digested(head, body, Kind::Sitemap, ALL, &config())
}

/// URL, steps, hops and kind of every link.
fn links(digested: &Digested) -> Vec<(&str, u32, u8, Kind)> {
    let links = digested.parsed.links.iter();
    links.map(|link| (link.url, link.steps, link.hops, link.kind)).collect()
}

#[test]
fn a_page_gives_its_links_once_and_a_row() {
    let body = "<title>A title</title><p>Some text</p><a href=2>x</a><a href='/dir/2#there'>again</a>\
                <a href=3?utm_source=x>y</a><img src=pic.png><a href=mailto:a@b>m</a>";
    let digested = page(HTML, body);
    assert_eq!(
        links(&digested),
        [
            ("http://a.example/dir/2", 1, 0, Kind::Page),
            ("http://a.example/dir/3?utm_source=x", 1, 0, Kind::Page)
        ]
    );
    let rules = &config().rules;
    for link in digested.parsed.links.iter() {
        assert_eq!(link.key, super::examples::key(link.url));
        assert_eq!(link.shard, rules.shard("a.example"));
    }
    assert!(digested.parsed.row);
    let row = digested.row.unwrap();
    assert_eq!((row.capture, row.url.as_str(), row.status, row.depth), (4, PAGE, 200, 2));
    assert_eq!((row.title.as_deref(), row.content_type.as_str()), (Some("A title"), "text/html"));
    assert!(row.text.contains("Some text"));
    assert_eq!((row.warc_offset, row.warc_length), (4300, 500));
    assert_eq!((row.warc_file.as_str(), row.truncated), ("a.warc.gz", None));
}

#[test]
fn nofollow_keeps_the_row_and_drops_the_links() {
    let body = "<meta name=robots content=nofollow><p>Text</p><a href=2>x</a>";
    let digested = page(HTML, body);
    assert!(links(&digested).is_empty() && digested.row.is_some());
    let digested = page(&format!("{HTML}\r\nX-Robots-Tag: nofollow"), "<p>Text</p><a href=2>x</a>");
    assert!(links(&digested).is_empty() && digested.row.is_some());
}

#[test]
fn links_of_a_page_that_says_nofollow_are_counted_once_each() {
    let body =
        "<meta name=robots content=nofollow><a href=2>x</a><a href=2#y>x</a><a href=//b.example/>b</a>";
    assert_eq!(page(HTML, body).parsed.out_of_scope, [("a page that says nofollow".to_owned(), 2)]);
}

#[test]
fn where_a_page_is_changed_is_left_aside_by_whatever_link() {
    let body = "<link rel=edit href='1?do=edit'><a href=2>x</a><a href='1?do=edit#top' rel=nofollow>Edit</a>";
    let digested = page(HTML, body);
    assert_eq!(links(&digested), [("http://a.example/dir/2", 1, 0, Kind::Page)]);
    assert_eq!(digested.parsed.out_of_scope, [("where a page is changed".to_owned(), 1)]);
}

#[test]
fn what_is_not_wanted_is_not_given() {
    let body = "<p>Text</p><a href=2>x</a>";
    let only = |wants| digested(HTML, body, Kind::Page, wants, &config());
    let row = only(Wants { links: false, row: true });
    assert!(links(&row).is_empty() && row.row.is_some());
    let derived = only(Wants { links: true, row: false });
    assert!(links(&derived).len() == 1 && derived.row.is_none() && !derived.parsed.row);
}

#[test]
fn links_out_of_scope_are_counted_once_each_by_rule() {
    let body = "<a href=http://b.example/>b</a><a href=http://b.example/#x>b</a><a href=//c.example/>c</a><a href=2>2</a>";
    let digested = page(HTML, body);
    assert_eq!(links(&digested).len(), 1);
    assert_eq!(digested.parsed.out_of_scope, [("outside scope domain".to_owned(), 2)]);
}

#[test]
fn a_form_out_of_scope_does_not_hide_one_that_is_in() {
    let config = config_without("utm_");
    let body =
        "<a href=2?utm_source=a>x</a><a href=2>x</a><a href=2?utm_source=b>x</a><a href=3?utm_source=a>x</a>";
    let digested = digested(HTML, body, Kind::Page, ALL, &config);
    assert_eq!(links(&digested), [("http://a.example/dir/2", 1, 0, Kind::Page)]);
}

#[test]
fn a_redirect_is_a_link_without_a_step() {
    let digested = page("HTTP/1.1 302 Found\r\nLocation: /2", "<a href=3>never read</a>");
    assert_eq!(links(&digested), [("http://a.example/2", 0, 1, Kind::Page)]);
    assert!(digested.row.is_none());
    let away = page("HTTP/1.1 302 Found\r\nLocation: http://b.example/", "");
    assert!(links(&away).is_empty());
    assert_eq!(away.parsed.out_of_scope, [("outside scope domain".to_owned(), 1)]);
    let nowhere = page("HTTP/1.1 302 Found", "<a href=3>never read</a>");
    assert!(links(&nowhere).is_empty() && nowhere.row.is_none());
    let moved = sitemap("HTTP/1.1 301 Moved\r\nLocation: /s2.xml", "");
    assert_eq!(links(&moved), [("http://a.example/s2.xml", 0, 1, Kind::Sitemap)]);
}

#[test]
fn a_sitemap_gives_pages_and_an_index_sitemaps() {
    let xml = "HTTP/1.1 200 OK\r\nContent-Type: application/xml";
    let set =
        "<urlset><url><loc>http://a.example/1</loc></url><url><loc>http://b.example/</loc></url></urlset>";
    let digested = sitemap(xml, set);
    assert_eq!(links(&digested), [("http://a.example/1", 1, 0, Kind::Page)]);
    assert_eq!(digested.parsed.out_of_scope.len(), 1);
    assert!(digested.row.is_none());
    let index = "<sitemapindex><sitemap><loc>http://a.example/s2.xml</loc></sitemap></sitemapindex>";
    assert_eq!(links(&sitemap(xml, index)), [("http://a.example/s2.xml", 1, 0, Kind::Sitemap)]);
}

#[test]
fn indexes_of_indexes_come_to_an_end() {
    let index = "<sitemapindex><sitemap><loc>http://a.example/s2.xml</loc></sitemap></sitemapindex>";
    let (config, depth) = (config(), SITEMAP_LEVELS);
    let at = |kind, depth| {
        let job = ParseJob { depth, ..job(kind, ALL, &config) };
        let capture = capture(PAGE, "HTTP/1.1 200 OK\r\nContent-Type: application/xml", index);
        let material = Material::of(&capture, "urn:uuid:1".to_owned(), "a.warc.gz".to_owned());
        digest(&job, &material, &config, &mut Room::default()).unwrap().parsed.links.len()
    };
    assert_eq!((at(Kind::Sitemap, depth - 1), at(Kind::Sitemap, depth)), (1, 0));
    // What a page leads to begins anew.
    assert_eq!(at(Kind::Page, depth + 5), 1);
}

#[test]
fn of_a_packed_sitemap_that_breaks_off_no_half_url_is_taken() {
    let url = |n: u64| format!("http://a.example/{n}/{:x}\n", n * 7_919 * 7_919);
    let urls = (0..2_000).map(url).collect::<Vec<_>>().concat();
    let packed = gzip(urls.as_bytes());
    for coding in ["", "\r\nContent-Encoding: gzip"] {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain{coding}");
        for part in [packed.len(), packed.len() / 2, packed.len() / 3] {
            let body = Bytes::copy_from_slice(&packed[..part]);
            let digested = digested_of(&head, body.into(), Kind::Sitemap, ALL, &config()).unwrap();
            let found = links(&digested);
            assert!(!found.is_empty() && found.iter().all(|link| urls.contains(&format!("{}\n", link.0))));
            assert_eq!(found.len() == 2_000, part == packed.len());
        }
    }
}

#[test]
fn the_text_of_a_row_is_what_was_asked_for() {
    let html = "<nav><a href=2>Home</a></nav><h1>A title</h1><h2>Of the flood</h2><p>Der Fluss stieg in der Nacht, und am \
                Morgen stand das <b>Wasser</b> in der Halle.<footer>Impressum</footer>";
    let row = |text, head, body| {
        let config = CrawlConfig { text, ..config() };
        let digested = digested(head, body, Kind::Page, ALL, &config);
        assert_eq!(digested.parsed.says, page(head, body).parsed.says, "whatever the corpus gets");
        digested.row.unwrap()
    };
    let prose = "Der Fluss stieg in der Nacht, und am Morgen stand das Wasser in der Halle.";
    assert!(row(PageText::Visible, HTML, html).text.ends_with(&format!("{prose}\nImpressum")));
    assert_eq!(row(PageText::Main, HTML, html).text, format!("Of the flood\n{prose}"));
    assert_eq!(
        row(PageText::Markdown, HTML, html).text,
        format!("## Of the flood\n\n{}", prose.replace("Wasser", "**Wasser**"))
    );
    assert_eq!(row(PageText::Main, HTML, html).language.as_deref(), Some("de"));
    assert_eq!(row(PageText::None, HTML, html).text, "");
    let plain = "HTTP/1.1 200 OK\r\nContent-Type: text/plain";
    assert_eq!(row(PageText::Main, plain, "a line").text, "a line");
    let latin1 = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-8859-1";
    assert_eq!(
        row(PageText::Main, latin1, "<p>caf&eacute; \u{e9}").text,
        "café Ã©",
        "decoded as visible text is"
    );
}

#[test]
fn xhtml_has_its_main_text() {
    let prose = "Der Fluss stieg in der Nacht, und am Morgen stand das Wasser in der Halle.";
    let body = format!(
        "<?xml version='1.0'?><html><head><script src='a.js'/></head><body><p>{prose}</p></body></html>"
    );
    for content_type in ["application/xhtml+xml", "text/xml"] {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}");
        for text in [PageText::Visible, PageText::Main, PageText::Markdown] {
            let config = CrawlConfig { text, ..config() };
            let row = digested(&head, &body, Kind::Page, ALL, &config).row.unwrap();
            assert_eq!(row.text, prose, "{content_type} {text:?}");
        }
    }
}

#[test]
fn a_body_that_is_no_text_has_no_row() {
    let digested = page("HTTP/1.1 200 OK\r\nContent-Type: image/png", "\u{89}PNG<a href=2>x</a>");
    assert!(digested.row.is_none() && !digested.parsed.row);
}

#[test]
fn what_lists_pages_has_links_and_no_row() {
    let rss = "<rss><channel><title>T</title><item><link>http://a.example/2</link>\
               <description>&lt;p&gt;Short text</description></item></channel></rss>";
    let atom = "<feed xmlns='x'><entry><link href='/2'/><summary>Text</summary></entry></feed>";
    let rdf = "<rdf:RDF xmlns='x'><item><link>http://a.example/2</link></item></rdf:RDF>";
    for (content_type, body, found) in [
        ("application/rss+xml", rss, 1),
        ("text/html", rss, 1),
        ("application/atom+xml", atom, 1),
        ("text/xml", rdf, 1),
        ("application/xml", SET, 1),
    ] {
        let digested = page(&format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}"), body);
        assert_eq!(links(&digested).len(), found, "{content_type}: {body}");
        assert!(digested.row.is_none() && !digested.parsed.row, "{content_type}: {body}");
    }
    let book = page("HTTP/1.1 200 OK\r\nContent-Type: application/xml", "<book><p>Text</p></book>");
    assert_eq!(book.row.unwrap().text, "Text");
}

/// Where a sitemap has been, many a site leads to its first page; and some link to theirs as to any page.
#[test]
fn what_comes_is_read_as_what_it_is_whatever_was_asked_for() {
    let instead = sitemap(HTML, "<!doctype html><html><p>Text</p><a href=2>x</a></html>");
    assert_eq!(links(&instead), [("http://a.example/dir/2", 1, 0, Kind::Page)]);
    assert_eq!(instead.row.expect("a page has a row").text, "Text\nx");
    let rootless = sitemap(HTML, "<!doctype html><title>404</title><p><a href=2>x</a>");
    assert_eq!(links(&rootless), [("http://a.example/dir/2", 1, 0, Kind::Page)]);
    let bare = sitemap(HTML, "<h1>Shop</h1><a href=2>x</a>");
    assert_eq!(links(&bare), [("http://a.example/dir/2", 1, 0, Kind::Page)]);
    let listed = sitemap(HTML, "http://a.example/3");
    assert_eq!(links(&listed), [("http://a.example/3", 1, 0, Kind::Page)]);
    let again = Wants { links: false, row: true };
    assert!(digested(HTML, "http://a.example/3", Kind::Sitemap, again, &config()).row.is_none());
    let based = "<feed xmlns='x' xml:base='/b/'><entry><link href='2'/></entry></feed>";
    for asked_for in [Kind::Page, Kind::Sitemap] {
        let read = digested("HTTP/1.1 200 OK\r\nContent-Type: text/xml", based, asked_for, ALL, &config());
        assert_eq!(links(&read), [("http://a.example/b/2", 1, 0, Kind::Page)]);
    }
    let index = "<sitemapindex><sitemap><loc>http://a.example/s.xml</loc></sitemap></sitemapindex>";
    let digested = page("HTTP/1.1 200 OK\r\nContent-Type: text/xml", index);
    assert_eq!(links(&digested), [("http://a.example/s.xml", 1, 0, Kind::Sitemap)]);
    assert!(digested.row.is_none());
    let closed = page("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nX-Robots-Tag: nofollow", index);
    assert_eq!(links(&closed), []);
}

#[test]
fn what_was_not_kept_but_for_its_head_has_no_row() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nLink: </2>; rel=next";
    let row = |truncated| {
        let capture = Capture { truncated, ..capture(PAGE, head, "").as_ref().clone() };
        let material = Material::of(&capture, "urn:uuid:1".to_owned(), "a.warc.gz".to_owned());
        let digested =
            digest(&job(Kind::Page, ALL, &config()), &material, &config(), &mut Room::default()).unwrap();
        assert_eq!(links(&digested), [("http://a.example/2", 1, 0, Kind::Page)], "{truncated:?}");
        assert_eq!(digested.parsed.row, digested.row.is_some());
        (digested.row, digested.parsed.says.unwrap().gave)
    };
    let (none, gave) = row(Some(Truncation::Unspecified));
    assert_eq!((none, gave), (None, Yield::Nothing));
    for truncated in [Some(Truncation::Length), None] {
        let (row, gave) = row(truncated);
        assert_eq!(row.unwrap().truncated.as_deref(), truncated.map(Truncation::name));
        assert!(matches!(gave, Yield::Content(_)), "{truncated:?}");
    }
}

#[test]
fn what_is_cut_is_marked() {
    let body = format!("<p>{}</p><a href=2>x</a>", "word ".repeat(1000));
    let small = CrawlConfig { parse_bytes: 1000, ..config() };
    let digested = digested(HTML, &body, Kind::Page, ALL, &small);
    assert!(links(&digested).is_empty());
    assert!(digested.row.unwrap().truncated.is_some());
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A stored block of up to 64 KiB (RFC 7932, section 9.2).
fn brotli(bytes: &[u8]) -> Vec<u8> {
    let header = ((bytes.len() as u32 - 1) << 4 | 1 << 20).to_le_bytes();
    [&header[..3], bytes, &[3]].concat()
}

#[test]
fn headers_are_read_however_their_lines_are_cut() {
    let body = b"<p>Text</p><a href=2>x</a>";
    let coded = gzip(&brotli(body));
    for (headers, body) in [
        ("Content-Encoding:\r\n gzip", gzip(body)),
        ("Content-Encoding: br,\r\n\tgzip", coded.clone()),
        ("Content-Encoding: br\r\nContent-Encoding: gzip", coded),
        ("X-A: b\r\n Content-Encoding: gzip\r\nX-B: c\r\n X-Robots-Tag: nofollow", body.to_vec()),
    ] {
        let head = format!("{HTML}\r\n{headers}");
        let digested = digested_of(&head, Bytes::from(body).into(), Kind::Page, ALL, &config()).unwrap();
        assert_eq!(links(&digested), [("http://a.example/dir/2", 1, 0, Kind::Page)], "{headers}");
    }
    let folded = page(&format!("{HTML}\r\nX-Robots-Tag: noarchive,\r\n nofollow"), "<a href=2>x</a>");
    assert!(links(&folded).is_empty());
    let moved = page("HTTP/1.1 302 Found\r\nX-A: b\r\n Location: /wrong\r\nLocation:\r\n /2", "");
    assert_eq!(links(&moved), [("http://a.example/2", 0, 1, Kind::Page)]);
}

#[test]
fn a_coding_that_nobody_knows_costs_no_page() {
    let digested = page(&format!("{HTML}\r\nContent-Encoding: UTF-8"), "<p>Text</p><a href=2>x</a>");
    assert_eq!((links(&digested).len(), digested.row.unwrap().text.as_str()), (1, "Text\nx"));
}

const CODED: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip";
const SET: &str = "<urlset><url><loc>http://a.example/1</loc></url></urlset>";

#[test]
fn a_body_gives_the_same_wherever_it_is() {
    let text = format!("<p>{}</p><a href=2>x</a>", "word ".repeat(50_000));
    let cases = [
        (HTML, text.clone().into_bytes(), Kind::Page),
        (CODED, gzip(text.as_bytes()), Kind::Page),
        (HTML, SET.into(), Kind::Sitemap),
        (HTML, gzip(SET.as_bytes()), Kind::Sitemap),
        (CODED, gzip(&gzip(SET.as_bytes())), Kind::Sitemap),
    ];
    for (head, bytes, kind) in cases {
        let of = |body| digested_of(head, body, kind, ALL, &config()).expect("it can be read");
        let (held, spooled) = (of(Bytes::from(bytes.clone()).into()), of(spooled_to(MemDisk::new(), &bytes)));
        assert_eq!((links(&held), &held.row), (links(&spooled), &spooled.row), "{head} {kind:?}");
        assert_eq!(links(&held).len(), 1, "{head} {kind:?}");
    }
}

#[test]
fn a_disk_that_fails_is_no_page_without_links() {
    for (kind, text) in [(Kind::Page, "<a href=2>x</a>"), (Kind::Sitemap, SET)] {
        let disk = FaultyDisk::counting(MemDisk::new());
        let body = spooled_to(disk.clone(), &gzip(text.as_bytes()));
        let written = disk.calls();
        let of = |call| {
            disk.set_plan(Some(FaultPlan { call: written + call, fault: Fault::Io, lasts: Lasts::Forever }));
            digested_of(CODED, body.clone(), kind, ALL, &config())
        };
        assert!(of(0).is_err(), "{kind:?}");
        assert_eq!(links(&of(1_000).expect("nothing fails")).len(), 1);
    }
}

#[test]
fn a_sitemap_of_long_urls_ends_at_a_bound() {
    let url = |n| format!("<url><loc>http://a.example/{n:0983}</loc></url>");
    let urls: String = (0..30).map(url).collect();
    let small = CrawlConfig { link_bytes: 10_100, ..config() };
    let digested = digested(HTML, &format!("<urlset>{urls}"), Kind::Sitemap, ALL, &small);
    assert_eq!(links(&digested).len(), 10);
}

#[test]
fn what_is_for_no_index_or_a_form_of_another_page_gives_nothing_new() {
    let gave = |head: &str, of_head: &str| {
        let body = format!("{of_head}<p>Some text<a href=2>x</a>");
        let digested = page(head, &body);
        assert!(digested.row.is_some());
        digested.parsed.says.expect("something is said").gave
    };
    for of_head in [
        "<meta name=robots content=noindex>",
        "<meta name=robots content=none>",
        "<link rel=canonical href=/dir/>",
        "<link rel=canonical href=https://www.a.example/>",
    ] {
        assert_eq!(gave(HTML, of_head), Yield::Nothing, "{of_head}");
    }
    for header in ["X-Robots-Tag: noindex", "Link: </dir/>; rel=canonical"] {
        assert_eq!(gave(&format!("{HTML}\r\n{header}"), ""), Yield::Nothing, "{header}");
    }
    let feed =
        "<rss><channel><item><title>x</title><link>http://a.example/dir/2</link></item></channel></rss>";
    let says = page(&HTML.replace("text/html", "application/rss+xml"), feed).parsed.says;
    assert_eq!(says.unwrap().gave, Yield::Nothing, "what it says its pages say");
    let itself = format!("<link rel=canonical href={PAGE}?utm_source=x>");
    let elsewhere = "<link rel=canonical href=http://b.example/dir/>";
    let by_www = "<link rel=canonical href=https://www.a.example/dir/1>";
    for of_head in ["", "<meta name=robots content='index, nofollow'>", &itself, elsewhere, by_www] {
        assert!(matches!(gave(HTML, of_head), Yield::Content(_)), "{of_head}");
    }
}

#[test]
fn a_page_that_says_that_there_is_none_is_known_again_where_the_status_denies_it() {
    let words =
        "There is no such page here. You may search for it, or begin at the front of this site. ".repeat(4);
    let body = format!("<p>{words}<a href=/front>front</a>");
    let gave = |head: &str| page(head, &body).parsed.says.expect("something is said").gave;
    let Yield::Content(said) = gave(HTML) else { panic!("a page") };
    for status in ["404 Not Found", "410 Gone"] {
        let head = HTML.replace("200 OK", status);
        assert_eq!(gave(&head), Yield::Absent(said), "{status}");
        let absent = page(&head, &body);
        assert_eq!((links(&absent), absent.row.is_none()), (vec![], true));
    }
    assert_eq!(page(&HTML.replace("200 OK", "403 Forbidden"), &body).parsed.says, None);
    let picture = "HTTP/1.1 404 Not Found\r\nContent-Type: image/png";
    assert_eq!(page(picture, "\u{89}PNG\r\n\u{1a}\n").parsed.says.unwrap().gave, Yield::Nothing);
}

#[test]
fn a_row_has_the_strictest_of_what_its_owner_says_of_each_use() {
    let row = |head: &str, body: &str, usage: Option<&str>| {
        let capture =
            Capture { usage: usage.map(str::to_owned), ..capture(PAGE, head, body).as_ref().clone() };
        let material = Material::of(&capture, "urn:uuid:1".to_owned(), "a.warc.gz".to_owned());
        let job = job(Kind::Page, ALL, &config());
        digest(&job, &material, &config(), &mut Room::default()).unwrap().row.unwrap()
    };
    assert_eq!(row(HTML, "<p>Text", None).preferences, None);
    let head = format!("{HTML}\r\nContent-Usage: train-ai=y, search=y");
    let body = "<meta name=tdm-reservation content=1><link rel=license href=/by><p>Text";
    let said = row(&head, body, Some("train-ai=n"));
    assert_eq!(said.preferences.as_deref(), Some("train-ai=n, search=y, tdm=n"));
    assert_eq!(said.license.as_deref(), Some("http://a.example/by"));
    let noai = row(HTML, "<meta name=robots content=noai><p>Text", None);
    assert_eq!(noai.preferences.as_deref(), Some("train-ai=n, ai-input=n"));
    let none = row(&format!("{HTML}\r\nX-Robots-Tag: none"), "<p>Text", None);
    assert_eq!(none.preferences.as_deref(), Some("search=n"));
}

#[test]
fn a_row_has_the_fingerprint_of_its_own_text() {
    let letter = |n: u8| char::from(b'a' + n);
    let words: Vec<_> = (0..60).map(|n| format!("word{}{}", letter(n / 26), letter(n % 26))).collect();
    let words = words.join(" ");
    let body = format!("<nav><a href=/a>Home</a></nav><article><h1>T</h1><p>{words}<p>{words}</article>");
    for text in [PageText::Visible, PageText::Main] {
        let row = digested(HTML, &body, Kind::Page, ALL, &CrawlConfig { text, ..config() }).row.unwrap();
        assert!(row.simhash.is_some());
        assert_eq!(row.simhash, ::page::fingerprint(&row.text));
    }
}
