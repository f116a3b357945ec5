use super::rate::Rate;
use snapshot::{Offline, Snapshot};
use stdx::{count_of, format_bytes, format_count, format_duration_ms};

/// A crawl in one line of at most `columns` columns; what does not fit is left off, least important last.
pub(super) fn live_line(snapshot: &Snapshot, rate: Rate, estimate_ms: Option<u64>, columns: usize) -> String {
    let mut parts = match snapshot.at_its_end() {
        Some(ending) => vec![ending, pages(snapshot), errors(snapshot)],
        None => parts_of(snapshot, rate, estimate_ms),
    };
    if snapshot.paused {
        parts.insert(0, "PAUSED: drumlin ctl DIR resume".to_owned());
    }
    if snapshot.disk_low {
        parts.insert(0, "PAUSED: disk nearly full".to_owned());
    }
    if let Some(Offline { since_ms, because }) = &snapshot.strain.offline {
        let lasts = format_duration_ms(snapshot.now_ms.saturating_sub(*since_ms));
        parts.insert(0, format!("OFFLINE for {lasts}: nobody answers"));
        parts.insert(1, because.clone());
    }
    fit(&parts, columns)
}

fn parts_of(snapshot: &Snapshot, rate: Rate, estimate_ms: Option<u64>) -> Vec<String> {
    let mut parts = vec![
        pages(snapshot),
        format!("{:.1}/s", rate.pages.max(0.0)),
        format!("{}/s", format_bytes(rate.bytes.max(0.0) as u64)),
        format!("{} queued", format_count(snapshot.queued)),
    ];
    parts.extend(estimate_ms.map(|ms| format!("about {} left", format_duration_ms(ms))));
    parts.push(format!("hosts {} active {} waiting", snapshot.hosts_active, snapshot.hosts_waiting));
    parts.push(errors(snapshot));
    if snapshot.strain.undecided > 0 {
        parts.push(format!("{} to merge", count_of(snapshot.strain.undecided, "link")));
    }
    parts
}

fn pages(snapshot: &Snapshot) -> String {
    count_of(snapshot.pages, "page")
}

fn errors(snapshot: &Snapshot) -> String {
    count_of(snapshot.failed(), "error")
}

/// A full last column would make some terminals wrap, so one stays free.
fn fit(parts: &[String], columns: usize) -> String {
    const BETWEEN: &str = " · ";
    let room = columns.saturating_sub(1);
    let mut line = String::new();
    for part in parts {
        let between = if line.is_empty() { "" } else { BETWEEN };
        if line.chars().count() + between.chars().count() + part.chars().count() > room {
            break;
        }
        line.push_str(between);
        line.push_str(part);
    }
    line
}
