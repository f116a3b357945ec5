use super::Health;
use crate::limits::{UPSTREAM_FAILURES, UPSTREAM_REST_MAX_MS, UPSTREAM_REST_MS};
use stdx::Timestamp;

#[test]
fn a_few_failures_in_a_row_mean_a_rest_that_doubles() {
    let now = Timestamp::from_ms(1_000_000);
    let mut health = Health::default();
    for _ in 1..UPSTREAM_FAILURES {
        health.failed(now);
        assert!(health.is_well(now));
    }
    health.failed(now);
    assert!(!health.is_well(now + (UPSTREAM_REST_MS - 1)) && health.is_well(now + UPSTREAM_REST_MS));
    health.failed(now);
    assert!(!health.is_well(now + (2 * UPSTREAM_REST_MS - 1)) && health.is_well(now + 2 * UPSTREAM_REST_MS));
    for _ in 0..100 {
        health.failed(now);
    }
    assert!(health.is_well(now + UPSTREAM_REST_MAX_MS));
    assert!(!health.has_answered_since(now));
    health.answered(now);
    assert!(health.is_well(now));
    assert!(health.has_answered_since(now) && !health.has_answered_since(now + 1));
}
