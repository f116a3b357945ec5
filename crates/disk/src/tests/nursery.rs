use super::{get, put};
use crate::{CrashMode, Disk, Fault, FaultPlan, FaultyDisk, File, Lasts, MemDisk, Mode, Nursery};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use stdx::Rng;

const ROOM: u64 = 1 << 20;

fn nursery(below: &MemDisk) -> Nursery {
    let nursery = Nursery::new(Arc::new(below.clone()), Path::new("n"), ROOM);
    nursery.create_dir(Path::new("n/d")).unwrap();
    nursery
}

fn opened(disk: &dyn Disk, path: &str, mode: Mode) -> Box<dyn File> {
    disk.open(Path::new(path), mode).unwrap()
}

#[test]
fn a_file_that_dies_young_never_comes_below() {
    let below = MemDisk::new();
    let nursery = nursery(&below);
    put(&nursery, "n/d/a", b"young");
    put(&nursery, "outside", b"old");
    assert_eq!(nursery.bytes(), 5);
    nursery.remove(Path::new("n/d/a")).unwrap();
    assert_eq!(nursery.bytes(), 0);
    assert_eq!(below.list(Path::new("n")).unwrap(), [""; 0]);
    assert_eq!(get(&below, "outside").as_deref(), Some(&b"old"[..]));
}

#[test]
fn a_handle_outlives_the_name_and_the_move() {
    let below = MemDisk::new();
    let nursery = nursery(&below);
    let [mut removed, mut named] = ["n/d/a", "n/d/b"].map(|path| opened(&nursery, path, Mode::CreateNew));
    removed.write_at(b"one", 0).unwrap();
    named.write_at(b"two", 0).unwrap();
    let reader = opened(&nursery, "n/d/b", Mode::Read);
    nursery.remove(Path::new("n/d/a")).unwrap();
    nursery.make_durable(&[PathBuf::from("n/d/b")]).unwrap();
    removed.write_at(b"!", 3).unwrap();
    removed.sync().unwrap();
    named.write_at(b"!", 3).unwrap();
    let mut read = [0; 8];
    assert_eq!(removed.read_at(&mut read, 0).unwrap(), 4);
    assert_eq!(&read[..4], b"one!");
    assert_eq!(reader.read_at(&mut read, 0).unwrap(), 4);
    assert_eq!(&read[..4], b"two!");
    assert_eq!(get(&below, "n/d/b").as_deref(), Some(&b"two!"[..]));
    assert_eq!(below.list(Path::new("n/d")).unwrap(), ["b"]);
    drop(removed);
    assert_eq!(nursery.bytes(), 0);
}

#[test]
fn a_file_that_grows_comes_below_and_is_whole() {
    let below = MemDisk::new();
    let nursery = nursery(&below);
    let mut file = opened(&nursery, "n/d/a", Mode::CreateNew);
    for part in 0..40 {
        file.write_at(&[part; 10_000], u64::from(part) * 10_000).unwrap();
    }
    assert_eq!((nursery.bytes(), file.len().unwrap()), (0, 400_000));
    let expected: Vec<u8> = (0..40).flat_map(|part| [part; 10_000]).collect();
    assert_eq!(get(&nursery, "n/d/a"), Some(expected.clone()));
    assert_eq!(get(&below, "n/d/a"), Some(expected));
}

#[test]
fn all_together_take_no_more_than_they_may() {
    let below = MemDisk::new();
    let nursery = nursery(&below);
    for n in 0..20 {
        put(&nursery, &format!("n/d/{n}"), &vec![n; 100_000]);
        assert!(nursery.bytes() <= ROOM);
    }
    assert_eq!(below.list(Path::new("n/d")).unwrap().len(), 10);
    for n in 0..20 {
        assert_eq!(get(&nursery, &format!("n/d/{n}")), Some(vec![n; 100_000]));
    }
}

