use super::{HTML, page_of, with_headers};
use crate::{Header, LinkKind, Place, Rel};

/// Each link as `kind URL-without-the-site`.
#[track_caller]
fn check(html: &str, expected: &[&str]) {
    assert_eq!(shown(&page_of(HTML, html)), expected, "{html}");
}

fn shown(page: &crate::Page) -> Vec<String> {
    let shown = |link: &crate::Link| {
        format!("{} {}", link.kind.name(), link.url.as_str().replace("http://site.test", ""))
    };
    page.links.iter().map(shown).collect()
}

#[test]
fn link_elements_are_told_apart_by_rel_and_type() {
    check(
        "<link rel=stylesheet href=s><link rel='shortcut icon' href=i>",
        &["stylesheet /dir/s", "icon /dir/i"],
    );
    check("<link rel='alternate stylesheet' href=s>", &["stylesheet /dir/s"]);
    check("<link rel=alternate hreflang=de href=/de>", &["alternate /de"]);
    check("<link rel=alternate type='application/rss+xml' href=/feed>", &["feed /feed"]);
    check("<link rel=alternate type='application/json+oembed' href=/oembed>", &["endpoint /oembed"]);
    check(
        "<link rel=NEXT href=2><link rel=prev href=0><link rel=up href=.>",
        &["next /dir/2", "prev /dir/0", "related /dir/"],
    );
    check("<link rel=search type='application/opensearchdescription+xml' href=o>", &["search /dir/o"]);
    check("<link rel=shortlink href='/?p=7'>", &["other /?p=7"]);
    check(
        "<link rel=edit href='?do=edit'><link rel=edit-form href=e>",
        &["edit /dir/page?do=edit", "edit /dir/e"],
    );
    check("<link rel=alternate type='application/x-wiki' href='/?action=edit'>", &["edit /?action=edit"]);
    check(
        "<link rel=preload href=p><link rel=manifest href=m><link href=x>",
        &["preload /dir/p", "manifest /dir/m", "other /dir/x"],
    );
}

#[test]
fn translations_name_their_language() {
    let html = "<link rel=alternate hreflang=' de-CH ' href=/de><link rel=next href=2><a hreflang=fr href=/fr>fr</a>";
    let page = page_of(HTML, html);
    let languages: Vec<_> = page.links.iter().map(|link| link.hreflang.as_deref()).collect();
    assert_eq!(languages, [Some("de-CH"), None, None], "of anchors nobody asks");
}

#[test]
fn a_crawl_follows_pages_only() {
    for kind in [
        LinkKind::Anchor,
        LinkKind::Area,
        LinkKind::Iframe,
        LinkKind::Frame,
        LinkKind::MetaRefresh,
        LinkKind::Next,
    ] {
        assert!(kind.is_page_link(), "{kind:?}");
    }
    for kind in [
        LinkKind::Stylesheet,
        LinkKind::Icon,
        LinkKind::Preload,
        LinkKind::Manifest,
        LinkKind::Image,
        LinkKind::Search,
    ] {
        assert!(!kind.is_page_link(), "{kind:?}");
    }
}

#[test]
fn resources_are_there_for_who_asks() {
    check("<img src=1 srcset='2 1x, 3,4 2x'>", &["image /dir/1", "image /dir/2", "image /dir/3,4"]);
    check("<video src=1 poster=2><source src=3></video>", &["media /dir/1", "image /dir/2", "media /dir/3"]);
    check(
        "<script src=1></script><embed src=2><object data=3>",
        &["script /dir/1", "embed /dir/2", "embed /dir/3"],
    );
    check(
        "<form action=1><button formaction=2></form><q cite=3>",
        &["form /dir/1", "form /dir/2", "citation /dir/3"],
    );
}

#[test]
fn references_are_resolved_as_browsers_do() {
    check("<a href=x><base href=/b/><base href=/c/><a href=y>", &["anchor /b/x", "anchor /b/y"]);
    check("<base href='javascript:x'><a href=y>", &["anchor /dir/y"]);
    check("<noscript><base href=/b/></noscript><a href=y>", &["anchor /dir/y"]);
    let led = page_of(HTML, "<noscript><meta http-equiv=refresh content='0;url=/plain'></noscript><p>x");
    assert_eq!(shown(&led), ["meta-refresh /plain"]);
    assert!(led.refresh.is_none(), "where scripts run, the page stays");
    check("<template><base href=/b/></template><a href=y>", &["anchor /dir/y"]);
    check("<base href='ftp://x/'><a href=y><a href=http://site.test/z>", &["anchor /z"]);
    check(
        "<a href='mailto:a@b.c'><a href='javascript:x()'><a href='http://['><a href='#f'>",
        &["anchor /dir/page"],
    );
    check("<a href=' \n/x\ny '><a href='?a&amp;b'>", &["anchor /xy", "anchor /dir/page?a&b"]);
}

