use super::{Pace, Stage, now};
use serde_json::json;
use std::time::Duration;
use stdx::Step;

const STAGE: &str = "reading the journal";

#[test]
fn a_step_has_its_rate_and_an_estimate() {
    let pace = Pace::of(Step::bytes(STAGE, 30_000_000, 90_000_000), 10_000_000, Duration::from_secs(4));
    assert_eq!(pace.line(), "reading the journal: 30.0 MB of 90.0 MB, 33 %, 5.0 MB/s, about 12.0 s left");
    let expected = json!({
        "event": "progress", "stage": STAGE, "unit": "bytes", "done": 30_000_000, "of": 90_000_000,
        "per_s": 5_000_000, "left_ms": 12_000,
    });
    assert_eq!(pace.json(), expected);
}

#[test]
fn what_is_not_known_is_not_guessed() {
    let unknown = Pace::of(Step::items(STAGE, 5_000, 0), 0, Duration::from_secs(2));
    assert_eq!(unknown.line(), "reading the journal: 5,000, 2,500/s");
    assert_eq!((&unknown.json()["of"], &unknown.json()["left_ms"]), (&json!(null), &json!(null)));
    let stuck = Pace::of(Step::items(STAGE, 7, 10), 7, Duration::from_secs(2));
    assert_eq!(stuck.line(), "reading the journal: 7 of 10, 70 %, 0/s");
}

#[test]
fn more_than_there_was_to_be_is_the_whole() {
    let pace = Pace::of(Step::items(STAGE, 12, 10), 0, Duration::ZERO);
    assert!(pace.line().contains("12 of 10, 100 %") && pace.left_ms == Some(0), "{}", pace.line());
}

#[test]
fn a_second_pass_under_the_same_name_has_a_time_of_its_own() {
    let stage = Stage { name: STAGE, began: now(), from: 10, shown: now(), last: 100 };
    let has = |stage_name, done| stage.has(Step::bytes(stage_name, done, 200));
    assert!(has(STAGE, 120) && has(STAGE, 60), "a little behind is where it has been");
    assert!(!has(STAGE, 20) && !has(STAGE, 0) && !has("something else", 120));
}
