use crate::words::Language;
use stdx::Rng;

/// Appends a sentence of 6 to 21 words. Frequent words come often, so that a language can be told.
pub(crate) fn write_sentence(language: Language, rng: &mut Rng, out: &mut String) {
    let start = out.len();
    let count = 6 + rng.below(16);
    let words = language.words();
    let mut bits = 0;
    for at in 0..count {
        if at % 4 == 0 {
            bits = rng.next_u64();
        }
        if at > 0 {
            out.push_str(if at == count / 2 { ", " } else { " " });
        }
        out.push_str(pick(words, bits));
        bits >>= 16;
    }
    capitalise(out, start);
    out.push('.');
}

/// Appends a few words without a full stop: a heading or a link's text.
pub(crate) fn write_phrase(language: Language, rng: &mut Rng, out: &mut String) {
    let start = out.len();
    let words = language.words();
    let bits = rng.next_u64();
    out.push_str(words[40 + (bits % 32) as usize]);
    for shift in [8, 24] {
        out.push(' ');
        out.push_str(pick(words, bits >> shift));
    }
    capitalise(out, start);
}

/// Quadratic in 16 bits: the first words of a list are the frequent ones.
fn pick(words: &'static [&'static str], bits: u64) -> &'static str {
    let (a, b) = (bits & 0xff, bits >> 8 & 0xff);
    words[((a * b * words.len() as u64) >> 16) as usize]
}

fn capitalise(out: &mut String, start: usize) {
    let Some(first) = out[start..].chars().next() else { return };
    let upper: String = first.to_uppercase().collect();
    out.replace_range(start..start + first.len_utf8(), &upper);
}
