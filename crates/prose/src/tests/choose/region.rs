//! Where the article is.

use crate::tests::{MORE, PROSE, check};

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
