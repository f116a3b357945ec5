use crate::{About, read};

fn about(html: &str) -> About {
    read(html).about().clone()
}

#[expect(clippy::unnecessary_wraps, reason = "what is compared is optional")]
fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn the_head_says_most() {
    let found = about(
        "<html lang='de_AT'><title>x</title><meta property='og:title' content='Die Flut &amp; wir | Die Post'>\
         <meta property=og:site_name content='Die Post'><meta name=author content='Von Anna Berg'>\
         <meta property=article:published_time content='2020-05-17T10:00:00+02:00'>",
    );
    let expected = About {
        title: some("Die Flut & wir"),
        author: some("Anna Berg"),
        date: some("2020-05-17"),
        site: some("Die Post"),
        language: some("de-AT"),
    };
    assert_eq!(found, expected);
}

#[test]
fn json_ld_is_read_at_any_place() {
    let found = about(
        r#"<script type="application/ld+json">//<![CDATA[
        {"@graph": [{"@type": "WebSite", "name": "The Post"},
          {"@type": ["NewsArticle"], "headline": "A flood", "datePublished": "2020-05-17", "inLanguage": "en",
           "author": [{"name": "A. Berg"}, {"name": "B. Thal"}, "https://post.test/b"]}]}
        //]]></script>"#,
    );
    let expected = About {
        title: some("A flood"),
        author: some("A. Berg, B. Thal"),
        date: some("2020-05-17"),
        site: some("The Post"),
        language: some("en"),
    };
    assert_eq!(found, expected);
    assert_eq!(
        about("<script type='application/ld+json'>{\"@type\": \"Article\", </script>"),
        About::default()
    );
}

#[test]
fn the_page_says_the_rest() {
    let found = about(
        "<title>A flood - The Post</title><h1>A flood in the town</h1><div class=byline>By <a href=x>Anna Berg</a> | News</div>\
         <time datetime='2020-05-17'>on Sunday</time>",
    );
    assert_eq!(found.author, some("Anna Berg"));
    assert_eq!(found.date, some("2020-05-17"));
}

#[test]
fn the_content_of_a_time_is_its_value() {
    for (html, date) in [
        ("<time>May <b>17</b>, 2020</time>", some("2020-05-17")),
        ("<time>2020-05-17</time>", some("2020-05-17")),
        ("<time datetime='2020-05-18'>May 17, 2020</time>", some("2020-05-18")),
        ("<time>yesterday</time><time>17. Mai 2020</time>", some("2020-05-17")),
        ("<time>yesterday</time>", None),
    ] {
        assert_eq!(about(html).date, date, "{html}");
    }
}

#[test]
fn each_of_several_authors_has_a_name() {
    let author = |names: &str| about(&format!("<meta name=author content='{names}'>")).author;
    let names = "Jane Doe, John Smith, and Mary Jane Watson-Parker";
    assert_eq!(author(names), some(names));
    assert_eq!(author(", ;"), None);
    assert_eq!(author("We write of floods, of rivers and of those who live there"), None);
    assert_eq!(author("Someone Who Writes of Floods and of Rivers, and of more than that"), None);
}

#[test]
fn json_ld_may_be_written_at_length() {
    let json = r#"{"@type": "http://schema.org/Article", "headline": "A flood"}"#;
    assert_eq!(stated(json).title, some("A flood"));
    let script = format!("<script type='application/ld+json; charset=utf-8'>{json}</script>");
    assert_eq!(about(&script).title, some("A flood"));
    assert_eq!(stated(&json.replace("schema", "scheme")).title, None);
}

#[test]
fn a_time_of_others_is_not_the_pages() {
    let time = "<time datetime='2020-05-17'>then</time>";
    let told = format!("<article><h1>A flood</h1><p>{}</article>", "It rose again in the night. ".repeat(9));
    for other in ["<nav>", "<aside>", "<section id=comments>", "<div class=related-posts>"] {
        assert_eq!(about(&format!("{told}{other}{time}")).date, None, "{other}");
    }
    let around = format!("<body class=has-sidebar><div class=sidebar>{told}{time}</div>");
    assert_eq!(about(&around).date, some("2020-05-17"), "what has all of the text is not beside it");
}

#[test]
fn an_address_is_nobodys_name() {
    let profile = "<meta property=article:author content='https://social.test/anna'>";
    assert_eq!(about(profile).author, None);
    assert_eq!(about(&format!("{profile}<div class=byline>By Anna Berg</div>")).author, some("Anna Berg"));
}

