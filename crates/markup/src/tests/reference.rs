use crate::reference::{in_attribute, in_text, in_text_by};
use proptest::prelude::*;

#[test]
fn references_are_decoded_as_the_standard_says() {
    for (text, as_text, as_attribute) in [
        ("a&amp;b&lt;&#39;&nbsp;", "a&b<'\u{a0}", "a&b<'\u{a0}"),
        ("&copy=x&copyx&copy;", "\u{a9}=x\u{a9}x\u{a9}", "&copy=x&copyx\u{a9}"),
        ("&notit;&notin;", "\u{ac}it;\u{2209}", "&notit;\u{2209}"),
        ("&#x41;&#65&#0;&#x80;", "AA\u{fffd}\u{20ac}", "AA\u{fffd}\u{20ac}"),
        ("&#8217;&#x2019;&#X1F600;&#xe9", "’’😀é", "’’😀é"),
        (
            "&#xD800;&#1114112;&#00000065;&#31;&#127;&#150;",
            "\u{fffd}\u{fffd}A\u{1f}\u{7f}–",
            "\u{fffd}\u{fffd}A\u{1f}\u{7f}–",
        ),
        ("& &; &#; &#x; &x;", "& &; &#; &#x; &x;", "& &; &#; &#x; &x;"),
    ] {
        assert_eq!(in_text(text), as_text);
        assert_eq!(in_attribute(text), as_attribute);
    }
}

proptest! {
    #[test]
    fn the_short_cuts_change_nothing(text in "(&(amp|lt|copy|not|notin|nbsp|nGg|mdash|#39|#x2f|#|#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,7}|[a-z]{1,5})|;|=|x|&|é| ){0,12}") {
        let mut room = "before".to_owned();
        prop_assert_eq!(in_text(&text), htmlize::unescape(&*text));
        prop_assert_eq!(in_text_by(&text, &mut room), htmlize::unescape(&*text));
        prop_assert_eq!(in_attribute(&text), htmlize::unescape_attribute(&*text));
    }
}
