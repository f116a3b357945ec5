use super::{SMALL, dir, memory, open, row, rows};
use crate::{
    DUPLICATES_FILE, Duplicates, DuplicatesFooter, Error, Row, Search, Traits, duplicates_footer,
    find_duplicates, for_each_traits,
};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use disk::{Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, SharedDisk, read_all};
use near::Config;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::path::Path;
use std::sync::Arc;

const SCRATCH: &str = "crawl/state/duplicates";

/// Sixty words; in every fourth text, after those it repeats, one of them is another.
fn text(capture: u64) -> String {
    let original = if capture % 4 == 3 { capture - 2 } else { capture };
    let words = (0..60).map(|word| format!("wort{}", (original * 97 + word * 7) % 10_007));
    words.collect::<Vec<_>>().join(" ") + if original == capture { " Ende" } else { " Schluss" }
}

/// A corpus of `captures`, the later ones first.
fn corpus(captures: u64) -> MemDisk {
    let disk = MemDisk::new();
    let (mut writer, _) = open(&(Arc::new(disk.clone()) as SharedDisk), SMALL);
    for capture in (0..captures).rev() {
        writer.push(Row { text: text(capture), ..row(capture) }).unwrap();
    }
    writer.close().unwrap();
    disk
}

fn find_but(disk: &SharedDisk, is_withheld: &dyn Fn(&str) -> bool) -> Result<Duplicates, Error> {
    let search = Search { dir: dir(), scratch: Path::new(SCRATCH), config: Config::default(), is_withheld };
    find_duplicates(disk, search, &mut stdx::nobody)
}

fn find(disk: &SharedDisk) -> Result<Duplicates, Error> {
    find_but(disk, &|_| false)
}

/// The table: id, capture, `duplicate_of`.
fn table(disk: &SharedDisk) -> Vec<(String, i64, i64)> {
    let bytes = read_all(&**disk, &dir().join(DUPLICATES_FILE)).unwrap();
    let reader =
        ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap().build().unwrap();
    let mut rows = Vec::new();
    for batch in reader.map(Result::unwrap) {
        let number = |name, at| batch.column_by_name(name).unwrap().as_primitive::<Int64Type>().value(at);
        let id = |at| batch.column_by_name("id").unwrap().as_string::<i32>().value(at).to_owned();
        rows.extend(
            (0..batch.num_rows()).map(|at| (id(at), number("capture", at), number("duplicate_of", at))),
        );
    }
    rows
}

#[test]
fn the_table_names_who_repeats_whom() {
    let disk: SharedDisk = Arc::new(corpus(22));
    assert_eq!(find(&disk).unwrap(), Duplicates { rows: 22, duplicates: 5, groups: 5 });
    // Of two, the row that stands first in the corpus represents both.
    let wanted = [19, 15, 11, 7, 3].map(|later| (row(later - 2).id, later as i64 - 2, later as i64));
    assert_eq!(table(&disk), wanted.map(|(id, capture, of)| (id, capture, of)).to_vec());
    assert_eq!(disk.list(Path::new(SCRATCH)).unwrap(), Vec::<String>::new());
    let footer = duplicates_footer(&*disk, dir()).unwrap();
    assert_eq!(footer, Some(DuplicatesFooter { rows: 22, duplicates: 5, similarity: 0.9 }));
}

#[test]
fn rows_that_are_withheld_stand_for_none() {
    let disk: SharedDisk = Arc::new(corpus(22));
    // The rows that stood for 15 and 11, and one that stood for nobody.
    let withheld = [15, 9, 10].map(|capture| row(capture).url);
    let found = find_but(&disk, &|url| withheld.iter().any(|held| held == url)).unwrap();
    assert_eq!(found, Duplicates { rows: 22, duplicates: 3, groups: 3 });
    let wanted = [19, 7, 3].map(|later| (row(later - 2).id, later as i64 - 2, later as i64));
    assert_eq!(table(&disk), wanted.to_vec());
}

