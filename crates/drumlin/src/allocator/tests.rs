use super::*;

#[track_caller]
fn check(memory: u64, mapped_bytes: u64) {
    let expected = Thresholds { mapped_bytes, trimmed_bytes: 8 * mapped_bytes };
    assert_eq!(Thresholds::of(memory), expected);
}

#[test]
fn thresholds_follow_the_memory_within_limits() {
    check(64 << 20, 64 << 10);
    check(512 << 20, 512 << 10);
    check(64 << 30, 4 << 20);
}
