//! What elements say of themselves, and how far it is believed.

use crate::tests::{MORE, PROSE, check};

#[test]
fn what_is_marked_as_something_else_goes() {
    for around in [
        "<nav>{}</nav>",
        "<footer>{}</footer>",
        "<div class=sidebar>{}</div>",
        "<div id=kommentare>{}</div>",
        "<div class='related-posts'>{}</div>",
        "<div style='display:none'>{}</div>",
        "<div popover=manual>{}</div>",
    ] {
        let other = around.replace("{}", "<p>Something <a href=x>else</a> entirely, and at length.</p>");
        check(&format!("<h1>A flood</h1><p>{PROSE}<p>{MORE}</p>{other}"), &format!("{PROSE}\n{MORE}"));
    }
}

#[test]
fn the_footer_of_a_page_may_be_longer_than_the_page() {
    let footer = format!("<footer class=page-content><p>{PROSE}<p>{MORE}</footer>");
    check(&format!("<h1>A flood</h1><p>It rose again.</p>{footer}"), "It rose again.");
    check(&format!("<h1>To carry</h1><p>This:<ul><li>Bread<li>Wine</ul>{footer}"), "This:\n- Bread\n- Wine");
    // That of a section may be all there is, and so may that of a page.
    check(
        &format!("<h1>A flood</h1><p>It rose.</p><section>{footer}</section>"),
        &format!("{PROSE}\n{MORE}"),
    );
    check(&format!("<h1>A flood</h1>{footer}"), &format!("{PROSE}\n{MORE}"));
}

#[test]
fn a_mark_on_the_article_itself_is_not_believed() {
    check(&format!("<div class='sidebar'><p>{PROSE}<p>{MORE}</div><p>Short."), &format!("{PROSE}\n{MORE}"));
    check(&format!("<article class='tag-news comments-open'><p>{PROSE}</article>"), PROSE);
}

#[test]
fn what_nobody_sees_is_in_no_sentence() {
    for unseen in [
        "<select><option>new<option>old</select>",
        "<svg><title>new</title></svg>",
        "<video>new</video>",
        "<span hidden>new</span>",
        "<span popover>new</span>",
        "<meter value=1>new</meter>",
        "<progress>new</progress>",
    ] {
        check(&format!("<p>{PROSE}</p><p>It has {unseen} begun."), &format!("{PROSE}\nIt has begun."));
    }
}

#[test]
fn a_button_that_is_a_heading_stays() {
    check(
        &format!("<div><p>{PROSE}</p><h3><button>Where does the ferry land?</button></h3><p>{MORE}</div>"),
        &format!("{PROSE}\nWhere does the ferry land?\n{MORE}"),
    );
}

/// Books call so what tells more of what the text is about.
#[test]
fn a_sidebar_within_the_text_is_of_it() {
    let read = |before: &str, inside: &str| {
        let end = format!("<p>{PROSE} Again.<p>{PROSE} And again.");
        let page =
            format!("<article><p>{PROSE}</p>{before}<div class=sidebar><p>{inside}</div>{end}</article>");
        crate::read(&page).text()
    };
    assert!(read("", MORE).contains(MORE));
    assert!(!read("<ul><li>Beside a list</ul>", MORE).contains(MORE));
    let linked = format!("<a href=x>{MORE}</a>");
    assert!(!read("", &linked).contains(MORE));
}

#[test]
fn a_topic_that_is_told_is_no_keyword() {
    let topic = |text: &str| format!("<div class=topic><p>{text}</p></div>");
    let page = |topic: &str| {
        let told = format!("<p>{PROSE}<p>{PROSE} Again.").repeat(6);
        format!("<article>{told}<p>{PROSE} And again.</p>{topic}</article>")
    };
    assert!(crate::read(&page(&topic(MORE))).text().ends_with(MORE));
    for keywords in [
        "River, flood",
        "<a href=x>By the morning, when the rain had stopped, the water stood in the market</a>",
    ] {
        assert!(crate::read(&page(&topic(keywords))).text().ends_with("And again."), "{keywords}");
    }
}

#[test]
fn the_id_of_a_section_may_be_its_title() {
    for id in ["errors", "widgets", "searching", "license", "menuSelectionChanged(boolean)"] {
        let section = format!("<section id={id}><h2>On {id}</h2><p>{MORE}</section>");
        check(&format!("<main><p>{PROSE}</p>{section}</main>"), &format!("{PROSE}\nOn {id}\n{MORE}"));
    }
    let comments = format!("<section id=comments><h3>Three comments</h3><p>{MORE}</section>");
    check(
        &format!("<main><p>{PROSE}<p>{PROSE} Again.</p>{comments}</main>"),
        &format!("{PROSE}\n{PROSE} Again."),
    );
}

/// Manuals call every section by its title; a blog calls only its comments so.
#[test]
fn where_sections_are_called_by_their_titles_no_id_is_a_role() {
    let section = |id: &str, title: &str| {
        format!(
            "<div id={id}><h3>{title}</h3><p>Of <a href=x>{title}</a>, and more of it, this says a word or two, as it has to.</div>"
        )
    };
    let page = |first: &str| {
        let sections = [
            section(first, "1 Objects"),
            section("Managing-the-path", "2 Managing the path"),
            section("How-to-start_003f", "3 How to start?"),
            section("Commercial-use", "4 Commercial use"),
        ];
        crate::read(&format!("<main><p>{PROSE}<p>{MORE}</p>{}</main>", sections.concat())).text()
    };
    assert!(page("Objects").contains("4 Commercial use\nOf 4 Commercial use"));
    assert!(!page("Things").contains("Commercial"), "two are chance");
}

/// Javadoc, Doxygen, Qt.
#[test]
fn classes_of_reference_manuals_are_no_roles() {
    for class in ["member-list", "memberdecls", "memItemRight bottomAlign", "deprecation-comment"] {
        check(
            &format!("<main><p>{PROSE}<p>{PROSE} Again.</p><div class=\"{class}\"><p>{MORE}</div></main>"),
            &format!("{PROSE}\n{PROSE} Again.\n{MORE}"),
        );
    }
    let code =
        "<div class=fragment><div class=line><span class=comment>// counts what is there</span></div></div>";
    check(&format!("<main><p>{PROSE}</p>{code}</main>"), &format!("{PROSE}\n// counts what is there"));
}

#[test]
fn a_frame_is_named_for_how_it_moves() {
    let framed =
        |inner: &str| format!("<div><p>{PROSE}</p><div class='scrollable box'>{inner}</div><p>{MORE}</div>");
    check(&framed("<table><tr><td>1953<td>4 m</table>"), &format!("{PROSE}\n1953\t4 m\n{MORE}"));
    check(&framed("<pre>rise()</pre>"), &format!("{PROSE}\nrise()\n{MORE}"));
    check(&framed("<table><tr><td><a href=up>Up</a></table>"), &format!("{PROSE}\n{MORE}"));
    check(&framed("<p>Back to top</p>"), &format!("{PROSE}\n{MORE}"));
}
