use super::{History, Span};
use crate::limits::{RECENT_SAMPLES, WHOLE_SAMPLES};
use serde_json::Value;
use snapshot::Snapshot;

fn after(seconds: u64) -> History {
    let mut history = History::new();
    for second in 0..seconds {
        history.note(&Snapshot { now_ms: (second + 1) * 1000, pages: second, ..Snapshot::default() });
    }
    history
}

fn moments(history: &History, span: Span) -> Vec<u64> {
    moments_since(history, span, 0)
}

fn moments_since(history: &History, span: Span, since_ms: u64) -> Vec<u64> {
    let value = history.json(span, since_ms);
    let rows = value["rows"].as_array().cloned().unwrap_or_default();
    rows.iter().map(|row: &Value| row[0].as_u64().expect("a moment")).collect()
}

#[test]
fn a_short_run_is_all_there() {
    let history = after(5);
    assert_eq!(moments(&history, Span::Whole), [1000, 2000, 3000, 4000, 5000]);
    assert_eq!(moments(&history, Span::Recent), moments(&history, Span::Whole));
    assert_eq!(moments_since(&history, Span::Recent, 3000), [4000, 5000]);
}

#[test]
fn a_long_run_takes_no_more_and_is_seen_from_its_beginning_to_its_end() {
    let history = after(100_000);
    let whole = moments(&history, Span::Whole);
    assert!(whole.len() <= WHOLE_SAMPLES + 1 && whole.len() > WHOLE_SAMPLES / 2, "{}", whole.len());
    assert_eq!((whole[0], *whole.last().expect("not empty")), (1000, 100_000_000));
    let steps: Vec<u64> = whole.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps[..steps.len() - 1].iter().all(|step| *step == steps[0]), "evenly spaced");
    assert_eq!(moments(&history, Span::Recent).len(), RECENT_SAMPLES);
}

#[test]
fn percentiles_are_of_late() {
    let mut history = History::new();
    let mut snapshot = Snapshot::default();
    for took_ms in [2000; 20].into_iter().chain([10; 20]) {
        snapshot.now_ms += 1000;
        snapshot.resources.fetch.note(took_ms);
        history.note(&snapshot);
    }
    let value = history.json(Span::Recent, 0);
    let at = value["columns"].as_array().and_then(|names| names.iter().position(|name| name == "p99_ms"));
    let last = &value["rows"][39][at.expect("a column")];
    assert!(last.as_u64().is_some_and(|ms| ms <= 12), "{last}");
}
