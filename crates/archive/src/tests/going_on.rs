//! What an opened archive hands back.

use super::*;

fn replayed(opened: Recovered) -> Vec<ReplayEntry> {
    opened.replay.map(|entry| entry.expect("readable")).collect()
}

fn seqs(entries: &[ReplayEntry]) -> Vec<u64> {
    entries.iter().map(|entry| entry.seq).collect()
}

#[test]
fn a_new_archive_is_clean_and_empty() {
    let recovered = open(&MemDisk::new()).recovered;
    assert!(recovered.clean && recovered.checkpoint.is_none());
    assert_eq!((recovered.next_seq, replayed(recovered).len()), (1, 0));
}

#[test]
fn without_a_checkpoint_everything_is_replayed() {
    let disk = MemDisk::new();
    open(&disk).archive.commit(NOW, &batch(1..8)).expect("commits");
    let Opened { archive, recovered } = open(&disk);
    assert!(!recovered.clean);
    assert_eq!(recovered.next_seq, 8);
    let entries = replayed(recovered);
    assert_eq!(entries.len(), 7);
    check_entries(&archive, &entries);
}

#[test]
fn replay_begins_at_the_frame_that_holds_what_is_covered() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    for n in [1, 4, 7, 10] {
        archive.commit(NOW, &batch(n..n + 3)).expect("commits");
    }
    for (covers, first) in [(0, 1), (1, 1), (3, 1), (4, 4), (8, 7), (12, 10)] {
        archive.checkpoint(covers, Standing::Running, b"state").expect("saves");
        let disk = disk.kill();
        let recovered = open(&disk).recovered;
        let checkpoint = recovered.checkpoint.clone().expect("saved");
        assert_eq!((checkpoint.covers_seq, checkpoint.state.as_slice()), (covers, b"state".as_slice()));
        assert_eq!(seqs(&replayed(recovered)), (first..13).collect::<Vec<_>>(), "covers {covers}");
    }
}

#[test]
fn what_every_run_has_committed_first_is_found_without_the_rest() {
    let disk = MemDisk::new();
    let shared = || -> SharedDisk { Arc::new(disk.clone()) };
    assert_eq!(beginnings(shared()).unwrap().count(), 0);
    for run in 0..4 {
        let mut archive = open(&disk).archive;
        // The third is killed before it commits anything.
        for n in [1, 4, 7].map(|n| 9 * run + n).into_iter().filter(|_| run != 2) {
            let seq = archive.next_seq();
            archive.commit(NOW, &batch(n..n + 3)).expect("commits");
            // Segments are so short that this begins another.
            archive.checkpoint(seq, Standing::Running, b"state").expect("saves");
        }
    }
    let entries: Vec<ReplayEntry> = beginnings(shared()).unwrap().map(|entry| entry.unwrap()).collect();
    assert_eq!(seqs(&entries), [1, 2, 3, 10, 11, 12, 19, 20, 21]);
    let all: Vec<ReplayEntry> = ledger(shared()).unwrap().map(|entry| entry.unwrap()).collect();
    assert!(entries.iter().all(|entry| all.contains(entry)));
}

#[test]
fn clean_means_that_nothing_came_after() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    archive.commit(NOW, &batch(1..4)).expect("commits");
    assert!(!has_ended_clean(&disk).expect("readable"));
    archive.checkpoint(3, Standing::Clean, b"").expect("saves");
    drop(archive);
    assert!(has_ended_clean(&disk).expect("readable"));
    let first = open(&disk);
    assert!(!has_ended_clean(&disk).expect("readable"), "it was opened");
    assert!(first.recovered.clean);
    drop(first);
    assert!(!open(&disk).recovered.clean, "it was opened and not stopped cleanly");
    let mut archive = open(&disk).archive;
    archive.checkpoint(3, Standing::Clean, b"").expect("saves");
    archive.commit(NOW, &batch(4..5)).expect("commits");
    drop(archive);
    assert!(!has_ended_clean(&disk).expect("readable"));
    assert!(!open(&disk).recovered.clean, "an entry came after");
    open(&disk).archive.checkpoint(4, Standing::Running, b"").expect("saves");
    assert!(!open(&disk).recovered.clean, "it never said so");
}

