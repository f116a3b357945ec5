use crate::{LedOut, SeedLedOut, Snapshot, Strain, Waits, WaitsFor};
use serde_json::Value;

const DOCUMENTED: &str = include_str!("../../../docs/formats/status.md");

/// Keys of objects at all depths.
fn keys_of<'a>(value: &'a Value, keys: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, field)| {
            keys.push(key);
            keys_of(field, keys);
        }),
        Value::Array(elements) => elements.iter().for_each(|element| keys_of(element, keys)),
        _ => {}
    }
}

#[test]
fn every_key_is_in_the_document() {
    let [seed, to, rule] = ["https://a.example/", "https://b.example/", "scope"].map(str::to_owned);
    let snapshot = Snapshot {
        led_out: LedOut { seeds: 1, first: vec![SeedLedOut { seed, to, rule }] },
        strain: Strain { waits: [(WaitsFor::Turn, Waits::default())].into(), ..Strain::default() },
        ..Snapshot::default()
    };
    let value = serde_json::to_value(snapshot).expect("plain values");
    let mut keys = Vec::new();
    keys_of(&value, &mut keys);
    assert!(keys.len() > 50, "all of them: {keys:?}");
    let missing: Vec<&str> =
        keys.into_iter().filter(|key| !DOCUMENTED.contains(&format!("`{key}`"))).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn failures_of_robots_are_told_apart_by_kind() {
    let mut strain = Strain::default();
    for host in 0..100 {
        strain.note_robots(&format!("TLS handshake: certificate expired (on {host})"));
        strain.note_robots("connect: Connection refused (os error 111)");
    }
    let counts: Vec<(&str, u64)> =
        strain.robots.iter().map(|(kind, hosts)| (kind.as_str(), *hosts)).collect();
    assert_eq!(counts, [("TLS handshake: certificate expired", 100), ("connect: Connection refused", 100)]);
}
