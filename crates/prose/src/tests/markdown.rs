use super::{MORE, PROSE};
use crate::read;

fn check(html: &str, markdown: &str) {
    let html = format!("<div><p>{PROSE}</p>{html}<p>{MORE}</p></div>");
    assert_eq!(read(&html).markdown(), format!("{PROSE}\n\n{markdown}\n\n{MORE}"));
}

#[test]
fn structure_is_kept() {
    check(
        "<h2>After the flood</h2><p>What was left of it.</p>",
        "## After the flood\n\nWhat was left of it.",
    );
    check("<ul><li>Bread<li>Wine<ul><li>red</ul></ul>", "- Bread\n- Wine\n    - red");
    check("<ol><li>Bread<li><p>Wine<p>and water</ol>", "1. Bread\n1. Wine\n\n    and water");
    check("<blockquote>So it is.<br>So be it.</blockquote>", "> So it is.\n> So be it.");
    check(
        "<table><tr><th>Year<th>Height<tr><td>1953<td>4|5 m</table>",
        "| Year | Height |\n| --- | --- |\n| 1953 | 4\\|5 m |",
    );
    check("<pre><code class='language-c'>int  x;\n  x = `1`;</code></pre>", "```c\nint  x;\n  x = `1`;\n```");
    check("<pre><code><div>a = 1</div><div>  b = 2</div></code></pre>", "```\na = 1\n  b = 2\n```");
    check("<pre class='lang-c'>```\n</pre>", "````c\n```\n````");
}

#[test]
fn an_item_may_hold_anything() {
    check(
        "<ol><li><p>Run this:</p><pre>make all\n\n  now</pre><p>Then go on.</p></li><li>Next</li></ol>",
        "1. Run this:\n\n    ```\n    make all\n\n      now\n    ```\n\n    Then go on.\n1. Next",
    );
    check(
        "<ul><li>a thing<ul><li>red<pre>x</pre><li>white</ul>and more of it<li>b</ul>",
        "- a thing\n    - red\n\n        ```\n        x\n        ```\n    - white\n\n    and more of it\n- b",
    );
    check(
        "<ul><li>a<table><tr><td>1<td>2</table><ul><li>b</ul><blockquote>So it is.</blockquote></ul>",
        "- a\n\n    | 1 | 2 |\n    | --- | --- |\n\n    - b\n\n    > So it is.",
    );
    check("<ul><li>a<ul><ul><li>b</ul></ul></ul>", "- a\n    - b");
}

#[test]
fn a_cell_stands_under_its_heading() {
    check(
        "<table><tr><th><th>1953<tr><td>Height<td>4 m<tr><td>Dead<td><tr><td><td>none</table>",
        "|  | 1953 |\n| --- | --- |\n| Height | 4 m |\n| Dead |\n|  | none |",
    );
    check(
        "<table><tr><th colspan=2>Floods<tr><td>1953<td>4 m</table>",
        "| Floods |  |\n| --- | --- |\n| 1953 | 4 m |",
    );
    check("<table><tr><td>1953<td><p>It rose.<td>4 m</table>", "| 1953 |\n| --- |\n\nIt rose.\n\n4 m");
}

#[test]
fn emphasis_stands_at_words() {
    check(
        "<p>a <b> bold </b>, an <i>odd</i> and a <code>let_x</code> end",
        "a **bold** , an *odd* and a `let_x` end",
    );
    check("<p><b>Note:</b> so <i>it</i> is", "**Note:** so *it* is");
    check("<ul><li><code>get_x()</code> gives x<li><em>or</em> not</ul>", "- `get_x()` gives x\n- *or* not");
    check(
        "<div><b>All of it<p>of <i>that</i></p>and what is here</b></div>",
        "**All of it**\n\nof *that*\n\n**and what is here**",
    );
    check("<p>a <b><i>b</i></b> and <b> </b>c <b>d<b>e</b></b>", "a ***b*** and c **de**");
}

