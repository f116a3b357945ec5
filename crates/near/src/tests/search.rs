use super::{dir, files, memory};
use crate::{Comparison, Config, Error, Member, ShingleSet, Similarity, Survey};
use stdx::Rng;

const CONFIG: Config = Config { similarity: Similarity(0.9), memory_bytes: 1 << 20 };

/// Texts of which each has up to four later versions, with more or fewer words changed.
fn texts(seed: u64, originals: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let mut all = Vec::new();
    for _ in 0..originals {
        let words: Vec<u64> = (0..40 + rng.below(400)).map(|_| rng.below(5_000)).collect();
        for _ in 0..=rng.below(5) {
            let changes = rng.below(1 + words.len() as u64 / 60);
            let mut version = words.clone();
            for _ in 0..changes {
                let place = rng.below(version.len() as u64) as usize;
                version[place] = rng.below(5_000);
            }
            all.push(version.iter().map(|word| format!("word{word}")).collect::<Vec<_>>().join(" "));
        }
    }
    all
}

fn compare(texts: &[String], config: Config) -> Comparison {
    let mut survey = Survey::begin(memory(), dir(), config).unwrap();
    for text in texts {
        survey.add(None, text).unwrap();
    }
    survey.compare(&mut stdx::nobody).unwrap()
}

fn search(texts: &[String]) -> Vec<Member> {
    search_with(texts, CONFIG)
}

fn search_with(texts: &[String], config: Config) -> Vec<Member> {
    let mut comparison = compare(texts, config);
    for (name, text) in (1_000..).zip(texts.iter()) {
        comparison.add(name, text).unwrap();
    }
    let mut groups = comparison.finish(&mut stdx::nobody).unwrap();
    std::iter::from_fn(|| groups.next().unwrap()).collect()
}

/// By comparing all with all: the members, each with the first representative that it is near.
fn all_with_all(texts: &[String]) -> Vec<Member> {
    let sets: Vec<ShingleSet> = texts.iter().map(|text| ShingleSet::of(text)).collect();
    let (mut representatives, mut members): (Vec<usize>, _) = (Vec::new(), Vec::new());
    for text in 0..sets.len() {
        let is_near = |first: &&usize| sets[text].similarity(&sets[**first]) >= CONFIG.similarity;
        match representatives.iter().find(is_near) {
            Some(first) => {
                members.push(Member { text: text as u64, representative: 1_000 + *first as u64 });
            }
            None => representatives.push(text),
        }
    }
    members
}

#[test]
fn what_is_found_is_what_comparing_all_with_all_finds() {
    let texts = texts(3, 150);
    let (wanted, found) = (all_with_all(&texts), search(&texts));
    let right = found.iter().filter(|member| wanted.contains(member)).count();
    assert!(wanted.len() > 100 && right * 100 >= wanted.len() * 98, "{right} of {}", wanted.len());
    assert!(right * 100 >= found.len() * 98, "{right} of {} found", found.len());
}

/// A text of 120 words with others in their place.
fn version(changes: &[(usize, String)]) -> String {
    let mut words: Vec<String> = (0..120).map(|n| format!("w{n}")).collect();
    for (place, word) in changes {
        words[*place].clone_from(word);
    }
    words.join(" ")
}

/// A site made by one template: so many pages that differ from a page in two words (0.84, not near), the page, and copies of it with
/// one other word (0.92, near).
fn template(variants: usize, copies: usize, changed: impl Fn(usize) -> (usize, String)) -> Vec<String> {
    let two =
        |n: usize| [10 + n * 7 % 100, 10 + (n * 7 + 50) % 100].map(|place| (place, format!("v{n}x{place}")));
    let variants = (0..variants).map(|n| version(&two(n)));
    variants.chain([version(&[])]).chain((0..copies).map(|n| version(&[changed(n)]))).collect()
}

/// Nothing stays that is near what stays.
#[track_caller]
fn check_none_left(texts: &[String]) {
    let sets: Vec<ShingleSet> = texts.iter().map(|text| ShingleSet::of(text)).collect();
    let gone: Vec<usize> = search(texts).iter().map(|member| member.text as usize).collect();
    let stay: Vec<usize> = (0..texts.len()).filter(|text| !gone.contains(text)).collect();
    let near = |a: &usize, b: &usize| sets[*a].similarity(&sets[*b]) >= CONFIG.similarity;
    let left = stay.iter().filter(|b| stay.iter().any(|a| a < b && near(a, b))).count();
    assert_eq!(left, 0, "of {} that stay", stay.len());
}

#[test]
fn copies_of_a_page_go_whatever_was_crawled_before() {
    for variants in [0, 20, 150] {
        check_none_left(&template(variants, 100, |_| (115, "another".to_owned())));
    }
}

