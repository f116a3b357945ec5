use super::fixture::{Log, Model, Sum, check_equal, checkpoint, merge, merge_all, open, tiny};
use crate::{Config, Drum, Error, Manifest, MergeJob, Request};
use disk::{CrashMode, Disk, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, SharedDisk};
use std::path::PathBuf;
use std::sync::Arc;
use stdx::Rng;

fn memory() -> SharedDisk {
    Arc::new(MemDisk::new())
}

fn set(disk: &SharedDisk, config: Config) -> Drum<()> {
    Drum::open(disk.clone(), PathBuf::from("set"), config, None).unwrap()
}

fn uniques(drum: &mut Drum<()>) -> Vec<String> {
    let mut found = Vec::new();
    while let Some(bucket) = drum.fullest() {
        drum.merge_now(bucket, |verdict| {
            if verdict.is_unique() {
                found.push(String::from_utf8(verdict.aux.to_vec()).unwrap());
            }
            Ok(())
        })
        .unwrap();
    }
    found
}

#[test]
fn uniques_come_in_the_order_of_discovery() {
    let mut drum = set(&memory(), Config { bucket_bits: 0, ..Config::default() });
    for (key, text) in [(9, "z"), (3, "y"), (9, "z again"), (5, "x"), (3, "y again")] {
        drum.append(key, Request::CheckUpdate(()), text.as_bytes()).unwrap();
    }
    assert_eq!(uniques(&mut drum), ["z", "y", "x"]);
    drum.append(5, Request::CheckUpdate(()), b"x again").unwrap();
    drum.append(4, Request::CheckUpdate(()), b"w").unwrap();
    assert_eq!(uniques(&mut drum), ["w"]);
}

#[test]
fn appends_go_on_while_a_bucket_is_merged_on_another_thread() {
    let mut drum = open(&memory(), tiny(0), None).unwrap();
    drum.append(1, Request::CheckUpdate(Sum(1)), b"before").unwrap();
    let job: MergeJob<Sum> = drum.start_merge(0).unwrap().unwrap();
    let thread = std::thread::spawn(move || {
        let mut told = Vec::new();
        let merged = job.run(|verdict| {
            told.push(verdict.aux.to_vec());
            Ok(())
        });
        (merged.unwrap(), told)
    });
    for _ in 0..100 {
        drum.append(1, Request::CheckUpdate(Sum(1)), b"during").unwrap();
    }
    assert_eq!(drum.fullest(), None, "the only bucket is being merged");
    assert_eq!(drum.look_up(1).unwrap().value, None);
    let (merged, told) = thread.join().unwrap();
    drum.finish_merge(merged);
    assert_eq!(told, [b"before"]);
    assert_eq!(drum.look_up(1).unwrap().value, Some(Sum(1)));
    assert_eq!(drum.look_up(1).unwrap().waiting, 100);
    merge(&mut drum, 0, &mut Log::new()).unwrap();
    assert_eq!(drum.look_up(1).unwrap().value, Some(Sum(101)));
}

#[test]
fn the_bucket_in_which_most_waits_is_merged_first() {
    let mut drum = open(&memory(), tiny(1), None).unwrap();
    let in_second = 1 << 63;
    for key in [1, in_second + 1, in_second + 2] {
        drum.append(key, Request::CheckUpdate(Sum(0)), b"").unwrap();
    }
    assert_eq!(drum.fullest(), Some(1));
    merge(&mut drum, 1, &mut Log::new()).unwrap();
    assert_eq!(drum.fullest(), Some(0));
    merge(&mut drum, 0, &mut Log::new()).unwrap();
    assert_eq!(drum.fullest(), None);
}

#[test]
fn a_full_bucket_refuses_until_it_is_merged() {
    let mut drum = open(&memory(), Config { bucket_bytes: 1000, ..tiny(0) }, None).unwrap();
    let mut appended = 0u64;
    let refused = loop {
        match drum.append(appended, Request::CheckUpdate(Sum(0)), b"") {
            Ok(_) => appended += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::BucketFull { bucket: 0 }), "{refused}");
    assert_eq!(drum.waiting(), appended);
    assert_eq!(drum.due(), Some(0));
    merge(&mut drum, 0, &mut Log::new()).unwrap();
    drum.append(appended, Request::CheckUpdate(Sum(0)), b"").unwrap();
    assert_eq!(drum.keys(), appended);
    assert_eq!(drum.due(), None);
}

