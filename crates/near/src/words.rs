use std::hash::Hasher;
use stdx::{FoldHasher, is_letter_or_digit, lower_case};

/// The words of a text, hashed: runs of letters and digits in lower case. In a script that puts no spaces between words each
/// letter is one.
pub(crate) fn words(text: &str) -> impl Iterator<Item = u64> {
    text.split(|letter: char| !is_letter_or_digit(letter))
        .filter(|run| !run.is_empty())
        .flat_map(parts)
        .map(hash)
}

fn parts(run: &str) -> impl Iterator<Item = &str> {
    let letters =
        is_unspaced(run).then(|| run.char_indices().map(|(at, letter)| &run[at..at + letter.len_utf8()]));
    let whole = letters.is_none().then_some(run);
    whole.into_iter().chain(letters.into_iter().flatten())
}

/// Chinese, Japanese and what else lies beyond U+2E80; Thai, Lao, Khmer, Burmese and Tibetan.
fn is_unspaced(run: &str) -> bool {
    run.chars().next().is_some_and(|first| {
        first >= '\u{2E80}' && !('\u{AC00}'..='\u{D7AF}').contains(&first)
            || ('\u{0E00}'..='\u{0FFF}').contains(&first)
            || ('\u{1000}'..='\u{109F}').contains(&first)
            || ('\u{1780}'..='\u{17FF}').contains(&first)
    })
}

fn hash(word: &str) -> u64 {
    let mut hasher = FoldHasher::default();
    if word.is_ascii() {
        for chunk in word.as_bytes().chunks(8) {
            let mut letters = [0; 8];
            letters[..chunk.len()].copy_from_slice(chunk);
            letters.make_ascii_lowercase();
            hasher.write_u64(u64::from_le_bytes(letters));
        }
    } else {
        word.chars().flat_map(lower_case).for_each(|letter| hasher.write_u32(u32::from(letter)));
    }
    hasher.finish()
}
