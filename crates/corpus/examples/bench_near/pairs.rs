//! Which pairs of texts are found.

use crate::edits::edited as edit;
use disk::SharedDisk;
use meter::cpu_s;
use near::{Config, Survey};
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

/// Who stands for each text that does not stand for itself.
struct Groups(BTreeMap<usize, usize>);

impl Groups {
    fn of(disk: &SharedDisk, texts: &[&str]) -> Self {
        let mut survey =
            Survey::begin(SharedDisk::clone(disk), Path::new("search"), Config::default()).expect("begun");
        for text in texts {
            survey.add(page::fingerprint(text), text).expect("added");
        }
        let mut comparison = survey.compare(&mut stdx::nobody).expect("candidates");
        texts.iter().zip(0..).for_each(|(text, name)| comparison.add(name, text).expect("added"));
        let mut groups = comparison.finish(&mut stdx::nobody).expect("compared");
        let members = std::iter::from_fn(|| groups.next().expect("read"));
        Self(members.map(|member| (member.text as usize, member.representative as usize)).collect())
    }

    fn is_one(&self, a: usize, b: usize) -> bool {
        self.representative(a) == self.representative(b)
    }

    fn representative(&self, text: usize) -> usize {
        *self.0.get(&text).unwrap_or(&text)
    }

    /// Pairs that are in one group.
    fn pairs(&self) -> Vec<[usize; 2]> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (text, representative) in &self.0 {
            groups.entry(*representative).or_insert_with(|| vec![*representative]).push(*text);
        }
        groups.values().flat_map(|members| pairs_of(members)).collect()
    }

    /// Whether one of the two at least is left out of a corpus without near-duplicates.
    fn settle(&self, a: usize, b: usize) -> bool {
        self.0.contains_key(&a) || self.0.contains_key(&b)
    }
}

/// Counts, by what is so and what was found.
#[derive(Default)]
struct Score {
    /// Pairs that are near; those of which not both are left, that are in one group, whose fingerprints are near.
    near: u64,
    settled: u64,
    grouped: u64,
    by_fingerprint: u64,
    /// Texts that are left out; those that are near the one that stands for them.
    left_out: u64,
    rightly: u64,
    /// Pairs in one group that are not near: two texts may both be near a third.
    strangers: u64,
}

impl Score {
    fn pair(&mut self, similarity: f64, groups: &Groups, texts: &[&str], [a, b]: [usize; 2]) {
        let is_near = similarity >= LEAST;
        let fingerprints = page::fingerprint(texts[a]).zip(page::fingerprint(texts[b]));
        let by_fingerprint =
            fingerprints.is_some_and(|(a, b)| (a ^ b).count_ones() <= near::limits::DISTANCE);
        self.near += u64::from(is_near);
        self.settled += u64::from(is_near && groups.settle(a, b));
        self.grouped += u64::from(is_near && groups.is_one(a, b));
        self.by_fingerprint += u64::from(is_near && by_fingerprint);
        self.strangers += u64::from(!is_near && groups.is_one(a, b));
    }

    fn members(&mut self, groups: &Groups, sets: &[Vec<u32>], counts: impl Fn(usize) -> bool) {
        for (text, representative) in
            groups.0.iter().filter(|(text, first)| counts(**text) && counts(**first))
        {
            self.left_out += 1;
            self.rightly += u64::from(jaccard(&sets[*text], &sets[*representative]) >= LEAST);
        }
    }

    fn json(&self) -> Value {
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        json!({
            "pairs": self.near,
            "recall": share(self.settled, self.near),
            "left_out": self.left_out,
            "precision": share(self.rightly, self.left_out),
            "pairs_in_one_group": share(self.grouped, self.near),
            "strangers_in_groups": share(self.strangers, self.strangers + self.grouped),
            "recall_of_fingerprints_alone": share(self.by_fingerprint, self.near),
        })
    }
}

fn pairs_of(texts: &[usize]) -> Vec<[usize; 2]> {
    let with_later = |(at, a): (usize, &usize)| -> Vec<[usize; 2]> {
        texts[at + 1..].iter().map(|b| [*a.min(b), *a.max(b)]).collect()
    };
    texts.iter().enumerate().flat_map(with_later).collect()
}