/// Packed they are next to nothing, but whoever merges them may hold them all.
#[test]
fn long_texts_that_are_alike_count_as_they_are_unpacked() {
    const TEXT_BYTES: u64 = 8 << 10;
    let config = Config { bucket_bytes: 1 << 20, buffer_bytes: 64 << 10, ..tiny(0) };
    let disk = memory();
    let mut drum = open(&disk, config, None).unwrap();
    let append = |drum: &mut Drum<Sum>| {
        let text = format!("{:0width$}", drum.waiting(), width = TEXT_BYTES as usize);
        drum.append(drum.waiting(), Request::CheckUpdate(Sum(1)), text.as_bytes())
            .map(|_| drum.waiting() * TEXT_BYTES)
    };
    let due_at = loop {
        let unpacked = append(&mut drum).unwrap();
        assert_eq!(drum.waiting_aux_bytes(), unpacked);
        if drum.is_due() {
            break unpacked;
        }
    };
    assert_eq!((due_at, drum.due()), (2 * config.bucket_bytes, Some(0)));
    let mut unpacked = due_at;
    while let Ok(now) = append(&mut drum) {
        unpacked = now;
    }
    assert_eq!(unpacked, 4 * config.bucket_bytes, "then it is full");
    let manifest = checkpoint(&mut drum, &disk).unwrap();
    let manifest = Manifest::from_bytes(&manifest.to_bytes()).unwrap();
    let mut drum = open(&disk, config, Some(&manifest)).unwrap();
    assert_eq!((drum.waiting_aux_bytes(), drum.due()), (unpacked, Some(0)), "after a restart");
    assert!(matches!(append(&mut drum), Err(Error::BucketFull { bucket: 0 })));
    drum.start_merge(0).unwrap();
    assert_eq!((drum.waiting_aux_bytes(), drum.is_due()), (0, false), "they are merged");
    drum.abandon_merge(0);
    assert_eq!((drum.waiting_aux_bytes(), drum.due()), (unpacked, Some(0)));
    merge(&mut drum, 0, &mut Log::new()).unwrap();
    assert_eq!((drum.waiting_aux_bytes(), drum.is_due()), (0, false));
}

/// Whoever made it may have died before it was durable.
#[test]
fn a_directory_that_is_found_is_made_durable() {
    let died = FaultPlan { call: 1, fault: Fault::TornWrite, lasts: Lasts::Forever };
    let faulty = FaultyDisk::new(MemDisk::new(), died);
    let append = |disk: &SharedDisk| {
        let mut drum = open(disk, tiny(0), None)?;
        drum.append(1, Request::CheckUpdate(Sum(1)), b"")?;
        checkpoint(&mut drum, disk)
    };
    append(&(Arc::new(faulty.clone()) as SharedDisk)).unwrap_err();
    let killed = faulty.inner().kill();
    assert_eq!(killed.list("".as_ref()).unwrap(), ["seen"], "it died while it made its directory");
    let manifest = append(&(Arc::new(killed.clone()) as SharedDisk)).unwrap();
    let crashed: SharedDisk = Arc::new(killed.crash(CrashMode::LoseUnsynced, &mut Rng::new(1)));
    assert_eq!(open(&crashed, tiny(0), Some(&manifest)).unwrap().waiting(), 1);
}

#[test]
fn a_small_merge_writes_nothing_but_keys() {
    let disk = MemDisk::new();
    let mut drum = open(&(Arc::new(disk.clone()) as SharedDisk), tiny(0), None).unwrap();
    for round in 0..3 {
        drum.append(round, Request::CheckUpdate(Sum(1)), b"now").unwrap();
        merge(&mut drum, 0, &mut Log::new()).unwrap();
        assert_eq!(disk.list("seen".as_ref()).unwrap().len(), 1, "the old key file is gone at once");
    }
    assert_eq!(drum.traffic().bucket_written, 0);
    drum.append(0, Request::Check, b"").unwrap();
    let before = drum.traffic().keys_written;
    merge(&mut drum, 0, &mut Log::new()).unwrap();
    assert_eq!(drum.traffic().keys_written, before, "a check rewrites nothing");
}

#[test]
fn an_error_of_the_sink_undoes_the_merge() {
    let mut drum = open(&memory(), tiny(0), None).unwrap();
    drum.append(1, Request::CheckUpdate(Sum(1)), b"").unwrap();
    let failed = drum.merge_now(0, |_| Err(std::io::ErrorKind::StorageFull.into()));
    assert!(matches!(failed, Err(Error::Io(_))));
    assert_eq!((drum.keys(), drum.waiting()), (0, 1));
    merge(&mut drum, 0, &mut Log::new()).unwrap();
    assert_eq!((drum.keys(), drum.waiting()), (1, 0));
}