#[test]
fn queries_are_written_in_the_encoding_of_the_document() {
    let page = page_of("text/html; charset=windows-1252", "<a href='&uuml;?&uuml;&#x4eac;#&uuml;'>");
    assert_eq!(page.links[0].url.as_str(), "http://site.test/dir/%C3%BC?%FC%26%2320140%3B");
}

/// As the URL Standard has it ("percent-encode after encoding"): one shift for several characters, and what is ASCII stays.
#[test]
fn a_query_keeps_the_ascii_that_its_encoding_writes() {
    let query = |charset: &str, query: &str| {
        let page = page_of(&format!("text/html; charset={charset}"), &format!("<a href='?{query}'>"));
        page.links[0].url.query().unwrap_or_default().to_owned()
    };
    assert_eq!(query("shift_jis", "&#x2212;&#x8868;=1"), "%81|%95\\=1");
    assert_eq!(query("iso-2022-jp", "a&#x65e5;&#x672c;b"), "a%1B$BF|K\\%1B(Bb");
    assert_eq!(query("iso-2022-jp", "&#xff10;&#x416;"), "%1B$B%230%27(%1B(B");
    assert_eq!(query("iso-2022-jp", "&#x65e5;&#xe9;&#x672c;"), "%1B$BF|%1B(B%26%23233%3B%1B$BK\\%1B(B");
    assert_eq!(query("shift_jis", &"&#x2212;".repeat(1000)), "%81|".repeat(1000));
}

#[test]
fn anchors_rel_and_place_come_along() {
    let page = page_of(
        HTML,
        "<a href=1 rel='nofollow UGC'> one\n <b>two</b> <a href=2>x</a><template><a href=3></template><noscript><a href=4>",
    );
    let of = |index: usize| (page.links[index].anchor.as_str(), page.links[index].place);
    assert_eq!(of(0), ("one two", Place::Document));
    assert!(
        page.links[0].rel.has(Rel::UGC)
            && page.links[0].rel.is_unvouched()
            && !page.links[1].rel.is_unvouched()
    );
    assert_eq!(of(1), ("x", Place::Document));
    assert_eq!(of(2), ("", Place::Template));
    assert_eq!(of(3), ("", Place::Noscript));
    assert!(!page.links[2].is_page_link() && page.links[3].is_page_link());
}

#[test]
fn canonical_and_refresh_come_from_the_page_or_its_headers() {
    let page = page_of(
        HTML,
        "<link rel=canonical href=/c><meta http-equiv=Refresh content=' 1.5 ; URL = \"/next\" x'>",
    );
    assert_eq!(page.canonical.unwrap().path(), "/c");
    let refresh = page.refresh.unwrap();
    assert_eq!((refresh.url.path(), refresh.delay_ms), ("/next", 1500));
    let headers = [
        Header { name: "Content-Type", value: HTML },
        Header { name: "LINK", value: "</a>; rel=\"next, x\", </b>; rel=\"foo canonical\"" },
        Header { name: "Refresh", value: "0;/r" },
    ];
    let page = with_headers(&headers, "");
    assert_eq!(page.canonical.unwrap().path(), "/b");
    assert_eq!(page.refresh.unwrap().url.path(), "/r");
    assert_eq!(page_of(HTML, "<meta http-equiv=refresh content=5>").refresh, None);
    assert_eq!(page_of(HTML, "<meta http-equiv=refresh content='x; url=/y'>").refresh, None);
}

