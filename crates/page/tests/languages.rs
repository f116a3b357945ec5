//! Languages of the Universal Declaration of Human Rights.

mod common;

use std::collections::BTreeMap;

#[derive(Default)]
struct Rate {
    right: u32,
    all: u32,
    taken_for: BTreeMap<String, u32>,
}

#[test]
fn languages_are_told_apart() {
    let cases = common::cases("lang.jsonl.gz");
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
    for ((kind, lang), rate) in &rates {
        let mut others: Vec<_> = rate.taken_for.iter().filter(|(_, n)| **n > 0).collect();
        others.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        if lang.is_empty() || rate.right * 10 < rate.all * 9 {
            println!(
                "{kind:5} {lang:2} {:5.3} of {:4}  {:?}",
                f64::from(rate.right) / f64::from(rate.all),
                rate.all,
                &others[..others.len().min(5)]
            );
        }
    }
}