#[test]
fn a_manifest_of_another_shape_is_refused() {
    let disk = memory();
    let manifest = checkpoint(&mut open(&disk, tiny(2), None).unwrap(), &disk).unwrap();
    let error = open(&disk, tiny(3), Some(&manifest)).err().unwrap();
    assert!(matches!(error, Error::Mismatch { .. }), "{error}");
    let error = Drum::<()>::open(disk, PathBuf::from("seen"), tiny(2), Some(&manifest)).err().unwrap();
    assert!(error.to_string().contains("values of 4 bytes"), "{error}");
}

#[test]
fn the_files_of_a_manifest_outlive_merges() {
    let disk = memory();
    let mut drum = open(&disk, tiny(0), None).unwrap();
    drum.append(1, Request::CheckUpdate(Sum(1)), b"").unwrap();
    merge(&mut drum, 0, &mut Log::new()).unwrap();
    drum.append(2, Request::CheckUpdate(Sum(2)), b"").unwrap();
    let manifest = checkpoint(&mut drum, &disk).unwrap();
    merge(&mut drum, 0, &mut Log::new()).unwrap();
    assert_eq!((drum.keys(), drum.waiting()), (2, 0));
    let drum = open(&disk, tiny(0), Some(&manifest)).unwrap();
    assert_eq!((drum.keys(), drum.waiting()), (1, 1));
    assert_eq!(drum.look_up(1).unwrap().value, Some(Sum(1)));
}

#[test]
fn a_cut_asks_for_what_is_not_durable_yet() {
    let disk = memory();
    let mut drum = open(&disk, tiny(0), None).unwrap();
    drum.append(1, Request::CheckUpdate(Sum(1)), b"").unwrap();
    let first = drum.cut().unwrap();
    assert_eq!(first.sync.len(), 1, "one bucket file");
    merge(&mut drum, 0, &mut Log::new()).unwrap();
    let second = drum.cut().unwrap();
    assert_eq!(second.sync.len(), 1, "the key file; what the first cut had has been merged");
    assert_eq!(drum.cut().unwrap().sync, second.sync, "nobody has said that it is durable");
    drum.committed(&first.manifest).unwrap();
    assert_eq!(drum.cut().unwrap().sync, second.sync, "the first cut did not have it");
    assert_eq!(disk.list("seen".as_ref()).unwrap().len(), 2, "the first cut's file stays");
    drum.committed(&second.manifest).unwrap();
    assert!(drum.cut().unwrap().sync.is_empty());
    assert_eq!(disk.list("seen".as_ref()).unwrap().len(), 1);
}

#[test]
fn what_came_after_a_cut_is_not_durable_with_it() {
    let disk = memory();
    let mut drum = open(&disk, tiny(0), None).unwrap();
    drum.append(1, Request::CheckUpdate(Sum(1)), b"").unwrap();
    let first = drum.cut().unwrap();
    drum.append(2, Request::CheckUpdate(Sum(1)), b"").unwrap();
    let second = drum.cut().unwrap();
    drum.committed(&first.manifest).unwrap();
    assert_eq!(drum.cut().unwrap().sync, first.sync, "the same file has grown");
    drum.committed(&second.manifest).unwrap();
    assert!(drum.cut().unwrap().sync.is_empty());
}

#[test]
fn a_drum_that_nothing_was_appended_to_costs_nothing() {
    let disk = memory();
    let mut drum = open(&disk, tiny(0), None).unwrap();
    let cut = drum.cut().unwrap();
    assert!(cut.sync.is_empty());
    drum.committed(&cut.manifest).unwrap();
    assert!(disk.list("".as_ref()).unwrap().is_empty(), "not even a directory");
    assert!(size_of_val(&drum) + size_of::<crate::bucket::Bucket<Sum>>() < 512);
}

/// How long a block is says nothing about the next one, nor whether it has come to the file yet.
#[test]
fn blocks_of_any_length_follow_each_other_in_the_file_and_in_memory() {
    let config = Config { buffer_bytes: 64 << 10, bucket_bytes: 8 << 20, ..tiny(0) };
    for written in 0..1_u8 << 3 {
        let disk = memory();
        let (mut drum, mut model, mut told) =
            (open(&disk, config, None).unwrap(), Model::default(), Log::new());
        for (part, requests) in [4_000_u64, 10, 10].into_iter().enumerate() {
            for number in 0..requests {
                let key = (number + 1) << 32 | part as u64;
                let request = Request::CheckUpdate(Sum(1));
                let bucket = drum.append(key, request, b"aux").unwrap();
                model.append(bucket, key, request, b"aux");
            }
            if written >> part & 1 == 1 {
                checkpoint(&mut drum, &disk).unwrap();
            }
        }
        merge_all(&mut drum, &mut told).unwrap();
        assert_eq!(told, model.verdicts);
        check_equal(&drum, &model);
    }
}
