//! Every byte of every file is under a checksum: a flipped bit is an error that names the file, never other data.

use super::fixture::{numbered, reopen, run_job};
use super::model::DIR;
use crate::{Error, Key, Manifest, QueueId, Result, Section};
use disk::{Disk, MemDisk, Mode, read_all};
use proptest::prelude::*;
use std::path::Path;

const QUEUE: QueueId = QueueId(5);

struct Sample {
    disk: MemDisk,
    manifest: Manifest,
    section: Section,
}

fn key(nth: usize) -> Key {
    Key { group: nth as u64 / 3 * 0x0123_4567_89AB, host: nth as u64 % 3 }
}

/// A directory, a run and a queue of a few blocks each.
fn sample() -> Sample {
    let (mut backlog, disk) = super::fixture::empty();
    let section = run_job(&mut backlog, |job, outputs| {
        let mut new = job.new_directory();
        outputs.run.begin();
        for nth in 0..12 {
            new.push(key(nth), &numbered(nth)).unwrap();
            outputs.run.push(&numbered(nth)).unwrap();
            outputs.queues.append(QUEUE, &numbered(nth)).unwrap();
        }
        outputs.directory = Some(new);
        outputs.run.end().unwrap().unwrap()
    });
    let manifest = backlog.cut().unwrap().manifest;
    Sample { disk, manifest, section }
}

/// Reads all that the sample holds; panics if anything that is given is not what was written.
fn read_everything(disk: &MemDisk, sample: &Sample) -> Result<()> {
    let mut backlog = reopen(disk, &sample.manifest)?;
    let job = backlog.start_job();
    let (mut reader, mut nth) = (job.directory()?, 0);
    while let Some(record) = reader.next()? {
        assert_eq!((record.key, record.payload), (key(nth), &numbered(nth)[..]));
        nth += 1;
    }
    assert_eq!(nth, 12);
    let (mut queues, mut nth) = (job.queues(), 0);
    while let Some(entries) = queues.read(QUEUE)? {
        entries.iter().for_each(|entry| {
            assert_eq!(entry, numbered(nth));
            nth += 1;
        });
    }
    assert_eq!(nth, 12);
    backlog.abandon_job();
    let mut left = Some(sample.section);
    let mut nth = 0;
    while let Some(section) = left {
        let head = backlog.take_head(section)?;
        head.entries.iter().for_each(|entry| {
            assert_eq!(entry, numbered(nth));
            nth += 1;
        });
        left = head.rest;
    }
    assert_eq!(nth, 12);
    Ok(())
}

fn flip(disk: &MemDisk, path: &Path, at: u64, bits: u8) {
    let mut file = disk.open(path, Mode::Write).unwrap();
    let mut byte = [0];
    file.read_at(&mut byte, at).unwrap();
    file.write_at(&[byte[0] ^ bits], at).unwrap();
}

fn assert_noticed(result: Result<()>, name: &str, context: &str) {
    let error = result.expect_err(context);
    assert!(matches!(error, Error::Format(_)), "{context}: {error}");
    assert!(error.to_string().contains(name), "{context}: {error}");
}

#[test]
fn a_flipped_bit_anywhere_is_noticed() {
    let sample = sample();
    read_everything(&sample.disk.kill(), &sample).unwrap();
    for (name, len) in sample.manifest.files() {
        for at in 0..len {
            let disk = sample.disk.kill();
            flip(&disk, &Path::new(DIR).join(&name), at, 1 << (at % 8));
            assert_noticed(read_everything(&disk, &sample), &name, &format!("byte {at}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn garbage_is_noticed(which in 0usize..3, at in any::<u64>(), garbage in proptest::collection::vec(any::<u8>(), 1..40)) {
        let sample = sample();
        let (name, len) = sample.manifest.files().into_iter().nth(which).unwrap();
        let disk = sample.disk.kill();
        let path = Path::new(DIR).join(&name);
        let before = read_all(&disk, &path).unwrap();
        disk.open(&path, Mode::Write).unwrap().write_at(&garbage, at % len).unwrap();
        disk.open(&path, Mode::Write).unwrap().set_len(len).unwrap();
        if read_all(&disk, &path).unwrap() != before {
            assert_noticed(read_everything(&disk, &sample), &name, "garbage");
        }
    }
}

#[test]
fn look_ups_notice_what_they_come_across() {
    let sample = sample();
    let (name, len) = sample.manifest.files().into_iter().next().unwrap();
    let noticed = (0..len).filter(|at| {
        let disk = sample.disk.kill();
        flip(&disk, &Path::new(DIR).join(&name), *at, 0x40);
        match reopen(&disk, &sample.manifest).unwrap().look_up(key(7)) {
            Ok(payload) => {
                assert_eq!(payload.unwrap(), numbered(7), "byte {at}");
                false
            }
            Err(error) => {
                assert_noticed(Err(error), &name, &format!("byte {at}"));
                true
            }
        }
    });
    assert!(noticed.count() > 40 + 24, "footer, index and one block");
}

#[test]
fn a_flipped_bit_in_a_manifest_is_noticed() {
    let bytes = sample().manifest.to_bytes();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(Manifest::from_bytes(&damaged).is_err(), "byte {at}");
    }
    for len in 0..bytes.len() {
        assert!(Manifest::from_bytes(&bytes[..len]).is_err(), "{len} bytes");
    }
}

#[test]
fn a_newer_version_is_refused_by_name() {
    let mut bytes = sample().manifest.to_bytes();
    bytes[8] = 2;
    let error = Manifest::from_bytes(&bytes).unwrap_err().to_string();
    assert_eq!(error, "manifest: format version 2; this program reads version 1");
}

#[test]
fn a_file_that_is_missing_or_short_is_named() {
    let sample = sample();
    for (name, len) in sample.manifest.files() {
        let path = Path::new(DIR).join(&name);
        let disk = sample.disk.kill();
        disk.open(&path, Mode::Write).unwrap().set_len(len - 1).unwrap();
        assert_noticed(reopen(&disk, &sample.manifest).map(drop), &name, "short");
        disk.remove(&path).unwrap();
        assert_noticed(reopen(&disk, &sample.manifest).map(drop), &name, "missing");
    }
}

#[test]
fn a_pointer_to_nowhere_is_damage() {
    let sample = sample();
    let backlog = reopen(&sample.disk, &sample.manifest).unwrap();
    let wrong = [
        Section { offset: sample.section.offset + 1, ..sample.section },
        Section { bytes: sample.section.bytes + 1, ..sample.section },
        Section { bytes: 3, ..sample.section },
        Section { count: 1, ..sample.section },
        Section { offset: u64::MAX, ..sample.section },
    ];
    for section in wrong {
        assert_noticed(backlog.scan_section(section, |_| ()), "run-", &format!("{section:?}"));
    }
}