/// Whichever call to the disk below fails, and whether it is full or broken: the file is there, and the next try brings it below.
#[test]
fn what_cannot_come_below_stays() {
    for fault in [Fault::Io, Fault::TornWrite, Fault::Full] {
        let failed = (0..12).filter(|call| fails_once(fault, *call)).count();
        assert!(failed >= 2, "{fault:?}: a name is made, and a file is written: {failed}");
    }
}

/// Whether a fault at this call kept the file from being durable.
fn fails_once(fault: Fault, call: u64) -> bool {
    let faulty = FaultyDisk::counting(MemDisk::new());
    let nursery = Nursery::new(Arc::new(faulty.clone()), Path::new("n"), ROOM);
    nursery.create_dir(Path::new("n/d")).unwrap();
    put(&nursery, "n/d/a", b"kept");
    let files = [PathBuf::from("n/d/a")];
    faulty.set_plan(Some(FaultPlan { call: faulty.calls() + call, fault, lasts: Lasts::Once }));
    let failed = nursery.make_durable(&files).is_err();
    faulty.set_plan(None);
    assert_eq!(get(&nursery, "n/d/a").as_deref(), Some(&b"kept"[..]), "{fault:?} at {call}");
    nursery.make_durable(&files).unwrap();
    assert_eq!(get(faulty.inner(), "n/d/a").as_deref(), Some(&b"kept"[..]), "{fault:?} at {call}");
    failed
}

/// Whoever made it may have died before it was durable.
#[test]
fn a_directory_that_is_found_below_is_made_durable_for_its_first_file() {
    let below = MemDisk::new();
    below.begin_dir(Path::new("n/d")).unwrap();
    let nursery = nursery(&below);
    put(&nursery, "n/d/a", b"kept");
    nursery.make_durable(&[PathBuf::from("n/d/a")]).unwrap();
    let crashed = below.crash(CrashMode::LoseUnsynced, &mut Rng::new(1));
    assert_eq!(get(&crashed, "n/d/a").as_deref(), Some(&b"kept"[..]));
}

#[test]
fn a_directory_is_synced_with_all_that_is_in_it() {
    let below = MemDisk::new();
    let nursery = nursery(&below);
    put(&nursery, "n/d/a", b"named");
    nursery.sync_dir(Path::new("n/d")).unwrap();
    assert_eq!(get(&below, "n/d/a").as_deref(), Some(&b"named"[..]));
    nursery.sync_dir(Path::new("n/missing")).unwrap_err();
    assert_eq!(below.list(Path::new("n")).unwrap(), ["d"]);
}

/// Names are made, moved and taken back by several threads; whatever the order, a file is as its last writer left it.
#[test]
fn several_threads_share_it() {
    let below = MemDisk::new();
    let nursery = Arc::new(nursery(&below));
    let durable = |files: &[PathBuf]| nursery.make_durable(files).unwrap();
    thread::scope(|scope| {
        for owner in 0..3_u8 {
            let nursery = Arc::clone(&nursery);
            scope.spawn(move || {
                for round in 0..500_u32 {
                    let path = format!("n/d/{owner}-{}", round % 7);
                    put(&*nursery, &path, &[owner; 300]);
                    assert_eq!(get(&*nursery, &path), Some(vec![owner; 300]));
                    if round % 3 == 0 {
                        nursery.remove(Path::new(&path)).unwrap();
                        assert_eq!(get(&*nursery, &path), None);
                    }
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..200 {
                let names = nursery.list(Path::new("n/d")).unwrap();
                let there: Vec<PathBuf> = names.iter().map(|name| Path::new("n/d").join(name)).collect();
                // Some are gone by now; those that are there come below.
                for path in there {
                    drop(nursery.make_durable(&[path]));
                }
            }
        });
    });
    let left = nursery.list(Path::new("n/d")).unwrap();
    durable(&left.iter().map(|name| Path::new("n/d").join(name)).collect::<Vec<_>>());
    assert_eq!(below.list(Path::new("n/d")).unwrap(), left);
    for name in left {
        let owner = name.as_bytes()[0] - b'0';
        assert_eq!(get(&below, &format!("n/d/{name}")), Some(vec![owner; 300]));
    }
}
