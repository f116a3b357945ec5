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
    assert_eq!([0, 1, 1_234].map(|n| count_of(n, "page")), ["0 pages", "1 page", "1,234 pages"]);
    assert_eq!([1, 2].map(|n| count_of(n, "entry")), ["1 entry", "2 entries"]);
    assert_eq!([1, 2].map(|n| count_of(n, "delay")), ["1 delay", "2 delays"]);
    assert_eq!(format_duration_ms(245_000), "4 m 05 s");
}

#[test]
fn a_credit_gives_what_it_has_and_takes_it_back() {
    let credit = Credit::new(80);
    let (mut one, mut other) = (credit.lease(), credit.lease());
    assert_eq!(one.grow_to(60), Ok(()));
    assert_eq!(one.grow_to(50), Ok(()), "it holds more already");
    assert_eq!((other.grow_to(21), other.bytes()), (Err(Refused), 0), "all or nothing");
    assert!(!credit.is_short());
    assert_eq!(other.grow_to(10), Ok(()));
    assert!(credit.is_short(), "10 of 80 are left");
    one.shrink_to(5);
    drop(other);
    assert_eq!((credit.drawn(), credit.most(), credit.total(), credit.is_short()), (5, 70, 80, false));
    assert_eq!(one.grow_to(u64::MAX), Err(Refused));
}

proptest! {
    #[test]
    fn a_credit_is_never_overdrawn_and_never_leaks(steps in proptest::collection::vec((0usize..4, 0u64..60), 0..60)) {
        let credit = Credit::new(100);
        let mut held = [0; 4];
        let mut leases: Vec<Lease> = (0..4).map(|_| credit.lease()).collect();
        for (who, bytes) in steps {
            let others: u64 = held.iter().sum::<u64>() - held[who];
            if bytes < held[who] {
                leases[who].shrink_to(bytes);
                held[who] = bytes;
            } else {
                let granted = leases[who].grow_to(bytes).is_ok();
                prop_assert_eq!(granted, others + bytes <= 100);
                held[who] = if granted { bytes } else { held[who] };
            }
            prop_assert_eq!(credit.drawn(), held.iter().sum::<u64>());
        }
        drop(leases);
        prop_assert_eq!(credit.drawn(), 0);
    }
}

#[test]
fn threads_cannot_overdraw_a_credit_together() {
    let credit = Credit::new(1_000);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1_000 {
                    let mut lease = credit.lease();
                    let _ = lease.grow_to(400);
                }
            });
        }
    });
    assert_eq!(credit.drawn(), 0);
    assert!(credit.most() <= 800, "two of them fit, never three: {}", credit.most());
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

proptest! {
    #[test]
    fn fields_are_read_as_they_were_written(
        numbers: Vec<u64>,
        shift in 0u32..64,
        pairs in proptest::collection::vec((0u64..300, 0u64..300), 0..60),
        bytes: Vec<u8>
    ) {
        let mut out = Vec::new();
        let numbers: Vec<u64> = numbers.iter().map(|n| n >> shift).collect();
        for n in &numbers {
            wire::put_varint(&mut out, *n);
        }
        let long = numbers.iter().flat_map(|n| [[*n, 1], [1, *n]]);
        let pairs: Vec<[u64; 2]> = pairs.into_iter().map(|(a, b)| [a, b]).chain(long).collect();
        for pair in &pairs {
            wire::put_varints(&mut out, *pair);
        }
        wire::put_bytes(&mut out, &bytes);
        let mut fields = wire::Fields::new(&out);
        for n in numbers {
            prop_assert_eq!(fields.varint(), Some(n));
        }
        for pair in pairs {
            prop_assert_eq!(fields.varints(), Some(pair));
        }
        prop_assert_eq!(fields.counted_bytes(), Some(&bytes[..]));
        prop_assert!(fields.is_empty());
        prop_assert_eq!(fields.varint(), None);
    }

    #[test]
    fn what_two_texts_share_is_found(shared: Vec<u8>, a in "a[a-c]{0,20}", b in "b[a-c]{0,20}") {
        let [a, b] = [a, b].map(|rest| [&shared[..], rest.as_bytes()].concat());
        prop_assert_eq!(wire::shared_prefix(&a, &b), shared.len());
        prop_assert_eq!(wire::shared_prefix(&a, &a), a.len());
        prop_assert_eq!(wire::shared_prefix(&shared, &b), shared.len());
    }
}
