//! Records of the journal, and what a checkpoint holds, on what nobody wrote.

use archive::{Checkpoint, ReplayEntry};
use crawler::{Record, RecoveryError, takedowns};
use fuzz::Fuzz;
use meter::Meter;

#[global_allocator]
static METER: Meter = Meter::new();

const WRITTEN: &[u8] = include_bytes!("../src/tests/golden/records-v2.bin");

/// Each stands behind its length in four bytes.
fn written() -> Vec<Vec<u8>> {
    let mut rest = WRITTEN;
    let mut records = Vec::new();
    while let Some((len, after)) = rest.split_first_chunk() {
        let (record, after) = after.split_at(u32::from_le_bytes(*len) as usize);
        records.push(record.to_vec());
        rest = after;
    }
    records
}

#[test]
fn journal_records() {
    let seeds = written();
    assert!(seeds.len() > 20 && seeds.iter().all(|record| Record::decode(1, record).is_ok()));
    Fuzz::new("journal_records").seeds(seeds).run(|input| {
        let peak = METER.peak_while(|| {
            if let Ok(record) = Record::decode(1, input) {
                let again = record.encode();
                let once_more = Record::decode(1, &again).expect("what was written");
                assert_eq!(once_more.encode(), again);
            }
        });
        assert!(peak <= 256 * input.len() + (4 << 20), "{peak} bytes for {}", input.len());
    });
}

/// Of every version that is read.
const CHECKPOINTS: [&[u8]; 3] = [
    include_bytes!("../src/tests/golden/state-v2.bin"),
    include_bytes!("../src/tests/golden/state-v3.bin"),
    include_bytes!("../src/tests/golden/state-v4.bin"),
];

/// Decodes all of a checkpoint; the checksum around it is the archive's.
fn read(state: &[u8]) -> Result<(), RecoveryError> {
    let checkpoint = Checkpoint { covers_seq: 0, state: state.to_vec() };
    let no_journal = |_| Ok(std::iter::empty::<archive::Result<ReplayEntry>>());
    takedowns(Some(&checkpoint), no_journal).map(drop)
}

#[test]
fn checkpoints() {
    for state in CHECKPOINTS {
        read(state).expect("what was written");
    }
    Fuzz::new("checkpoints").seeds(CHECKPOINTS).run(|input| {
        let peak = METER.peak_while(|| drop(read(input)));
        assert!(peak <= 256 * input.len() + (4 << 20), "{peak} bytes for {}", input.len());
    });
}