/// Rows without their texts; each step of the way is told, up to the end.
#[test]
fn what_rows_say_beside_their_texts_is_shown() {
    let disk = corpus(22);
    assert_eq!(duplicates_footer(&disk, dir()).unwrap(), None);
    let (mut steps, mut seen) = (Vec::new(), Vec::new());
    let see = |row: Traits<'_>| seen.push((row.depth, row.language.is_some(), row.truncated.is_some()));
    for_each_traits(&disk, dir(), &mut |step| steps.push((step.done, step.of)), see).unwrap();
    let expected: Vec<_> =
        rows(&disk).iter().map(|row| (row.depth, row.language.is_some(), row.truncated.is_some())).collect();
    assert_eq!(seen, expected);
    assert!(steps.is_sorted() && steps.iter().all(|(_, of)| *of == 22) && steps.last() == Some(&(22, 22)));
}

#[test]
fn again_gives_the_same_bytes() {
    let disk: SharedDisk = Arc::new(corpus(40));
    let bytes = || {
        find(&disk).unwrap();
        read_all(&*disk, &dir().join(DUPLICATES_FILE)).unwrap()
    };
    assert!(bytes() == bytes());
}

#[test]
fn a_corpus_without_rows_has_an_empty_table() {
    let disk = memory();
    open(&disk, SMALL);
    assert_eq!(find(&disk).unwrap(), Duplicates { rows: 0, duplicates: 0, groups: 0 });
    assert_eq!(table(&disk), []);
}

/// The disk fails at each call in turn, and the process dies: the old table is whole or the new one is.
#[test]
fn an_interrupted_search_leaves_the_table_whole() {
    let before = corpus(9);
    let settled: SharedDisk = Arc::new(before.clone());
    find(&settled).unwrap();
    let old = table(&settled);
    let (mut writer, _) = open(&settled, SMALL);
    for capture in 9..16 {
        drop(writer.push(Row { text: text(capture), ..row(capture) }).unwrap());
    }
    writer.close().unwrap();
    let counting = FaultyDisk::counting(before.kill());
    find(&(Arc::new(counting.clone()) as SharedDisk)).unwrap();
    let new = table(&(Arc::new(counting.inner().clone()) as SharedDisk));
    assert_ne!(old, new);
    for call in 0..counting.calls() {
        let plan = FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever };
        let faulty = FaultyDisk::new(before.kill(), plan);
        let _ = find(&(Arc::new(faulty.clone()) as SharedDisk));
        let left: SharedDisk = Arc::new(faulty.inner().kill());
        let found = table(&left);
        assert!(found == old || found == new, "call {call}");
        find(&left).unwrap();
        assert_eq!(table(&left), new, "call {call}");
    }
}

/// The disk fails at one call, and works again: nothing is left of the search.
#[test]
fn a_search_that_fails_leaves_no_scratch() {
    let before = corpus(9);
    let counting = FaultyDisk::counting(before.kill());
    find(&(Arc::new(counting.clone()) as SharedDisk)).unwrap();
    for call in 0..counting.calls() {
        let plan = FaultPlan { call, fault: Fault::Io, lasts: Lasts::Once };
        let disk: SharedDisk = Arc::new(FaultyDisk::new(before.kill(), plan));
        if find(&disk).is_err() {
            assert_eq!(
                disk.list(Path::new(SCRATCH)).unwrap_or_default(),
                Vec::<String>::new(),
                "call {call}"
            );
        }
    }
}

#[test]
fn a_table_that_is_damaged_is_to_be_made_anew_and_not_put_back() {
    let disk = memory();
    let path = dir().join(DUPLICATES_FILE);
    disk.create_dir(dir()).unwrap();
    disk::replace_file(&*disk, &path, b"PAR1").unwrap();
    let told = duplicates_footer(&*disk, dir()).unwrap_err().to_string();
    assert!(told.ends_with("remove it: `drumlin duplicates` makes it anew"), "{told}");
}
