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
    ] {
        assert_eq!(about(&format!("<div class=pubdate>{text}</div>")).date, None, "{text}");
    }
}
