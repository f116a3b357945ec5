//! What can be counted of a text, in any script.

use crate::tree::{Kind, Node};
use markup::reference;

/// What a text has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// Characters that are not white space.
    pub(crate) letters: u32,
    /// Those of them within links.
    pub(crate) linked: u32,
    pub(crate) words: u32,
    /// Ends of sentences.
    pub(crate) stops: u32,
    pub(crate) commas: u32,
}

/// Letters of a word, about, in scripts that put no spaces between words.
const UNSPACED_LETTERS: u32 = 2;

impl Count {
    /// Of a text as it is written: only where all of it is blank are its character references looked at.
    pub(super) fn of(node: &Node<'_>) -> Self {
        let is_blank = node.kind == Kind::Text
            && reference::in_text(node.value).chars().all(|c| c.is_whitespace() || c == '\0');
        if is_blank { Self::default() } else { count(node.value) }
    }

    pub(super) fn of_link(node: &Node<'_>) -> Self {
        let count = Self::of(node);
        Self { linked: count.letters, ..count }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.letters += other.letters;
        self.linked += other.linked;
        self.words += other.words;
        self.stops += other.stops;
        self.commas += other.commas;
    }

    /// The share of it that is links.
    pub(crate) fn link_density(&self) -> f32 {
        self.linked as f32 / self.letters.max(1) as f32
    }
}

fn count(text: &str) -> Count {
    let mut count = Count::default();
    let (mut before, mut unspaced) = (' ', 0);
    for c in text.chars() {
        if c.is_ascii_whitespace() {
            count.stops += u32::from(is_stop(before) || before == ':');
        } else {
            count.letters += 1;
            count.words += u32::from(before.is_ascii_whitespace() && !is_unspaced(c));
            count.commas += u32::from(matches!(c, ',' | '，' | '、' | '،'));
            count.stops += u32::from(matches!(c, '。' | '！' | '？'));
            unspaced += u32::from(is_unspaced(c));
        }
        before = c;
    }
    count.words += unspaced / UNSPACED_LETTERS;
    count.stops += u32::from(is_stop(before));
    count
}

/// Whether it ends a sentence where a blank or nothing follows.
fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '؟' | '۔' | '।')
}

/// Thai, Lao, Tibetan, Burmese; Khmer; Japanese; Chinese.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}')
}
