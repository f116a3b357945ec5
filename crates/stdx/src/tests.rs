use super::*;
use proptest::prelude::*;

#[test]
fn dates_are_written_as_warc_and_cdxj_want_them() {
    let t = WallTime::from_unix_ms(1_795_170_484_250);
    assert_eq!(t.iso_seconds(), "2026-11-20T10:28:04Z");
    assert_eq!(t.iso_millis(), "2026-11-20T10:28:04.250Z");
    assert_eq!(t.digits14(), "20261120102804");
    assert_eq!(WallTime::parse_iso("2024-02-29T00:00:00Z").unwrap().digits14(), "20240229000000");
    for bad in ["", "2024-02-29", "2024-13-01T00:00:00Z", "2024-02-29T00:00:00", "x-02-29T00:00:00Z"] {
        assert_eq!(WallTime::parse_iso(bad), None, "{bad}");
    }
}

#[test]
fn units_are_read_as_people_type_them() {
    assert_eq!(parse_bytes("64K"), Ok(65_536));
    assert_eq!(parse_bytes("1.5GiB"), Ok(1_610_612_736));
    assert_eq!(parse_bytes("7"), Ok(7));
    assert!(parse_bytes("many").is_err());
    assert_eq!(parse_duration_ms("1.5"), Ok(1500));
    assert_eq!(parse_duration_ms("250ms"), Ok(250));
    assert_eq!(parse_duration_ms("10m"), Ok(600_000));
    assert!(parse_duration_ms("-3").is_err());
    assert_eq!(format_bytes(1_449_000_000), "1.4 GB");
    assert_eq!(format_bytes(999_600), "1.0 MB");
    assert_eq!(format_count(1_234_567), "1,234,567");
    assert_eq!(format_duration_ms(245_000), "4 m 05 s");
}

#[test]
fn a_full_queue_gives_the_item_back() {
    let mut queue = BoundedQueue::new(1);
    assert_eq!(queue.push(1), Ok(()));
    assert!(queue.is_full());
    assert_eq!(queue.push(2), Err(2));
    assert_eq!(queue.pop(), Some(1));
    assert!(queue.is_empty());
}

proptest! {
    #[test]
    fn iso_round_trips(ms in 0u64..253_402_300_799_000) {
        let t = WallTime::from_unix_ms(ms);
        prop_assert_eq!(WallTime::parse_iso(&t.iso_millis()), Some(t));
    }

    #[test]
    fn below_stays_below(seed in any::<u64>(), bound in 1u64..) {
        prop_assert!(crate::Rng::new(seed).below(bound) < bound);
    }
}
