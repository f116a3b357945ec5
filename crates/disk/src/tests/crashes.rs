use super::{get, put, put_synced};
use crate::{CrashMode, Disk, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, Mode};
use proptest::prelude::*;
use std::path::Path;
use stdx::Rng;

const ROOT: &str = "";

fn crash(disk: &MemDisk, mode: CrashMode) -> MemDisk {
    disk.crash(mode, &mut Rng::new(7))
}

fn with_synced_file(bytes: &[u8]) -> MemDisk {
    let disk = MemDisk::new();
    put_synced(&disk, "a", bytes);
    disk.sync_dir(Path::new(ROOT)).unwrap();
    disk
}

#[test]
fn what_was_synced_survives_every_mode() {
    let disk = with_synced_file(b"kept");
    for mode in CrashMode::ALL {
        assert_eq!(get(&crash(&disk, mode), "a").as_deref(), Some(&b"kept"[..]), "{mode:?}");
    }
}

#[test]
fn unsynced_content_is_lost() {
    let disk = with_synced_file(b"old text");
    let mut file = disk.open(Path::new("a"), Mode::Write).unwrap();
    file.write_at(b"new", 0).unwrap();
    file.set_len(2).unwrap();
    file.write_at(b"further", 20).unwrap();
    for mode in [CrashMode::LoseUnsynced, CrashMode::KeepNames] {
        assert_eq!(get(&crash(&disk, mode), "a").as_deref(), Some(&b"old text"[..]), "{mode:?}");
    }
    let killed = disk.kill();
    assert_eq!(get(&killed, "a").unwrap().len(), 27);
    assert_eq!(get(&crash(&killed, CrashMode::LoseUnsynced), "a").as_deref(), Some(&b"old text"[..]));
}

#[test]
fn unsynced_names_are_as_they_were() {
    let disk = with_synced_file(b"one");
    put_synced(&disk, "b", b"two");
    disk.rename(Path::new("b"), Path::new("a")).unwrap();
    assert_eq!(get(&crash(&disk, CrashMode::LoseUnsynced), "a").as_deref(), Some(&b"one"[..]));
    assert_eq!(get(&crash(&disk, CrashMode::KeepNames), "a").as_deref(), Some(&b"two"[..]));
    disk.remove(Path::new("a")).unwrap();
    assert_eq!(get(&crash(&disk, CrashMode::LoseUnsynced), "a").as_deref(), Some(&b"one"[..]));
    assert_eq!(get(&crash(&disk, CrashMode::KeepNames), "a"), None);
}

#[test]
fn a_name_may_arrive_before_its_content() {
    let disk = with_synced_file(b"one");
    put(&disk, "b", b"two");
    disk.rename(Path::new("b"), Path::new("a")).unwrap();
    assert_eq!(get(&crash(&disk, CrashMode::KeepNames), "a").as_deref(), Some(&b""[..]));
}

#[test]
fn a_rename_between_directories_is_one_change() {
    let disk = MemDisk::new();
    disk.create_dir(Path::new("x")).unwrap();
    disk.create_dir(Path::new("y")).unwrap();
    put_synced(&disk, "x/f", b"moved");
    disk.rename(Path::new("x/f"), Path::new("y/f")).unwrap();
    disk.sync_dir(Path::new("y")).unwrap();
    let image = crash(&disk, CrashMode::LoseUnsynced);
    assert_eq!(get(&image, "y/f").as_deref(), Some(&b"moved"[..]));
    assert_eq!(get(&image, "x/f"), None);
}

#[test]
fn a_directory_may_be_lost_until_a_call_returns_that_makes_or_finds_it() {
    let plan = FaultPlan { call: 0, fault: Fault::TornWrite, lasts: Lasts::Once };
    let disk = FaultyDisk::new(MemDisk::new(), plan);
    disk.create_dir(Path::new("d/e")).unwrap_err();
    put_synced(&disk, "d/e/f", b"kept");
    disk.sync_dir(Path::new("d/e")).unwrap();
    let found = |mode, seed| get(&disk.inner().kill().crash(mode, &mut Rng::new(seed)), "d/e/f");
    assert_eq!(found(CrashMode::LoseUnsynced, 0), None);
    assert_eq!(found(CrashMode::KeepNames, 0).as_deref(), Some(&b"kept"[..]));
    let kept = (0..100).filter(|seed| found(CrashMode::KeepSome, *seed).is_some()).count();
    assert!((10..50).contains(&kept), "with both directories: {kept}");
    disk.create_dir(Path::new("d/e")).unwrap();
    assert_eq!(found(CrashMode::LoseUnsynced, 0).as_deref(), Some(&b"kept"[..]));
}

