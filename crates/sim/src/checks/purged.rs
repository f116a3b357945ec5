use super::archive::{Captured, captures};
use super::rows::{points_at, rows};
use corpus::Row;
use disk::SharedDisk;
use std::collections::BTreeMap;

/// What a crawl at rest holds.
#[derive(Debug, Clone, Default)]
pub struct Holdings {
    /// Its responses and revisits.
    pub captures: Vec<Captured>,
    /// Its corpus.
    pub rows: Vec<Row>,
}

impl Holdings {
    /// Of the files on a disk.
    pub fn of(disk: &SharedDisk) -> Result<Self, String> {
        Ok(Self { captures: captures(disk)?, rows: rows(disk)? })
    }
}

/// Judges a purge: of what is covered nothing is left, whatever else was there is there once, under the same id, URL and status,
/// and its row says where it stands now.
pub fn purged(before: &Holdings, after: &Holdings, is_covered: impl Fn(&str) -> bool) -> Vec<String> {
    let mut wrong = left_out(&before.captures, &after.captures, &is_covered);
    let kept: BTreeMap<&str, &Captured> =
        after.captures.iter().map(|capture| (capture.id.as_str(), capture)).collect();
    if kept.len() != after.captures.len() {
        wrong.push(format!("{} captures under {} ids", after.captures.len(), kept.len()));
    }
    wrong.extend(kept.values().filter(|c| is_covered(&c.url)).map(|c| format!("left: {}", c.url)));
    let astray = |row: &&Row| kept.get(id_of(row)).is_none_or(|capture| !points_at(row, capture));
    wrong
        .extend(after.rows.iter().filter(astray).map(|row| format!("the row points elsewhere: {}", row.url)));
    // A purge that died before may have taken the capture of a row, and was taken back.
    let stays = |row: &&Row| !is_covered(&row.url) && kept.contains_key(id_of(row));
    let expected = before.rows.iter().filter(stays).count();
    if after.rows.len() != expected {
        wrong.push(format!("{} rows, where {expected} stay", after.rows.len()));
    }
    wrong
}

/// Judges a purge that was interrupted, or anything later: what was there before and is not covered is there.
pub fn left_out(before: &[Captured], after: &[Captured], is_covered: impl Fn(&str) -> bool) -> Vec<String> {
    let there: BTreeMap<&str, &Captured> =
        after.iter().map(|capture| (capture.id.as_str(), capture)).collect();
    let is_lost = |capture: &&Captured| {
        let now = there.get(capture.id.as_str());
        !is_covered(&capture.url)
            && now.is_none_or(|now| (&now.url, now.status) != (&capture.url, capture.status))
    };
    before.iter().filter(is_lost).map(|capture| format!("lost: {} {}", capture.id, capture.url)).collect()
}

fn id_of(row: &Row) -> &str {
    row.id.trim_matches(['<', '>'])
}
