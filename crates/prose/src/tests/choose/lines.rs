//! Lines, lists and cells within the article.

use crate::tests::{MORE, PROSE, check};

#[test]
fn lists_of_links_go_and_lists_of_things_stay() {
    let links = "<ul><li><a href=1>One</a><li><a href=2>Two</a></ul>";
    let things = "<ul><li>Bread<li>Wine</ul>";
    check(
        &format!("<div><p>{PROSE}</p>{links}<p>{MORE}</p>{things}</div>"),
        &format!("{PROSE}\n{MORE}\n- Bread\n- Wine"),
    );
}

#[test]
fn lists_that_tell_of_links_stay() {
    let told = "<ul><li><a href=1>The salt roads of the interior</a> is kind to the camels.\
                <li><a href=2>Letters from a weather station</a> made me laugh aloud.\
                <li><a href=3>The last bell founder</a></ul>";
    check(
        &format!("<div><p>{PROSE}</p>{told}<p>{MORE}</div>"),
        &format!(
            "{PROSE}\n- The salt roads of the interior is kind to the camels.\n\
             - Letters from a weather station made me laugh aloud.\n- The last bell founder\n{MORE}"
        ),
    );
    let dated = "<ul><li><a href=1>The salt roads of the interior</a> 3 May 2020<li><a href=2>The last bell founder</a> Anna\
                 <li><a href=3>The whole of the sea, and more</a> 12 comments.</ul>";
    check(&format!("<div><p>{PROSE}</p>{dated}<p>{MORE}</div>"), &format!("{PROSE}\n{MORE}"));
}

#[test]
fn a_word_in_a_list_a_cell_or_code_stays() {
    for (around, text) in [
        ("<ul><li><div>{}</div></ul>", "- Bread"),
        ("<table><tr><td><div>{}</div></table>", "Bread"),
        ("<blockquote><div>{}</div></blockquote>", "Bread"),
        ("<pre><div>{}</div></pre>", "Bread"),
    ] {
        let word = around.replace("{}", "Bread");
        check(&format!("<div><p>{PROSE}</p>{word}<p>{MORE}</div>"), &format!("{PROSE}\n{text}\n{MORE}"));
    }
    check(&format!("<div><p>{PROSE}</p><div>Bread</div><p>{MORE}</div>"), &format!("{PROSE}\n{MORE}"));
}

#[test]
fn code_may_be_links() {
    let code = "<pre><a href=1>use a::b;</a>\n<a href=2>use c::d;</a></pre>";
    check(
        &format!("<div><p>{PROSE}</p>{code}<p>{MORE}</div>"),
        &format!("{PROSE}\nuse a::b;\nuse c::d;\n{MORE}"),
    );
}

#[test]
fn a_cell_that_its_row_tells_of_may_be_a_link() {
    let row = "<tr><td><a href=1>read</a><td>Reads a file to its end.";
    check(
        &format!("<div><p>{PROSE}</p><table>{row}</table><p>{MORE}</div>"),
        &format!("{PROSE}\nread\tReads a file to its end.\n{MORE}"),
    );
    let links = "<tr><td><a href=1>One</a><td>|<td><a href=2>Two</a>";
    check(
        &format!("<div><p>{PROSE}</p><table>{links}</table><p>{MORE}</div>"),
        &format!("{PROSE}\n\t|\n{MORE}"),
    );
}

#[test]
fn cells_items_and_code_may_repeat_each_other() {
    let line = "the water stands at four metres";
    for (begin, between, end, text) in [
        ("<table><tr><td>", "<td>", "</table>", format!("{line}\t{line}")),
        ("<ul><li>", "<li>", "</ul>", format!("- {line}\n- {line}")),
        ("<pre><div>", "</div><div>", "</div></pre>", format!("{line}\n{line}")),
    ] {
        let twice = format!("{begin}{line}{between}{line}{end}");
        check(&format!("<div><p>{PROSE}</p>{twice}<p>{MORE}</div>"), &format!("{PROSE}\n{text}\n{MORE}"));
    }
}

#[test]
fn lines_of_the_page_go() {
    check(
        &format!(
            "<div><p>{PROSE}</p><p>Read more: another flood<p>{MORE}<h3>Related articles</h3><p>A flood elsewhere.</div>"
        ),
        &format!("{PROSE}\n{MORE}"),
    );
    check(&format!("<div><p>{PROSE}<p>{PROSE}<h2>Nothing under this</h2></div>"), PROSE);
}

#[test]
fn a_heading_that_begins_like_a_line_of_the_page_stays() {
    for heading in ["Loading data from a file", "Copyright and licensing"] {
        check(
            &format!("<div><p>{PROSE}</p><h2>{heading}</h2><p>{MORE}</div>"),
            &format!("{PROSE}\n{heading}\n{MORE}"),
        );
    }
    check(&format!("<div><p>{PROSE}</p><h2>Read more</h2><p>{MORE}</div>"), &format!("{PROSE}\n{MORE}"));
}

#[test]
fn a_chapter_may_begin_with_a_heading_below_its_own() {
    let under = |headings: &str| format!("<div><p>{PROSE}</p>{headings}<p>{MORE}</div>");
    check(&under("<h2>Installation</h2><h3>Linux</h3>"), &format!("{PROSE}\nInstallation\nLinux\n{MORE}"));
    check(
        &under("<section><h2>Installation</h2><section><h3>Linux</h3><p>So.</section></section>"),
        &format!("{PROSE}\nInstallation\nLinux\nSo.\n{MORE}"),
    );
    check(
        &under("<h3>Nothing</h3><h2>Upkeep</h2><h4>Nothing</h4><h4>Oil</h4>"),
        &format!("{PROSE}\nUpkeep\nOil\n{MORE}"),
    );
}

#[test]
fn sentences_that_begin_like_a_line_beside_stay() {
    for line in [
        "Sponsored by a local bank, the festival drew thousands.",
        "Zurück in Berlin traf er sich mit dem Minister.",
        "Also on Tuesday, the council voted for the new bridge.",
    ] {
        check(
            &format!("<article><p>{PROSE}<p>{line}<p>{MORE}</article>"),
            &format!("{PROSE}\n{line}\n{MORE}"),
        );
    }
    check(
        &format!("<article><p>{PROSE}<p>Sponsored by a bank<p>{MORE}</article>"),
        &format!("{PROSE}\n{MORE}"),
    );
}
