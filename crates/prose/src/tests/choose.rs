use super::{MORE, PROSE, check};

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
fn teasers_go_unless_there_is_nothing_else() {
    let teaser = |name: &str| {
        format!(
            "<div><h3><a href=x>{name}</a></h3><p>It happened, they say, in the night of {name}, and nobody saw it.</div>"
        )
    };
    let teasers = teaser("Monday") + &teaser("Tuesday");
    let article = format!("<h1>A flood in town</h1><p>{PROSE}<p>{MORE}</p>{PROSE}</p>");
    check(
        &format!("<title>A flood in town</title>{article}<div>{teasers}</div>"),
        &format!("{PROSE}\n{MORE}\n{PROSE}"),
    );
    check(
        &format!("<div>{teasers}</div>"),
        "Monday\nIt happened, they say, in the night of Monday, and nobody saw it.\n\
         Tuesday\nIt happened, they say, in the night of Tuesday, and nobody saw it.",
    );
}

#[test]
fn what_leads_to_the_article_belongs_to_it() {
    let html = format!(
        "<title>A flood - The Post</title><div><h1>A flood</h1><h2>The river has risen higher than in any year since the war</h2></div>\
         <div class=byline>By A. Name</div><div><div><p>{PROSE}<p>{MORE}</div></div>"
    );
    check(&html, &format!("The river has risen higher than in any year since the war\n{PROSE}\n{MORE}"));
}

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
fn a_button_that_is_a_heading_stays() {
    check(
        &format!("<div><p>{PROSE}</p><h3><button>Where does the ferry land?</button></h3><p>{MORE}</div>"),
        &format!("{PROSE}\nWhere does the ferry land?\n{MORE}"),
    );
}

#[test]
fn a_sentence_and_a_chapter_end_no_article() {
    for line in [
        "<p>See also git-stash(1).",
        "<p>Sign up for the race by Monday.",
        "<ul><li>Tags</ul>",
        "<h2>References and borrowing</h2>",
        "<pre>source: a.toml</pre>",
        "<dl><dd>Comments</dl>",
        "<dl><dt>See Also:<dd><a href=x>Object</a></dl>",
        "<p>See also <a href=x>the other one</a>",
    ] {
        let page = format!("<div><p>{PROSE}</p>{line}<p>{MORE}</div>");
        assert!(crate::read(&page).text().contains(MORE), "{line}");
    }
    for line in [
        "<h2>References</h2>",
        "<h3>Comments (12)</h3>",
        "<h2>You may also like</h2>",
        "<p>See also:</p>",
        "<h2>Further reading</h2>",
        "<h2>Ähnliche Artikel</h2>",
        "<p>Kommentare insgesamt: 0",
        "<p>Ansprechpartner für die Presse:",
    ] {
        let page = format!("<div><p>{PROSE}</p><p>{MORE}</p>{line}<p>A flood elsewhere.</div>");
        assert!(!crate::read(&page).text().contains("elsewhere"), "{line}");
    }
}

/// Chinese, Japanese and Thai have no spaces between words, and stops of their own.
#[test]
fn scripts_without_spaces_have_prose() {
    for [first, second] in [
        [
            "昨天夜里河水再次上涨，下城的居民早有经验，把能带走的东西都搬上了山坡。",
            "到了早晨雨停的时候，集市大厅里已经积满了水，谁也说不清水什么时候会退。",
        ],
        [
            "川の水は夜のうちにまた増え、下町の人々は持てるものをすべて丘の上へ運んだ。",
            "朝になって雨がやんだとき、市場には水がたまり、いつ引くのか誰にもわからなかった。",
        ],
        [
            "แม่น้ำเพิ่มขึ้นอีกครั้งในตอนกลางคืนและผู้คนในเมืองล่างก็ขนของขึ้นไปบนเนินเขา",
            "ตอนเช้าเมื่อฝนหยุดตกน้ำก็ท่วมตลาดและไม่มีใครรู้ว่าน้ำจะลดลงเมื่อใด",
        ],
    ] {
        let text = format!("{first}\n{second}");
        check(&format!("<div>{first}</div><div>{second}</div><div>首页</div>"), &text);
        check(&format!("<div class=sidebar><p>{first}<p>{second}</div><div>首页</div>"), &text);
    }
}

