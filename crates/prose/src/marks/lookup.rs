//! Words of names, looked up in the vocabulary: `articleBody__related-posts` is article, body, related, posts.

use super::Marks;
use crate::limits::NAME_BYTES;
use crate::vocabulary::{NAMES, NEGATIONS};

/// The marks of a class or an id: of its words, of what they begin with, and of two words together.
pub(super) fn of_name(name: &str) -> Marks {
    let (mut marks, mut latest) = (Marks::NONE, Marks::NONE);
    let mut earlier = Word::EMPTY;
    for word in words(name) {
        let joined = earlier.then(word);
        let negated = NEGATIONS.iter().any(|negation| earlier.is(negation));
        // `bottomAlign` is a place too.
        if earlier.letters == 0 || !word.is("align") {
            marks = marks.with(latest);
        }
        latest = if negated { Marks::NONE } else { of_word(word).with(whole(joined)) };
        earlier = word;
        if word.ends_name {
            earlier = Word::EMPTY;
        }
    }
    marks.with(latest)
}

/// Whether a name has more words than that.
pub(super) fn is_longer(name: &str, words_most: usize) -> bool {
    words(name).nth(words_most).is_some()
}

/// Up to 16 letters, in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word {
    key: u128,
    letters: u32,
    /// Whether white space follows.
    ends_name: bool,
}

const LETTERS: u32 = 16;

impl Word {
    const EMPTY: Self = Self { key: 0, letters: 0, ends_name: false };

    const fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut word = Self::EMPTY;
        let mut i = 0;
        while i < bytes.len() {
            word = word.push(bytes[i]);
            i += 1;
        }
        word
    }

    const fn push(self, byte: u8) -> Self {
        if self.letters == LETTERS {
            return self;
        }
        Self {
            key: self.key << 8 | byte.to_ascii_lowercase() as u128,
            letters: self.letters + 1,
            ends_name: false,
        }
    }

    /// Both as one word; nothing when it would be too long.
    fn then(self, next: Self) -> Self {
        if self.letters == 0 || self.letters + next.letters > LETTERS {
            return Self::EMPTY;
        }
        Self {
            key: self.key << (8 * next.letters) | next.key,
            letters: self.letters + next.letters,
            ends_name: false,
        }
    }

    fn first(self) -> u8 {
        (self.key >> (8 * (self.letters.max(1) - 1))) as u8
    }

    fn beginning(self, letters: u32) -> u128 {
        self.key >> (8 * (self.letters - letters))
    }

    fn is(self, text: &str) -> bool {
        self.key == Self::of(text).key
    }
}

/// The words of a name: they end at what is no letter, and before a capital that follows a small letter.
fn words(name: &str) -> impl Iterator<Item = Word> {
    let bytes = &name.as_bytes()[..name.len().min(NAME_BYTES)];
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() && !is_letter(bytes[at]) {
            at += 1;
        }
        if at == bytes.len() {
            return None;
        }
        let mut word = Word::EMPTY.push(bytes[at]);
        at += 1;
        while at < bytes.len() && is_letter(bytes[at]) {
            if bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase() {
                break;
            }
            word = word.push(bytes[at]);
            at += 1;
        }
        word.ends_name = bytes.get(at).is_none_or(u8::is_ascii_whitespace);
        Some(word)
    })
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0x80
}

fn of_word(word: Word) -> Marks {
    let mut lengths = BEGINNINGS[word.first() as usize] & ((1 << (word.letters + 1)) - 1);
    let mut marks = whole(word);
    while lengths != 0 {
        let letters = lengths.trailing_zeros();
        lengths &= lengths - 1;
        if let Some(slot) = find(word.beginning(letters)) {
            marks = marks.with(slot.beginning);
        }
    }
    marks
}

fn whole(word: Word) -> Marks {
    find(word.key).map_or(Marks::NONE, |slot| slot.whole.with(slot.beginning))
}

#[derive(Clone, Copy)]
struct Slot {
    key: u128,
    /// Of the word itself.
    whole: Marks,
    /// Of every word that begins so.
    beginning: Marks,
}

const SLOTS: usize = 2048;
const EMPTY_SLOT: Slot = Slot { key: 0, whole: Marks::NONE, beginning: Marks::NONE };

static TABLE: [Slot; SLOTS] = table();
/// By first letter: the lengths of the beginnings that are listed, one bit each.
static BEGINNINGS: [u32; 256] = beginnings();

fn find(key: u128) -> Option<&'static Slot> {
    if key == 0 {
        return None;
    }
    let mut at = slot(key);
    while TABLE[at].key != 0 {
        if TABLE[at].key == key {
            return Some(&TABLE[at]);
        }
        at = (at + 1) % SLOTS;
    }
    None
}

const fn slot(key: u128) -> usize {
    let folded = key as u64 ^ ((key >> 64) as u64).rotate_left(29);
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 53) as usize
}

/// A word of the vocabulary.
#[derive(Clone, Copy)]
struct Listed {
    word: Word,
    /// Whether `*` follows: every word that begins so is meant.
    begins: bool,
    /// Where the next one starts.
    next: usize,
}

/// The word that starts at `at`.
const fn listed(words: &[u8], at: usize) -> Listed {
    let mut word = Word::EMPTY;
    let mut i = at;
    while i < words.len() && words[i] != b' ' && words[i] != b'*' {
        word = word.push(words[i]);
        i += 1;
    }
    let begins = i < words.len() && words[i] == b'*';
    Listed { word, begins, next: i + 1 + begins as usize }
}

#[expect(clippy::large_stack_arrays, reason = "it is made by the compiler")]
const fn table() -> [Slot; SLOTS] {
    let mut table = [EMPTY_SLOT; SLOTS];
    let mut group = 0;
    while group < NAMES.len() {
        let words = NAMES[group].words.as_bytes();
        let mut at = 0;
        while at < words.len() {
            let listed = listed(words, at);
            table = with(table, listed, NAMES[group].marks);
            at = listed.next;
        }
        group += 1;
    }
    table
}

const fn with(mut table: [Slot; SLOTS], listed: Listed, marks: Marks) -> [Slot; SLOTS] {
    let key = listed.word.key;
    let mut at = slot(key);
    while table[at].key != 0 && table[at].key != key {
        at = (at + 1) % SLOTS;
    }
    let slot = &mut table[at];
    slot.key = key;
    if listed.begins {
        slot.beginning = slot.beginning.with(marks);
    } else {
        slot.whole = slot.whole.with(marks);
    }
    table
}

const fn beginnings() -> [u32; 256] {
    let mut lengths = [0; 256];
    let mut group = 0;
    while group < NAMES.len() {
        let words = NAMES[group].words.as_bytes();
        let mut at = 0;
        while at < words.len() {
            let listed = listed(words, at);
            if listed.begins {
                lengths[words[at] as usize] |= 1 << listed.word.letters;
            }
            at = listed.next;
        }
        group += 1;
    }
    lengths
}
