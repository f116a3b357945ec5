//! The main text of what nobody wrote.

use fuzz::Fuzz;
use meter::Meter;

#[global_allocator]
static METER: Meter = Meter::new();

const PAGES: [&str; 5] = [
    "<html><head><title>Hills - Site</title><meta name=author content='A. B.'><script type='application/ld+json'>{\"@type\":\"Article\",\"author\":{\"name\":\"C\"},\"datePublished\":\"2024-01-31\"}</script></head><body><nav><a href=x>Home</a></nav><article><h1>Hills</h1><p>A drumlin is a hill, long and smooth, made by ice that has moved over it.</p><ul><li>one<li>two</ul></article><footer>(c)</footer>",
    "<div class=content><p>One sentence, with a comma. Another one follows.<br>And a third.<blockquote><p>Said.</blockquote><pre><code>x = 1\n</code></pre><table><tr><th>a<td>b</table></div><div class=comments><p>First!</div>",
    "<main><h2>t</h2><p>x <b>y</b> <i>z</i> <code>`</code> *_[]<a href=x>l</a></p><ol start=3><li><p>a<li>b<ul><li>c</ul></ol></main>",
    "<meta name=date content='3. März 2024'><h1>Hügel</h1><p class=date>Veröffentlicht am 2024-01-31</p><p class=byline>Von Änne Berg</p><time>abcédef</time><p>Ein Hügel, lang und glatt.",
    "<p>1<p>2<div><div><div><span>3</span></div>4</div></div><h1>5</h1>",
];

const WORDS: [&str; 39] = [
    "<p>",
    "</p>",
    "<div class=sidebar>",
    "</div>",
    "<article>",
    "</article>",
    "<ul>",
    "<li>",
    "</ul>",
    "<ol>",
    "<table>",
    "<tr>",
    "<td>",
    "<td colspan=99>",
    "<th rowspan=0>",
    "</table>",
    "<pre>",
    "</pre>",
    "<code>",
    "<h1>",
    "</h1>",
    "<blockquote>",
    "</blockquote>",
    "<a href=x>",
    "</a>",
    "<b>",
    "<br>",
    "<title>",
    "</title>",
    "<meta name=author content=",
    "<meta name=date content='",
    "<p class=date>",
    "<p class=byline>",
    "<select>",
    "<input>",
    "Veröffentlicht am ",
    "3. März 2024",
    "2024-01-31T10:00",
    "A sentence, with a comma. ",
];

#[test]
fn articles() {
    Fuzz::new("articles").seeds(PAGES).words(&WORDS).executions(6000).run(|input| {
        let html = String::from_utf8_lossy(input);
        let peak = METER.peak_while(|| {
            let article = prose::read(&html);
            let (text, markdown, about) = (article.text(), article.markdown(), article.about());
            assert!(about.date.as_ref().is_none_or(|date| date.len() == 10), "{:?}", about.date);
            assert!(text.len() <= 2 * html.len() + 64, "{} bytes of text", text.len());
            // Every character may be escaped, and every line indented as deep as lists are.
            assert!(markdown.len() <= 64 * html.len() + 64, "{} bytes of Markdown", markdown.len());
            assert_eq!(text, prose::read(&html).text(), "the same each time");
        });
        assert!(peak <= 512 * html.len() + (1 << 20), "{peak} bytes for {}", html.len());
    });
}