#[test]
fn every_attribute_that_holds_an_address_is_read() {
    check("<a href=1 ping='2 http://x.test/3'>", &["anchor /dir/1", "ping /dir/2", "ping http://x.test/3"]);
    check("<area href=1 ping=2>", &["area /dir/1", "ping /dir/2"]);
    check(
        "<html manifest=1><head profile=2><body background=3>",
        &["manifest /dir/1", "description /dir/2", "image /dir/3"],
    );
    check(
        "<table background=1><thead background=2><tr background=3><td background=4><th background=5>",
        &["image /dir/1", "image /dir/2", "image /dir/3", "image /dir/4", "image /dir/5"],
    );
    check(
        "<img src=1 lowsrc=2 longdesc=3><iframe src=4 longdesc=5></iframe><bgsound src=6>",
        &[
            "image /dir/1",
            "image /dir/2",
            "description /dir/3",
            "iframe /dir/4",
            "description /dir/5",
            "media /dir/6",
        ],
    );
    check(
        "<link rel=preload as=image imagesrcset='1 1x, 2 2x' imagesizes=50vw href=3>",
        &["preload /dir/1", "preload /dir/2", "preload /dir/3"],
    );
    check("<link rel=preload imagesrcset=1><link rel=icon imagesrcset=2>", &["preload /dir/1"]);
}

#[test]
fn svg_refers_to_images_and_scripts_too() {
    check(
        "<svg><a xlink:href=1><image href=2></a><use xlink:href='3#x'/><feImage href=4 /><script href=5></script></svg>",
        &["svg-anchor /dir/1", "image /dir/2", "image /dir/3", "image /dir/4", "script /dir/5"],
    );
    check("<use href=1><feimage href=2><script href=3></script>", &[]);
    let drawn = "<svg xmlns='http://www.w3.org/2000/svg'><a xlink:href='1'/><image href='2'/><use xlink:href='3#x'/></svg>";
    let found = ["svg-anchor /dir/1", "image /dir/2", "image /dir/3"];
    assert_eq!(shown(&page_of("image/svg+xml", drawn)), found);
    let around = format!("<?xml version='1.0'?><html><body>{drawn}<a href='4'>x</a></body></html>");
    let found = ["svg-anchor /dir/1", "image /dir/2", "image /dir/3", "anchor /dir/4"];
    assert_eq!(shown(&page_of("application/xhtml+xml", &around)), found);
}

/// What fuzzing found html5ever to read otherwise; Chromium does not.
#[test]
fn an_end_tag_within_nested_svg_ends_nothing_around_an_integration_point() {
    check("<di<><svg><foreignObject><svg></di<><a href=1>", &["svg-anchor /dir/1"]);
    check("<q><svg><desc><svg></q><a href=1>", &["svg-anchor /dir/1"]);
    check("<di><svg><svg><foreignObject></di></svg><a href=1>", &["svg-anchor /dir/1"]);
    check("<mi><svg><foreignObject></mi></foreignObject><a href=1>", &["svg-anchor /dir/1"]);
}

#[test]
fn a_line_break_that_begins_with_an_end_tag_keeps_the_body_too() {
    check("<a href=1></br><frameset>", &["anchor /dir/1"]);
    check("<a href=1></b><frameset>", &[]);
}

/// The same: html5ever keeps a body where Chromium has a frameset, and takes one away that Chromium has not begun.
#[test]
fn framesets_know_nothing_of_a_nul_and_of_a_template_before_an_end_tag() {
    check("<template></template></body><frameset><link href=1>", &[]);
    check("<template></template></html><frameset><link href=1>", &[]);
    check("<template></template>\0<frameset><link href=1>", &[]);
    check("\0<link href=1 rel=icon><frameset>", &["icon /dir/1"]);
}

#[test]
fn an_end_tag_may_begin_the_body() {
    check("</body><template></template><frameset><link href=1 rel=icon>", &["icon /dir/1"]);
    check("</br><frameset><link href=1 rel=icon>", &["icon /dir/1"]);
}

#[test]
fn a_nul_alone_opens_no_formatting_element_again() {
    check("<svg><g><foreignObject><p><a></p>\0</g><a href=1>", &["svg-anchor /dir/1"]);
}

/// The links of a document that holds one, behind these headers.
#[track_caller]
fn check_headers(headers: &[(&str, &str)], expected: &[&str]) {
    let mut all = vec![Header { name: "Content-Type", value: HTML }];
    all.extend(headers.iter().map(|(name, value)| Header { name, value }));
    let page = with_headers(&all, "<base href=/elsewhere/><a href=a>");
    let shown = |link: &crate::Link| {
        format!("{} {}", link.kind.name(), link.url.as_str().replace("http://site.test", ""))
    };
    let found: Vec<String> =
        page.links.iter().filter(|link| link.place == Place::Header).map(shown).collect();
    assert_eq!(found, expected, "{headers:?}");
    assert_eq!(page.links.len(), expected.len() + 1, "and the one of the document");
}