#[test]
fn dates_are_read_as_people_write_them() {
    for (text, date) in [
        ("2020-05-17T10:00", "2020-05-17"),
        ("Sonntag, 17.05.2020, 10 Uhr", "2020-05-17"),
        ("17. Mai 2020", "2020-05-17"),
        ("May 17th, 2020", "2020-05-17"),
        ("17 août 2020", "2020-08-17"),
        ("12/31/2020", "2020-12-31"),
        ("20200517", "2020-05-17"),
        ("29.02.2020", "2020-02-29"),
        ("Märzheft, 3. März 2020", "2020-03-03"),
        ("17 de mayo de 2020", "2020-05-17"),
        ("Publicado el 17 de Mayo del 2020", "2020-05-17"),
        ("17 de março de 2020", "2020-03-17"),
        ("the 17th of May, 2020", "2020-05-17"),
        ("发布于2020年5月17日 10:20", "2020-05-17"),
        ("2020年 05月 17日", "2020-05-17"),
        ("٢٠٢٠-٠٥-١٧ ٠٨:٣٠", "2020-05-17"),
        ("2020년 5월 17일", "2020-05-17"),
        ("05/06/2020", "2020-06-05"),
    ] {
        assert_eq!(about(&format!("<div class=pubdate>{text}</div>")).date, some(date), "{text}");
    }
    for text in [
        "soon",
        "12345678901",
        "99.99.2020",
        "31.04.2020",
        "2019-02-29",
        "1.2",
        "0000-00-00",
        "Mayor 77777 2020",
        "Veröffentlicht vor 3 Stunden",
        "abcédef 2020",
        "2020é517",
        "2020年5月",
        "2020年13月1日",
        "page 2 of 5 2020",
    ] {
        assert_eq!(about(&format!("<div class=pubdate>{text}</div>")).date, None, "{text}");
    }
}

#[test]
fn a_date_that_may_be_either_of_two_is_none() {
    let date =
        |lang: &str, text: &str| about(&format!("<html lang='{lang}'><div class=pubdate>{text}</div>")).date;
    for lang in ["en", "EN", "en-US", "en_us"] {
        assert_eq!(date(lang, "05/06/2020 10:30"), None, "{lang}");
        assert_eq!(date(lang, "05/05/2020"), some("2020-05-05"), "{lang}");
        assert_eq!(date(lang, "05/17/2020"), some("2020-05-17"), "{lang}");
        assert_eq!(date(lang, "17/05/2020"), some("2020-05-17"), "{lang}");
        assert_eq!(date(lang, "2020-05-06"), some("2020-05-06"), "{lang}");
        assert_eq!(date(lang, "6 May 2020"), some("2020-05-06"), "{lang}");
    }
    for lang in ["", "en-GB", "de"] {
        assert_eq!(date(lang, "05/06/2020 10:30"), some("2020-06-05"), "{lang}");
    }
}

fn stated(json: &str) -> About {
    about(&format!("<script type='application/ld+json'>{json}</script>"))
}

