use super::{HTML, page_of, with_headers};
use crate::{Directives, Document, Header, Settings, parse};

#[track_caller]
fn check_meta(html: &str, expected: Directives) {
    assert_eq!(page_of(HTML, html).directives, expected, "{html}");
}

#[track_caller]
fn check_header(value: &str, expected: Directives) {
    let headers = [Header { name: "X-Robots-Tag", value }];
    assert_eq!(with_headers(&headers, "").directives, expected, "{value}");
}

#[test]
fn metas_speak_to_all_robots_or_to_us() {
    let both = Directives::NOINDEX.with(Directives::NOFOLLOW);
    check_meta("<meta name=robots content='NOINDEX, nofollow'>", both);
    check_meta("<META CONTENT=none NAME=ROBOTS>", both);
    check_meta("<meta name=drumlin content=noindex><meta name=robots content=nofollow>", both);
    check_meta("<meta name=googlebot content=noindex>", Directives::NONE);
    check_meta("<meta name=robots content='index, follow, noai'>", Directives::NOAI);
    check_meta("<!-- <meta name=robots content=none> -->", Directives::NONE);
    check_meta("<template><meta name=robots content=none></template>", Directives::NONE);
}

#[test]
fn headers_may_be_addressed() {
    check_header("noindex, nofollow", Directives::NOINDEX.with(Directives::NOFOLLOW));
    check_header("otherbot: noindex, nofollow", Directives::NONE);
    check_header(
        "otherbot: noindex, drumlin: nofollow, noarchive",
        Directives::NOFOLLOW.with(Directives::NOARCHIVE),
    );
    check_header("max-snippet: 20, noindex", Directives::NOINDEX);
    check_header("360Spider: noindex", Directives::NONE);
    check_header("*: none", Directives::NOINDEX.with(Directives::NOFOLLOW));
}

#[test]
fn agents_of_other_names_are_spoken_to_by_their_own() {
    let both = Directives::NOINDEX.with(Directives::NOFOLLOW);
    let ours = "<meta name=drumlin content=noarchive><meta name=My-Crawler content=nofollow>";
    let headers = [
        Header { name: "Content-Type", value: HTML },
        Header { name: "X-Robots-Tag", value: "my-crawler: noindex, drumlin: noai" },
    ];
    let url = "https://example.org/".parse().unwrap();
    let document = Document { url: &url, headers: &headers, body: ours.as_bytes() };
    let page = parse(&document, &Settings { agent: "my-crawler", ..Settings::default() });
    assert_eq!(page.directives, both);
}

#[test]
fn a_colon_in_a_header_makes_no_agent() {
    let both = Directives::NOINDEX.with(Directives::NOFOLLOW);
    check_header("unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noindex", Directives::NOINDEX);
    check_header("otherbot: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noindex", Directives::NONE);
    check_header("otherbot: noai, drumlin: unavailable_after: 25 Jun 2010, 15:00 GMT, none", both);
    check_header("noarchive: 1, noindex", Directives::NOINDEX);
    check_header("index: no, nofollow", Directives::NOFOLLOW);
}

#[test]
fn headers_are_divided_as_metas_are() {
    let both = Directives::NOINDEX.with(Directives::NOFOLLOW);
    for value in ["noindex nofollow", "noindex;nofollow", "drumlin: noindex nofollow", "max-snippet:9;none"] {
        check_header(value, both);
    }
    check_header("otherbot: noindex nofollow; noai", Directives::NONE);
    check_header("max-image-preview: none, noai", Directives::NOAI);
    check_header("noai max-image-preview: none", Directives::NOAI);
    check_header("max-image-preview : none noai", Directives::NOAI);
    check_meta("<meta name=robots content='max-image-preview: none noai'>", Directives::NOAI);
    check_meta("<meta name=robots content='noindex&nbsp;nofollow'>", both);
}

#[test]
fn names_are_those_of_the_meta() {
    let both = Directives::NOINDEX.with(Directives::NOARCHIVE);
    assert_eq!(both.names().collect::<Vec<_>>(), ["noindex", "noarchive"]);
}

#[test]
fn terms_are_kept_as_they_are_written() {
    let page = page_of(
        HTML,
        "<meta name=TDM-Reservation content=' 1 '><meta name=tdm-reservation content=0>\
         <meta name='DCTERMS.license' content='https://creativecommons.org/licenses/by/4.0/'>\
         <a rel=license href=/terms>terms</a>",
    );
    assert_eq!(page.terms.tdm_reservation.as_deref(), Some("1"), "the first counts");
    assert_eq!(page.terms.license.as_deref(), Some("https://creativecommons.org/licenses/by/4.0/"));
    assert!(page.links[0].rel.has(crate::Rel::LICENSE));
    assert_eq!(page_of(HTML, "<meta name=tdm content=1>").terms, crate::Terms::default());
}
