//! Whatever comes, reading it ends, soon, and gives no more than there was.

use super::PROSE;
use crate::limits::{DEPTH, NODES, PARSED_BYTES};
use crate::read;
use crate::tree::build;
use markup::Dialect;
use proptest::prelude::*;

/// Everything that can be read of a page, read.
fn reads(html: &str) {
    for dialect in [Dialect::Html, Dialect::Xml] {
        build(html, dialect).tree.check_invariants();
    }
    let article = read(html);
    let (text, markdown) = (article.text(), article.markdown());
    assert!(text.len() <= 2 * html.len() + 16, "{} bytes of text from {}", text.len(), html.len());
    assert!(
        markdown.len() <= 64 * html.len() + 16,
        "{} bytes of Markdown from {}",
        markdown.len(),
        html.len()
    );
}

#[test]
fn nesting_repetition_and_size_are_bounded() {
    const TIMES: usize = 1 << 16;
    for (opens, closes) in [
        ("<div>a", "</div>"),
        ("<b>", "</b>"),
        ("<ul><li>a", "</ul>"),
        ("<table><tr><td>", ""),
        ("<td>a<td><p>a", ""),
        ("<td>", ""),
        ("<table><tr><td>a<td colspan=999 rowspan=999>a", "</table>"),
        ("<td>a<td colspan=255 rowspan=255>a<tr>", "</table>"),
        ("<a href=x><h2>a word</h2></a>", ""),
        ("<section>", "</div>"),
        ("<blockquote class='twitter share'>", ""),
        ("<div class='embed related'><p>word, word.", ""),
        ("<p>a<b><i>", "</b>"),
        ("<h3><a href=x>A heading</a></h3>", ""),
        ("<svg><title>", "</svg>"),
        ("a<br>", ""),
        ("<nav><time datetime=2001-02-03>a", "</nav>"),
        ("<h2>Comments</h2><p>It was, they say, so.</p>", ""),
        ("<h2>Comments</h2><h2>a</h2>", ""),
        ("<pre><code><div>a</div>", "</pre>"),
        ("<div id=abc class='sidebar topic'>abc<p>word, word.", ""),
        ("<b>a<p>b</p>c", "</b>"),
        ("<ul><li>a<pre>b\n</pre>c", "</ul>"),
        ("<time>2001", "</time>"),
        ("(<b>a)</b><s>(b)</s>", ""),
        ("<i>a<b>b<br><br>", ""),
        ("a<br><b>", "</b>"),
        ("<br>", "<b></b>"),
    ] {
        reads(&(opens.repeat(TIMES) + &closes.repeat(TIMES)));
    }
    reads(&format!("<pre>{}", "<ul><li>a</ul>b".repeat(TIMES)));
    let ended = "<p>It was, they say, so, and it will be.</p><h2>References</h2>";
    reads(&(ended.to_owned() + &"<h2>a".repeat(2 * TIMES)));
    let covered = "<td rowspan=0 colspan=255>".repeat(1 << 8) + &"<tr><td>a".repeat(TIMES);
    reads(&format!("<table><tr><td>a<td>b<tr>{covered}"));
}

#[test]
fn one_tag_may_have_everything() {
    reads(&format!("<p {}>a", "class=related ".repeat(1 << 14)));
    reads(&format!("<p class='{}'>a", "related-posts ".repeat(1 << 16)));
    reads(&format!("<p style='{}'>a", "é".repeat(1 << 16)));
    reads(&format!("<script type='application/ld+json'>{}</script>", "[".repeat(1 << 17)));
    reads(&format!(
        "<script type='application/ld+json'>[{}0]</script>",
        "{\"@type\":\"Article\"},".repeat(1 << 13)
    ));
    reads(&"<meta name=author content='By'>".repeat(1 << 12));
}

#[test]
fn no_more_than_the_limits_is_kept() {
    let many = "<p>a".repeat(NODES);
    assert_eq!(build(&many, Dialect::Html).tree.len(), NODES);
    let text = "é".repeat(PARSED_BYTES);
    assert!(read(&text).text().len() <= PARSED_BYTES);
    assert!(DEPTH < u16::MAX.into(), "elements that are open are counted in 16 bits");
}

proptest! {
    #[test]
    fn any_text(html in "\\PC{0,400}") {
        reads(&html);
    }

    #[test]
    fn any_markup(html in "(<(/)?(p|div|a href=x|b|ul|li|ol|table|tr|td|td colspan=99|th rowspan=0|h1|h2|pre|blockquote|svg|nav|br|title|script|button|article)( class=(sidebar|comments|entry-content|'related posts'))?>|word, |A sentence that is long enough, and then some more words\\. | |&amp;|\n){0,120}") {
        reads(&html);
    }
}

#[test]
fn zero_bytes_are_no_text() {
    let page = format!(
        "<meta name=author content='A\0nna'><p>{PROSE}\0</p><p>\0</p><pre class='lang-c\0'>a\0b</pre>"
    );
    let article = read(&page);
    assert_eq!(article.text(), format!("{PROSE}\nab"));
    assert_eq!(article.markdown(), format!("{PROSE}\n\n```\nab\n```"));
    assert_eq!(article.about().author.as_deref(), Some("Anna"));
}