#[test]
fn a_review_of_a_thing_on_the_page_is_not_the_page() {
    let review = r#"{"@type": "Review", "author": "Anna Berg", "datePublished": "2020-05-17"}"#;
    for json in [review.to_owned(), format!("[{review}]"), format!(r#"{{"@graph": [{review}]}}"#)] {
        let found = stated(&json);
        assert_eq!((found.author, found.date), (some("Anna Berg"), some("2020-05-17")), "{json}");
    }
    let product = format!(r#"{{"@type": "Product", "review": [{review}]}}"#);
    for json in [product.clone(), format!(r#"{{"@graph": [{product}]}}"#)] {
        let found = stated(&json);
        assert_eq!((found.author, found.date), (None, None), "{json}");
    }
}

#[test]
fn a_page_says_when_it_was_published_and_not_when_it_was_changed() {
    let page = r#"{"@type": "WebPage", "datePublished": "2020-05-17"}"#;
    assert_eq!(stated(page).date, some("2020-05-17"));
    let article = r#"{"@type": "Article", "datePublished": "2020-05-18"}"#;
    assert_eq!(stated(&format!("[{page}, {article}]")).date, some("2020-05-18"));
    assert_eq!(stated(&format!(r#"{{"@type": "ItemList", "item": {page}}}"#)).date, None);
    for name in ["article:modified_time", "last-modified", "og:updated_time"] {
        assert_eq!(about(&format!("<meta property='{name}' content=2020-05-17>")).date, None, "{name}");
    }
}

#[test]
fn a_title_is_without_the_site() {
    let title = |html: &str| about(html).title;
    let whole = "<title>The flood | The Post</title><meta property=og:title content='The flood | The Post'>";
    assert_eq!(title(&format!("{whole}<h1>The flood</h1><p>It rose.")), some("The flood"));
    assert_eq!(title(&format!("{whole}<h1>Of water</h1><p>It rose.")), some("The flood | The Post"));
    // What is said for others alone may have a part that the heading has not.
    let other = "<title>The flood</title><meta property=og:title content='The flood - how it rose'>";
    assert_eq!(title(&format!("{other}<h1>The flood</h1><p>It rose.")), some("The flood - how it rose"));
    assert_eq!(title("<title>FAQ — The river docs</title><h1>FAQ</h1><p>It rose."), some("FAQ"));
    assert_eq!(title("<title>C++ - The Post</title><h1>C</h1><p>It rose."), some("C++ - The Post"));
}

#[test]
fn the_name_of_the_site_is_no_title() {
    let header = "<header><h1><a href=/>The River Post</a></h1></header>";
    let article = "<main><h2>A flood in the town</h2><p>It rose.</main>";
    for title in ["The River Post - A flood in the town", "A flood in the town | News | The River Post"] {
        let found = about(&format!("<title>{title}</title>{header}{article}"));
        assert_eq!(found.title, some("A flood in the town"));
    }
    let front = about(&format!("<title>The River Post</title>{header}{article}"));
    assert_eq!(front.title, some("The River Post"));
}

#[test]
fn a_list_of_pages_has_no_date_and_no_author_of_one() {
    let said = |html: &str| {
        let about = about(html);
        (about.date, about.author)
    };
    let by = "<time>2020-05-17</time><p class=author>Anna Berg</p>";
    let entry = |title: &str| {
        format!("<article><h2><a href=x>{title}</a></h2>{by}<p>The river rose again.</article>")
    };
    let entries = entry("A flood in the town") + &entry("Another flood") + &entry("No flood");
    assert_eq!(said(&format!("<title>The Post</title><h1>The Post</h1>{entries}")), (None, None));
    let item = "<li><time>2020-05-17</time> <a href=x>A flood in the town</a>";
    assert_eq!(said(&format!("<h1>All of it</h1><ul>{}</ul>", item.repeat(3))), (None, None));
    let listed = r#"<script type="application/ld+json">{"@type": "Blog", "blogPost": [{"@type": "BlogPosting",
        "datePublished": "2020-05-17", "author": {"name": "Anna Berg"}}]}</script>"#;
    assert_eq!(said(listed), (None, None));
    let commented = "<p>The river rose again.<div class=comments><p class=author>Anna Berg</div>";
    assert_eq!(said(&commented.replace("river", "river, which everybody knows,")), (None, None));
    let boxed = "<div class=info-box><p class=date>2020-05-17</p><p class=author>Anna Berg</div><p>The river rose again.";
    assert_eq!(said(boxed), (some("2020-05-17"), some("Anna Berg")));
    // An article that other pages are announced under has its own.
    let article = format!("<main><h1><a href=''>A flood in town</a></h1>{by}<p>The river rose.</main>");
    let own = (some("2020-05-17"), some("Anna Berg"));
    assert_eq!(said(&format!("<title>A flood in town</title>{article}{entries}")), own);
    let meta = "<ul><li>Published <time>2020-05-17</time><li>Updated <time>2021-01-02</time><li><a href=x>In the news</a></ul>";
    assert_eq!(said(&format!("<h1>A flood</h1>{meta}<p>The river rose again.")).0, own.0);
}

#[test]
fn an_author_may_stand_within_a_line() {
    for line in [
        "<div>Posted on <a href=x><time datetime=2020-05-17>17 May</time></a> <span class=byline>by \
         <span class='author vcard'><a href=y>Anna Berg</a></span></span></div>",
        "<p><time datetime=2020-05-17>17 May</time> by <a rel='nofollow author' href=y>Anna Berg</a></p>",
        "<p>17 May · <span itemprop=author itemscope><span itemprop=name>Anna\nBerg</span></span> · 3 min</p>",
        "<p><span class=author>Author:</span> <a rel=author href=y>Anna Berg</a></p>",
    ] {
        assert_eq!(about(&format!("<h1>A flood</h1>{line}<p>It rose.")).author, some("Anna Berg"), "{line}");
    }
    let quoted = "<blockquote>So it is. <span class=author>Anna Berg</span></blockquote>";
    assert_eq!(about(&format!("<h1>A flood</h1><p>It rose.</p>{quoted}")).author, None);
}
