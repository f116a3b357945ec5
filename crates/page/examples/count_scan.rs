//! `count_scan N`: parses N pages, for `cargo xtask counts`. The page has what pages have: a head, navigation, paragraphs,
//! lists, scripts, a table; 200 links, 40 KB.

use page::{Document, Header, Settings, parse};
use std::fmt::Write;
use std::hint::black_box;
use weburl::Url;

fn main() {
    let rounds = std::env::args().nth(1).and_then(|count| count.parse().ok()).expect("how many");
    let url = Url::parse("https://www.example.com/articles/2026/rivers.html").expect("a URL");
    let headers = [Header { name: "content-type", value: "text/html; charset=utf-8" }];
    let (body, settings) = (html(), Settings::default());
    for _ in 0..rounds {
        black_box(parse(
            &Document { url: &url, headers: &headers, body: black_box(body.as_bytes()) },
            &settings,
        ));
    }
}

fn html() -> String {
    let mut html = String::from(
        "<!doctype html><html lang=en><head><title>On rivers &amp; lakes</title><meta name=robots content=all>\
         <link rel=stylesheet href=/style.css><script>var a = '<a href=no>';</script></head><body><nav><ul>",
    );
    for n in 0..60 {
        write!(html, "<li class='entry entry-{n}'><a href=\"/topics/{n}?from=menu\">Topic {n}</a></li>")
            .expect("text");
    }
    html.push_str("</ul></nav><main><h1>On rivers</h1>");
    for n in 0..100 {
        writeln!(
            html,
            "<p id=p{n}>The river rises in the hills, and where it leaves them the valley is wide; in the year {n} it was \
             <em>wider</em> than anybody remembered, says <a href=\"../{n}/source.html#p{n}\" rel=nofollow>the source</a>, and \
             the fields stood under water until the spring. <img src=\"/images/{n}.jpg\" alt='The river'></p>"
        )
        .expect("text");
    }
    html.push_str("<table>");
    for n in 0..40 {
        write!(html, "<tr><td>{n}</td><td><a href='https://other{n}.example.org/a%20b'>{n} km</a></td></tr>")
            .expect("text");
    }
    html.push_str("</table></main><footer>&copy; the authors</footer></body></html>");
    html
}
