use super::*;
use disk::MemDisk;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

const ALL: Option<WarcPosition> = Some(WarcPosition { serial: u32::MAX, length: u64::MAX });

fn digest(n: u64) -> Sha1Digest {
    Sha1Digest::of(&n.to_le_bytes())
}

fn place(n: u64) -> Place {
    Place { serial: (n / 10) as u32, offset: n }
}

fn open(disk: &MemDisk, memory_bytes: usize) -> PayloadIndex {
    disk.create_dir(Path::new("state")).expect("memory");
    PayloadIndex::open(disk, memory_bytes, ALL).expect("memory")
}

fn find(index: &PayloadIndex, n: u64) -> Option<Place> {
    index.find(digest(n)).expect("memory")
}

#[test]
fn what_was_added_is_found_before_and_after_it_is_written() {
    let disk = MemDisk::new();
    let mut index = open(&disk, 1 << 16);
    (0..50).for_each(|n| index.add(digest(n), place(n)));
    assert!((0..50).all(|n| find(&index, n) == Some(place(n))));
    index.write().expect("memory");
    (50..60).for_each(|n| index.add(digest(n), place(n)));
    assert!((0..60).all(|n| find(&index, n) == Some(place(n))));
    index.write().expect("memory");
    let again = open(&disk, 1 << 16);
    assert!((0..60).all(|n| find(&again, n) == Some(place(n))));
    assert!((60..1_000).all(|n| find(&again, n).is_none()));
}

#[test]
fn the_oldest_are_forgotten_also_by_an_opening() {
    let disk = MemDisk::new();
    let mut index = open(&disk, 96 * 64);
    assert_eq!(index.table.slots(), 1_024);
    (0..3_000).for_each(|n| index.add(digest(n), place(n)));
    index.write().expect("memory");
    let known = |index: &PayloadIndex| (0..3_000).filter(|n| find(index, *n).is_some()).collect::<Vec<_>>();
    let (one, other) = (known(&index), known(&open(&disk, 96 * 64)));
    assert!(one.len() > 900 && one.contains(&2_999), "{}", one.len());
    // An opening reads no more entries than there are slots, so a bucket may stay emptier.
    assert!(other.iter().all(|n| one.contains(n)) && other.len() > 800, "{}", other.len());
    assert!(known(&open(&disk, 1 << 20)).len() == 3_000, "more memory finds more");
}

#[test]
fn of_one_digest_the_latest_place_counts() {
    let disk = MemDisk::new();
    let mut index = open(&disk, 1 << 16);
    index.add(digest(1), place(1));
    index.add(digest(1), place(2));
    assert_eq!(find(&index, 1), Some(place(2)));
}

#[test]
fn entries_of_what_was_never_committed_are_not_taken_in() {
    let disk = MemDisk::new();
    let mut index = open(&disk, 1 << 16);
    (0..50).for_each(|n| index.add(digest(n), place(n)));
    index.write().expect("memory");
    let end = WarcPosition { serial: 2, length: 25 };
    let index = PayloadIndex::open(&disk, 1 << 16, Some(end)).expect("memory");
    assert!((0..25).all(|n| find(&index, n).is_some()) && (25..50).all(|n| find(&index, n).is_none()));
    let index = PayloadIndex::open(&disk, 1 << 16, None).expect("memory");
    assert!((0..50).all(|n| find(&index, n).is_none()));
}

#[test]
fn version_1_is_read_forever_and_written_alike() {
    let golden: &[u8] = include_bytes!("../tests/golden/payloads-v1");
    let disk = MemDisk::new();
    disk.create_dir(Path::new("state")).expect("memory");
    disk::replace_file(&disk, Path::new(PAYLOADS), golden).expect("memory");
    let index = open(&disk, 1 << 16);
    assert!((0..3).all(|n| find(&index, n) == Some(place(n))));
    let disk = MemDisk::new();
    let mut index = open(&disk, 1 << 16);
    (0..3).for_each(|n| index.add(digest(n), place(n)));
    index.write().expect("memory");
    assert_eq!(disk::read_all(&disk, Path::new(PAYLOADS)).expect("memory"), golden);
}

#[test]
fn another_version_is_refused_by_name() {
    let disk = MemDisk::new();
    open(&disk, 1 << 16);
    let mut bytes = disk::read_all(&disk, Path::new(PAYLOADS)).expect("memory");
    bytes[8] = 2;
    let crc = crc32fast::hash(&bytes[..28]);
    bytes[28..].copy_from_slice(&crc.to_le_bytes());
    disk::replace_file(&disk, Path::new(PAYLOADS), &bytes).expect("memory");
    let error = PayloadIndex::open(&disk, 1 << 16, ALL).map(|_| ()).expect_err("another version");
    assert_eq!(error.to_string(), "state/payloads has format version 2, this program reads version 1");
}

proptest! {
    #[test]
    fn any_bytes_behind_the_header_find_nothing_that_is_not_theirs(bytes in any::<Vec<u8>>(), flip in any::<u16>()) {
        let disk = MemDisk::new();
        let mut index = open(&disk, 1 << 12);
        (0..20).for_each(|n| index.add(digest(n), place(n)));
        index.write().expect("memory");
        let mut file = [disk::read_all(&disk, Path::new(PAYLOADS)).expect("memory"), bytes].concat();
        let at = HEADER_BYTES + usize::from(flip) % (file.len() - HEADER_BYTES);
        file[at] ^= 0x10;
        disk::replace_file(&disk, Path::new(PAYLOADS), &file).expect("memory");
        let index = open(&disk, 1 << 12);
        let found = (0..20).filter_map(|n| find(&index, n).map(|found| (n, found)));
        let found: Vec<_> = found.collect();
        prop_assert!(found.len() >= 19);
        for (n, found) in found {
            prop_assert_eq!(found, place(n));
        }
    }
}
