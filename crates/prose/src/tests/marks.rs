use crate::marks::{self, Marks};
use markup::{Dialect, Scanner, TagSet, Token};

fn of(html: &str) -> Marks {
    let mut scanner = Scanner::new(html, Dialect::Html, TagSet::ALL);
    let Some(Token::Open(open)) = scanner.next_token() else { panic!("no start tag in {html}") };
    marks::of(open, scanner.attributes())
}

fn of_class(name: &str) -> Marks {
    of(&format!("<div class='{name}'>"))
}

#[test]
fn names_are_words() {
    for name in ["sidebar", "site-sidebar", "siteSidebar", "c_sidebar__inner", "x SIDEBAR y", "sidebarLeft"] {
        assert!(of_class(name).meet(Marks::SIDEBAR), "{name}");
    }
    for name in ["besidebars", "css-1a2b3c", "", "   "] {
        assert_eq!(of_class(name), Marks::NONE, "{name}");
    }
}

#[test]
fn ids_that_are_made_of_titles_are_no_roles() {
    for html in ["<section id='more-on-lists'>", "<h2 id='_discussion'>", "<dt id='http.cookiejar.Cookie'>"] {
        assert_eq!(of(html), Marks::NONE, "{html}");
    }
    assert!(of("<section id='comments'>").meet(Marks::COMMENTS));
    assert!(of("<section id='related-posts'>").meet(Marks::RELATED));
}

#[test]
fn two_words_in_a_row_are_one() {
    assert!(of_class("related-posts").meet(Marks::RELATED));
    assert!(of_class("articleBody").meet(Marks::BODY));
    assert!(of_class("article-body").meet(Marks::BODY));
    assert!(!of_class("article wide body").meet(Marks::BODY));
}

#[test]
fn a_word_after_a_negation_says_what_is_absent() {
    assert!(!of_class("no-sidebar").meet(Marks::SIDEBAR));
    assert!(!of_class("has-comments").meet(Marks::COMMENTS));
    assert!(of_class("no-js sidebar").meet(Marks::SIDEBAR));
}

#[test]
fn words_of_layout_and_of_warnings_are_no_roles() {
    let names = [
        "overflow-hidden",
        "border-bottom",
        "highlight highlight-source-shell",
        "sourceCode",
        "elementor-widget",
    ];
    for name in names.into_iter().chain(["admonition warning", "alert alert-info", "message", "product"]) {
        assert_eq!(of_class(name), Marks::NONE, "{name}");
    }
}

#[test]
fn elements_roles_properties_and_styles_count() {
    assert!(of("<nav>").meet(Marks::NAVIGATION));
    assert!(of("<div role=navigation>").meet(Marks::NAVIGATION));
    assert!(of("<aside>").meet(Marks::SIDEBAR));
    assert!(!of("<aside role=doc-footnote>").meet(Marks::SIDEBAR));
    assert!(!of("<aside class='footnote-list brackets'>").meet(Marks::SIDEBAR));
    assert!(of("<aside class=sidebar role=doc-tip>").meet(Marks::SIDEBAR));
    assert!(of("<div itemprop=articleBody>").meet(Marks::BODY));
    assert!(of("<div style='color: red; Display : None'>").meet(Marks::HIDDEN));
    assert!(of("<div hidden>").meet(Marks::HIDDEN));
    assert!(!of("<div hidden=until-found>").meet(Marks::HIDDEN));
    assert!(of("<div popover>").meet(Marks::HIDDEN));
    assert!(!of("<dialog open popover>").meet(Marks::HIDDEN));
    assert!(of("<template>").meet(Marks::HIDDEN));
    assert!(!of("<template shadowrootmode=open>").meet(Marks::HIDDEN));
    assert!(of("<p id=comments>").meet(Marks::COMMENTS));
    assert!(!of("<b class=comments>").meet(Marks::COMMENTS));
    assert!(!of("<div aria-hidden=false>").meet(Marks::HIDDEN));
}
