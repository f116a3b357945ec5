//! The tables by themselves.

use crate::options::Options;
use disk::SharedDisk;
use meter::{cpu_s, peak_bytes};
use near::limits::DISTANCE;
use near::{Entry, Match, Tables};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;
use stdx::Rng;

/// Of the fingerprints that are looked up among.
const SEED: u64 = 11;

/// Half of the fingerprints are 1 to 5 bits from an earlier one.
fn related(count: u64) -> Vec<Entry> {
    let mut rng = Rng::new(7);
    let mut entries: Vec<Entry> = Vec::new();
    for id in 0..count {
        let fingerprint = if id > 0 && rng.one_in(2) {
            let near = entries[rng.below(id) as usize].fingerprint;
            (0..=rng.below(5)).fold(near, |near, _| near ^ 1 << rng.below(64))
        } else {
            rng.next_u64()
        };
        entries.push(Entry { fingerprint, id });
    }
    entries
}

/// Pairs of distinct fingerprints that are near, one of the last batch.
pub(crate) fn compare_with_brute_force(disk: &SharedDisk, count: u64) -> Value {
    let entries = related(count);
    let (known, last) = entries.split_at(entries.len() - entries.len() / 100);
    let mut tables = Tables::open(SharedDisk::clone(disk), Path::new("exact")).expect("tables");
    known.chunks(known.len().div_ceil(10)).for_each(|batch| tables.add(batch, |_| Ok(())).expect("added"));
    let mut found = BTreeSet::new();
    let fingerprint = |id: u64| entries[id as usize].fingerprint;
    let pair = |a: u64, b: u64| (a.min(b), a.max(b));
    tables
        .look_up(last, |Match { known, new, distance }| {
            found.extend((distance > 0).then(|| pair(fingerprint(known), fingerprint(new))));
            Ok(())
        })
        .expect("looked up");
    let distinct = |entries: &[Entry]| entries.iter().map(|entry| entry.fingerprint).collect::<BTreeSet<_>>();
    let all: Vec<u64> = distinct(&entries).into_iter().collect();
    let mut wanted = BTreeSet::new();
    for new in distinct(last) {
        let near = all.iter().filter(|known| **known != new && (**known ^ new).count_ones() <= DISTANCE);
        wanted.extend(near.map(|known| pair(*known, new)));
    }
    tables.remove().expect("removed");
    json!({
        "fingerprints": count,
        "looked_up": last.len(),
        "pairs_by_brute_force": wanted.len(),
        "missed": wanted.difference(&found).count(),
        "wrong": found.difference(&wanted).count(),
    })
}

/// How fast, in how much memory and on how much disk.
pub(crate) fn look_up(disk: &SharedDisk, options: &Options) -> Value {
    let mut rng = Rng::new(SEED);
    let mut tables = Tables::open(SharedDisk::clone(disk), Path::new("tables")).expect("tables");
    let before = fs::write("/proc/self/clear_refs", "5").is_ok();
    let started = Instant::now();
    let (mut batch, mut sample) = (Vec::new(), Vec::new());
    for id in 0..options.fingerprints {
        let fingerprint = rng.next_u64();
        batch.push(Entry { fingerprint, id });
        if id % (options.fingerprints / (options.lookups / 10).max(1)).max(1) == 0 {
            sample.push(fingerprint);
        }
        if batch.len() as u64 == options.batch || id + 1 == options.fingerprints {
            tables.add(&batch, |_| Ok(())).expect("added");
            batch.clear();
        }
    }
    let added_s = started.elapsed().as_secs_f64();
    let added = tables.traffic();
    drop(batch);
    let near = |nth: u64, rng: &mut Rng| {
        sample[nth as usize % sample.len()] ^ 1 << rng.below(64) ^ 1 << rng.below(64)
    };
    let asked: Vec<Entry> = (0..options.lookups)
        .map(|nth| if nth % 10 == 0 { near(nth / 10, &mut rng) } else { rng.next_u64() })
        .zip(options.fingerprints..)
        .map(|(fingerprint, id)| Entry { fingerprint, id })
        .collect();
    let (started, cpu) = (Instant::now(), cpu_s());
    let (mut matches, mut found) = (0_u64, BTreeSet::new());
    let checked = &asked[..asked.len().min(options.checked)];
    tables
        .look_up(&asked, |Match { known, new, .. }| {
            matches += 1;
            found.extend((new < options.fingerprints + checked.len() as u64).then_some((known, new)));
            Ok(())
        })
        .expect("looked up");
    let (looked_up_s, cpu_s) = (started.elapsed().as_secs_f64(), cpu_s() - cpu);
    let read = tables.traffic().read - added.read;
    let entries = tables.len();
    tables.remove().expect("removed");
    let peak = peak_bytes();
    let wanted = by_brute_force(options.fingerprints, checked);
    json!({
        "fingerprints": entries,
        "batch": options.batch,
        "added_per_s": (entries as f64 / added_s).round(),
        "added_bytes_moved": added.read + added.written,
        "bytes_a_fingerprint": read as f64 / entries as f64,
        "lookups": options.lookups,
        "matches": matches,
        "lookups_per_s": (options.lookups as f64 / looked_up_s).round(),
        "lookups_per_core_s": (options.lookups as f64 / cpu_s).round(),
        "peak_memory_bytes": peak,
        "peak_is_of_this_part": before,
        "checked": checked.len(),
        "checked_pairs_by_brute_force": wanted.len(),
        "checked_missed": wanted.difference(&found).count(),
        "checked_wrong": found.difference(&wanted).count(),
    })
}

/// Which of all fingerprints, made once more, are near those in `asked`.
fn by_brute_force(count: u64, asked: &[Entry]) -> BTreeSet<(u64, u64)> {
    let mut rng = Rng::new(SEED);
    let mut near = BTreeSet::new();
    for known in 0..count {
        let fingerprint = rng.next_u64();
        let is_near = |new: &&Entry| (new.fingerprint ^ fingerprint).count_ones() <= DISTANCE;
        near.extend(asked.iter().filter(is_near).map(|new| (known, new.id)));
    }
    near
}
