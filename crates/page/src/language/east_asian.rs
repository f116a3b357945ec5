//! Chinese, Japanese and Korean, which whatever stands in another script beside them outnumbers: a letter of theirs is worth several.

use super::Code;
use crate::limits::LANGUAGE_LETTERS;
use stdx::is_letter;

/// How many letters there are, and which.
#[derive(Debug, Default)]
pub(super) struct EastAsian {
    letters: u32,
    han: u32,
    kana: u32,
    hangul: u32,
}

impl EastAsian {
    pub(super) fn of(text: &str) -> Self {
        // All but half-width kana and rare Han begin with one of these bytes, and no letter of most other scripts does.
        if !text.bytes().any(|byte| (0xE3..=0xED).contains(&byte)) {
            return Self::default();
        }
        let mut count = Self::default();
        text.chars().filter(|c| is_letter(*c)).for_each(|c| count.add(c));
        count
    }

    fn add(&mut self, c: char) {
        self.letters += 1;
        match c {
            '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9d}' => self.kana += 1,
            '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{ac00}'..='\u{d7a3}' => self.hangul += 1,
            '\u{3005}'..='\u{3007}'
            | '\u{3400}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{323af}' => self.han += 1,
            _ => {}
        }
    }

    /// The language, where as much is said in it as in all others: a quarter of the letters.
    pub(super) fn prevails(&self) -> Option<Code> {
        self.language(4)
    }

    /// The language, where some is said in it: a tenth of the letters, and more than a name.
    pub(super) fn occurs(&self) -> Option<Code> {
        self.language(10).filter(|_| self.all() >= LANGUAGE_LETTERS as u32)
    }

    fn all(&self) -> u32 {
        self.han + self.kana + self.hangul
    }

    /// Japanese is a third kana and more; Chinese has one in a name.
    fn language(&self, part: u32) -> Option<Code> {
        const KANA: u32 = 10;
        let chinese = self.han + self.kana;
        if self.all() == 0 || self.all() * part < self.letters {
            return None;
        }
        Some(if self.hangul > chinese {
            Code("ko", "kor")
        } else if self.kana * KANA > chinese {
            Code("ja", "jpn")
        } else {
            Code("zh", "cmn")
        })
    }
}
