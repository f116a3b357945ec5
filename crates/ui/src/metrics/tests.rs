use super::render;
use crate::limits::LABELS;
use crate::view::{Mode, Standing};
use snapshot::Snapshot;
use std::collections::BTreeSet;
use std::sync::Arc;

fn rendered(snapshot: Snapshot) -> String {
    render(&Standing { crawl: "c".to_owned(), mode: Mode::Running, snapshot: Arc::new(snapshot) })
}

fn value<'a>(page: &'a str, sample: &str) -> Option<&'a str> {
    page.lines().find_map(|line| line.strip_prefix(sample)?.strip_prefix(' '))
}

#[test]
fn samples_follow_their_help_and_their_type() {
    let page = rendered(Snapshot { pages: 7, ..Snapshot::default() });
    let at = |needle: &str| page.find(needle).expect("it is there");
    assert!(at("# HELP drumlin_pages_total ") < at("# TYPE drumlin_pages_total counter"));
    assert!(at("# TYPE drumlin_pages_total counter") < at("\ndrumlin_pages_total 7\n"));
    let types: Vec<&str> = page.lines().filter(|line| line.starts_with("# TYPE ")).collect();
    let mut once = types.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(types.len(), once.len(), "each metric once");
}

#[test]
fn a_histogram_is_cumulative_and_in_seconds() {
    let mut snapshot = Snapshot::default();
    for took_ms in [2, 300, 100_000] {
        snapshot.resources.fetch.note(took_ms);
    }
    let page = rendered(snapshot);
    assert_eq!(value(&page, "drumlin_fetch_duration_seconds_bucket{le=\"0.001\"}"), Some("0"));
    assert_eq!(value(&page, "drumlin_fetch_duration_seconds_bucket{le=\"0.002\"}"), Some("1"));
    assert_eq!(value(&page, "drumlin_fetch_duration_seconds_bucket{le=\"65.536\"}"), Some("2"));
    assert_eq!(value(&page, "drumlin_fetch_duration_seconds_bucket{le=\"+Inf\"}"), Some("3"));
    assert_eq!(value(&page, "drumlin_fetch_duration_seconds_sum"), Some("100.302"));
}

#[test]
fn turns_handed_back_are_counted() {
    let mut snapshot = Snapshot::default();
    snapshot.resources.handed_back = 3;
    assert_eq!(value(&rendered(snapshot), "drumlin_turns_handed_back_total"), Some("3"));
}

#[test]
fn a_server_cannot_make_up_labels_without_end() {
    let statuses = (100..1000).map(|status| (status, u64::from(status))).collect();
    let page = rendered(Snapshot { statuses, ..Snapshot::default() });
    let lines = page.lines().filter(|line| line.starts_with("drumlin_responses_total{"));
    assert_eq!(lines.count(), LABELS);
    let kept: u64 = (951..1000).sum();
    let others = (100..1000).sum::<u64>() - kept;
    assert_eq!(value(&page, "drumlin_responses_total{status=\"other\"}"), Some(&*others.to_string()));
}

#[test]
fn a_label_cannot_end_its_line() {
    let out_of_scope = [("pattern \"a\\b\"\n".to_owned(), 1)].into();
    let page = rendered(Snapshot { out_of_scope, ..Snapshot::default() });
    let sample = "drumlin_links_out_of_scope_total{rule=\"pattern \\\"a\\\\b\\\"\\n\"}";
    assert_eq!(value(&page, sample), Some("1"));
}

/// Names of metrics in a text.
fn names(text: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c| !is_part(c)).filter(|word| word.starts_with("drumlin_")).collect()
}

#[test]
fn grafana_asks_for_metrics_that_are_there() {
    let dashboard = include_str!("../../../../packaging/grafana/drumlin.json");
    let parsed: serde_json::Value = serde_json::from_str(dashboard).expect("JSON");
    assert!(parsed["panels"].as_array().is_some_and(|panels| panels.len() > 10));
    let page = rendered(Snapshot::default());
    let exported = names(&page);
    let missing: Vec<&str> = names(dashboard).difference(&exported).copied().collect();
    assert!(missing.is_empty(), "{missing:?}");
}
