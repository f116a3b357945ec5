//! [`MemDisk`], [`OsDisk`] and an [`Overlay`] against a map from path to bytes, by the same random calls.

use crate::{CrashMode, Disk, MemDisk, Mode, Nursery, OsDisk, Overlay};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdx::Rng;

const DIRS: [&str; 3] = ["", "d", "d/e"];
const NAMES: [&str; 3] = ["a", "b", "d"];

#[derive(Debug, Clone)]
enum Op {
    Open { path: String, mode: Mode, write: Vec<u8>, offset: u64 },
    SetLen { path: String, len: u64 },
    Rename { from: String, to: String },
    Remove(String),
    CreateDir(&'static str),
}

#[derive(Default, Clone)]
struct Model {
    files: BTreeMap<String, Vec<u8>>,
    dirs: BTreeSet<String>,
}

impl Model {
    /// Does `op`; `None` if it must fail.
    fn apply(&mut self, op: &Op) -> Option<()> {
        match op {
            Op::Open { path, mode, write, offset } => self.write(path, *mode, write, *offset),
            Op::SetLen { path, len } => {
                self.files.get_mut(path)?.resize(*len as usize, 0);
                Some(())
            }
            Op::Rename { from, to } => {
                self.files.get(from).filter(|_| self.may_hold_file(to))?;
                let bytes = self.files.remove(from)?;
                self.files.insert(to.clone(), bytes);
                Some(())
            }
            Op::Remove(path) => self.files.remove(path).map(|_| ()),
            Op::CreateDir(dir) => self.create_dir(dir),
        }
    }

    fn write(&mut self, path: &str, mode: Mode, data: &[u8], offset: u64) -> Option<()> {
        let exists = self.files.contains_key(path);
        let allowed = match mode {
            Mode::Read | Mode::Write => exists,
            Mode::CreateNew => !exists && self.may_hold_file(path),
            Mode::Truncate | Mode::OpenOrCreate => self.may_hold_file(path),
        };
        allowed.then_some(())?;
        let file = self.files.entry(path.to_owned()).or_default();
        if mode == Mode::Truncate {
            file.clear();
        }
        if mode == Mode::Read {
            return data.is_empty().then_some(());
        }
        let end = offset as usize + data.len();
        if !data.is_empty() && file.len() < end {
            file.resize(end, 0);
        }
        if !data.is_empty() {
            file[offset as usize..end].copy_from_slice(data);
        }
        Some(())
    }

    fn may_hold_file(&self, path: &str) -> bool {
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        (dir.is_empty() || self.dirs.contains(dir)) && !self.dirs.contains(path)
    }

    fn create_dir(&mut self, dir: &str) -> Option<()> {
        let above: Vec<String> = Path::new(dir)
            .ancestors()
            .map(|p| p.to_str().unwrap().to_owned())
            .filter(|p| !p.is_empty())
            .collect();
        if above.iter().any(|path| self.files.contains_key(path)) {
            return None;
        }
        self.dirs.extend(above);
        Some(())
    }

