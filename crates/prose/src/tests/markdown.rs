use super::{MORE, PROSE};
use crate::limits::CELL_BLOCKS;
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
    check("<blockquote>So it is.<br>So be it.</blockquote>", "> So it is.\\\n> So be it.");
    check(
        "<table><tr><th>Year<th>Height<tr><td>1953<td>4|5 m</table>",
        "| Year | Height |\n| --- | --- |\n| 1953 | 4\\|5 m |",
    );
    check("<pre><code class='language-c'>int  x;\n  x = `1`;</code></pre>", "```c\nint  x;\n  x = `1`;\n```");
    check("<pre><code><div>a = 1</div><div>  b = 2</div></code></pre>", "```\na = 1\n  b = 2\n```");
    check("<pre class='lang-c'>```\n</pre>", "````c\n```\n````");
}

#[test]
fn a_link_of_a_heading_to_itself_is_no_part_of_it() {
    for link in [
        "<a class=headerlink href='#flood'>¶</a>",
        "<a href=#flood aria-hidden=true><span>&#x1F517;</span></a>",
        "<a href=#flood>\u{200B}</a>",
    ] {
        check(&format!("<h2>The flood{link}</h2><p>What was left."), "## The flood\n\nWhat was left.");
        check(&format!("<h2>{link} The flood</h2><p>What was left."), "## The flood\n\nWhat was left.");
        check(&format!("<dl><dt>flood(){link}</dt><dd>It rises.</dd></dl>"), "flood()\n\nIt rises.");
    }
    let about_itself = "<h2><a href=#c><em>++</em> and C</a></h2><p>What was left.";
    check(about_itself, "## *++* and C\n\nWhat was left.");
    check("<p>It rose<a href='#note'>†</a> again, they say.", "It rose† again, they say.");
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
    check("<ul><li>a<ul></ul><ul><li>b</ul></ul>", "- a\n    - b");
}

#[test]
fn an_item_may_begin_with_anything() {
    check("<ul><li><pre>x\n  y</pre>so<li>z</ul>", "-   ```\n    x\n      y\n    ```\n\n    so\n- z");
    check("<ol><li><h3>So it is</h3><p>x</ol>", "1. ### So it is\n\n    x");
    check("<ol><li><blockquote><p>x<p>y</blockquote></ol>", "1.  > x\n    >\n    > y");
    check("<ul><li><table><tr><td>1<td>2</table></ul>", "-   | 1 | 2 |\n    | --- | --- |");
}

#[test]
fn a_quotation_may_hold_anything() {
    check("<blockquote>q1<ul><li>i1<li>i2</ul>q2</blockquote>", "> q1\n>\n> - i1\n> - i2\n>\n> q2");
    check(
        "<blockquote><h2>So it is</h2><pre>x\n\ny</pre></blockquote>",
        "> ## So it is\n>\n> ```\n> x\n>\n> y\n> ```",
    );
    check(
        "<blockquote>q<blockquote>r</blockquote></blockquote><blockquote>s</blockquote>",
        "> q\n>\n> > r\n\n> s",
    );
    check(
        "<ul><li>a<blockquote>q<ol><li>b</ol></blockquote><li>c</ul>",
        "- a\n\n    > q\n    >\n    > 1. b\n\n- c",
    );
    check("<blockquote><ul><li>a</ul></blockquote><ul><li>b</ul>", "> - a\n\n- b");
}

#[test]
fn lists_side_by_side_are_two() {
    check("<ol><li>c<li>d</ol><ol><li>x</ol>", "1. c\n1. d\n1) x");
    check("<ul><li>c</ul><ul><li>x</ul><ul><li>y</ul>", "- c\n* x\n- y");
    check("<ul><li>a<ul><li>b</ul><ul><li>c</ul><li>d</ul>", "- a\n    - b\n    * c\n- d");
    check("<ul><li>a<ol><li>b</ol></ul><ol><li>c</ol>", "- a\n    1. b\n1. c");
    check("<ul><li>a</ul><p>b c d.</p><ul><li>e</ul>", "- a\n\nb c d.\n\n- e");
}

#[test]
fn a_line_that_ends_is_a_hard_break() {
    check("<p>a<br>b<br><br>c", "a\\\nb\n\nc");
    check("<p>a<br><br><br>b<br><br><br><br>c", "a\n\nb\n\nc");
    check("<ul><li>a<br>b</ul>", "- a\\\n    b");
    check("<h2>After<br>the flood</h2><p>a", "## After the flood\n\na");
    check("<p>so <code>a<br>b</code>", "so `a`\\\n`b`");
    check("<table><tr><td>a<br>b<td>c</table>", "| a b | c |\n| --- | --- |");
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
    check(
        "<table><tr><td>1953<td><p>It rose.<td>4 m</table>",
        "| 1953 | It rose. | 4 m |\n| --- | --- | --- |",
    );
}

#[test]
fn a_cell_may_hold_paragraphs() {
    let head = "<table><thead><tr><th><p>Year<th><p>Height<tbody>";
    let written = "| Year | Height |\n| --- | --- |\n";
    check(
        &format!("{head}<tr><td><p>1953<td><p>4 m<tr><td><p>1954<td><div>5 m</div></table>"),
        &format!("{written}| 1953 | 4 m |\n| 1954 | 5 m |"),
    );
    check(
        &format!("{head}<tr><td>1953<td><p>4 m<p>or more<tr><td>1954<td>5 m</table>"),
        &format!("{written}| 1953 | 4 m or more |\n| 1954 | 5 m |"),
    );
    let html = format!("<div><p>{PROSE}{head}<tr><td><p>1953<td><p>4 m</table><p>{MORE}</div>");
    assert_eq!(read(&html).text(), format!("{PROSE}\nYear\tHeight\n1953\t4 m\n{MORE}"));
}

