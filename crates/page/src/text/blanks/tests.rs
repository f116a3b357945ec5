use super::{breaks, leading, run_len};
use proptest::prelude::*;

proptest! {
    #[test]
    fn both_are_what_they_are_byte_by_byte(text in "[ \t\n\r\x0B\x0Ca-cäß€]{0,60}", blanks in 0..20_usize) {
        let text = " ".repeat(blanks) + &text;
        let bytes = text.as_bytes();
        prop_assert_eq!(leading(bytes), text.len() - text.trim_ascii_start().len());
        let run = (0..bytes.len()).find(|at| breaks(bytes, *at)).unwrap_or(bytes.len());
        prop_assert_eq!(run_len(bytes), run);
    }
}

#[test]
fn one_blank_between_words_is_no_end() {
    assert_eq!(run_len(b"seven b and so on"), 17);
    assert_eq!(run_len(b"seven b  and"), 7);
    assert_eq!(run_len(b"a blank at the end "), 18);
    assert_eq!(run_len("über Flüße\tund".as_bytes()), 13);
}