    fn list(&self, dir: &str) -> Option<Vec<String>> {
        (dir.is_empty() || self.dirs.contains(dir)).then_some(())?;
        let name = |path: &String| {
            let parent = path.rsplit_once('/').map_or("", |(dir, _)| dir);
            (parent == dir).then(|| path.rsplit('/').next().unwrap().to_owned())
        };
        let names: BTreeSet<String> = self.files.keys().chain(&self.dirs).filter_map(name).collect();
        Some(names.into_iter().collect())
    }
}

fn apply(disk: &dyn Disk, op: &Op) -> std::io::Result<()> {
    match op {
        Op::Open { path, mode, write, offset } => {
            let mut file = disk.open(Path::new(path), *mode)?;
            if write.is_empty() { Ok(()) } else { file.write_at(write, *offset) }
        }
        Op::SetLen { path, len } => disk.open(Path::new(path), Mode::Write)?.set_len(*len),
        Op::Rename { from, to } => disk.rename(Path::new(from), Path::new(to)),
        Op::Remove(path) => disk.remove(Path::new(path)),
        Op::CreateDir(dir) => disk.create_dir(Path::new(dir)),
    }
}

fn check(disk: &dyn Disk, ops: &[Op]) {
    let mut model = Model::default();
    apply_to_both(disk, &mut model, ops);
    compare(disk, &model);
}

/// What is done above is seen above, and nothing of it below.
fn check_overlay(before: &[Op], after: &[Op]) {
    let (below, mut model) = (MemDisk::new(), Model::default());
    apply_to_both(&below, &mut model, before);
    let untouched = model.clone();
    let overlay = Overlay::new(Arc::new(below.clone()));
    apply_to_both(&overlay, &mut model, after);
    compare(&overlay, &model);
    compare(&below, &untouched);
}

fn apply_to_both(disk: &dyn Disk, model: &mut Model, ops: &[Op]) {
    for op in ops {
        let done = apply(disk, op);
        assert_eq!(done.is_ok(), model.apply(op).is_some(), "{op:?}: {done:?}");
    }
}

fn compare(disk: &dyn Disk, model: &Model) {
    for dir in DIRS {
        assert_eq!(disk.list(Path::new(dir)).ok(), model.list(dir), "list {dir:?}");
        for path in NAMES.map(|name| join(dir, name)) {
            assert_eq!(super::get(disk, &path).as_ref(), model.files.get(&path), "{path}");
        }
    }
}

fn join(dir: &str, name: &str) -> String {
    if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
}

fn path() -> impl Strategy<Value = String> {
    let dir = proptest::sample::select(&DIRS[..]);
    (dir, proptest::sample::select(&NAMES[..])).prop_map(|(dir, name)| join(dir, name))
}

fn op() -> impl Strategy<Value = Op> {
    let modes = [Mode::Read, Mode::Write, Mode::CreateNew, Mode::Truncate, Mode::OpenOrCreate];
    let data = proptest::collection::vec(any::<u8>(), 0..10);
    prop_oneof![
        5 => (path(), proptest::sample::select(modes.to_vec()), data, 0u64..20)
            .prop_map(|(path, mode, write, offset)| Op::Open { path, mode, write, offset }),
        1 => (path(), 0u64..30).prop_map(|(path, len)| Op::SetLen { path, len }),
        2 => (path(), path()).prop_map(|(from, to)| Op::Rename { from, to }),
        1 => path().prop_map(Op::Remove),
        1 => proptest::sample::select(&DIRS[1..]).prop_map(Op::CreateDir),
    ]
}

/// Directories cannot be renamed or removed here, though the operating system would rename them.
fn names_a_dir(op: &Op) -> bool {
    matches!(op, Op::Rename { from, .. } if from.ends_with('d'))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn an_overlay_behaves_as_the_model_and_leaves_what_is_below(
        before in proptest::collection::vec(op(), 0..40),
        after in proptest::collection::vec(op(), 0..40),
    ) {
        check_overlay(&before, &after);
    }

    #[test]
    fn a_nursery_behaves_as_the_model(
        before in proptest::collection::vec(op(), 0..40),
        after in proptest::collection::vec(op(), 0..40),
        dir in proptest::sample::select(&DIRS[..]),
        limit in 0_u64..60,
    ) {
        let after: Vec<Op> = after.into_iter().filter(|op| !names_a_dir(op)).collect();
        check_nursery(&before, &after, dir, limit);
    }

    #[test]
    fn both_disks_behave_as_the_model(ops in proptest::collection::vec(op(), 0..60)) {
        let ops: Vec<Op> = ops.into_iter().filter(|op| !names_a_dir(op)).collect();
        check(&MemDisk::new(), &ops);
        let dir = tempfile::tempdir().unwrap();
        check(&OsDisk::new(dir.path().to_owned()).unwrap(), &ops);
    }
}

/// What was there before is seen, what was synced is below, and the rest goes with it.
fn check_nursery(before: &[Op], after: &[Op], dir: &str, limit: u64) {
    let (below, mut model) = (MemDisk::new(), Model::default());
    apply_to_both(&below, &mut model, before);
    let nursery = Nursery::new(Arc::new(below.clone()), Path::new(dir), limit);
    apply_to_both(&nursery, &mut model, after);
    compare(&nursery, &model);
    let files: Vec<_> = model.files.keys().map(PathBuf::from).collect();
    nursery.make_durable(&files).unwrap();
    compare(&nursery, &model);
    assert_eq!(nursery.bytes(), 0);
    for (path, bytes) in &model.files {
        assert_eq!(super::get(&below, path).as_ref(), Some(bytes), "{path}");
    }
    let died = below.crash(CrashMode::LoseUnsynced, &mut Rng::new(1));
    for (path, bytes) in &model.files {
        assert_eq!(super::get(&died, path).as_ref(), Some(bytes), "{path}");
    }
}

#[test]
fn errors_name_the_path_and_keep_their_kind() {
    let dir = tempfile::tempdir().unwrap();
    let disk = OsDisk::new(dir.path().join("deep/er")).unwrap();
    let error = disk.open(Path::new("absent"), Mode::Read).err().unwrap();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    assert!(error.to_string().contains("deep/er/absent"), "{error}");
    for escape in ["../x", "/etc/passwd", "a/../../x"] {
        let error = disk.stat(Path::new(escape)).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{escape}");
    }
    assert!(disk.absolute(Path::new("a")).is_absolute());
    assert!(disk.free_bytes().unwrap() > 0);
    disk.sync_dir(Path::new("")).unwrap();
}

#[test]
fn a_directory_in_the_place_of_a_file_is_told_as_one() {
    let dir = tempfile::tempdir().unwrap();
    let below = Arc::new(OsDisk::new(dir.path().to_owned()).unwrap());
    let overlay = Overlay::new(below.clone());
    below.create_dir(Path::new("state/below")).unwrap();
    overlay.create_dir(Path::new("state/above")).unwrap();
    let disks: [(&dyn Disk, &str); 3] = [(&*below, "below"), (&overlay, "below"), (&overlay, "above")];
    for (disk, name) in disks {
        let error = disk.open(&Path::new("state").join(name), Mode::Read).err().unwrap();
        assert_eq!(error.kind(), std::io::ErrorKind::IsADirectory, "{name}");
        let told = error.to_string();
        assert!(told.contains(&format!("state/{name}: is a directory")), "{told}");
    }
}

#[test]
fn a_lock_is_held_once() {
    let dir = tempfile::tempdir().unwrap();
    let disk = OsDisk::new(dir.path().to_owned()).unwrap();
    let held = disk.lock("lock").unwrap();
    assert_eq!(disk.lock("lock").unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    assert_eq!(disk.lock_shared("lock").unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    drop(held);
    disk.lock("lock").unwrap();
}

/// Whoever takes it for left over and removes it does no harm.
#[test]
fn a_lock_outlives_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let disk = OsDisk::new(dir.path().to_owned()).unwrap();
    let held = disk.lock("lock").unwrap();
    std::fs::remove_file(dir.path().join("lock")).unwrap();
    assert_eq!(disk.lock_shared("lock").unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    assert_eq!(disk.lock("lock").unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    drop(held);
    disk.lock("lock").unwrap();
}

#[test]
fn readers_share_a_lock_and_make_none() {
    let dir = tempfile::tempdir().unwrap();
    let disk = OsDisk::new(dir.path().to_owned()).unwrap();
    assert!(disk.lock_shared("lock").unwrap().is_none());
    assert!(disk.list(Path::new("")).unwrap().is_empty());
    drop(disk.lock("lock").unwrap());
    let readers = [disk.lock_shared("lock").unwrap(), disk.lock_shared("lock").unwrap()];
    assert!(readers.iter().all(Option::is_some));
    assert_eq!(disk.lock("lock").unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    drop(readers);
    disk.lock("lock").unwrap();
}

/// Pages, with an end inside one: what was cut off does not come back, and what is behind the end is zeros.
#[test]
fn an_overlay_cuts_and_grows_across_pages() {
    let below = MemDisk::new();
    super::put(&below, "a", &[1; 10_000]);
    let overlay = Overlay::new(Arc::new(below.clone()));
    let mut file = overlay.open(Path::new("a"), Mode::Write).unwrap();
    file.write_at(&[2; 3], 4095).unwrap();
    file.set_len(4097).unwrap();
    file.write_at(&[3], 9000).unwrap();
    let mut expected = vec![1; 4095];
    expected.extend([2, 2]);
    expected.resize(9000, 0);
    expected.push(3);
    assert_eq!(super::get(&overlay, "a"), Some(expected));
    assert_eq!(super::get(&below, "a"), Some(vec![1; 10_000]));
}