#[test]
fn torn_writes_cut_at_every_byte_and_subsets_lose_earlier_writes() {
    let disk = with_synced_file(b"........");
    let mut file = disk.open(Path::new("a"), Mode::Write).unwrap();
    file.write_at(b"AAAA", 0).unwrap();
    file.write_at(b"BBBB", 4).unwrap();
    let images = |mode| -> std::collections::BTreeSet<String> {
        let image = |seed| disk.crash(mode, &mut Rng::new(seed));
        (0..500).map(|seed| String::from_utf8(get(&image(seed), "a").unwrap()).unwrap()).collect()
    };
    let prefixes = images(CrashMode::KeepPrefix);
    assert_eq!(prefixes.len(), 9, "0 to 8 bytes, in order: {prefixes:?}");
    let subsets = images(CrashMode::KeepSome);
    assert_eq!(subsets.len(), 25, "0 to 4 bytes of each: {subsets:?}");
}

#[test]
fn handles_of_before_do_not_touch_the_image() {
    let disk = with_synced_file(b"kept");
    let mut file = disk.open(Path::new("a"), Mode::Write).unwrap();
    let images = [crash(&disk, CrashMode::KeepSome), disk.kill()];
    file.write_at(b"late", 0).unwrap();
    file.sync().unwrap();
    for image in images {
        assert_eq!(get(&image, "a").as_deref(), Some(&b"kept"[..]));
    }
}

#[test]
fn capacity_counts_what_has_a_name() {
    let disk = MemDisk::with_capacity(10);
    put(&disk, "a", b"12345678");
    let mut file = disk.open(Path::new("b"), Mode::CreateNew).unwrap();
    let error = file.write_at(b"abcd", 0).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    assert!(error.to_string().contains('b'), "{error}");
    assert_eq!(get(&disk, "b").as_deref(), Some(&b"ab"[..]), "the part that fitted");
    assert_eq!(file.set_len(3).unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    disk.rename(Path::new("b"), Path::new("a")).unwrap();
    assert_eq!(disk.free_bytes().unwrap(), 8);
    disk.remove(Path::new("a")).unwrap();
    assert_eq!(disk.free_bytes().unwrap(), 10);
    file.write_at(&[0; 50], 0).unwrap();
    assert_eq!(disk.free_bytes().unwrap(), 10, "a file without a name holds no space");
}

/// Writes at random places, some of them synced; the image of a lossy crash is the file at its last sync.
#[derive(Debug, Clone)]
enum Step {
    Write { offset: u64, data: Vec<u8> },
    Resize(u64),
    Sync,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let data = proptest::collection::vec(any::<u8>(), 0..20);
    let step = prop_oneof![
        4 => (0u64..40, data).prop_map(|(offset, data)| Step::Write { offset, data }),
        1 => (0u64..50).prop_map(Step::Resize),
        1 => Just(Step::Sync),
    ];
    proptest::collection::vec(step, 0..40)
}

proptest! {
    #[test]
    fn undoing_gives_the_content_of_the_last_sync(steps in steps()) {
        let disk = with_synced_file(b"start");
        let mut file = disk.open(Path::new("a"), Mode::Write).unwrap();
        let mut at_sync = b"start".to_vec();
        for step in steps {
            match step {
                Step::Write { offset, data } => file.write_at(&data, offset).unwrap(),
                Step::Resize(len) => file.set_len(len).unwrap(),
                Step::Sync => {
                    file.sync().unwrap();
                    at_sync = get(&disk, "a").unwrap();
                }
            }
        }
        prop_assert_eq!(get(&crash(&disk, CrashMode::LoseUnsynced), "a").unwrap(), at_sync);
    }
}
