use crate::fingerprint;
use proptest::prelude::*;
use std::hash::Hasher as _;
use stdx::FoldHasher;

/// Bits in which two texts differ.
fn distance(one: &str, other: &str) -> u32 {
    let bits = |text| fingerprint(text).expect("enough words");
    (bits(one) ^ bits(other)).count_ones()
}

fn words(range: std::ops::Range<u32>) -> String {
    range.map(spelled).collect::<Vec<_>>().join(" ") + " "
}

/// A number in letters.
fn spelled(mut number: u32) -> String {
    let mut word = String::from("w");
    while number > 0 {
        word.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    word
}

#[test]
fn numbers_dates_and_case_are_no_difference() {
    let story = words(0..40);
    let days = |count: u32| (1..=count).map(|day| day.to_string()).collect::<Vec<_>>().join(" ");
    let month = |count, year| format!("{} {year} {story}", days(count));
    assert_eq!(distance(&month(31, 2024), &month(28, 1999)), 0);
    assert_eq!(distance(&story, &story.to_uppercase()), 0);
    assert_eq!(distance(&story, &story.repeat(3)), 0, "words count once");
}

#[test]
fn the_months_of_a_small_calendar_are_near_each_other() {
    let names = ["January", "February", "March", "April", "May", "June", "July", "August", "September"];
    let frame = "Calendar of events at the town hall Mon Tue Wed Thu Fri Sat Sun today previous next list view \
        there are no events this month subscribe export home about contact imprint privacy search";
    let pages: Vec<String> =
        names.windows(3).map(|near| format!("{} {} {} {frame}", near[1], near[0], near[2])).collect();
    for pair in pages.windows(2) {
        assert!(distance(&pair[0], &pair[1]) <= 6, "{}", distance(&pair[0], &pair[1]));
    }
}

#[test]
fn texts_that_share_most_of_their_words_are_near() {
    let all = words(0..1000);
    let near: Vec<u32> = [10, 50, 100, 300, 1000]
        .map(|changed| distance(&all, &(words(0..1000 - changed) + &words(5000..5000 + changed))))
        .into();
    assert!(near[..3].iter().all(|bits| *bits <= 6) && near[3] > 9 && near[4] > 20, "{near:?}");
}

#[test]
fn texts_of_too_few_words_have_none() {
    assert_eq!(fingerprint(""), None);
    assert_eq!(fingerprint(&"photo 17 of 20. ".repeat(100)), None);
    assert!(fingerprint(&words(0..16)).is_some());
}

#[test]
fn scripts_without_spaces_have_words_too() {
    let one = "人人生而自由在尊严和权利上一律平等他们赋有理性和良心并应以兄弟关系的精神相对待";
    let other = "人人有资格享有本宣言所载的一切权利和自由不分种族肤色性别语言宗教政治或其他见解";
    assert!(distance(one, other) > 10);
    assert!(distance(one, &format!("{one} 12")) == 0);
}

/// The hash of a word: eight bytes at a time, the difference between the cases left out.
fn hash(word: &str) -> u64 {
    let mut hasher = FoldHasher::default();
    for chunk in word.as_bytes().chunks(8) {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        hasher.write_u64(u64::from_le_bytes(eight) | 0x2020_2020_2020_2020);
    }
    hasher.finish()
}

/// Every word that counts, once, and each bit by majority; words whose hashes end alike are taken for one.
fn by_definition(text: &str) -> Option<u64> {
    let all = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let hashes = all.flat_map(|word| {
        let letters: Vec<char> = word.chars().collect();
        if letters[0] >= '\u{2E80}' {
            letters.windows(2).map(|pair| hash(&pair.iter().collect::<String>())).collect()
        } else if word.bytes().any(|byte| byte.is_ascii_digit()) {
            vec![]
        } else {
            vec![hash(word)]
        }
    });
    let mut met = stdx::set();
    let different: Vec<u64> = hashes.filter(|hash| met.insert(hash & 0xFFFF)).take(4096).collect();
    let is_common =
        |bit: &u32| 2 * different.iter().filter(|hash| *hash >> bit & 1 == 1).count() > different.len();
    (different.len() >= 16).then(|| (0..64).filter(is_common).fold(0, |bits, bit| bits | 1 << bit))
}

#[test]
fn a_long_text_is_looked_at_until_it_has_said_enough() {
    for count in [4095, 4096, 4097, 9_000] {
        assert_eq!(fingerprint(&words(0..count)), by_definition(&words(0..count)), "{count} words");
    }
}

proptest! {
    #[test]
    fn a_fingerprint_is_what_its_definition_says(text in "([a-dA-D]{1,20}[ ,.]{0,3}|[0-9\u{e9}\u{df}\u{4e00}-\u{4e20}]|\\PC){0,150}") {
        prop_assert_eq!(fingerprint(&text), by_definition(&text));
    }
}
