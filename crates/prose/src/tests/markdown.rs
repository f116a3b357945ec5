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
    check("<pre><code class='language-c'>int  x;\n  x = `1`;</code></pre>", "```\nint  x;\n  x = `1`;\n```");
    check("<pre class='lang-c'>```\n</pre>", "````c\n```\n````");
}

#[test]
fn emphasis_stands_at_words() {
    check(
        "<p>a <b> bold </b>, an <i>odd</i> and a <code>let_x</code> end",
        "a **bold** , an *odd* and a `let_x` end",
    );
    check("<p>a <b><i>b</i></b> and <b> </b>c <b>d<b>e</b></b>", "a ***b*** and c **de**");
}

#[test]
fn marks_of_the_text_are_letters() {
    check("<p>2*3 = [six] &lt;b&gt; #1 snake_case", "2\\*3 = \\[six\\] \\<b> \\#1 snake\\_case");
}

#[test]
fn plain_text_has_the_same_lines() {
    let html = format!(
        "<div><p>{PROSE}<pre>int  x;\n  x</pre><ul><li>a thing</ul><table><tr><td>1<td>2</table><p>{MORE}</div>"
    );
    assert_eq!(read(&html).text(), format!("{PROSE}\nint  x;\n  x\n- a thing\n1\t2\n{MORE}"));
}
