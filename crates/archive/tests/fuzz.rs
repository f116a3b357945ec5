//! The journal, on what nobody wrote.

use archive::ledger;
use archive::limits::FRAME_BYTES;
use disk::{Disk as _, MemDisk};
use fuzz::Fuzz;
use meter::Meter;
use std::path::Path;
use std::sync::Arc;

#[global_allocator]
static METER: Meter = Meter::new();

const SEGMENT: &str = "state/journal-00000001.log";
const WRITTEN: &[u8] = include_bytes!("../src/tests/golden/journal-v1.log");

/// As `docs/formats/journal.md` draws them.
const SEGMENT_HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 48;
const CRC_AT: usize = FRAME_HEADER_BYTES - 4;

/// With a checksum of the first frame that fits, or nothing of it would be read.
fn sealed(input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    if let Some(frame) = bytes.get_mut(SEGMENT_HEADER_BYTES..).and_then(first_frame) {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&frame[..CRC_AT]);
        hasher.update(&frame[FRAME_HEADER_BYTES..]);
        frame[CRC_AT..FRAME_HEADER_BYTES].copy_from_slice(&hasher.finalize().to_le_bytes());
    }
    bytes
}

fn first_frame(bytes: &mut [u8]) -> Option<&mut [u8]> {
    let payload = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?);
    bytes.get_mut(..FRAME_HEADER_BYTES + payload as usize)
}

fn entries(bytes: &[u8]) -> usize {
    let disk = MemDisk::new();
    disk.create_dir(Path::new("state")).expect("memory");
    disk::replace_file(&disk, Path::new(SEGMENT), bytes).expect("memory");
    ledger(Arc::new(disk)).map_or(0, |replay| replay.take_while(Result::is_ok).count())
}

#[test]
fn journal() {
    assert_eq!(sealed(WRITTEN), WRITTEN, "the checksum is where it is drawn");
    assert!(entries(WRITTEN) > 0);
    Fuzz::new("journal").seeds([WRITTEN]).run(|input| {
        let peak = METER.peak_while(|| {
            for bytes in [input, &sealed(input)] {
                assert!(entries(bytes) <= FRAME_BYTES);
            }
        });
        assert!(peak <= 3 * FRAME_BYTES, "{peak} bytes for {}", input.len());
    });
}
