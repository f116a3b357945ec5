//! Ids are globally unique, and stay what they are.

use super::*;
use crate::frame::SegmentHeader;
use crate::ids::{Birth, GroupPlace, RecordIds, Role};
use std::collections::BTreeSet;
use warc::Reader;

fn open_at(disk: &MemDisk, ms: u64, process: u32) -> Archive {
    let now = WallTime::from_unix_ms(NOW.unix_ms() + ms);
    let config = ArchiveConfig { process, ..config() };
    Archive::open(Arc::new(disk.clone()), config, now).expect("opens").archive
}

/// Of all records of an archive that a process began so much later, stopped, and another opened again.
fn ids_of_crawl(ms: u64, process: u32) -> BTreeSet<String> {
    let disk = MemDisk::new();
    open_at(&disk, ms, process).commit(NOW, &batch(1..20)).expect("commits");
    let mut archive = open_at(&disk, ms + 5_000, 99);
    archive.commit(NOW, &batch(20..40)).expect("commits");
    archive.finish().expect("finishes");
    let paths = files(&disk, "archive", ".warc.gz");
    let records = paths.iter().flat_map(|path| Reader::new(&*content(&disk, path)).collect::<Vec<_>>());
    let ids: Vec<String> =
        records.map(|record| record.expect("readable").id().expect("an id").to_owned()).collect();
    let unique: BTreeSet<String> = ids.iter().cloned().collect();
    assert_eq!(ids.len(), unique.len());
    unique
}

/// The files have the same names: all were begun in one second.
#[test]
fn two_crawls_of_one_seed_share_no_id() {
    let first = ids_of_crawl(0, 7);
    assert_eq!(first, ids_of_crawl(0, 7), "the same crawl is the same");
    for ms in [1, 499, 60_000] {
        assert!(first.is_disjoint(&ids_of_crawl(ms, 7)), "begun {ms} ms later");
    }
    assert!(first.is_disjoint(&ids_of_crawl(0, 8)), "begun by another process in the same millisecond");
}

#[test]
fn archives_begun_in_one_second_by_processes_in_a_row_have_births_of_their_own() {
    let birth = |process, ms| Birth::at(WallTime::from_unix_ms(ms), process).bits();
    let births = (0..50).flat_map(|process| (1..=1_000).map(move |ms| birth(process, ms)));
    assert_eq!(births.collect::<BTreeSet<u32>>().len(), 50 * 1_000);
}

#[test]
fn an_archive_without_a_birth_goes_on_with_its_ids() {
    let disk = MemDisk::new();
    drop(open(&disk));
    let header = SegmentHeader { number: 1, first_seq: 1, birth: Birth::from_bits(0) }.encode();
    overwrite(&disk, Path::new("state/journal-00000001.log"), 0, &header);
    let mut archive = open(&disk).archive;
    let locations = archive.commit(NOW, &batch(1..2)).expect("commits").locations;
    let location = locations[0].expect("a capture");
    let place = [&[0; 4][..], &location.offset.to_le_bytes(), &[Role::Response as u8]].concat();
    let id = warc::RecordId::from_value(xxhash_rust::xxh3::xxh3_128_with_seed(&place, config().seed));
    assert_eq!(archive.record_id(location), id.to_string());
}

#[test]
fn an_id_depends_on_all_that_it_is_made_of() {
    let ids = |seed, ms| RecordIds { seed, birth: Birth::at(WallTime::from_unix_ms(ms), 0) };
    let group = |serial, offset, filename| GroupPlace { serial, offset, filename };
    let all = [
        ids(7, 1).id(group(0, 9, "a"), Role::Response),
        ids(8, 1).id(group(0, 9, "a"), Role::Response),
        ids(7, 2).id(group(0, 9, "a"), Role::Response),
        ids(7, 1).id(group(1, 9, "a"), Role::Response),
        ids(7, 1).id(group(0, 8, "a"), Role::Response),
        ids(7, 1).id(group(0, 9, "b"), Role::Response),
        ids(7, 1).id(group(0, 9, "a"), Role::Request),
        ids(7, 1).of_file(group(0, 9, "a")),
    ];
    let unique: BTreeSet<String> = all.iter().map(ToString::to_string).collect();
    assert_eq!(unique.len(), all.len());
    assert_ne!(Birth::at(WallTime::from_unix_ms(1 << 32), 0).bits(), 0, "that is for archives without one");
}
