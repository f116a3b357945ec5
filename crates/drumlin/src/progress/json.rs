use super::rate::Rate;
use serde_json::{Value, json};
use snapshot::Snapshot;
use stdx::WallTime;

/// A crawl in one line for programs: the snapshot's own fields, and speed.
pub(super) fn progress(snapshot: &Snapshot, rate: Rate, estimate_ms: Option<u64>) -> Value {
    let mut line = json!({
        "event": "progress",
        "time": WallTime::from_unix_ms(snapshot.now_ms).iso_millis(),
        "pages_per_s": tenths(rate.pages),
        "bytes_per_s": rate.bytes.max(0.0) as u64,
        "errors": snapshot.failed(),
        "left_ms": estimate_ms,
    });
    if let (Value::Object(line), Ok(Value::Object(fields))) = (&mut line, serde_json::to_value(snapshot)) {
        line.extend(fields);
    }
    line
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
