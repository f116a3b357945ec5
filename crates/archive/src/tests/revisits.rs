//! Payloads that come again.

use super::*;
use crate::limits::{REVISIT_BYTES, STORED_BODY_BYTES};
use disk::{Fault, FaultPlan, FaultyDisk, Lasts};
use warc::{Record, RecordType, Sha1Digest};

/// All revisit records there are.
pub(super) fn revisits(disk: &MemDisk) -> Vec<Record> {
    let paths = [files(disk, "archive", ".warc.gz"), files(disk, "archive", ".open")].concat();
    let records = paths.iter().flat_map(|path| {
        let bytes = content(disk, path);
        warc::Reader::new(bytes.as_slice()).map(|record| record.expect("readable")).collect::<Vec<_>>()
    });
    records.filter(|record| record.record_type() == RecordType::Revisit).collect()
}

fn page(n: u64, body: impl Into<Body>) -> Capture {
    Capture { body: body.into(), truncated: None, ..capture(n) }
}

fn text(bytes: u64) -> Bytes {
    (0..bytes).map(|at| b"All is dune. "[at as usize % 13]).collect()
}

/// Commits them one by one, and holds what was archived to what was given.
#[track_caller]
fn archived(archive: &mut Archive, captures: &[Capture]) -> Vec<Location> {
    let locations: Vec<_> =
        captures.iter().map(|capture| commit(archive, std::slice::from_ref(capture))[0]).collect();
    for (location, capture) in locations.iter().zip(captures) {
        check_capture(archive, *location, capture);
    }
    locations
}

fn commit(archive: &mut Archive, captures: &[Capture]) -> Vec<Location> {
    let meta = CaptureMeta { via: None, hops: 0, purpose: Purpose::Page };
    let entry = |capture: &Capture| Entry {
        record: Vec::new(),
        capture: Some(Kept { capture: Arc::new(capture.clone()), meta: meta.clone() }),
    };
    let batch: Vec<_> = captures.iter().map(entry).collect();
    let locations = archive.commit(NOW, &batch).expect("commits").locations;
    locations.into_iter().map(|location| location.expect("a capture")).collect()
}

#[test]
fn a_payload_that_comes_again_is_a_revisit() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    let (first, again) = (page(1, text(3_000)), page(2, text(3_000)));
    let locations = archived(&mut archive, &[first.clone(), again.clone()]);
    let [revisit] = &revisits(&disk)[..] else { panic!("one revisit") };
    assert_eq!(revisit.target_uri(), Some(again.url.as_str()));
    let header = |name| revisit.header.get(name).expect(name).to_owned();
    assert_eq!(header("WARC-Profile"), warc::RevisitProfile::IdenticalPayloadDigest.uri());
    assert_eq!(header("WARC-Refers-To"), format!("<{}>", archive.record_id(locations[0])));
    assert_eq!(header("WARC-Refers-To-Target-URI"), first.url);
    assert_eq!(header("WARC-Refers-To-Date"), first.started.iso_seconds());
    assert_eq!(header("WARC-Refers-To-File-Offset"), locations[0].response_offset.to_string());
    assert_eq!(header("WARC-Refers-To-Filename"), archive.file_name(0).expect("a file"));
    assert_eq!(header("WARC-Payload-Digest"), first.body.digest().to_string());
    assert!(locations[1].response_length * 3 < locations[0].response_length + 3_000);
    archive.finish().expect("closes the file, which gets another name");
    check_capture(&archive, locations[1], &again);
    check_warcs(&disk);
}

#[test]
fn the_index_lists_revisits_whoever_makes_it() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    archived(&mut archive, &[page(1, text(3_000)), page(2, text(3_000))]);
    archive.finish().expect("finishes");
    let index = |disk: &MemDisk| content(disk, Path::new("archive/index.cdxj"));
    let made = index(&disk);
    let lines = String::from_utf8(made.clone()).expect("text");
    assert_eq!(lines.matches("\"mime\": \"warc/revisit\"").count(), 1, "{lines}");
    for run in files(&disk, "state/cdxj", ".run") {
        disk.remove(&run).expect("there");
    }
    open(&disk).archive.finish().expect("makes the run again");
    assert_eq!(index(&disk), made);
}

#[test]
fn what_is_in_one_batch_can_be_shared_too() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    let captures =
        [page(1, text(3_000)), page(2, text(3_000)), page(3, text(4_000)), page(4, spooled(&text(4_000)))];
    let locations = commit(&mut archive, &captures);
    assert_eq!(revisits(&disk).len(), 2);
    for (location, capture) in locations.iter().zip(&captures) {
        check_capture(&archive, *location, capture);
    }
}

#[test]
fn a_revisit_refers_to_a_response_never_to_another() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    let captures: Vec<_> = (1..8).map(|n| page(n, text(3_000))).collect();
    let locations = archived(&mut archive, &captures);
    let original = archive.record_id(locations[0]);
    let revisits = revisits(&disk);
    assert_eq!(revisits.len(), 6);
    assert!(revisits.iter().all(|revisit| revisit.refers_to() == Some(&original)));
}

#[test]
fn what_is_short_or_cut_is_archived_whole() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    let cut = |n| Capture { truncated: Some(Truncation::Time), ..page(n, text(9_000)) };
    let short = |n| page(n, text(REVISIT_BYTES - 1));
    archived(&mut archive, &[short(1), short(2), cut(3), page(4, text(9_000)), cut(5)]);
    assert_eq!(revisits(&disk).len(), 0);
    archived(&mut archive, &[page(6, text(REVISIT_BYTES)), page(7, text(REVISIT_BYTES))]);
    assert_eq!(revisits(&disk).len(), 1);
}

