//! The tokenizer on what nobody wrote.

use fuzz::Fuzz;
use markup::{Dialect, Scanner, TagSet, Token, reference};
use meter::Meter;

#[global_allocator]
static METER: Meter = Meter::new();

const PAGES: [&str; 7] = [
    "<svg><k =/><k x=/><k x =/><k x/=/><k x= l/></svg>",
    "<!doctype html><title>a &amp; b</title><p class='x' id=y>text <a href=\"/z?a=1&b\">link</a><br/>",
    "<script><!-- <script></script> --></script><style>p{}</style><textarea><a></textarea><plaintext><b>",
    "<svg><title><a href=x></a></title><![CDATA[<b>]]><foreignObject><p></foreignObject></svg></p>",
    "<math><mi><b></mi><annotation-xml encoding='text/html'><i></annotation-xml></math><!--><!--->--!>",
    "<a x='>' \"=b /c = d><?xml version='1.0'?></ a></><!x><![CDATA[y]]><font color=red><table><td>",
    "<feed xmlns='x'><entry><link href='y'/><title><![CDATA[z]]></title></entry></feed>",
];

const WORDS: [&str; 24] = [
    "<a href=",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "--!>",
    "<![CDATA[",
    "]]>",
    "<svg>",
    "</svg>",
    "<math>",
    "<title>",
    "</title>",
    "<template>",
    "<select>",
    "<frameset>",
    "<plaintext>",
    "<font color=",
    "&amp;",
    "&#x41;",
    "&notit;",
    "='",
    "=\"",
    "/>",
];

/// Tokens as far as they do not depend on which attributes are wanted.
fn tokens(text: &str, dialect: Dialect, wanted: TagSet) -> Vec<Token<'_>> {
    let mut scanner = Scanner::new(text, dialect, wanted);
    let mut tokens = Vec::new();
    while let Some(token) = scanner.next_token() {
        tokens.push(token);
        assert!(tokens.len() <= text.len(), "more tokens than bytes");
    }
    tokens
}

#[test]
fn tokens_do_not_depend_on_whose_attributes_are_wanted() {
    Fuzz::new("scan").seeds(PAGES).words(&WORDS).run(|input| {
        let text = String::from_utf8_lossy(input);
        for dialect in [Dialect::Html, Dialect::Xml] {
            let all = tokens(&text, dialect, TagSet::ALL);
            assert_eq!(all, tokens(&text, dialect, TagSet::of(&[])));
        }
    });
}

#[test]
fn a_scan_holds_the_attributes_of_one_tag() {
    Fuzz::new("attributes").seeds(PAGES).words(&WORDS).run(|input| {
        let text = String::from_utf8_lossy(input);
        let peak = METER.peak_while(|| {
            let mut scanner = Scanner::new(&text, Dialect::Html, TagSet::ALL);
            while scanner.next_token().is_some() {
                let read: usize = scanner.attributes().iter().map(|a| a.name.len() + a.written.len()).sum();
                assert!(read <= text.len());
            }
        });
        assert!(peak <= 64 * text.len() + (16 << 10), "{peak} bytes for {}", text.len());
    });
}

#[test]
fn references_grow_no_text() {
    let seeds = [
        "&amp;&lt;&#65;&#x1F600;&NotEqualTilde;&nGt;&notit;&copy",
        "&&;&#;&#x;&#xD800;&#0;&#128;&#99999999999;",
    ];
    Fuzz::new("reference").seeds(seeds).words(&["&", "&#", "&#x", ";", "nGt", "acE"]).run(|input| {
        let text = String::from_utf8_lossy(input);
        // `&nGt;` is the one that has more bytes than its name, six for five.
        let most = text.len() * 2 + 8;
        assert!(reference::in_text(&text).len() <= most && reference::in_attribute(&text).len() <= most);
    });
}
