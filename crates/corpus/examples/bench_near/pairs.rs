//! Which pairs of texts are found.

use crate::edits::edited as edit;
use crate::fingerprints::cpu_s;
use disk::SharedDisk;
use near::{Config, ShingleSet, Similarity, Survey};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use stdx::Rng;

const ROUNDS: u64 = 30;
const LEAST: f64 = 0.9;

/// Word 5-grams as numbers given out in order: no hash stands for a string.
#[derive(Default)]
struct Shingles {
    words: HashMap<String, u32>,
    shingles: HashMap<Vec<u32>, u32>,
}

impl Shingles {
    fn of(&mut self, text: &str) -> Vec<u32> {
        let lower = text.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<u32> = words.map(|word| number(&mut self.words, word.to_owned())).collect();
        let windows = words.windows(5.min(words.len().max(1)));
        let mut all: Vec<u32> = windows.map(|window| number(&mut self.shingles, window.to_vec())).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn number<K: std::hash::Hash + Eq>(numbers: &mut HashMap<K, u32>, key: K) -> u32 {
    let next = numbers.len() as u32;
    *numbers.entry(key).or_insert(next)
}

fn jaccard(a: &[u32], b: &[u32]) -> f64 {
    let (mut at, mut common) = (0, 0);
    for shingle in a {
        while b.get(at).is_some_and(|other| other < shingle) {
            at += 1;
        }
        common += usize::from(b.get(at) == Some(shingle));
    }
    common as f64 / (a.len() + b.len() - common).max(1) as f64
}

/// The group of each text that is not the first of one.
fn search(disk: &SharedDisk, texts: &[&str]) -> BTreeMap<usize, usize> {
    let mut survey =
        Survey::begin(SharedDisk::clone(disk), Path::new("search"), Config::default()).expect("begun");
    for text in texts {
        survey.add(page::fingerprint(text), text).expect("added");
    }
    let mut comparison = survey.compare().expect("candidates");
    texts.iter().zip(0..).for_each(|(text, name)| comparison.add(name, text).expect("added"));
    let mut groups = comparison.finish().expect("compared");
    let members = std::iter::from_fn(|| groups.next().expect("read"));
    members.map(|member| (member.text as usize, member.representative as usize)).collect()
}

/// Counts of pairs, by what is so and what was found.
#[derive(Default)]
struct Score {
    wanted: u64,
    found: u64,
    both: u64,
    by_fingerprint: u64,
    /// Pairs whose shingles compare as near, and those of them that are.
    compared: u64,
    compared_rightly: u64,
}

/// A text in the two ways in which it is looked at.
struct Looked {
    fingerprint: Option<u64>,
    shingles: ShingleSet,
}

impl Looked {
    fn at(text: &str) -> Self {
        Self { fingerprint: page::fingerprint(text), shingles: ShingleSet::of(text) }
    }
}

impl Score {
    fn add(&mut self, similarity: f64, found: bool, [a, b]: [&Looked; 2]) {
        let is_wanted = similarity >= LEAST;
        let compared = a.shingles.similarity(&b.shingles) >= Similarity(LEAST);
        let near = a
            .fingerprint
            .zip(b.fingerprint)
            .is_some_and(|(a, b)| (a ^ b).count_ones() <= near::limits::DISTANCE);
        self.wanted += u64::from(is_wanted);
        self.found += u64::from(found);
        self.both += u64::from(found && is_wanted);
        self.by_fingerprint += u64::from(near && is_wanted);
        self.compared += u64::from(compared);
        self.compared_rightly += u64::from(compared && is_wanted);
    }

    fn json(&self) -> Value {
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        json!({
            "pairs": self.wanted,
            "recall": share(self.both, self.wanted),
            "precision_of_comparison": share(self.compared_rightly, self.compared),
            "precision_of_groups": share(self.both, self.found),
            "recall_of_fingerprints_alone": share(self.by_fingerprint, self.wanted),
        })
    }
}

/// Edited copies beside their originals; one pair a text and round.
pub(crate) fn edited(disk: &SharedDisk, originals: &[String]) -> Value {
    let mut rng = Rng::new(3);
    let words: Vec<&str> = originals.iter().flat_map(|text| text.split_whitespace()).collect();
    let (mut score, mut strangers, mut searched_s, mut bytes) = (Score::default(), 0_u64, 0.0, 0);
    for round in 0..ROUNDS {
        let share = 0.002 + 0.06 * round as f64 / ROUNDS as f64;
        let copies: Vec<String> = originals.iter().map(|text| edit(text, share, &words, &mut rng)).collect();
        let texts: Vec<&str> = originals.iter().chain(&copies).map(String::as_str).collect();
        let started = cpu_s();
        let groups = search(disk, &texts);
        searched_s += cpu_s() - started;
        bytes += texts.iter().map(|text| text.len()).sum::<usize>();
        let mut shingles = Shingles::default();
        let sets: Vec<Vec<u32>> = texts.iter().map(|text| shingles.of(text)).collect();
        let group = |text: usize| *groups.get(&text).unwrap_or(&text);
        for original in 0..originals.len() {
            let copy = original + originals.len();
            let similarity = jaccard(&sets[original], &sets[copy]);
            let looked = [original, copy].map(|text| Looked::at(texts[text]));
            score.add(similarity, group(original) == group(copy), looked.each_ref());
        }
        // A copy that stands in the group of something else entirely.
        strangers += groups
            .iter()
            .filter(|(text, first)| *text % originals.len() != *first % originals.len())
            .filter(|(text, first)| jaccard(&sets[**text], &sets[**first]) < LEAST)
            .count() as u64;
    }
    let mut said = score.json();
    said["kind"] = json!("edited copies of saved pages");
    said["grouped_with_strangers"] = json!(strangers);
    said["texts_per_core_s"] = json!((2 * originals.len() as u64 * ROUNDS) as f64 / searched_s);
    said["mb_per_core_s"] = json!(bytes as f64 / searched_s / 1e6);
    said
}

/// All with all.
pub(crate) fn natural(disk: &SharedDisk, texts: &[String]) -> Value {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let groups = search(disk, &texts);
    let group = |text: usize| *groups.get(&text).unwrap_or(&text);
    let mut shingles = Shingles::default();
    let sets: Vec<Vec<u32>> = texts.iter().map(|text| shingles.of(text)).collect();
    let looked: Vec<Looked> = texts.iter().map(|text| Looked::at(text)).collect();
    let (mut all, mut distinct) = (Score::default(), Score::default());
    let mut seen = BTreeSet::new();
    let is_copy: Vec<bool> = sets.iter().map(|set| !seen.insert(set)).collect();
    for later in 0..sets.len() {
        for earlier in 0..later {
            let (few, many) =
                (sets[later].len().min(sets[earlier].len()), sets[later].len().max(sets[earlier].len()));
            let found = group(later) == group(earlier);
            let possible = few as f64 >= LEAST * many as f64;
            if !found && !possible {
                continue;
            }
            let similarity = jaccard(&sets[later], &sets[earlier]);
            let pair = [&looked[later], &looked[earlier]];
            all.add(similarity, found, pair);
            if !is_copy[later] && !is_copy[earlier] {
                distinct.add(similarity, found, pair);
            }
        }
    }
    json!({"texts": texts.len(), "all": all.json(), "copies_left_out": distinct.json()})
}
