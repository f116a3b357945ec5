//! Versions of a text, as a page has them.

use stdx::Rng;

/// `text` with about one in `1 / share` words touched by edits: words changed, sentences gone, moved or new.
pub(crate) fn edited(text: &str, share: f64, words_of_others: &[&str], rng: &mut Rng) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let mut left = (share * words.len() as f64).round() as usize;
    while left > 0 && words.len() > 20 {
        let sentence = (3 + rng.below(15) as usize).min(left).min(words.len() / 4).max(1);
        let at = rng.below((words.len() - sentence) as u64) as usize;
        let other = |rng: &mut Rng| words_of_others[rng.below(words_of_others.len() as u64) as usize];
        left -= match rng.below(5) {
            0 => words.drain(at..at + sentence).count(),
            1 => {
                let new: Vec<&str> = (0..sentence).map(|_| other(rng)).collect();
                words.splice(at..at, new);
                sentence
            }
            2 => {
                let moved: Vec<&str> = words.drain(at..at + sentence).collect();
                let to = rng.below(words.len() as u64) as usize;
                words.splice(to..to, moved);
                sentence
            }
            _ => {
                words[at] = other(rng);
                1
            }
        };
    }
    words.join(" ")
}
