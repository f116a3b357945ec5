//! Bodies while they arrive, and long ones on their way through the archive.

use super::*;
use crate::limits::{ARRIVING_BYTES, STORED_BODY_BYTES};
use disk::{Fault, FaultPlan, FaultyDisk, Lasts};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use std::io::Read;
use warc::Sha1Digest;

const SPOOL: &str = "state/spool";

fn noise(bytes: usize) -> Vec<u8> {
    let mut rng = Rng::new(bytes as u64);
    (0..bytes).map(|_| rng.next_u64() as u8).collect()
}

fn intake(disk: &MemDisk, credit: &Credit, held_bytes: usize) -> Intake {
    let spool = Spool::open(Arc::new(disk.clone())).expect("memory");
    Intake::new(credit.clone(), spool, held_bytes)
}

fn read(body: &Body) -> Vec<u8> {
    let mut bytes = Vec::new();
    body.read().expect("opens").read_to_end(&mut bytes).expect("reads");
    bytes
}

#[test]
fn a_short_body_stays_in_memory_and_gives_its_credit_back_with_its_last_holder() {
    let (disk, credit) = (MemDisk::new(), Credit::new(1 << 20));
    let bytes = noise(100_000);
    let body = arrive(&intake(&disk, &credit, 200_000), bytes.chunks(1_400), 500).expect("memory");
    assert_eq!(body.held().expect("in memory"), &bytes);
    assert_eq!(credit.drawn(), 100_500, "what goes with it is counted too");
    let (copy, slice) = (body.clone(), body.held().expect("in memory").slice(..10));
    drop((body, copy));
    assert_eq!(credit.drawn(), 100_500);
    drop(slice);
    assert_eq!(credit.drawn(), 0);
}

#[test]
fn a_long_body_goes_to_disk_and_leaves_neither_credit_nor_name_behind() {
    let (disk, credit) = (MemDisk::new(), Credit::new(1 << 20));
    let bytes = noise(300_000);
    let body = arrive(&intake(&disk, &credit, 200_000), bytes.chunks(1_400), 500).expect("memory");
    assert!(body.held().is_none());
    assert_eq!((body.len(), body.digest()), (300_000, Sha1Digest::of(&bytes)));
    assert_eq!((read(&body), read(&body.clone())), (bytes.clone(), bytes.clone()), "as often as wanted");
    assert_eq!(body.start(1_000).expect("reads"), &bytes[..1_000]);
    assert_eq!(credit.drawn(), 0);
    assert!(credit.most() <= 200_000, "{}", credit.most());
    assert_eq!(files(&disk, SPOOL, ""), [] as [PathBuf; 0], "a death leaves nothing");
}

#[test]
fn without_credit_a_body_goes_on_with_what_a_connection_has() {
    let (disk, credit) = (MemDisk::new(), Credit::new(0));
    let intake = intake(&disk, &credit, 1 << 20);
    for bytes in [noise(10), noise(ARRIVING_BYTES), noise(10 * ARRIVING_BYTES)] {
        let body = arrive(&intake, [bytes.as_slice()], 500).expect("memory");
        assert!(body.held().is_none() && read(&body) == bytes);
    }
    assert_eq!(credit.most(), 0);
}

#[test]
fn a_slow_body_holds_nothing_that_others_could_use() {
    let (disk, credit) = (MemDisk::new(), Credit::new(1 << 20));
    let mut arriving = intake(&disk, &credit, 1 << 20).begin();
    for came in (1_000..400_000).step_by(1_000) {
        assert_eq!(arriving.take(&noise(1_000)), 1_000);
        assert!(credit.drawn() <= came * 3 / 2, "{} for {came} bytes", credit.drawn());
    }
}

#[test]
fn a_body_that_is_said_to_be_long_holds_what_its_connection_has_until_it_is() {
    let (disk, credit) = (MemDisk::new(), Credit::new(1 << 20));
    let mut arriving = intake(&disk, &credit, 1 << 20).begin().expecting(u64::MAX);
    assert_eq!(arriving.take(&noise(1_000)), 1_000);
    assert_eq!(credit.drawn(), 0);
    let Ok(body) = arriving.finish(500) else { panic!("there is credit") };
    assert_eq!((read(&body), credit.drawn()), (noise(1_000), 1_500));
}

#[test]
fn what_a_dead_run_left_in_the_spool_is_removed() {
    let disk = MemDisk::new();
    disk.create_dir(Path::new(SPOOL)).expect("memory");
    disk.open(&Path::new(SPOOL).join("3.body"), Mode::CreateNew).expect("memory");
    let body =
        arrive(&intake(&disk, &Credit::new(0), 0), [b"body".as_slice()], 0).expect("its names are free");
    assert_eq!(read(&body), b"body");
    assert_eq!(files(&disk, SPOOL, ""), [] as [PathBuf; 0]);
}

#[test]
fn a_disk_that_fails_fails_the_body_and_is_named() {
    let whole = |disk: &FaultyDisk| {
        let spool = Spool::open(Arc::new(disk.clone()))?;
        arrive(&Intake::new(Credit::new(0), spool, 0), noise(100_000).chunks(1_400), 0)
    };
    let counting = FaultyDisk::counting(MemDisk::new());
    whole(&counting).expect("nothing fails");
    for call in 0..counting.calls() {
        let plan = FaultPlan { call, fault: Fault::Full, lasts: Lasts::Forever };
        let disk = FaultyDisk::new(MemDisk::new(), plan);
        let result = whole(&disk);
        assert_eq!(result.is_err(), disk.failures() > 0, "call {call}");
        if let Err(error) = result {
            assert!(error.to_string().contains("spool"), "{error}");
        }
    }
}

#[test]
fn a_long_body_is_archived_and_read_back_as_a_stream() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    let bytes = noise(STORED_BODY_BYTES + STORED_BODY_BYTES / 2);
    let mut capture = capture(1);
    capture.body = spooled(&bytes);
    let kept = Kept { capture: Arc::new(capture.clone()), ..entry(1).capture.expect("it has one") };
    let entry = Entry { record: Vec::new(), capture: Some(kept) };
    let location = archive.commit(NOW, &[entry]).expect("memory").locations[0].expect("a capture");
    for _ in 0..2 {
        let body = archive.read(location).expect("stored").capture.body;
        assert!(body.held().is_none(), "no stage holds it");
        assert_eq!((body.len(), body.digest()), (bytes.len() as u64, capture.body.digest()));
        assert!(read(&body) == bytes);
        archive.finish().expect("closes the file, which gets another name");
    }
    check_warcs(&disk);
}

proptest! {
    #[test]
    fn any_body_comes_through_whole_and_within_the_credit(
        size in 0usize..200_000,
        part in 1usize..70_000,
        held in 0usize..200_000,
        credit in 0u64..200_000,
        beside in 0usize..2_000,
    ) {
        let (disk, credit) = (MemDisk::new(), Credit::new(credit));
        let bytes = noise(size);
        let body = arrive(&intake(&disk, &credit, held), bytes.chunks(part), beside).expect("memory");
        prop_assert_eq!(body.digest(), Sha1Digest::of(&bytes));
        prop_assert!(read(&body) == bytes);
        let memory = if body.held().is_some() { (size + beside) as u64 } else { 0 };
        prop_assert_eq!(credit.drawn(), memory);
        drop(body);
        prop_assert_eq!(credit.drawn(), 0);
    }
}