#[test]
fn a_page_without_prose_is_what_is_not_marked() {
    check("<nav><a href=x>Home</a></nav><div>Open from nine to five</div>", "Open from nine to five");
    check("", "");
    check("<p>  </p>", "");
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

/// A tutorial has a chapter on comments; behind the article it ends it.
#[test]
fn a_chapter_may_be_called_as_what_stands_behind_articles_is() {
    let chapter = |name: &str| format!("<h2>{name}</h2><p>{MORE}</p>");
    let of = |names: &[&str]| names.iter().map(|name| chapter(name)).collect::<String>();
    let read = |names: &[&str]| names.iter().flat_map(|name| ["\n", name, "\n", MORE]).collect::<String>();
    let all = ["Variables", "Loops", "Comments", "Modules"];
    check(&format!("<article><p>{PROSE}</p>{}</article>", of(&all)), &format!("{PROSE}{}", read(&all)));
    let ended = ["Variables", "Loops", "Comments"];
    check(
        &format!("<article><p>{PROSE}</p>{}</article>", of(&ended)),
        &format!("{PROSE}{}", read(&ended[..2])),
    );
}

/// The references of a chapter end that chapter; those of all chapters the article.
#[test]
fn what_ends_a_chapter_ends_no_article() {
    let under = |level: u8, name: &str, text: &str| format!("<h{level}>{name}</h{level}><p>{text}</p>");
    let start = under(2, "Builds", PROSE) + &under(3, "References", "A manual.");
    let page = |end: String| crate::read(&format!("<article>{start}{end}</article>")).text();
    assert!(page(under(2, "Tests", MORE)).ends_with(&format!("Tests\n{MORE}")));
    assert!(
        page(format!("<h2>Tests</h2>{}", under(3, "Of units", MORE))).ends_with(&format!("Of units\n{MORE}"))
    );
    assert_eq!(page(under(1, "News", MORE)), format!("Builds\n{PROSE}"), "it is beside no chapter");
}

/// Each directive of Apache's manual, in an element of its own, ends with one; a table stands before the text.
#[test]
fn every_chapter_may_end() {
    let chapter = |n: u32| {
        format!(
            "<div><div><h2>Directive {n}</h2></div><table><tr><th>Context:<td>server</table><p>Number {n} of them, and what it does: {MORE}</p>\
             <h3>See also</h3><ul><li><a href=x>Another</a></ul></div>"
        )
    };
    let all: String = (1..=20).map(chapter).collect();
    let text = crate::read(&format!("<main>{all}</main>")).text();
    assert!((1..=20).all(|n| text.contains(&format!("Number {n} of them"))), "{text}");
    let page = format!("<main>{all}<div><h2>Comments</h2><p>Number one, they say, is wrong.</div></main>");
    assert_eq!(crate::read(&page).text(), text);
}

/// However long one of them is.
#[test]
fn a_chapter_is_not_all_of_an_article() {
    let short = "<section><h2>In short</h2><p>It rose again, and then it fell.</p><pre>rise(); fall()</pre></section>";
    let long =
        format!("<section><h2>At length</h2><p>{PROSE}<p>{MORE}<p>{PROSE} Again.<p>{MORE} Again.</section>");
    let text = crate::read(&format!("<h1>A flood in town</h1><main>{short}{long}</main>")).text();
    assert!(
        text.starts_with("In short\nIt rose again, and then it fell.\nrise(); fall()\nAt length\n"),
        "{text}"
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
fn of_code_among_paragraphs_the_paragraphs_are_kept() {
    let code =
        "fn rise(river: &mut River, by: Metres) -> Level {\n    river.level += by;\n    river.level\n}";
    for around in ["<pre>{}</pre>", "<div class=highlight><pre><code>{}</code></pre></div>"] {
        let code_as_told = around.replace("{}", code);
        check(
            &format!(
                "<main><h1>A flood in code</h1><p>It rises so:</p>{code_as_told}<p>Or not at all.</p></main>"
            ),
            &format!("It rises so:\n{code}\nOr not at all."),
        );
    }
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
