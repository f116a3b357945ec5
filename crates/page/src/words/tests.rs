use super::words;
use proptest::prelude::*;

proptest! {
    /// Words are what lies between characters that are neither letters nor digits, and they know their digits.
    #[test]
    fn words_are_runs_of_letters_and_digits(text in "([a-zA-Z0-9 .,\u{e9}\u{df}\u{4eba}\u{2014}\u{a0}\u{661}]|\\PC){0,200}") {
        let expected = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        let found: Vec<_> = words(&text).collect();
        prop_assert_eq!(found.iter().map(|word| word.text).collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        for word in found {
            prop_assert_eq!(word.has_digit, word.text.bytes().any(|byte| byte.is_ascii_digit()));
        }
    }
}
