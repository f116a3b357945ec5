//! Damage is told apart from a torn tail; other versions are refused by name; version 1 is read forever.

use super::*;
use crate::checkpoint;
use crate::frame::{
    EntryRef, FRAME_HEADER_BYTES, FrameEntry, FrameHeader, NewFrame, SEGMENT_HEADER_BYTES, SegmentHeader,
    SegmentStart, decode_entries,
};
use crate::ids::Birth;
use crate::location::{JournalPosition, WarcPosition};
use proptest::prelude::*;
use zstd::bulk::{Compressor, Decompressor};

const JOURNAL: &str = "state/journal-00000001.log";

/// A journal of three commits, and where its frames begin.
fn journal_of_three() -> MemDisk {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    for n in 1..4 {
        archive.commit(NOW, &batch(n..n + 1)).expect("commits");
    }
    disk
}

fn frame_offsets(journal: &[u8]) -> Vec<usize> {
    (0..journal.len() - 3).filter(|&at| journal[at..].starts_with(b"DFRM")).collect()
}

#[test]
fn a_broken_frame_before_sound_ones_is_damage() {
    let disk = journal_of_three();
    let journal = content(&disk, Path::new(JOURNAL));
    let offsets = frame_offsets(&journal);
    assert_eq!(offsets.len(), 4);
    for at in [offsets[2], offsets[2] + 5, offsets[2] + 20, offsets[3] - 1] {
        let disk = disk.kill();
        overwrite(&disk, Path::new(JOURNAL), at as u64, &[journal[at] ^ 0x40]);
        let error = try_open(Arc::new(disk.clone())).map(|_| ()).expect_err("damaged");
        let wanted = (PathBuf::from(JOURNAL), offsets[2] as u64);
        assert!(
            matches!(&error, Error::Corrupt { path, offset, .. } if (path, offset) == (&wanted.0, &wanted.1)),
            "{error}"
        );
        let entries: Vec<_> = ledger(Arc::new(disk)).expect("opens").collect();
        assert!(entries.len() == 2 && entries[1].is_err());
    }
}

/// Whoever shows how far a reading is knows what there is to read.
#[test]
fn a_journal_that_is_read_was_all_there_is() {
    let disk = journal_of_three();
    let mut journal = ledger(Arc::new(disk.clone())).expect("opens");
    assert_eq!(journal.bytes_read(), 0);
    assert_eq!(journal.bytes_left().expect("a journal"), crate::ledger_bytes(&disk).expect("a journal"));
    assert!(journal.by_ref().all(|entry| entry.is_ok()));
    assert_eq!(journal.bytes_left().expect("a journal"), 0);
    assert_eq!(journal.bytes_read(), crate::ledger_bytes(&disk).expect("a journal"));
    assert_eq!(journal.bytes_read(), content(&disk, Path::new(JOURNAL)).len() as u64);
}

#[test]
fn a_broken_last_frame_is_a_commit_that_never_was() {
    let disk = journal_of_three();
    let journal = content(&disk, Path::new(JOURNAL));
    let last = *frame_offsets(&journal).last().expect("frames");
    for cut in last + 1..journal.len() {
        let disk = disk.kill();
        disk.open(Path::new(JOURNAL), Mode::Write).expect("there").set_len(cut as u64).expect("memory");
        let recovered = open(&disk).recovered;
        assert_eq!((recovered.next_seq, recovered.clean), (3, false));
        check_warcs(&disk);
    }
}

#[test]
fn zeros_behind_the_last_frame_are_cut() {
    let disk = journal_of_three();
    let length = content(&disk, Path::new(JOURNAL)).len() as u64;
    overwrite(&disk, Path::new(JOURNAL), length, &[0; 5000]);
    assert_eq!(open(&disk).recovered.next_seq, 4);
}

