use crate::page::{Document, Header, Settings};
use crate::{Page, parse};
use weburl::Url;

fn page_of(content_type: &str, body: &str) -> Page {
    let url = Url::parse("http://site.test/dir/page").unwrap();
    let headers = [Header { name: "content-type", value: content_type }];
    parse(&Document { url: &url, headers: &headers, body: body.as_bytes() }, &Settings::default())
}

#[track_caller]
fn check_text(html: &str, expected: &str) {
    assert_eq!(page_of("text/html", html).text, expected);
}

#[test]
fn blocks_break_lines_and_inline_elements_join() {
    check_text("<p>one <b>two</b>\n three</p><p>four<br>five", "one two three\nfour\nfive");
    check_text("<ul><li>a<li>b</ul>", "a\nb");
    check_text("<table><tr><td>1<td>2</tr><tr><td>3</table>", "1\t2\n3");
    check_text("a<script>b</script><style>c</style><!-- d -->e", "ae");
    check_text("<pre>\n x\n  y</pre>z", " x\n  y\nz");
    check_text("1 &lt; 2 &amp; 3", "1 < 2 & 3");
}
