use crate::limits::{BAND_ROWS, SHINGLES_MOST};
use crate::minhash::bands;
use crate::{ShingleSet, Similarity};

fn similarity(a: &str, b: &str) -> f64 {
    let Similarity(similarity) = ShingleSet::of(a).similarity(&ShingleSet::of(b));
    similarity
}

#[track_caller]
fn check(text: &str, shingles: usize) {
    assert_eq!(ShingleSet::of(text).len(), shingles, "{text}");
}

#[test]
fn five_words_that_follow_each_other_are_one_shingle() {
    check("", 0);
    check(" - ? ", 0);
    check("one", 1);
    check("one two three four", 1);
    check("one two three four five", 1);
    check("one two three four five six seven", 3);
    check("a b c d e a b c d e", 5);
    check("\u{6f22}\u{5b57}\u{4eee}\u{540d}\u{4ea4}\u{3058}\u{308a}", 3);
    check("한국어 문장은 띄어 쓴다 그래서 단어다", 2);
}

#[test]
fn case_and_what_stands_between_words_do_not_count() {
    assert_eq!(
        ShingleSet::of("The quick, brown FOX\njumps!"),
        ShingleSet::of("the Quick brown fox -- jumps")
    );
    assert_eq!(ShingleSet::of("ÜBER den Wolken muß die"), ShingleSet::of("über den wolken muß die"));
    assert_ne!(ShingleSet::of("the quick brown fox jumps"), ShingleSet::of("the quick brown fox jumped"));
}

#[test]
fn similarity_is_what_both_have_of_what_either_has() {
    assert!((similarity("a b c d e f", "b c d e f g") - 1.0 / 3.0).abs() < 1e-9);
    assert!((similarity("a b c d e", "a b c d e") - 1.0).abs() < 1e-9);
    assert!(similarity("", "").abs() < 1e-9);
    assert!(similarity("a b c d e", "").abs() < 1e-9);
}

fn long_text(words: std::ops::Range<usize>) -> String {
    words.map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn of_a_long_text_a_sample_is_as_good() {
    let (a, b) = (long_text(0..60_000), long_text(3_000..63_000));
    let (first, second) = (ShingleSet::of(&a), ShingleSet::of(&b));
    assert!(first.len() <= SHINGLES_MOST && first.len() > SHINGLES_MOST / 4);
    let exact = 57_000.0 / 63_000.0;
    let Similarity(estimate) = first.similarity(&second);
    assert!((estimate - exact).abs() < 0.015, "{estimate}, not {exact}");
    // A sample against all of a short text that is a part of it.
    let Similarity(part) = first.similarity(&ShingleSet::of(&long_text(0..12_000)));
    assert!((part - 0.2).abs() < 0.02, "{part}");
}

#[test]
fn bands_agree_as_often_as_their_texts_are_alike() {
    assert_eq!(bands(" . ", BAND_ROWS), []);
    assert_eq!(bands("one Two", BAND_ROWS), bands("one two", BAND_ROWS));
    let agreeing = |a: &str, b: &str| {
        let (a, b) = (bands(a, BAND_ROWS), bands(b, BAND_ROWS));
        a.iter().zip(&b).filter(|(a, b)| a == b).count()
    };
    // With similarity 0.9 a band agrees with probability 0.43, with 0.5 with 0.004.
    let (mut alike, mut half) = (0, 0);
    for n in 0..50 {
        let start = 10_000 * n;
        let text = long_text(start..start + 1_000);
        alike += agreeing(&text, &long_text(start + 50..start + 1_050));
        half += agreeing(&text, &long_text(start + 333..start + 1_333));
    }
    assert!((220..390).contains(&alike), "{alike} of 700");
    assert!(half < 25, "{half} of 700");
}