#[test]
fn segments_follow_each_other_and_are_kept() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    for n in 1..60 {
        archive.commit(NOW, &batch(n..n + 1)).expect("commits");
        archive.checkpoint(n, Standing::Running, b"state").expect("saves");
    }
    assert!(files(&disk, "state", ".log").len() > 3);
    drop(archive);
    let Opened { archive, recovered } = open(&disk);
    assert_eq!(recovered.next_seq, 60);
    assert_eq!(seqs(&replayed(recovered)), [59]);
    let entries = ledger_of(&disk);
    assert_eq!(entries.len(), 59);
    check_entries(&archive, &entries);
    let late: Vec<u64> =
        ledger_from(Arc::new(disk), 50).expect("opens").map(|entry| entry.expect("sound").seq).collect();
    assert!(late[0] > 1 && late[0] <= 50, "whole segments are left out: {late:?}");
    assert_eq!(late, (late[0]..60).collect::<Vec<_>>());
}

/// Over whole segments and in the middle of one: each entry once, in order.
#[test]
fn a_journal_is_followed_while_it_grows() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    let mut journal = ledger_from(Arc::new(disk.clone()), 0).expect("opens");
    assert!(journal.next().is_none(), "nothing yet");
    let mut seen = Vec::new();
    for n in 1..60 {
        archive.commit(NOW, &batch(n..n + 1)).expect("commits");
        if n % 5 != 0 {
            archive.checkpoint(n, Standing::Running, b"state").expect("saves");
        }
        if n % 7 == 0 {
            journal.follow().expect("readable");
            seen.extend(journal.by_ref().map(|entry| entry.expect("sound").seq));
            assert_eq!(seen, (1..=n).collect::<Vec<_>>());
            assert!(journal.next().is_none(), "the end stays the end until somebody follows");
        }
    }
    assert!(files(&disk, "state", ".log").len() > 3);
}

#[test]
fn the_open_file_of_a_killed_run_is_closed_at_its_committed_length() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    archive.commit(NOW, &batch(1..2)).expect("commits");
    let path = files(&disk, "archive", ".open").remove(0);
    let whole = content(&disk, &path);
    overwrite(&disk, &path, whole.len() as u64, b"half a record");
    disk.open(Path::new("archive/test-crawl-20261120102804-00001-x.warc.gz.open"), Mode::CreateNew)
        .expect("new");
    drop(archive);
    let archive = open(&disk).archive;
    let closed = files(&disk, "archive", ".warc.gz");
    assert_eq!((closed.len(), content(&disk, &closed[0])), (1, whole));
    assert_eq!(files(&disk, "archive", ".open").len(), 0);
    check_entries(&archive, &ledger_of(&disk));
}

#[test]
fn an_expired_file_is_gone_and_the_rest_goes_on() {
    let disk = MemDisk::new();
    let open =
        |disk: &MemDisk| Archive::open(Arc::new(disk.clone()), without_revisits(), NOW).expect("opens");
    let mut archive = open(&disk).archive;
    archive.commit(NOW, &batch(1..60)).expect("commits");
    archive.finish().expect("finishes");
    let before = files(&disk, "archive", ".warc.gz").len() as u64;
    assert_eq!(archive.expire_before(2).expect("removes"), 2);
    assert_eq!(archive.expire_before(u32::MAX).expect("removes"), before - 3);
    drop(archive);
    let mut archive = open(&disk).archive;
    archive.commit(NOW, &batch(60..70)).expect("commits");
    archive.finish().expect("finishes");
    let first = ledger_of(&disk)[0].location.expect("a capture");
    assert!(matches!(archive.read(first), Err(Error::NotStored { .. })));
    let index = String::from_utf8(content(&disk, Path::new("archive/index.cdxj"))).expect("text");
    assert!(!index.contains("-00000-") && index.contains("/page/61?"));
}

#[test]
fn another_prefix_goes_on_with_the_same_archive() {
    let disk = MemDisk::new();
    open(&disk).archive.commit(NOW, &batch(1..3)).expect("commits");
    let mut renamed = config();
    renamed.prefix = "2026-tests".to_owned();
    let mut archive = Archive::open(Arc::new(disk.clone()), renamed, NOW).expect("opens").archive;
    archive.commit(NOW, &batch(3..6)).expect("commits");
    check_entries(&archive, &ledger_of(&disk));
    assert_eq!(archive.file_name(1), Some("2026-tests-20261120102804-00001-node.example.warc.gz"));
}
