use super::{Pace, RateFloor};
use std::time::Duration;
use tokio::time::Instant;

/// 100 bytes/s over windows of 2 s; each step says how much came and when the judge came.
fn check(steps: &[(usize, u64)], expected: Pace) {
    let start = Instant::now();
    let mut floor = RateFloor::new(100, 2_000, start);
    let mut pace = Pace::Fine;
    for (bytes, at_ms) in steps {
        floor.count(*bytes);
        pace = floor.judge(start + Duration::from_millis(*at_ms));
    }
    assert_eq!(pace, expected, "{steps:?}");
}

#[test]
fn nothing_is_said_before_a_window_ends() {
    check(&[(0, 0), (0, 1_999)], Pace::Fine);
}

#[test]
fn a_window_is_judged_by_its_average() {
    check(&[(200, 2_000)], Pace::Fine);
    check(&[(199, 2_000)], Pace::TooSlow);
    check(&[(200, 100), (0, 2_000)], Pace::Fine);
}

#[test]
fn a_fast_window_does_not_pay_for_a_slow_one() {
    check(&[(100_000, 2_000), (10, 4_000)], Pace::TooSlow);
    check(&[(200, 2_000), (200, 4_000), (200, 6_000)], Pace::Fine);
}

#[test]
fn time_that_was_ours_is_not_the_servers() {
    let start = Instant::now();
    let mut floor = RateFloor::new(100, 2_000, start);
    floor.excuse(Duration::from_secs(5));
    assert_eq!(floor.judge(start + Duration::from_millis(6_999)), Pace::Fine);
    assert_eq!(floor.judge(start + Duration::from_secs(7)), Pace::TooSlow);
}

#[test]
fn a_late_judge_counts_one_window() {
    check(&[(250, 5_000)], Pace::Fine);
}
