use super::*;
use proptest::prelude::*;

#[test]
fn what_is_committed_reads_back() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    let committed = archive.commit(NOW, &batch(1..10)).expect("commits");
    assert_eq!((committed.first_seq, committed.locations.len()), (1, 9));
    assert_eq!(archive.next_seq(), 10);
    let again = archive.commit(NOW, &batch(10..12)).expect("commits");
    assert_eq!(again.first_seq, 10);
    let entries = ledger_of(&disk);
    assert_eq!(
        entries.iter().map(|e| e.location).collect::<Vec<_>>(),
        [committed.locations, again.locations].concat()
    );
    check_entries(&archive, &entries);
}

#[test]
fn locations_point_at_members() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    let committed = archive.commit(NOW, &batch(1..2)).expect("commits");
    let location = committed.locations[0].expect("a capture");
    archive.finish().expect("finishes");
    let file =
        content(&disk, &Path::new("archive").join(archive.file_name(location.serial).expect("a file")));
    let member = &file[location.response_offset as usize..][..location.response_length as usize];
    let records: Vec<_> = warc::Reader::new(member).map(|r| r.expect("readable")).collect();
    assert_eq!((records.len(), records[0].record_type()), (1, warc::RecordType::Response));
    assert_eq!(location.offset + location.length, file.len() as u64);
}

#[test]
fn files_rotate_and_lose_their_suffix() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    for n in 1..40 {
        archive.commit(NOW, &batch(n..n + 1)).expect("commits");
    }
    let (closed, open) = (files(&disk, "archive", ".warc.gz"), files(&disk, "archive", ".open"));
    assert!(closed.len() > 5 && open.len() <= 1, "{closed:?} {open:?}");
    assert_eq!(closed[0], Path::new("archive/test-crawl-20261120102804-00000-node.example.warc.gz"));
    check_warcs(&disk);
    check_entries(&archive, &ledger_of(&disk));
    archive.finish().expect("finishes");
    assert_eq!(files(&disk, "archive", ".open"), [] as [PathBuf; 0]);
}

#[test]
fn one_batch_may_fill_several_files() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    archive.commit(NOW, &batch(1..60)).expect("commits");
    let closed = files(&disk, "archive", ".warc.gz");
    assert!(closed.len() > 5);
    assert!(closed.iter().all(|path| content(&disk, path).len() < 4000 + 8000));
    check_warcs(&disk);
    check_entries(&archive, &ledger_of(&disk));
}

#[test]
fn captures_are_found_by_whoever_only_looks() {
    let disk = MemDisk::new();
    let shared: SharedDisk = Arc::new(disk.clone());
    let mut archive = open(&disk).archive;
    archive.commit(NOW, &batch(1..40)).expect("commits");
    assert_eq!(files(&disk, "archive", ".open").len(), 1, "the last file is open, the others are closed");
    let locations: Vec<Location> = ledger_of(&disk).iter().filter_map(|entry| entry.location).collect();
    for location in &locations {
        let group = StoredGroup::find(&shared, *location).expect("reads").expect("is there");
        let (found, known) = (group.read().expect("reads"), archive.read(*location).expect("reads"));
        assert_eq!((found.record_id, found.capture.url), (known.record_id, known.capture.url));
        assert_eq!(found.path.file_name().and_then(|name| name.to_str()), archive.file_name(location.serial));
        assert_eq!(found.offset, location.response_offset);
    }
    let nowhere = Location { serial: u32::MAX, ..locations[0] };
    assert!(StoredGroup::find(&shared, nowhere).expect("reads").is_none());
    let beyond = Location { offset: u64::MAX, ..locations[0] };
    let group = StoredGroup::find(&shared, beyond).expect("reads").expect("the file is there");
    assert!(matches!(group.read(), Err(Error::NotStored { .. })));
}

#[test]
fn a_wrong_location_is_an_error_not_a_panic() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    let right = archive.commit(NOW, &batch(1..2)).expect("commits").locations[0].expect("a capture");
    for wrong in [
        Location { serial: 9, ..right },
        Location { offset: right.offset + 1, ..right },
        Location { offset: u64::MAX, ..right },
        Location { length: right.length - 1, ..right },
        Location { length: u64::MAX, ..right },
        Location { length: 0, ..right },
    ] {
        assert!(matches!(archive.read(wrong), Err(Error::NotStored { .. } | Error::Disk(_))), "{wrong:?}");
    }
}

#[test]
fn a_damaged_capture_is_named_with_its_file() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    let location = archive.commit(NOW, &batch(1..2)).expect("commits").locations[0].expect("a capture");
    let path = files(&disk, "archive", ".open").remove(0);
    overwrite(&disk, &path, location.response_offset + 40, b"????");
    let error = archive.read(location).expect_err("damaged");
    let said = format!("{}: no capture at byte {}: ", path.display(), location.offset);
    assert!(error.is_damage() && error.to_string().starts_with(&said), "{error}");
}

#[test]
fn a_batch_beyond_the_limit_is_refused_and_harms_nothing() {
    let mut archive = open(&MemDisk::new()).archive;
    let huge = Entry { record: vec![0; limits::FRAME_BYTES], capture: None };
    assert!(matches!(archive.commit(NOW, &[huge]), Err(Error::BatchTooLarge { .. })));
    archive.commit(NOW, &batch(1..2)).expect("commits");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_records_come_back(
        batches in prop::collection::vec(prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..8), 0..8),
    ) {
        let disk = MemDisk::new();
        let mut archive = open(&disk).archive;
        for records in &batches {
            let entries: Vec<_> = records.iter().map(|r| Entry { record: r.clone(), capture: None }).collect();
            archive.commit(NOW, &entries).expect("commits");
        }
        let records: Vec<_> = ledger_of(&disk).into_iter().map(|entry| entry.record).collect();
        prop_assert_eq!(records, batches.concat());
    }
}
