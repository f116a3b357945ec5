use super::get;
use crate::{Appender, Disk, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, Mode, SequentialReader};
use proptest::prelude::*;
use std::io::{Read, Write};
use std::path::Path;

fn appender(disk: &dyn Disk, offset: u64) -> Appender {
    Appender::new(disk.open(Path::new("f"), Mode::OpenOrCreate).unwrap(), offset)
}

fn reader(disk: &dyn Disk) -> SequentialReader {
    SequentialReader::whole(disk.open(Path::new("f"), Mode::Read).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn what_is_appended_is_read(pieces in proptest::collection::vec(0usize..150_000, 0..8), step in 1usize..90_000) {
        let disk = MemDisk::new();
        let mut appender = appender(&disk, 0);
        let mut expected = Vec::new();
        for (i, len) in pieces.into_iter().enumerate() {
            let piece = vec![i as u8; len];
            appender.write_all(&piece).unwrap();
            expected.extend(piece);
            prop_assert_eq!(appender.offset(), expected.len() as u64);
        }
        appender.into_file().unwrap();
        let (mut reader, mut found, mut piece) = (reader(&disk), Vec::new(), vec![0; step]);
        loop {
            let n = reader.read(&mut piece).unwrap();
            found.extend_from_slice(&piece[..n]);
            prop_assert_eq!(reader.offset(), found.len() as u64);
            if n == 0 { break; }
        }
        prop_assert!(found == expected);
    }
}

#[test]
fn appending_goes_on_at_an_offset_and_reading_keeps_to_its_range() {
    let disk = MemDisk::new();
    super::put(&disk, "f", b"0123456789");
    let mut appender = appender(&disk, 8);
    appender.write_all(b"abc").unwrap();
    appender.sync().unwrap();
    assert_eq!(get(&disk, "f").as_deref(), Some(&b"01234567abc"[..]));
    let mut text = String::new();
    let file = disk.open(Path::new("f"), Mode::Read).unwrap();
    SequentialReader::new(file, 2..9).read_to_string(&mut text).unwrap();
    assert_eq!(text, "234567a");
}

#[test]
fn a_failed_flush_can_be_repeated() {
    let plan = FaultPlan { call: 1, fault: Fault::TornWrite, lasts: Lasts::Once };
    let disk = FaultyDisk::new(MemDisk::new(), plan);
    let mut appender = appender(&disk, 0);
    appender.write_all(b"twice").unwrap();
    appender.flush().unwrap_err();
    appender.flush().unwrap();
    assert_eq!(get(&disk, "f").as_deref(), Some(&b"twice"[..]));
}