#[test]
fn a_table_that_is_layout_has_no_rows() {
    check(
        "<table><tr><td>It rose.<td><p>Nobody slept.<p>So it went.</table>",
        "It rose.\n\nNobody slept.\n\nSo it went.",
    );
    check("<table><tr><td>It rose.<tr><td><p>Nobody slept.</table>", "It rose.\n\nNobody slept.");
    check("<table><tr><th>1<td><pre>a\nb</pre></table>", "1\n\n```\na\nb\n```");
    check("<table><tr><td>a<td><h2>So</h2><tr><td>b c d.</table>", "a\n\n## So\n\nb c d.");
    check(
        "<table><tr><td>It rose.<td><table><tr><td>1<td>2</table></table>",
        "It rose.\n\n| 1 | 2 |\n| --- | --- |",
    );
    let paragraphs = "<p>Nobody slept.".repeat(2 * CELL_BLOCKS);
    assert!(!read(&format!("<table><tr><th>1953<td>{paragraphs}</table>")).markdown().contains('|'));
}

#[test]
fn a_cell_covers_the_columns_and_rows_that_it_spans() {
    check(
        "<table><tr><th rowspan=2>Year<th colspan=2>Height<th>Dead<tr><th>low<th>high<tr><td>1953<td>1 m<td>4 m<td>9</table>",
        "| Year | Height |  | Dead |\n| --- | --- | --- | --- |\n|  | low | high |\n| 1953 | 1 m | 4 m | 9 |",
    );
    check(
        "<table><tbody><tr><th rowspan=0>a<td>1<tr><td>2<tr><td>3<tbody><tr><td>b<td>4</table>",
        "| a | 1 |\n| --- | --- |\n|  | 2 |\n|  | 3 |\n| b | 4 |",
    );
    check(
        "<table><tr><td rowspan=2>a<td rowspan=2>b<tr></tr><tr><td>c<td>d</table>",
        "| a | b |\n| --- | --- |\n| c | d |",
    );
    check("<table><tr><td colspan=0>a<td rowspan=x>b<tr><td>c</table>", "| a | b |\n| --- | --- |\n| c |");
}

#[test]
fn text_between_cells_stays() {
    check(
        "<table><caption>Floods and deaths</caption><tr><th>a<td>b<tr><th>c</th>So it is.<td>d</table>",
        "Floods and deaths\n\n| a | b |\n| --- | --- |\n| c |\n\nSo it is.\n\n| d |\n| --- |",
    );
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
    check("<p><b>x<br>y<br></b>z", "**x\\\ny**\\\nz");
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
        ("A title<br>===", "A title\\\n\\==="),
        ("a | b<br>:-- | --", "a | b\\\n\\:-- | --"),
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

#[test]
fn the_first_line_of_code_keeps_its_indent() {
    for code in
        ["    <b>a</b> = 1\n    b = 2", "\n    <b>a</b> = 1\n    b = 2", "<i>    </i><b>a</b> = 1\n    b = 2"]
    {
        let page = format!("<article><p>{PROSE}</p><pre> </pre>{MORE}<pre>{code}</pre></article>");
        assert_eq!(crate::read(&page).text(), format!("{PROSE}\n{MORE}\n    a = 1\n    b = 2"), "{code:?}");
    }
}

#[test]
fn numbers_of_lines_are_no_code() {
    let gutter = |numbers: &str, code: &str| {
        format!(
            "<table><tr><td class=gutter><pre>{numbers}</pre></td><td class=code><pre>{code}</pre></td></tr></table>"
        )
    };
    check(&gutter("1\n2", "rise()\nfall()"), "```\nrise()\nfall()\n```");
    check(&gutter("<span>9</span><br><span>10</span><br>", "rise()<br>fall()"), "```\nrise()\nfall()\n```");
    check(&gutter("1", "2"), "```\n2\n```");
    check(&gutter("1\n3", "rise()"), "```\n1\n3\n```\n\n```\nrise()\n```");
    check("<table><tr><td><pre>1</pre><td>2</table>", "```\n1\n```\n\n2");
}

#[test]
fn lines_of_code_may_be_elements() {
    let line = |inner: &str| format!("<div class=token-line>{inner}<br></div>");
    let lines = [
        line("<span>if</span> <span>x</span>"),
        line("<span>  </span><span>a</span>"),
        line("<span></span>"),
        line(" <span> b</span>"),
    ];
    for pre in ["<pre>", "<pre class=thin-scrollbar><code>"] {
        check(&format!("{pre}{}</pre>", lines.concat()), "```\nif x\n  a\n\n  b\n```");
        let hidden = "<div hidden>Copied</div>";
        check(&format!("{pre}{}{hidden}{}</pre>", lines[0], lines[1]), "```\nif x\n  a\n```");
    }
}

#[test]
fn numbers_before_lines_are_no_code() {
    for open in [
        "<span class='linenos'>",
        "<span class=ln>",
        "<span style='-webkit-user-select: none; user-select: none'>",
    ] {
        let line = |number: &str, code: &str| format!("{open}{number}</span>{code}\n");
        let lines = line(" 9", "<b>if</b> x") + &line("10", "") + &line("11", "  12");
        check(&format!("<pre><code>{lines}</code></pre>"), "```\nif x\n\n  12\n```");
    }
    check("<pre><span class=ln>x</span> <span class=mi>1</span></pre>", "```\nx 1\n```");
    check("<p>In <span class=ln>1953</span> it rose again.", "In 1953 it rose again.");
}