#[test]
fn versions_of_a_page_go_whatever_was_crawled_before() {
    for variants in [0, 20, 150] {
        check_none_left(&template(variants, 60, |n| (n * 9 % 120, format!("y{n}"))));
    }
}

/// Two texts of 404 words with nothing in common with other pairs; as many changes are in one, and each costs five shingles of four hundred.
fn pair(number: u64, changes: usize) -> [String; 2] {
    let text = |changed: &str| {
        let word =
            |n| if n % (404 / changes) == 7 { format!("{changed}{n}") } else { format!("w{number}x{n}") };
        (0..404).map(word).collect::<Vec<_>>().join(" ")
    };
    ["one", "other"].map(text)
}

#[test]
fn nineteen_of_twenty_pairs_are_found_whatever_similarity_is_asked_for() {
    for (changes, least) in [(8, 0.80), (12, 0.72), (16, 0.64), (20, 0.58), (24, 0.5)] {
        let config = Config { similarity: Similarity(least), ..CONFIG };
        let texts: Vec<String> = (0..200).flat_map(|number| pair(number, changes)).collect();
        let similarity = ShingleSet::of(&texts[0]).similarity(&ShingleSet::of(&texts[1])).0;
        assert!((least..least + 0.05).contains(&similarity), "{similarity} for {least}");
        let found = search_with(&texts, config).len();
        assert!((190..=200).contains(&found), "{found} of 200 with {similarity}, asked for {least}");
    }
}

#[test]
fn fingerprints_alone_make_candidates_too() {
    let near = Config { similarity: Similarity(0.8), ..CONFIG };
    let shares_no_band = |number: &u64| search_with(&pair(*number, 8), near).is_empty();
    let [a, b] = pair((0..1_000).find(shares_no_band).unwrap(), 8);
    let groups_with = |fingerprint: Option<u64>| {
        let mut survey = Survey::begin(memory(), dir(), near).unwrap();
        for text in [&a, &b] {
            survey.add(fingerprint, text).unwrap();
        }
        let mut comparison = survey.compare(&mut stdx::nobody).unwrap();
        for text in [&a, &b] {
            comparison.add(7, text).unwrap();
        }
        comparison.finish(&mut stdx::nobody).unwrap().next().unwrap()
    };
    assert_eq!(groups_with(None), None);
    assert_eq!(groups_with(Some(77)), Some(Member { text: 1, representative: 7 }));
}

#[test]
fn unlike_texts_with_the_same_fingerprint_are_no_duplicates() {
    let mut survey = Survey::begin(memory(), dir(), CONFIG).unwrap();
    let texts = ["a text about one thing entirely", "and another that says something else"];
    for text in texts {
        survey.add(Some(77), text).unwrap();
    }
    let mut comparison = survey.compare(&mut stdx::nobody).unwrap();
    for (name, text) in (1_000..).zip(texts.iter()) {
        comparison.add(name, text).unwrap();
    }
    assert_eq!(comparison.finish(&mut stdx::nobody).unwrap().next().unwrap(), None);
}

#[test]
fn no_texts_and_texts_without_words_have_no_groups() {
    assert_eq!(search(&[]), []);
    assert_eq!(search(&[String::new(), String::new(), "?!".to_owned()]), []);
    let equal = vec!["the same".to_owned(); 100];
    let found = search(&equal);
    assert_eq!(found.len(), 99);
    assert!(found.iter().all(|member| member.representative == 1_000));
}

#[test]
fn the_second_pass_must_bring_the_same_texts() {
    let error = compare(&texts(1, 2), CONFIG).finish(&mut stdx::nobody).err().unwrap();
    assert!(matches!(error, Error::OtherTexts { found: 0, .. }), "{error}");
}

#[test]
fn nothing_stays_on_disk_and_what_was_left_there_goes() {
    let disk = memory();
    disk.create_dir(dir()).unwrap();
    for left in ["bands-3.tmp", "table-1-0000000007.near"] {
        disk::replace_file(&*disk, &dir().join(left), b"left by a crash").unwrap();
    }
    let mut survey = Survey::begin(disk.clone(), dir(), CONFIG).unwrap();
    assert_eq!(files(&disk), Vec::<String>::new());
    let texts = texts(8, 30);
    for text in &texts {
        survey.add(Some(text.len() as u64), text).unwrap();
    }
    let mut comparison = survey.compare(&mut stdx::nobody).unwrap();
    for (name, text) in (1_000..).zip(texts.iter()) {
        comparison.add(name, text).unwrap();
    }
    drop(comparison.finish(&mut stdx::nobody).unwrap());
    assert_eq!(files(&disk), Vec::<String>::new());
}