/// Two documents of one SHA-1 are known since 2017; both are kept.
#[test]
fn equal_digests_do_not_make_equal_payloads() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    let (one, other) = (text(3_000), Bytes::from(vec![b'x'; 3_000]));
    let forged = Body::in_memory(other.clone(), Sha1Digest::of(&one));
    let locations: Vec<_> = [page(1, one.clone()), page(2, forged.clone()), page(3, one)]
        .iter()
        .flat_map(|capture| commit(&mut archive, std::slice::from_ref(capture)))
        .collect();
    assert_eq!(bytes_of(&archive.read(locations[1]).expect("stored").capture.body), other);
    commit(
        &mut archive,
        &[page(4, text(4_000)), page(5, Body::in_memory(other, Sha1Digest::of(&text(4_000))))],
    );
    // The third finds the second, since that came later, and is not the same either.
    assert_eq!(revisits(&disk).len(), 0);
}

#[test]
fn long_payloads_are_compared_and_read_back_as_streams() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    let bytes = text(STORED_BODY_BYTES as u64 + 300_000);
    let mut other = bytes.to_vec();
    *other.last_mut().expect("it is long") ^= 1;
    let forged = Body::in_memory(other.into(), Sha1Digest::of(&bytes));
    let locations = archived(&mut archive, &[page(1, spooled(&bytes)), page(2, bytes.clone())]);
    commit(&mut archive, &[page(3, forged)]);
    assert_eq!(revisits(&disk).len(), 1);
    assert!(archive.read(locations[1]).expect("stored").capture.body.held().is_none());
}

#[test]
fn payloads_of_earlier_runs_are_known_also_after_a_kill() {
    let disk = MemDisk::new();
    archived(&mut open(&disk).archive, &[page(1, text(3_000))]);
    let disk = disk.kill();
    let mut archive = open(&disk).archive;
    archived(&mut archive, &[page(2, text(3_000)), page(3, text(5_000))]);
    archived(&mut open(&disk).archive, &[page(4, text(5_000))]);
    assert_eq!(revisits(&disk).len(), 2);
}

#[test]
fn an_index_that_lies_costs_a_copy_and_no_page() {
    let disk = MemDisk::new();
    archived(&mut open(&disk).archive, &[page(1, text(3_000)), page(2, text(5_000))]);
    let log = Path::new("state/payloads");
    let sound = content(&disk, log);
    assert_eq!(sound.len(), 96);
    let swapped = [&sound[..48], &sound[80..92], &sound[60..80], &sound[48..60], &sound[92..]].concat();
    let images: [&[u8]; 6] = [b"", &sound[..20], &sound[..70], &swapped, &[0; 96], &[7; 300]];
    for image in images {
        let disk = disk.kill();
        disk::replace_file(&disk, log, image).expect("memory");
        archived(
            &mut open(&disk).archive,
            &[page(3, text(3_000)), page(4, text(5_000)), page(5, text(5_000))],
        );
        assert!(!revisits(&disk).is_empty(), "what came since is known");
        check_warcs(&disk);
    }
}

/// What cannot be read is no original; what is committed reads back, whatever failed meanwhile.
#[test]
fn a_disk_that_fails_once_costs_a_copy_at_most() {
    let counting = FaultyDisk::counting(MemDisk::new());
    let commit_all = |disk: &FaultyDisk| {
        let mut archive = try_open(Arc::new(disk.clone()))?.archive;
        for first in [1, 4, 7] {
            archive
                .commit(NOW, &batch(first..first + 3))
                .or_else(|_| archive.commit(NOW, &batch(first..first + 3)))?;
        }
        Ok::<_, Error>(archive)
    };
    commit_all(&counting).expect("nothing fails");
    assert_eq!(revisits(counting.inner()).len(), 1);
    let mut copies = 0;
    for call in 0..counting.calls() {
        let plan = FaultPlan { call, fault: Fault::Io, lasts: Lasts::Once };
        let disk = FaultyDisk::new(MemDisk::new(), plan);
        let Ok(archive) = commit_all(&disk) else { continue };
        check_entries(&archive, &ledger_of(disk.inner()));
        copies += 1 - revisits(disk.inner()).len();
    }
    assert!((1..20).contains(&copies), "{copies}");
}

#[test]
fn an_original_that_is_gone_is_named() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    archived(&mut archive, &[page(1, text(3_000))]);
    archive.finish().expect("closes the file");
    let revisit = archived(&mut archive, &[page(2, text(3_000))])[0];
    disk.remove(&files(&disk, "archive", "-00000-node.example.warc.gz")[0]).expect("there");
    let error = archive.read(revisit).map(|_| ()).expect_err("its original is gone");
    assert!(matches!(error, Error::Dangling { .. }), "{error}");
    assert!(error.to_string().contains("the file of its original is gone"), "{error}");
    archived(&mut archive, &[page(3, text(3_000))]);
    assert_eq!(revisits(&disk).len(), 1, "nobody else refers to it");
}

#[test]
fn files_go_when_nobody_can_refer_to_them_any_more() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    archived(&mut archive, &[page(1, text(3_000)), page(2, text(3_000))]);
    assert_eq!(archive.expire_before(9).expect("nothing to do"), 0);
    let mut archive = Archive::open(Arc::new(disk.clone()), without_revisits(), NOW).expect("opens").archive;
    for n in 3..8 {
        archived(&mut archive, &[page(n, text(3_000))]);
        archive.finish().expect("closes the file");
    }
    assert_eq!(revisits(&disk).len(), 1);
    assert_eq!(archive.expire_before(0).expect("nothing to do"), 0);
    assert_eq!(archive.expire_before(3).expect("files"), 3);
}
