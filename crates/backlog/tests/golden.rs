//! Files of every format version, opened forever. `cargo test -p backlog --test golden -- --ignored` writes those of the
//! present version, once, when there is a new one.

use backlog::{Backlog, Config, Key, Manifest, Outputs, QueueId, Released, Section};
use disk::{Disk, MemDisk, OsDisk, SharedDisk, read_all, replace_file};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdx::Rng;

/// Several blocks of them.
const COUNT: u64 = 40;
const WAITING: QueueId = QueueId(2);
const PARKED: QueueId = QueueId(200);
/// What the golden manifest's section is.
const SECTION: &str = "section";
const CONFIG: Config = Config { block_bytes: 512, queue_file_bytes: 256, level: 1 };

fn golden() -> OsDisk {
    OsDisk::new(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/v1"))).unwrap()
}

fn open(disk: &SharedDisk, manifest: Option<&Manifest>) -> Backlog {
    Backlog::open(disk.clone(), PathBuf::new(), CONFIG, manifest).unwrap()
}

fn key(nth: u64) -> Key {
    Key { group: nth / 4 * 0x0012_3456_789A_BCDE, host: nth % 4 }
}

/// Nothing that a compressor can make smaller, so that the bytes are ours alone.
fn noise(nth: u64) -> Vec<u8> {
    let mut rng = Rng::new(nth);
    (0..10 + nth % 30).map(|_| rng.next_u64() as u8).collect()
}

fn text(nth: u64) -> Vec<u8> {
    format!("http://www.example.test/a/rather/long/path?page={nth}").into_bytes()
}

/// A directory, a run, a queue that has been read in part, and one of the owner's.
fn make(disk: &SharedDisk) -> (Manifest, Section) {
    let mut backlog = open(disk, None);
    let job = backlog.start_job();
    let (mut directory, mut run, mut queues) = (job.new_directory(), job.new_run(), job.queues());
    run.begin();
    for nth in 0..COUNT {
        directory.push(key(nth), &noise(nth)).unwrap();
        run.push(&noise(nth)).unwrap();
        queues.append(WAITING, &text(nth)).unwrap();
    }
    let section = run.end().unwrap().unwrap();
    let outputs = Outputs { directory: Some(directory), run, queues, released: Released::default() };
    let finished = job.finish(outputs).unwrap();
    backlog.finish_job(finished);
    let head = backlog.take_head(section).unwrap();
    let job = backlog.start_job();
    let mut queues = job.queues();
    queues.read(WAITING).unwrap();
    let outputs = Outputs { directory: None, run: job.new_run(), queues, released: Released::default() };
    let finished = job.finish(outputs).unwrap();
    backlog.finish_job(finished);
    backlog.append(PARKED, &text(COUNT)).unwrap();
    (backlog.cut().unwrap().manifest, head.rest.unwrap())
}

/// The golden directory in memory, since opening may change it.
fn golden_copy() -> MemDisk {
    let (golden, copy) = (golden(), MemDisk::new());
    for name in golden.list(Path::new("")).unwrap() {
        let path = Path::new(&name);
        replace_file(&copy, path, &read_all(&golden, path).unwrap()).unwrap();
    }
    copy
}

fn queued(backlog: &Backlog, queue: QueueId) -> Vec<Vec<u8>> {
    let mut entries = Vec::new();
    backlog.scan_queue(queue, |entry| entries.push(entry.to_vec())).unwrap();
    entries
}

#[test]
fn version_1_is_read() {
    let disk = golden_copy();
    let read = |name: &str| read_all(&disk, Path::new(name)).unwrap();
    let manifest = Manifest::from_bytes(&read("manifest")).unwrap();
    let section: Section = postcard::from_bytes(&read(SECTION)).unwrap();
    let mut backlog = open(&(Arc::new(disk.clone()) as SharedDisk), Some(&manifest));
    backlog.check_invariants();
    assert_eq!(backlog.records(), COUNT);
    (0..COUNT).for_each(|nth| assert_eq!(backlog.look_up(key(nth)).unwrap(), Some(noise(nth))));
    let job = backlog.start_job();
    let mut reader = job.directory().unwrap();
    let mut records = 0;
    while let Some(record) = reader.next().unwrap() {
        assert_eq!((record.key, record.payload), (key(records), &noise(records)[..]));
        records += 1;
    }
    assert_eq!(records, COUNT);
    let mut nth = COUNT - section.count;
    backlog
        .scan_section(section, |entry| {
            assert_eq!(entry, noise(nth));
            nth += 1;
        })
        .unwrap();
    assert_eq!(nth, COUNT);
    let waiting = backlog.queue_len(WAITING);
    assert!((1..COUNT).contains(&waiting));
    assert!(queued(&backlog, WAITING).into_iter().eq((COUNT - waiting..COUNT).map(text)));
    assert_eq!(queued(&backlog, PARKED), [text(COUNT)]);
}

#[test]
fn version_1_is_what_is_written() {
    let (golden, memory) = (golden_copy(), MemDisk::new());
    let (manifest, _) = make(&(Arc::new(memory.clone()) as SharedDisk));
    let same = |name: &str| {
        let read = |disk: &MemDisk| read_all(disk, Path::new(name)).unwrap();
        assert!(read(&golden) == read(&memory), "{name} has changed: that takes a new version");
    };
    let files = manifest.files();
    files.keys().filter(|name| !name.starts_with("queue")).for_each(|name| same(name));
    assert_eq!(files.keys().filter(|name| name.starts_with("queue")).count(), 3);
}

#[test]
#[ignore = "writes the golden files"]
fn write_golden_files() {
    let disk = golden();
    let (manifest, section) = make(&(Arc::new(disk.clone()) as SharedDisk));
    replace_file(&disk, Path::new("manifest"), &manifest.to_bytes()).unwrap();
    replace_file(&disk, Path::new(SECTION), &postcard::to_stdvec(&section).unwrap()).unwrap();
}