#[test]
fn headers_have_links_of_the_same_kinds() {
    check_headers(
        &[("Link", "<2>; rel=next, <0>; rel=\"prev nofollow\""), ("link", "</c>; rel=canonical")],
        &["next /dir/2", "prev /dir/0", "canonical /c"],
    );
    check_headers(
        &[(
            "Link",
            "</de>; rel=alternate; hreflang=de, </feed>; rel=alternate; type=\"application/atom+xml\"",
        )],
        &["alternate /de", "feed /feed"],
    );
    check_headers(
        &[("Link", "</f.woff>; rel=preload; as=font, <x>; rel=preload; imagesrcset=\"1 1x, 2 2x\"")],
        &["preload /f.woff", "preload /dir/1", "preload /dir/2", "preload /dir/x"],
    );
    check_headers(
        &[("Link", "<mailto:a@b.c>; rel=author, </wp-json/>; rel=\"https://api.w.org/\"")],
        &["endpoint /wp-json/"],
    );
    check_headers(&[("Refresh", "3; url=r")], &["meta-refresh /dir/r"]);
}

#[test]
fn a_header_may_speak_of_another_document() {
    check_headers(&[("Link", "</a>; rel=canonical; anchor=\"/other\"")], &[]);
    check_headers(&[("Link", "</a>; rel=next; anchor=\"#part\"")], &["next /a"]);
}

#[test]
fn what_is_no_text_has_the_links_of_its_headers() {
    let headers = [
        Header { name: "Content-Type", value: "application/pdf" },
        Header { name: "Link", value: "</paper>; rel=\"canonical\"; hreflang=en" },
    ];
    let page = with_headers(&headers, "%PDF-1.7");
    assert_eq!(page.canonical.unwrap().path(), "/paper");
    assert_eq!((page.links[0].kind, page.links[0].hreflang.as_deref()), (LinkKind::Canonical, Some("en")));
}

#[test]
fn links_of_headers_are_bounded() {
    let value = "</x>; rel=next,".repeat(10_000);
    let page = with_headers(&[Header { name: "Link", value: &value }], "");
    assert!(page.links.len() < 1000 && page.cut.has(crate::Cut::LINKS));
}

#[test]
fn feeds_lead_to_the_pages_of_their_entries() {
    let rss = "<?xml version='1.0'?><rss xmlns:atom='http://www.w3.org/2005/Atom'><channel><link>\n http://site.test/?a&amp;b </link>\
               <atom:link rel='self' href='/feed'/><item><link><![CDATA[http://site.test/1?a&b]]></link><link>words</link></item>\
               <item><link>http://site.test/<![CDATA[2?a&b]]><!-- -->&amp;c</link></item>\
               <item><link>http://site.test/3 <link>http://site.test/4</channel></rss>";
    let atom = "<feed xml:base='/blog/' xmlns='http://www.w3.org/2005/Atom'><link rel='self' href='feed'/><link href='.'/>\
                <entry xml:base='/x/'><link href='1'/><link rel='edit' href='edit/1'/><link type='application/json' href='1.json'/>\
                <link rel='http://www.iana.org/assignments/relation/alternate' href='1.de'/></entry></feed>";
    let of_rss: &[&str] =
        &["alternate /?a&b", "alternate /1?a&b", "alternate /2?a&b&c", "alternate /3", "alternate /4"];
    for (content_type, feed, expected) in [
        ("application/rss+xml", rss, of_rss),
        ("text/xml", rss, of_rss),
        (
            "application/atom+xml",
            atom,
            &[
                "endpoint /blog/feed",
                "alternate /blog/",
                "alternate /blog/1",
                "edit /blog/edit/1",
                "endpoint /blog/1.json",
                "alternate /blog/1.de",
            ],
        ),
    ] {
        assert_eq!(shown(&page_of(content_type, feed)), expected, "{feed}");
    }
}

#[test]
fn an_empty_reference_leads_nowhere() {
    check("<base href=/><link rel=canonical href=''><iframe src=''></iframe><a href=''>", &["anchor /"]);
    assert_eq!(page_of(HTML, "<base href=/><link rel=canonical href=''>").canonical, None);
}

#[test]
fn parentheses_of_a_srcset_are_not_nested() {
    check("<img srcset='1 a((b,c), 2 1x, 3 (, 4'>", &["image /dir/1", "image /dir/2", "image /dir/3"]);
}