#[test]
fn files_that_contradict_each_other_are_named() {
    let check = |change: &dyn Fn(&MemDisk), wanted: &str| {
        let disk = journal_of_three();
        open(&disk).archive.checkpoint(3, Standing::Running, b"state").expect("saves");
        change(&disk);
        let error = try_open(Arc::new(disk)).map(|_| ()).expect_err(wanted).to_string();
        assert!(error.contains(wanted), "{error}");
    };
    let cut = |disk: &MemDisk, path: &Path| {
        disk.open(path, Mode::Write).expect("there").set_len(9).expect("memory");
    };
    let check_warc = |change: &dyn Fn(&MemDisk, &Path), wanted: &str| {
        check(&|disk| change(disk, &files(disk, "archive", ".warc.gz")[0]), wanted);
    };
    let stranger = Path::new("archive/test-crawl-20261120102804-00007-x.warc.gz");
    let lines =
        |path: &Path| Path::new("state/cdxj").join(path.file_name().unwrap()).with_added_extension("run");
    let lose = |disk: &MemDisk, path: &Path| {
        disk.remove(path).expect("there");
        disk.remove(&lines(path)).expect("its lines");
    };
    check_warc(&lose, "is named in the journal but missing");
    check_warc(&|disk, path| cut(disk, path), "shorter than what was committed");
    check_warc(
        &|disk, path| disk.rename(path, stranger).expect("there"),
        "the journal does not know this WARC file",
    );
    check(&|disk| disk.remove(Path::new(JOURNAL)).expect("there"), "this journal segment is missing");
    let check_byte = |path: &str, at: u64, byte: u8, wanted: &str| {
        check(&|disk| overwrite(disk, Path::new(path), at, &[byte]), wanted);
    };
    check_byte("state/checkpoint", 70, b'?', "state/checkpoint is damaged at byte 56");
    check_byte(
        "state/checkpoint",
        8,
        9,
        "state/checkpoint has format version 9, this program reads version 1",
    );
    check_byte(JOURNAL, 8, 2, "has format version 2, this program reads version 1");
    check_byte(JOURNAL, 16, 2, "the head of the segment is broken");
}

/// As exports and audits read it, beside whoever runs the crawl or nobody.
#[test]
fn the_newest_segment_with_a_broken_head_is_damage_unless_it_was_being_begun() {
    let disk = journal_of_three();
    let journal = content(&disk, Path::new(JOURNAL));
    for (at, length) in [(0, journal.len()), (16, journal.len()), (30, frame_offsets(&journal)[1])] {
        let disk = disk.kill();
        let mut bytes = journal[..length].to_vec();
        bytes[at] ^= 1;
        disk::replace_file(&disk, Path::new(JOURNAL), &bytes).expect("memory");
        let error = ledger(Arc::new(disk)).map(|_| ()).expect_err("damaged").to_string();
        assert!(error.contains("journal-00000001.log is damaged at byte 0: the head"), "{error}");
    }
    for length in [0, 20, 31, SEGMENT_HEADER_BYTES] {
        let disk = disk.kill();
        disk::replace_file(&disk, Path::new(JOURNAL), &vec![0; length]).expect("memory");
        assert_eq!(ledger_of(&disk), []);
    }
}

#[test]
fn a_journal_that_ends_before_the_checkpoint_is_damage() {
    let disk = journal_of_three();
    open(&disk).archive.checkpoint(3, Standing::Running, b"state").expect("saves");
    assert_eq!(ledger_of(&disk).len(), 3);
    let journal = content(&disk, Path::new(JOURNAL));
    for (length, entries) in [(journal.len() - 1, 3), (frame_offsets(&journal)[2], 1), (32, 0)] {
        let disk = disk.kill();
        disk::replace_file(&disk, Path::new(JOURNAL), &journal[..length]).expect("memory");
        let mut journal = ledger(Arc::new(disk)).expect("opens");
        assert_eq!(journal.by_ref().take_while(Result::is_ok).count(), entries);
        assert!(journal.next().is_none(), "after an error it ends");
    }
    disk.remove(Path::new(JOURNAL)).expect("there");
    let error = ledger(Arc::new(disk)).expect("opens").next().expect("an error").expect_err("it is gone");
    assert!(error.to_string().contains("journal-00000001.log: this journal segment is missing"), "{error}");
}

