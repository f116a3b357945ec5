use super::Findings;
use crate::log::ServerLog;
use stdx::{Map, Timestamp};

/// Judges the server's log: no two contacts with hosts of one group start closer than promised, and none closer to the start
/// of a run, whatever the run before did. `group_of` gives a host's group and its interval.
pub fn groups(log: &ServerLog, group_of: impl Fn(&str) -> Option<(u32, u64)>) -> Vec<String> {
    let mut findings = Findings::default();
    let mut last: Map<u32, Timestamp> = stdx::map();
    for contact in log.in_order() {
        let Some((group, interval_ms)) = group_of(&contact.host) else { continue };
        let begun = log.runs[contact.run].started;
        let before = last.insert(group, contact.started).map_or(begun, |before| before.max(begun));
        if contact.started < before + interval_ms {
            let (at, before) = (contact.started.as_ms(), before.as_ms());
            findings.add(|| format!("group {group}: {} at {at}, after {before}", contact.url));
        }
    }
    findings.into_vec()
}
