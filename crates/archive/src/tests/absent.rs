use super::*;
use disk::{Fault, FaultPlan, FaultyDisk, Lasts};

/// An archive of some closed files and an open one.
fn begun(disk: &SharedDisk) -> Archive {
    let mut archive = Archive::open(disk.clone(), without_revisits(), NOW).expect("opens").archive;
    for n in 1..30 {
        archive.commit(NOW, &batch(n..n + 1)).expect("commits");
    }
    archive
}

#[test]
fn a_file_that_is_lost_is_named_until_it_is_back() {
    let disk = MemDisk::new();
    assert_eq!(absent_files(&disk).expect("a list"), [""; 0], "of a crawl that has not begun");
    begun(&(Arc::new(disk.clone()) as SharedDisk)).finish().expect("finishes");
    assert_eq!(absent_files(&disk).expect("a list"), [""; 0]);
    let all = files(&disk, "archive", ".warc.gz");
    assert!(all.len() > 3);
    for lost in [&all[0], &all[2]] {
        let bytes = content(&disk, lost);
        disk.remove(lost).expect("there");
        open(&disk).archive.finish().expect("finishes without it");
        let name = lost.file_name().expect("a name").to_string_lossy();
        assert_eq!(absent_files(&disk).expect("a list"), [name]);
        disk::replace_file(&disk, lost, &bytes).expect("memory");
        assert_eq!(absent_files(&disk).expect("a list"), [""; 0]);
    }
}

/// Emptied, or cut where a record ends.
#[test]
fn a_file_that_is_shorter_than_it_was_is_named_until_it_is_whole() {
    let disk = MemDisk::new();
    begun(&(Arc::new(disk.clone()) as SharedDisk)).finish().expect("finishes");
    let index = || content(&disk, Path::new("archive/index.cdxj"));
    let whole = index();
    let path = files(&disk, "archive", ".warc.gz").remove(1);
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let bytes = content(&disk, &path);
    let last = warc::Reader::new(bytes.as_slice()).last().expect("a record").expect("readable").offset;
    for length in [0, last as usize, bytes.len() - 1] {
        disk::replace_file(&disk, &path, &bytes[..length]).expect("memory");
        assert_eq!(absent_files(&disk).expect("a list"), [name.as_str()]);
        open(&disk).archive.finish().expect("finishes without it");
        assert_eq!(absent_files(&disk).expect("a list"), [name.as_str()], "until it is whole");
        assert!(!String::from_utf8(index()).expect("text").contains(&name));
        disk::replace_file(&disk, &path, &bytes).expect("memory");
        assert_eq!(absent_files(&disk).expect("a list"), [""; 0]);
        open(&disk).archive.finish().expect("finishes");
        assert_eq!(index(), whole);
    }
}

#[test]
fn an_index_that_is_not_what_was_made_is_told() {
    let disk = MemDisk::new();
    let is_whole = || is_index_whole(&disk).expect("a look");
    begun(&(Arc::new(disk.clone()) as SharedDisk)).finish().expect("finishes");
    assert!(is_whole());
    let index = Path::new("archive/index.cdxj");
    let whole = content(&disk, index);
    let line = whole.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
    for other in [&[], &whole[..line], &[&*whole, b"a line more\n"].concat()] {
        disk::replace_file(&disk, index, other).expect("memory");
        assert!(!is_whole());
        open(&disk).archive.finish().expect("finishes");
        assert!(is_whole() && content(&disk, index) == whole);
    }
    disk.remove(index).expect("there");
    assert!(!is_whole());
    disk.remove(&files(&disk, "archive", ".warc.gz")[0]).expect("there");
    assert!(is_whole(), "as far as can be told");
}

#[test]
fn what_has_expired_is_not_absent_wherever_that_was_interrupted() {
    for call in 0.. {
        let faulty = FaultyDisk::counting(MemDisk::new());
        let mut archive = begun(&(Arc::new(faulty.clone()) as SharedDisk));
        let plan = FaultPlan { call: faulty.calls() + call, fault: Fault::Io, lasts: Lasts::Forever };
        faulty.set_plan(Some(plan));
        let expired = archive.expire_before(2);
        for left in [faulty.inner().kill(), faulty.inner().crash(CrashMode::KeepSome, &mut Rng::new(call))] {
            assert_eq!(absent_files(&left).expect("a list"), [""; 0], "call {call}");
            open(&left).archive.finish().expect("goes on");
        }
        if expired.is_ok() {
            return assert!(call > 4, "it was interrupted");
        }
    }
}
