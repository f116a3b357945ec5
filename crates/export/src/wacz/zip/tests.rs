use super::{Entry, end, end_64};

const LARGE: u64 = 5 << 30;

/// The value in the 64-bit field of number `nth`.
fn number(extra: &[u8], nth: usize) -> u64 {
    assert_eq!(extra[..2], [1, 0]);
    u64::from_le_bytes(extra[4 + 8 * nth..12 + 8 * nth].try_into().unwrap())
}

#[test]
fn what_32_bits_cannot_say_stands_in_64() {
    let small = Entry { name: "a", crc: 1, bytes: 7, offset: LARGE };
    let central = small.central();
    assert_eq!(small.local().len(), 30 + 1);
    assert_eq!(central[24..28], 7u32.to_le_bytes());
    assert_eq!(central[42..46], u32::MAX.to_le_bytes());
    assert_eq!((central.len(), number(&central[47..], 0)), (46 + 1 + 12, LARGE));
    let large = Entry { bytes: LARGE + 1, ..small };
    let (local, central) = (large.local(), large.central());
    assert_eq!(local[18..26], [255; 8]);
    assert_eq!([0, 1].map(|nth| number(&local[31..], nth)), [LARGE + 1; 2]);
    assert_eq!([0, 1, 2].map(|nth| number(&central[47..], nth)), [LARGE + 1, LARGE + 1, LARGE]);
}

#[test]
fn a_small_directory_ends_as_ever() {
    assert_eq!(end_64(3, 100, 1_000), Vec::<u8>::new());
    assert_eq!(end(3, 100, 1_000).len(), 22);
    let large = end_64(3, 100, LARGE);
    assert_eq!(large.len(), 56 + 20);
    assert_eq!(large[48..56], LARGE.to_le_bytes());
    assert_eq!(large[64..72], (LARGE + 100).to_le_bytes());
}
