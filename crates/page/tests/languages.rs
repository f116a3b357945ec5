//! Languages of the Universal Declaration of Human Rights.

use std::collections::BTreeMap;

#[derive(Default)]
struct Rate {
    right: u32,
    all: u32,
    taken_for: BTreeMap<String, u32>,
}

/// What pages, paragraphs and eight words each stay above; measured 1.000, 0.983 and 0.963.
const FLOOR: f64 = 0.95;

impl Rate {
    fn share(&self) -> f64 {
        f64::from(self.right) / f64::from(self.all)
    }
}

#[test]
fn languages_are_told_apart() {
    let cases = testdata::lines("cases/lang.jsonl.gz");
    let mut rates: BTreeMap<(String, String), Rate> = BTreeMap::new();
    for case in &cases {
        let field = |key: &str| case[key].as_str().unwrap_or_default();
        let found = page::language::detect(field("text")).map_or("?", |language| language.iso_639_1);
        for key in [(field("kind"), ""), (field("kind"), field("lang"))] {
            let rate = rates.entry((key.0.to_owned(), key.1.to_owned())).or_default();
            rate.all += 1;
            rate.right += u32::from(found == field("lang"));
            *rate.taken_for.entry(found.to_owned()).or_default() += u32::from(found != field("lang"));
        }
    }
    assert!(
        rates.iter().all(|(key, rate)| !key.1.is_empty() || rate.share() > FLOOR),
        "a rate fell below {FLOOR}"
    );
    for ((kind, lang), rate) in &rates {
        let mut others: Vec<_> = rate.taken_for.iter().filter(|(_, n)| **n > 0).collect();
        others.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        if lang.is_empty() || rate.share() < 0.9 {
            println!(
                "{kind:5} {lang:2} {:5.3} of {:4}  {:?}",
                rate.share(),
                rate.all,
                &others[..others.len().min(5)]
            );
        }
    }
}
