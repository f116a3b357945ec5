//! Near-duplicates: are fingerprints found exactly, how fast; and which natural near-duplicates are found, and what else.
//!
//! `cargo xtask bench near [--fingerprints N] [--lookups N] [--batch N] [--brute N] [--checked N] [--data DIR] [--texts DIR] [--dir DIR]`
//!
//! **Exactness**: `--brute` (10^6) fingerprints, half of them within a few bits of others, are added in ten batches; what the
//! tables find of the last batch is compared with what comparing each of it with all finds.
//!
//! **Look-ups**: `--fingerprints` (10^7) are added in batches of `--batch` (4 × 10^6); then `--lookups` (10^6) are looked up at
//! once, one in ten of them near one that is there; the first `--checked` (200) of them are compared with all besides. Tables lie in `--dir` and are read past the page cache where the
//! system lets us: 64 bytes a fingerprint.
//!
//! **Pairs**: the main and the visible texts of the saved pages of `--data` (`DRUMLIN_DATA`, or `shared/data` beside the
//! workspace), each with an edited copy, in thirty rounds of edits that are light or heavy: words changed, sentences
//! gone, moved or new, as between versions of a page. How much two have in common is computed exactly, from words as strings.
//! Recall is of the pairs with 0.9 and more, of which not both may be left; precision of the texts that are left out, each against
//! the one that stands for it. Time is that of the process on its core, for both passes.
//!
//! **Natural**: every file with a text below `--texts`, if given; all are compared with all, exactly, and once more without exact
//! copies. How many pairs are in one group, and how many in one group are not near (both are near a third), is said too.
#![expect(clippy::disallowed_methods, reason = "a measurement reads its environment")]

#[path = "bench_near/edits.rs"]
mod edits;
#[path = "bench_near/fingerprints.rs"]
mod fingerprints;
#[path = "bench_near/options.rs"]
mod options;
#[path = "bench_near/pairs.rs"]
mod pairs;
#[path = "bench_near/texts.rs"]
mod texts;

use disk::{OsDisk, SharedDisk};
use options::Options;
use serde_json::json;
use std::fs;
use std::sync::Arc;

fn main() {
    let options = Options::parse(std::env::args().skip(1));
    let place = options.dir.join(format!("bench-near-{}", std::process::id()));
    fs::create_dir_all(&place).expect("a directory to work in");
    let disk: SharedDisk = Arc::new(OsDisk::new(place.clone()).expect("a directory to work in"));
    let lookups = fingerprints::look_up(&disk, &options);
    println!("lookups: {lookups}");
    let exact = fingerprints::compare_with_brute_force(&disk, options.brute);
    println!("exact: {exact}");
    let pairs = pairs::edited(&disk, &texts::saved_pages(&options.data));
    println!("pairs: {pairs}");
    let natural = options.texts.as_deref().map(|dir| pairs::natural(&disk, &texts::below(dir)));
    fs::remove_dir_all(&place).expect("our own directory");
    println!(
        "{}",
        json!({"bench": "near", "pairs": pairs, "natural": natural, "exact": exact, "lookups": lookups})
    );
}