#[test]
fn version_1_journals_are_read_forever() {
    let disk = MemDisk::new();
    disk.create_dir(Path::new("state")).expect("memory");
    disk::replace_file(&disk, Path::new(JOURNAL), include_bytes!("golden/journal-v1.log")).expect("memory");
    let location =
        Location { serial: 2, offset: 300, length: 500, response_offset: 400, response_length: 350 };
    let committed = NOW;
    let wanted = [
        ReplayEntry { seq: 1, committed, record: b"first".to_vec(), location: None },
        ReplayEntry { seq: 2, committed, record: b"second".to_vec(), location: Some(location) },
        ReplayEntry { seq: 3, committed, record: Vec::new(), location: None },
    ];
    assert_eq!(ledger_of(&disk), wanted);
}

#[test]
fn version_1_checkpoints_are_read_forever_and_written_alike() {
    let golden = include_bytes!("golden/checkpoint-v1");
    let saved = checkpoint::decode(golden.to_vec()).expect("readable");
    let (from, end) =
        (JournalPosition { segment: 1, offset: 80 }, JournalPosition { segment: 2, offset: 1234 });
    assert_eq!((saved.replay_from, saved.journal_end, saved.standing), (from, end, Standing::Clean));
    assert_eq!(
        (saved.checkpoint.covers_seq, saved.checkpoint.state.as_slice()),
        (42, b"the state".as_slice())
    );
    let header = checkpoint::header(Standing::Clean, 42, from, end, b"the state");
    assert_eq!([header.as_slice(), b"the state"].concat(), golden);
}

#[test]
fn the_heads_of_the_formats_are_as_drawn() {
    let head = SegmentHeader { number: 3, first_seq: 0x0102, birth: Birth::from_bits(0x0304) }.encode();
    assert_eq!(head[..28], *b"DRUMJRNL\x01\0\0\0\x03\0\0\0\x02\x01\0\0\0\0\0\0\x04\x03\0\0");
    let warc = Some(WarcPosition { serial: 5, length: 6 });
    let frame = NewFrame { first_seq: 7, committed: WallTime::from_unix_ms(8), warc, entries: &[] }
        .encode(&mut Compressor::default())
        .expect("memory");
    assert_eq!(frame.len(), FRAME_HEADER_BYTES);
    let wanted =
        b"DFRM\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0\x05\0\0\0\x06\0\0\0\0\0\0\0";
    assert_eq!(frame[..44], *wanted);
}

proptest! {
    #[test]
    fn frames_round_trip_and_every_flipped_bit_shows(
        records in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..50), any::<Option<u32>>()), 0..6),
        first_seq in 1u64..1000,
        flip in any::<u32>(),
    ) {
        let location = |serial| Location { serial, offset: 1, length: 2, response_offset: 3, response_length: 4 };
        let entries: Vec<_> = records.iter().map(|(r, l)| EntryRef { record: r, location: l.map(location) }).collect();
        let frame = NewFrame { first_seq, committed: NOW, warc: None, entries: &entries };
        let mut bytes = frame.encode(&mut Compressor::default()).expect("memory");
        let header = FrameHeader::decode(&bytes).expect("a header");
        prop_assert!(header.is_sound(&bytes, &bytes[FRAME_HEADER_BYTES..]));
        prop_assert_eq!((header.first_seq, header.next_seq(), header.warc), (first_seq, first_seq + records.len() as u64, None));
        let decoded = decode_entries(&header, &bytes[FRAME_HEADER_BYTES..], &mut Decompressor::default()).expect("entries");
        let wanted: Vec<_> = records.iter().map(|(r, l)| FrameEntry { record: r.clone(), location: l.map(location) }).collect();
        prop_assert_eq!(decoded, wanted);
        let bit = flip as usize % (bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let sound = FrameHeader::decode(&bytes).is_some_and(|h| {
            h.frame_bytes() == bytes.len() as u64 && h.is_sound(&bytes, &bytes[FRAME_HEADER_BYTES..])
        });
        prop_assert!(!sound);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = SegmentHeader::decode(&bytes);
        let _ = checkpoint::decode(bytes.clone());
        if let Some(header) = FrameHeader::decode(&bytes) {
            let _ = decode_entries(&header, &bytes[FRAME_HEADER_BYTES..], &mut Decompressor::default());
        }
        prop_assert!(SegmentHeader::decode(&bytes) == SegmentStart::Broken || bytes.len() >= 32);
    }
}
