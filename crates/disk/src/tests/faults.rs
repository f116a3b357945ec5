use super::{get, put_synced};
use crate::path::about;
use crate::{CrashMode, Disk, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, Mode, is_full, replace_file};
use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::Path;
use stdx::Rng;

const OLD: &[u8] = b"the old content";
const NEW: &[u8] = b"the new content, somewhat longer";

fn disk_with_old() -> MemDisk {
    let disk = MemDisk::new();
    disk.create_dir(Path::new("d")).unwrap();
    put_synced(&disk, "d/f", OLD);
    disk.sync_dir(Path::new("d")).unwrap();
    disk
}

fn replace(disk: &FaultyDisk) -> io::Result<()> {
    replace_file(disk, Path::new("d/f"), NEW)
}

fn every_plan(calls: u64) -> impl Iterator<Item = FaultPlan> {
    let faults = [Fault::Io, Fault::TornWrite, Fault::Full];
    let lasts = [Lasts::Once, Lasts::Forever];
    (0..calls).flat_map(move |call| {
        faults.into_iter().flat_map(move |fault| lasts.map(|lasts| FaultPlan { call, fault, lasts }))
    })
}

#[test]
fn replacing_leaves_old_or_new_at_every_crash_point() {
    let counting = FaultyDisk::counting(disk_with_old());
    replace(&counting).unwrap();
    assert_eq!(counting.calls(), 5, "open, write, sync, rename, sync directory");
    for plan in every_plan(counting.calls()) {
        let disk = FaultyDisk::new(disk_with_old(), plan);
        let done = replace(&disk);
        for (mode, seed) in CrashMode::ALL.into_iter().flat_map(|mode| (0..20).map(move |seed| (mode, seed)))
        {
            let image = disk.inner().crash(mode, &mut Rng::new(seed));
            let found = get(&image, "d/f").expect("the name is never gone");
            assert!(found == OLD || found == NEW, "{plan:?} {mode:?}: {found:?}");
            assert!(done.is_err() || found == NEW, "{plan:?} {mode:?}: done, yet old");
        }
        let found = get(&disk.inner().kill(), "d/f").unwrap();
        assert!(found == OLD || found == NEW, "{plan:?} kill: {found:?}");
    }
}

#[test]
fn a_fault_lasts_as_planned() {
    let plan = FaultPlan { call: 1, fault: Fault::Io, lasts: Lasts::Once };
    let once = FaultyDisk::new(MemDisk::new(), plan);
    let forever = FaultyDisk::new(MemDisk::new(), FaultPlan { lasts: Lasts::Forever, ..plan });
    let answers = |disk: &FaultyDisk| [0; 3].map(|_| disk.list(Path::new("")).is_ok());
    assert_eq!(answers(&once), [true, false, true]);
    assert_eq!(answers(&forever), [true, false, false]);
    assert_eq!([once.failures(), forever.failures()], [1, 2]);
    forever.set_plan(None);
    assert!(forever.list(Path::new("")).is_ok());
}

#[test]
fn a_torn_write_leaves_a_proper_prefix() {
    let lens: BTreeSet<usize> = (1..40).map(torn_len).collect();
    assert!(lens.len() > 5, "the cut moves: {lens:?}");
    assert!(lens.into_iter().all(|len| len < NEW.len()));
}

/// How much of `NEW` is there after a torn write in call number `call`.
fn torn_len(call: u64) -> usize {
    let disk =
        FaultyDisk::new(MemDisk::new(), FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Once });
    (0..call - 1).for_each(|_| assert_eq!(disk.stat(Path::new("f")).unwrap(), None));
    let mut file = disk.open(Path::new("f"), Mode::CreateNew).unwrap();
    file.write_at(NEW, 0).unwrap_err();
    let found = get(disk.inner(), "f").unwrap();
    assert!(NEW.starts_with(&found));
    found.len()
}

#[test]
fn it_is_told_whether_a_fault_has_struck() {
    let plan = FaultPlan { call: 0, fault: Fault::Full, lasts: Lasts::Once };
    let disk = FaultyDisk::new(disk_with_old(), plan);
    assert_eq!(disk.stat(Path::new("d/f")).unwrap(), Some(OLD.len() as u64));
    assert_eq!(disk.failures(), 0, "looking takes no space");
    disk.set_plan(Some(FaultPlan { call: 1, ..plan }));
    assert!(is_full(&replace(&disk).unwrap_err()));
    assert_eq!(disk.failures(), 1);
}

#[test]
fn only_want_of_room_is_called_full() {
    let full = |kind: ErrorKind| is_full(&about(Path::new("f"), "write")(kind.into()));
    assert!(full(ErrorKind::StorageFull) && full(ErrorKind::QuotaExceeded));
    assert!(!full(ErrorKind::FileTooLarge) && !full(ErrorKind::Other));
}

#[test]
fn a_full_disk_still_reads_and_removes() {
    let plan = FaultPlan { call: 0, fault: Fault::Full, lasts: Lasts::Forever };
    let disk = FaultyDisk::new(disk_with_old(), plan);
    let mut file = disk.open(Path::new("d/f"), Mode::Write).unwrap();
    assert_eq!(file.write_at(b"x", 0).unwrap_err().kind(), ErrorKind::StorageFull);
    assert_eq!(get(&disk, "d/f").as_deref(), Some(OLD));
    disk.remove(Path::new("d/f")).unwrap();
    assert_eq!(replace(&disk).unwrap_err().kind(), ErrorKind::StorageFull);
}
