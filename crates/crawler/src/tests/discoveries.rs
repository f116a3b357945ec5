//! Discoveries in a record of the journal.

use super::examples::found;
use crate::limits::DISCOVERY_BYTES_PER_RECORD;
use crate::{Discoveries, Record};
use frontier::{CaptureSeq, Discovered, Kind, Origin};
use proptest::prelude::*;
use stdx::wire::{put_varint, put_varints};
use weburl::KeyHash;

/// As a record has them, and as it is read back.
fn read_back(discoveries: &Discoveries) -> Option<Discoveries> {
    let (from, origin) = (Some(CaptureSeq(4)), Origin::Seed);
    let record = Record::Discovered { from, origin, discoveries: discoveries.clone() };
    match Record::decode(1, &record.encode()).ok()? {
        Record::Discovered { discoveries, .. } => Some(discoveries),
        other => panic!("{other:?}"),
    }
}

/// What a program makes of a record whose discoveries are these bytes.
fn read(packed: &[u8]) -> Option<Discoveries> {
    let (from, origin, discoveries) = (None, Origin::Seed, Discoveries::default());
    let mut record = Record::Discovered { from, origin, discoveries }.encode();
    assert_eq!(record.pop(), Some(0), "no bytes");
    stdx::wire::put_bytes(&mut record, packed);
    match Record::decode(1, &record).ok()? {
        Record::Discovered { discoveries, .. } => Some(discoveries),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn discoveries_are_read_as_they_were_written(
        sent in proptest::collection::vec((0u8..3, "[ab]{0,20}é?[ab]{0,3}", any::<u64>(), any::<u32>(), 0u8..3, any::<bool>()), 0..40)
    ) {
        let mut discoveries = Discoveries::default();
        for (shard, url, key, depth, hops, sitemap) in &sent {
            let kind = if *sitemap { Kind::Sitemap } else { Kind::Page };
            let (key, depth, hops) = (KeyHash(*key), *depth, *hops);
            discoveries.push(*shard, Discovered { url, key, depth, hops, kind });
        }
        prop_assert_eq!(read_back(&discoveries), Some(discoveries));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(0u8..12, 0..80)) {
        if let Some(discoveries) = read(&bytes) {
            prop_assert_eq!(read_back(&discoveries), Some(discoveries));
        }
    }
}

#[test]
fn what_neighbours_share_is_written_once() {
    let mut discoveries = Discoveries::default();
    let long = "x".repeat(1000);
    for n in 0..100 {
        discoveries.push(3, (&found(&format!("http://a.example/{long}/{n:03}"), 1)).into());
    }
    let record = Record::Discovered { from: None, origin: Origin::Seed, discoveries };
    assert!(record.encode().len() < 1000 + 100 * 20, "{}", record.encode().len());
}

#[test]
fn a_record_that_would_grow_beyond_its_limit_is_refused() {
    let long = DISCOVERY_BYTES_PER_RECORD / 2;
    let like_the_first = |others: u64| {
        let mut packed = vec![3];
        put_varint(&mut packed, 1 + others);
        for nth in 0..=others {
            put_varint(&mut packed, 0);
            let (shared, rest) = if nth == 0 { (0, long) } else { (long, 0) };
            put_varints(&mut packed, [shared as u64, rest as u64]);
            packed.extend_from_slice(&[0; 8]);
            packed.resize(packed.len() + rest, b'x');
        }
        packed
    };
    assert_eq!(read(&like_the_first(1)).map(|discoveries| discoveries.len()), Some(2));
    assert_eq!(read(&like_the_first(2)), None);
    assert_eq!(read(&like_the_first(1_000_000)), None);
}

#[test]
fn a_text_cut_within_a_character_is_refused() {
    let sharing = |shared: u64| {
        let mut packed = vec![3, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0];
        packed.extend_from_slice("é".as_bytes());
        packed.push(0);
        put_varints(&mut packed, [shared, 2 - shared]);
        packed.extend_from_slice(&[0; 8]);
        packed.extend_from_slice(&"é".as_bytes()[shared as usize..]);
        packed
    };
    assert_eq!(read(&sharing(0)), read(&sharing(2)));
    assert_eq!(read(&sharing(1)), read(&sharing(0)), "what it shares may end within one");
    let cut = [3, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xC3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xA9];
    assert_eq!(read(&cut), None);
}
