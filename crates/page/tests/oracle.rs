//! The scanner against html5ever's tree, on tag soup.

#[path = "common/tree.rs"]
mod tree;

use proptest::prelude::*;
use tree::{in_tree, scanned};

#[track_caller]
fn check(html: &str) {
    assert_eq!(scanned(html), in_tree(html), "{html}");
}

#[test]
fn quoting_raw_text_and_comments_are_read_alike() {
    for html in [
        "<a href=one>1<a href='two'>2<a href=\"three\">3<a HREF = four >4<a/href=five/>5<a href>6<a href=>7",
        "<a x='>' href=1><a \"=> href=2><a =href=3><a href=4 href=5><a href=6/><a href='7'title='8'>",
        "<a href='a&amp;b&lt;c&copy=d&copy;e&#x41;&#65;&notit;'>",
        "<title><a href=1></title><textarea><a href=2></textarea ><style><a href=3></style/><a href=4>",
        "<script><a href=1></script><script><!-- <script></script><a href=2></script> --></script><a href=3>",
        "<script><!--<script>--><a href=1></script><a href=2>",
        "<script><!--></script><a href=1><script><!---></script><a href=2><script><!----></script><a href=3>",
        "<!--><a href=1>--><!---><a href=2>--><!-- --!><a href=3><!-- -- ><a href=4>--><a href=5>",
        "<!----!><a href=1><!--a--b--><a href=2><!-----><a href=3>",
        "</ a><a href=1></><a href=2><?php <a href=3>?><a href=4><!a><a href=5><![CDATA[<a href=6>]]>",
        "<svg><![CDATA[<a href=1>]]><a href=2></a><title><a href=3></a></title><style><a href=4></a></style></svg><a href=5>",
        "<svg><desc><a href=1></desc></svg><svg><foreignObject><a href=2></foreignObject></svg><math><mi><a href=3></mi></math>",
        "<svg><a href=1><p><a href=2></svg><svg><a href=3></a></a><a href=4></svg>",
        "<iframe src=1><a href=2></iframe><noembed><a href=3></noembed><noframes><a href=4></noframes><xmp><a href=5></xmp>",
        "<template><math><template></template><a href=x>",
        "<template><math><template></template></template><a href=x>",
        "<svg><a><svg></a></svg><a href=x>",
        "<svg><a xlink:href=x href=y>",
        "<body><noscript><base href=/b/></noscript><a href=x>",
        "<noscript><a href=1></noscript><template><a href=2></template><a href=3>",
        "<base href=/x/><a href=1><base href=/y/><a href=2>",
        "<frameset><frame src=1><a href=2></frameset>",
        "<p>text<frameset><frame src=1></frameset><a href=2>",
        "<plaintext><a href=1></plaintext><a href=2>",
        "<svg><foreignObject><p></foreignObject><a href=1></svg><a href=2>",
        "<svg><foreignObject><p></p></foreignObject><a href=1></svg><a href=2>",
        "<svg><desc><b></desc><a href=1></b></desc><a href=2>",
        "<math><mi><p></mi><a href=1></math><a href=2>",
        "<math><svg><title><a href=1></title></svg><a href=2></math><a href=3>",
        "<svg></body><a href=1>",
        "<p><b></p><svg></b><a href=1>",
        "<b><p><svg></b><a href=1></svg><a href=2>",
        "<x-y><svg></x-y><a href=1>",
        "<x-y><div><svg></x-y><a href=1>",
        "<template><td><x-y><td><svg></x-y><a href=1>",
        "<template><td><x-y><tr><svg></x-y><a href=1>",
        "<template><tr><td><x-y><tr><svg></x-y><a href=1>",
        "<template><td><tr><table><svg></table><a href=1>",
        "<template><td></td><x-y><tr><svg></x-y><a href=1>",
        "<template><tr><x-y><tbody><svg></x-y><a href=1>",
        "<template><tbody></tbody><td><x-y></tbody><svg></x-y><a href=1>",
        "<template><p><td><x-y><td><svg></x-y><a href=1>",
        "<template><script></script><td></td><table><x-y><td><svg></x-y><a href=1>",
        "<template><template><p></template><td></td><tr><table><svg></table><a href=1>",
        "<template><tr><form><svg></form><a href=1>",
        "<colgroup><svg></colgroup><a href=1>",
        "<table><td><x-y><colgroup><svg></x-y><a href=1>",
        "<table><td><x-y><col><svg></x-y><a href=1>",
        "<table><colgroup><col></colgroup><td><svg></td><a href=1>",
        "<template><colgroup></colgroup><x-y><tr><svg></x-y><a href=1>",
        "<template><col><svg><p></template><a href=1>",
        "<template><col><x-y><svg></x-y><template></template></template><a href=1>",
        "<x-y><applet><svg></x-y><a href=1></svg></applet><a href=2>",
        "<b><applet></b><svg></applet><a href=1>",
        "<x-y><math></x-z><a href=1></x-y><a href=2>",
        "<table><td><svg><foreignObject></table><a href=1>",
        "<table><td><svg><td><a href=1></svg><a href=2>",
        "<form><div><svg></form><a href=1></svg><a href=2>",
        "<li><svg></li><a href=1><li><svg><desc></li><a href=2>",
        "<link href=0><p><a href=1><link href=2><frameset><frame src=3></frameset><frame src=4>",
        "<a href=1><svg><a href=2></svg><frameset><title><frame src=3></title><svg><frame src=4>",
        "<p><a href=1>text<frameset><frame src=2>",
        "<a href=1><noscript>x</noscript><frameset><frame src=2>",
        "<a href=1><template></template><frameset><frame src=2>",
        "<a href=1><keygen><frameset><frame src=2>",
        "<a href=1><applet></applet><frameset><frame src=2>",
        "<script><!--/script><a href=1>",
        "<a href=1",
        "<a href='1",
        "<!-- <a href=1>",
        "<title><a href=1>",
        "<a href=1><",
        "<a href=1></",
        "<select><option><a href=1></select><a href=2>",
        "<a href='\u{0}x'>",
        "<a href='x\r\ny'>",
        "<a href=\"x\ty\">",
    ] {
        check(html);
    }
}

