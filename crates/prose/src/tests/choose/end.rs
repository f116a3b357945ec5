//! Where it ends.

use crate::tests::{MORE, PROSE, check};

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
