use super::*;

#[test]
fn tables_say_what_unicode_says() {
    for c in '\0'..=char::MAX {
        assert_eq!(is_letter(c), c.is_alphabetic(), "{c:?}");
        assert_eq!(is_letter_or_digit(c), c.is_alphanumeric(), "{c:?}");
        assert!(lower_case(c).eq(c.to_lowercase()), "{c:?}");
    }
}