#[test]
fn emphasis_that_nobody_would_read_is_not_written() {
    for (html, markdown) in [
        ("<b>Note:</b>this", "Note:this"),
        ("<b>Note</b>this <b>Note:</b> this", "**Note**this **Note:** this"),
        ("これは<b>「重要」</b>です。", "これは「重要」です。"),
        ("これは<b>重要</b>です。", "これは**重要**です。"),
        ("x<i>(a)</i>y (<i>(b)</i>)", "x(a)y (*(b)*)"),
        ("use<b><code>x</code></b>now", "use`x`now"),
        ("a<s><b>b</b></s>c <s><b>d</b></s>", "a**b**c ~~**d**~~"),
        ("a<s><b>(b)</b></s>c", "a(b)c"),
        ("<b>Note:</b><i>x</i> y", "Note:x y"),
        ("<b>a</b><i>b</i> <code>c</code><i>d</i>", "**a**b `c`*d*"),
    ] {
        check(&format!("<p>{html}"), markdown);
    }
}

#[test]
fn equal_emphasis_side_by_side_is_one() {
    check("<p><b>a</b><b>b</b> <b>c</b> <code>d</code><code>e</code>", "**ab** **c** `de`");
    check("<p><b><i>a</i></b><b><i>b</i></b>", "***ab***");
    check("<p><b>a</b><i><b>b</b></i>", "**a**b");
    check("<p><b>a<i>b</i></b><i>c</i>", "**ab**c");
    check("<p><b><code>a</code></b><i><code>*b</code></i>c", "**`a`**`*b`c");
    check("<p><b>:<code>a</code></b><i><code>*b</code></i>c", "**:`a`**`*b`c");
    check("<p>x<b>:<code>a</code></b><i><code>*b</code></i>c", "x:`a*b`c");
}

#[test]
fn emphasis_ends_at_an_empty_line() {
    check("<p><b>x<br><br>y</b> z", "**x**\n\n**y** z");
    check("<p><b>x<br>y<br></b>z", "**x\ny**\nz");
}

#[test]
fn marks_of_the_text_are_letters() {
    check("<p>2*3 = [six] &lt;b&gt; #1 snake_case", "2\\*3 = \\[six\\] \\<b> \\#1 snake\\_case");
    check("<p>~5~ km &amp;lt; R&amp;D; AT&amp;T", "\\~5\\~ km \\&lt; R\\&D; AT&T");
}

#[test]
fn a_line_that_begins_like_structure_begins_none() {
    for (line, markdown) in [
        ("- said he", "\\- said he"),
        ("+ 5", "\\+ 5"),
        ("&gt; he wrote", "\\> he wrote"),
        ("1953. The flood", "1953\\. The flood"),
        ("2) the second", "2\\) the second"),
        ("---", "\\---"),
        ("~~~ wave", "\\~\\~\\~ wave"),
        ("A title<br>===", "A title\n\\==="),
        ("a | b<br>:-- | --", "a | b\n\\:-- | --"),
        ("-5 degrees, 1.5 m, 12", "-5 degrees, 1.5 m, 12"),
    ] {
        check(&format!("<p>{line}"), markdown);
    }
    check("<ul><li>- a<li>&gt; b</ul>", "- \\- a\n- \\> b");
}

#[test]
fn code_has_no_marks_but_its_own() {
    check("<p>a <code>let <b>x</b></code> end", "a `let x` end");
    check("<p>a <code>`x` *</code> end", "a \\`x\\` \\* end");
    check("<pre class='lang-`c'>x</pre>", "```\nx\n```");
}

#[test]
fn what_holds_a_blank_alone_is_nothing() {
    check("<p>&nbsp;<p>a b c.<p>\u{a0}<ul><li>&nbsp;</ul>", "a b c.");
}

#[test]
fn plain_text_has_empty_cells_too() {
    let html = format!("<div><p>{PROSE}<table><tr><td><td>2<tr><td>3<td></table><p>{MORE}</div>");
    assert_eq!(read(&html).text(), format!("{PROSE}\n\t2\n3\n{MORE}"));
}

#[test]
fn plain_text_has_all_of_what_is_preformatted() {
    let html = format!("<div><p>{PROSE}<pre>intro<p>second part</p>tail line</pre><p>{MORE}</div>");
    assert_eq!(read(&html).text(), format!("{PROSE}\nintro\nsecond part\ntail line\n{MORE}"));
}

#[test]
fn plain_text_has_the_same_lines() {
    let html = format!(
        "<div><p>{PROSE}<pre>int  x;\n  x</pre><ul><li>a thing</ul><table><tr><td>1<td>2</table><p>{MORE}</div>"
    );
    assert_eq!(read(&html).text(), format!("{PROSE}\nint  x;\n  x\n- a thing\n1\t2\n{MORE}"));
}
