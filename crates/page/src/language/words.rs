//! Languages by their commonest function words: the cheapest evidence, and for some languages the only one.

#[cfg(test)]
mod tests;

use super::Code;
use super::lists::{Known, LISTS};
use std::sync::LazyLock;
use stdx::{Map, is_letter};

/// The languages of a word, one bit each.
static BY_WORD: LazyLock<Map<Word, u64>> = LazyLock::new(|| {
    let mut by_word = stdx::map();
    for (index, list) in LISTS.iter().enumerate() {
        for word in list.words.split_ascii_whitespace() {
            *by_word.entry(Word::of(word)).or_insert(0) |= 1 << index;
        }
    }
    by_word
});

/// A word of at most sixteen bytes in lower case, as a number; longer ones are no function words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Word(u128);

impl Word {
    const BYTES: u32 = 16;

    pub(super) fn of(text: &str) -> Self {
        text.bytes().fold(Self::default(), |word, byte| Self(word.0 << 8 | u128::from(byte)))
    }
}

/// How often a text uses the function words of each language.
pub(super) struct Tally {
    hits: [u32; LISTS.len()],
    words: u32,
}

/// Builds words letter by letter.
#[derive(Clone, Copy, Default)]
pub(super) struct Spelling {
    word: Word,
    bytes: u32,
}

/// Hands over the words of a text; those of one byte are in too many languages to say anything.
pub(super) fn each_word(text: &str, mut take: impl FnMut(Spelling)) {
    let mut spelling = Spelling::default();
    let mut end = |spelling: &mut Spelling| {
        let word = std::mem::take(spelling);
        if word.bytes > 1 {
            take(word);
        }
    };
    for c in text.chars() {
        if c.is_ascii_alphabetic() {
            spelling.push_byte(c as u8 | 0x20);
        } else if !c.is_ascii() && is_letter(c) {
            spelling.push(c);
        } else {
            end(&mut spelling);
        }
    }
    end(&mut spelling);
}

impl Tally {
    pub(super) fn of(text: &str) -> Self {
        let mut tally = Self { hits: [0; LISTS.len()], words: 0 };
        each_word(text, |spelling| tally.add(spelling));
        tally
    }

    fn add(&mut self, spelling: Spelling) {
        self.words += 1;
        if spelling.bytes > Word::BYTES {
            return;
        }
        let mut lists = BY_WORD.get(&spelling.word).copied().unwrap_or(0);
        while lists != 0 {
            self.hits[lists.trailing_zeros() as usize] += 1;
            lists &= lists - 1;
        }
    }

    /// The language that nothing more need be asked for: many of its words, a fifth of the text, and no other language with half as
    /// many; where there are very many, as of Spanish beside Catalan, three quarters.
    pub(super) fn decided(&self) -> Option<Code> {
        const LEAST: u32 = 12;
        const MANY: u32 = 48;
        const SHARE: u32 = 5;
        let (winner, most) = self.leader()?;
        let others = self.hits.iter().enumerate().filter(|(index, _)| *index != winner);
        let next = others.map(|(_, hits)| *hits).max()?;
        let leads = next * 2 <= most || most >= MANY && next * 4 <= most * 3;
        (most >= LEAST && most * SHARE >= self.words && leads).then_some(LISTS[winner].code)
    }

    /// The language that leads, where the statistics do not know it and the words are at least a seventh of the
    /// text.
    pub(super) fn unknown_to_statistics(&self) -> Option<Code> {
        const SHARE: u32 = 7;
        let (winner, most) = self.leader()?;
        let is_clear = self.hits.iter().filter(|hits| **hits == most).count() == 1;
        let list = &LISTS[winner];
        (is_clear && list.known == Known::No && most * SHARE >= self.words && most > 1).then_some(list.code)
    }

    /// Whether a text that is long enough to have some has none of this language's words.
    pub(super) fn lack(&self, code: Code) -> bool {
        const LEAST: u32 = 12;
        let hits = LISTS.iter().position(|list| list.code == code).map(|index| self.hits[index]);
        self.words >= LEAST && hits == Some(0)
    }

    fn leader(&self) -> Option<(usize, u32)> {
        self.hits.iter().copied().enumerate().max_by_key(|(_, hits)| *hits)
    }
}

impl Spelling {
    /// The word and what it begins with, the longest first; nothing of a word that is too long.
    pub(super) fn beginnings(self) -> impl Iterator<Item = Word> {
        let bytes = if self.bytes > Word::BYTES { 0 } else { self.bytes };
        (0..bytes).map(move |cut| Word(self.word.0 >> (8 * cut)))
    }

    fn push(&mut self, c: char) {
        let mut utf8 = [0; 4];
        for lower in c.to_lowercase() {
            lower.encode_utf8(&mut utf8).bytes().for_each(|byte| self.push_byte(byte));
        }
    }

    fn push_byte(&mut self, byte: u8) {
        self.word = Word(self.word.0 << 8 | u128::from(byte));
        self.bytes += 1;
    }
}