#[test]
fn what_is_open_is_known_after_many_tags() {
    check(&format!("<x-y>{}<svg></x-y><a href=1>", "<i>i</i>".repeat(5000)));
    check(&format!("<x-y><div>{}<svg></x-y><a href=1>", "<i>i</i>".repeat(5000)));
    check(&format!("{}<svg></p><a href=1></div><a href=2>", "<p><b>".repeat(300)));
}

/// To html5ever no element of SVG or `MathML` is special; to browsers, and to HTML 13.2.4.2, some are. These are what Chromium finds.
#[test]
fn integration_points_are_special() {
    for (html, element) in [
        ("<span><svg><desc></span></desc><a href=1>", "svg a"),
        ("<span><math><annotation-xml></span><a href=1>", "svg a"),
        ("<math><annotation-xml encoding=text/html><svg><p></annotation-xml><a href=1>", "a"),
        ("<math><annotation-xml encoding=text/html><mi><b></annotation-xml></math><a href=1>", "a"),
    ] {
        let found = [(element, "http://site.test/dir/1".to_owned(), false)].into();
        assert_eq!(scanned(html), found, "{html}");
    }
}

fn reference() -> impl Strategy<Value = String> {
    prop_oneof!["[a-e]{1,2}", "/[a-e]", "\\?[a-e]=1&amp;b", "&[a-z]{2,4};?", "#[a-e]", "[a-e]/[a-e]"]
}

fn quoted() -> impl Strategy<Value = String> {
    (reference(), 0..4).prop_map(|(reference, quote)| match quote {
        0 => format!("'{reference}'"),
        1 => format!("\"{reference}\""),
        2 => format!("{reference} "),
        _ => reference,
    })
}

fn linking() -> impl Strategy<Value = String> {
    let element = prop::sample::select(vec![
        "a href",
        "A HREF",
        "area href",
        "link href",
        "iframe src",
        "a x href",
        "a x='>' href",
    ]);
    (element, quoted()).prop_map(|(element, value)| format!("<{element}={value}>"))
}

fn piece() -> impl Strategy<Value = String> {
    let names = prop::sample::select(NAMES.to_vec());
    let noise = prop::sample::select(NOISE.to_vec()).prop_map(str::to_owned);
    prop_oneof![
        4 => linking(),
        3 => names.clone().prop_map(|name| format!("<{name}>")),
        3 => names.prop_map(|name| format!("</{name}>")),
        2 => Just("</a>".to_owned()),
        3 => noise,
    ]
}

const NAMES: &[&str] = &[
    "p",
    "div",
    "b",
    "i",
    "span",
    "ul",
    "li",
    "table",
    "tr",
    "td",
    "h1",
    "pre",
    "title",
    "textarea",
    "style",
    "script",
    "noscript",
    "template",
    "iframe",
    "noembed",
    "xmp",
    "form",
    "button",
    "br",
    "img",
    "input",
    "select",
    "option",
    "font color=x",
    "tbody",
    "th",
    "caption",
    "h2",
    "nobr",
    "section",
    "em",
    "center",
    "body",
    "html",
];

const NOISE: &[&str] = &[
    "<svg/>",
    "<svg><path d='m'/></svg>",
    "<svg><a href=s></a></svg>",
    "<svg><title><a href=t></a></title></svg>",
    "<svg><style><a href=u></a></style></svg>",
    "<svg><p><a href=v>",
    "<math><mi>x</mi><![CDATA[<a href=w>]]></math>",
    "</svg>",
    "text",
    " ",
    "<",
    "<3",
    "</",
    "</ x>",
    "<!-- x -->",
    "<!-->",
    "<!--",
    "-->",
    "--!>",
    "<!doctype html>",
    "<![CDATA[",
    "]]>",
    "<?x?>",
    "&amp;",
    "&lt;a href=x&gt;",
    "'",
    "\"",
    ">",
    "/>",
    "=",
    "<!x>",
    "\u{e9}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tag_soup_has_the_links_of_its_tree(pieces in prop::collection::vec(piece(), 0..14)) {
        let html = pieces.concat();
        prop_assert_eq!(scanned(&html), in_tree(&html), "{}", html);
    }
}