/// All pairs that may be near, and no doubt about it: of two sets with 0.9 in common, one of the rarest tenth of either is in both
/// (prefix filtering, Chaudhuri, Ganti, Kaushik 2006).
fn possible_pairs(sets: &[Vec<u32>]) -> BTreeSet<[usize; 2]> {
    let mut counts: HashMap<u32, u32> = HashMap::new();
    sets.iter().flatten().for_each(|shingle| *counts.entry(*shingle).or_default() += 1);
    let mut with: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut pairs = BTreeSet::new();
    for (text, set) in sets.iter().enumerate() {
        let mut rare = set.clone();
        rare.sort_unstable_by_key(|shingle| (counts[shingle], *shingle));
        let prefix = rare.len() - (LEAST * rare.len() as f64).ceil() as usize + 1;
        for shingle in rare.into_iter().take(prefix) {
            let others = with.entry(shingle).or_default();
            let is_possible = |other: &&usize| {
                let (few, many) = (sets[**other].len().min(set.len()), sets[**other].len().max(set.len()));
                few as f64 >= LEAST * many as f64
            };
            pairs.extend(others.iter().filter(is_possible).map(|other| [*other, text]));
            others.push(text);
        }
    }
    pairs
}

/// Edited copies beside their originals; one pair a text and round.
pub(crate) fn edited(disk: &SharedDisk, originals: &[String]) -> Value {
    let mut rng = Rng::new(3);
    let words: Vec<&str> = originals.iter().flat_map(|text| text.split_whitespace()).collect();
    let (mut score, mut searched_s, mut bytes) = (Score::default(), 0.0, 0);
    for round in 0..ROUNDS {
        let share = 0.002 + 0.06 * round as f64 / ROUNDS as f64;
        let copies: Vec<String> = originals.iter().map(|text| edit(text, share, &words, &mut rng)).collect();
        let texts: Vec<&str> = originals.iter().chain(&copies).map(String::as_str).collect();
        let started = cpu_s();
        let groups = Groups::of(disk, &texts);
        searched_s += cpu_s() - started;
        bytes += texts.iter().map(|text| text.len()).sum::<usize>();
        let mut shingles = Shingles::default();
        let sets: Vec<Vec<u32>> = texts.iter().map(|text| shingles.of(text)).collect();
        for original in 0..originals.len() {
            let pair = [original, original + originals.len()];
            score.pair(jaccard(&sets[pair[0]], &sets[pair[1]]), &groups, &texts, pair);
        }
        score.members(&groups, &sets, |_| true);
    }
    let mut said = score.json();
    said["kind"] = json!("edited copies of saved pages");
    said["texts_per_core_s"] = json!((2 * originals.len() as u64 * ROUNDS) as f64 / searched_s);
    said["mb_per_core_s"] = json!(bytes as f64 / searched_s / 1e6);
    said
}

/// All with all that may be near.
pub(crate) fn natural(disk: &SharedDisk, texts: &[String]) -> Value {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let groups = Groups::of(disk, &texts);
    let mut shingles = Shingles::default();
    let sets: Vec<Vec<u32>> = texts.iter().map(|text| shingles.of(text)).collect();
    let (mut all, mut distinct) = (Score::default(), Score::default());
    let mut seen = BTreeSet::new();
    let is_copy: Vec<bool> = sets.iter().map(|set| !seen.insert(set)).collect();
    for [earlier, later] in possible_pairs(&sets).into_iter().chain(groups.pairs()).collect::<BTreeSet<_>>() {
        let (similarity, pair) = (jaccard(&sets[later], &sets[earlier]), [earlier, later]);
        all.pair(similarity, &groups, &texts, pair);
        if !is_copy[later] && !is_copy[earlier] {
            distinct.pair(similarity, &groups, &texts, pair);
        }
    }
    all.members(&groups, &sets, |_| true);
    distinct.members(&groups, &sets, |text| !is_copy[text]);
    json!({"texts": texts.len(), "all": all.json(), "copies_left_out": distinct.json()})
}
