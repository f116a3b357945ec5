use super::{dir, files, memory};
use crate::limits::DISTANCE;
use crate::{Entry, Match, Tables};
use disk::{CrashMode, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, SharedDisk};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use stdx::Rng;

/// Fingerprints of which many are near each other, some far, and some alike in their first bits.
fn entries(seed: u64, count: u64) -> Vec<Entry> {
    let mut rng = Rng::new(seed);
    let centres: Vec<u64> = (0..20).map(|_| rng.next_u64() >> (8 * rng.below(3))).collect();
    let mut fingerprint = || {
        let near = centres[rng.below(centres.len() as u64) as usize];
        (0..rng.below(6)).fold(near, |near, _| near ^ 1 << rng.below(64))
    };
    (0..count).map(|id| Entry { fingerprint: fingerprint(), id }).collect()
}

/// What is near what, copies of a fingerprint taken together; and who is a copy.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    near: BTreeSet<(u64, u64)>,
    copies: BTreeSet<u64>,
}

/// By comparing all with all.
fn brute_force(entries: &[Entry]) -> Told {
    let mut told = Told::default();
    let mut distinct: BTreeSet<u64> = BTreeSet::new();
    for entry in entries {
        if !distinct.insert(entry.fingerprint) {
            told.copies.insert(entry.id);
        }
    }
    for (nth, a) in distinct.iter().enumerate() {
        let later = distinct.iter().skip(nth + 1);
        told.near.extend(later.filter(|b| (*a ^ **b).count_ones() <= DISTANCE).map(|b| (*a, *b)));
    }
    told
}

/// The same from what was found, which must be right and not told twice.
fn told(found: &[Match], entries: &[Entry]) -> Told {
    let mut told = Told::default();
    for one in found {
        let [a, b] = [one.known, one.new].map(|id| entries[id as usize].fingerprint);
        assert_eq!(one.distance, (a ^ b).count_ones());
        if one.distance == 0 {
            assert!(told.copies.insert(one.new), "{one:?} is told twice");
        } else {
            told.near.insert((a.min(b), a.max(b)));
        }
    }
    let distinct: BTreeSet<&Match> = found.iter().collect();
    assert_eq!(distinct.len(), found.len(), "no pair is told twice");
    told
}

fn collect(into: &mut Vec<Match>) -> impl FnMut(Match) -> crate::Result<()> {
    |found| {
        into.push(found);
        Ok(())
    }
}

fn found(disk: &SharedDisk, entries: &[Entry], batch: usize) -> Vec<Match> {
    let mut found = Vec::new();
    for some in entries.chunks(batch) {
        // Opened anew for each batch: all there is lies on disk.
        Tables::open(Arc::clone(disk), dir()).unwrap().add(some, collect(&mut found)).unwrap();
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn all_that_are_near_are_found_and_nothing_else(seed: u64, count in 1..700_u64, batch in 1..700_usize) {
        let entries = entries(seed, count);
        let found = found(&memory(), &entries, batch);
        prop_assert!(told(&found, &entries) == brute_force(&entries));
    }
}

#[test]
fn a_group_larger_than_an_index_is_worth() {
    // All of them have the same 48 bits, so that three tables hold one group.
    let entries: Vec<Entry> =
        (0..3_000).map(|id| Entry { fingerprint: (0xABCD << 48) | (id * 7 % 4_096), id }).collect();
    assert!(told(&found(&memory(), &entries, 1_700), &entries) == brute_force(&entries));
}

#[test]
fn looking_up_finds_the_same_and_changes_nothing() {
    let disk = memory();
    let (known, new) = (entries(5, 600), entries(5, 900)[600..].to_vec());
    found(&disk, &known, 250);
    let before = files(&disk);
    let mut tables = Tables::open(Arc::clone(&disk), dir()).unwrap();
    let (mut looked_up, mut added) = (Vec::new(), Vec::new());
    tables.look_up(&new, collect(&mut looked_up)).unwrap();
    assert_eq!(files(&disk), before);
    tables.add(&new, collect(&mut added)).unwrap();
    assert!(!looked_up.is_empty());
    assert_eq!(looked_up, added);
}

#[test]
fn nothing_is_near_in_empty_tables() {
    let mut tables = Tables::open(memory(), dir()).unwrap();
    tables.look_up(&[Entry { fingerprint: 0, id: 0 }], |_| panic!("nothing is there")).unwrap();
    assert!(tables.is_empty());
}

/// The disk dies at each call in turn, with the power or the process: what was added before is there, and adding goes on.
#[test]
fn an_interrupted_batch_is_in_all_tables_or_in_none() {
    let (first, second) = (entries(9, 200), entries(9, 300)[200..].to_vec());
    let all = [first.clone(), second.clone()].concat();
    let prepared = MemDisk::new();
    found(&(Arc::new(prepared.clone()) as SharedDisk), &first, 200);
    let counting = FaultyDisk::counting(prepared.kill());
    Tables::open(Arc::new(counting.clone()), dir()).unwrap().add(&second, |_| Ok(())).unwrap();
    for call in 0..counting.calls() {
        let plan = FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever };
        let faulty = FaultyDisk::new(prepared.kill(), plan);
        let done = Tables::open(Arc::new(faulty.clone()), dir())
            .and_then(|mut tables| tables.add(&second, |_| Ok(())));
        assert!(done.is_err(), "call {call}");
        for left in [faulty.inner().kill(), faulty.inner().crash(CrashMode::KeepSome, &mut Rng::new(call))] {
            let disk: SharedDisk = Arc::new(left);
            let mut again = Vec::new();
            let mut tables = Tables::open(Arc::clone(&disk), dir()).unwrap();
            tables.add(&second, collect(&mut again)).unwrap();
            assert_eq!(
                tables.len(),
                all.iter().map(|entry| entry.fingerprint).collect::<BTreeSet<_>>().len() as u64
            );
            assert_eq!(files(&disk).len(), 5, "{:?}", files(&disk));
        }
    }
}
