//! A file that bypasses the cache is a file: whatever is aligned and whatever is not.

use crate::{ALIGNMENT, AlignedBuffer, Appender, Disk, Mode, OsDisk, SequentialReader, read_all};
use proptest::prelude::*;
use std::io::{Read, Write};
use std::path::Path;

/// Offsets and lengths that are multiples of the alignment, or not.
fn place() -> impl Strategy<Value = usize> {
    (0usize..12, prop_oneof![Just(0), 0..ALIGNMENT]).prop_map(|(whole, odd)| whole * ALIGNMENT + odd)
}

fn buffer(len: usize, fill: u8) -> AlignedBuffer {
    let mut buffer = AlignedBuffer::default();
    for piece in vec![fill; len].chunks(1000) {
        buffer.extend_from_slice(piece);
    }
    buffer
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn what_is_written_is_read(writes in proptest::collection::vec((place(), place(), 1u8..), 1..12)) {
        let dir = tempfile::tempdir().unwrap();
        let disk = OsDisk::new(dir.path().to_owned()).unwrap();
        let path = Path::new("f");
        let mut file = disk.open_direct(path, Mode::CreateNew).unwrap();
        let mut expected = Vec::new();
        for (offset, len, fill) in writes {
            file.write_at(&buffer(len, fill), offset as u64).unwrap();
            if len > 0 {
                expected.resize(expected.len().max(offset + len), 0);
                expected[offset..offset + len].fill(fill);
            }
            let mut found = buffer(expected.len().saturating_sub(offset) + 100, 0);
            let read = file.read_at(&mut found, offset as u64).unwrap();
            prop_assert!(found[..read] == expected[offset.min(expected.len())..]);
        }
        prop_assert!(read_all(&disk, path).unwrap() == expected);
    }

    #[test]
    fn buffers_stay_aligned(pieces in proptest::collection::vec(0usize..20_000, 0..8), cut in 0usize..9000) {
        let (mut buffer, mut expected) = (AlignedBuffer::default(), Vec::new());
        for (n, len) in pieces.into_iter().enumerate() {
            let piece = vec![n as u8; len];
            buffer.extend_from_slice(&piece);
            expected.extend(piece);
            prop_assert!(buffer.is_empty() || buffer.as_ptr().addr().is_multiple_of(ALIGNMENT));
        }
        prop_assert!(buffer[..] == expected);
        buffer.resize(cut);
        expected.resize(cut, 0);
        prop_assert!(buffer[..] == expected);
        buffer.clear();
        prop_assert!(buffer.is_empty());
    }
}

#[test]
fn streams_go_past_the_cache_and_back() {
    let dir = tempfile::tempdir().unwrap();
    let disk = OsDisk::new(dir.path().to_owned()).unwrap();
    let bytes: Vec<u8> = (0..300_001u32).map(|n| ((n * 7) >> 3) as u8).collect();
    let mut appender =
        Appender::with_buffer(disk.open_direct(Path::new("f"), Mode::CreateNew).unwrap(), 0, 64 << 10);
    bytes.chunks(777).for_each(|piece| appender.write_all(piece).unwrap());
    let file = appender.into_file().unwrap();
    assert_eq!(file.len().unwrap(), bytes.len() as u64);
    let file = disk.open_direct(Path::new("f"), Mode::Read).unwrap();
    let mut found = Vec::new();
    SequentialReader::with_buffer(file, 5000..290_000, 64 << 10).read_to_end(&mut found).unwrap();
    assert!(found == bytes[5000..290_000]);
}
