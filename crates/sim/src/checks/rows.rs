use super::archive::Captured;
use corpus::{Reader, Row};
use disk::SharedDisk;
use simweb::{End, Media, Truth, Web};
use std::collections::BTreeMap;
use std::path::Path;

const DIR: &str = "corpus";

/// Every row of the corpus, read file by file.
pub fn rows(disk: &SharedDisk) -> Result<Vec<Row>, String> {
    let dir = Path::new(DIR);
    let names = disk.list(dir).map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    for name in &names {
        if !name.ends_with(".parquet") {
            return Err(format!("left over: {name}"));
        }
        for row in Reader::open(disk.as_ref(), &dir.join(name)).map_err(|error| error.to_string())? {
            rows.push(row.map_err(|error| error.to_string())?);
        }
    }
    Ok(rows)
}

/// Judges the corpus: its rows are exactly the text pages that the archive holds with a 200, once each, and each says
/// where its record is.
pub fn rows_exact(rows: &[Row], captures: &[Captured], web: &Web, truth: &Truth) -> Vec<String> {
    let is_text = |capture: &&Captured| {
        let end = web.canonical(&capture.url).and_then(|url| truth.urls.get(&url)).map(|fate| fate.end);
        capture.status == 200
            && matches!(end, Some(End::Page(Media::Html | Media::Text | Media::Xml) | End::Ruined))
    };
    let mut open: BTreeMap<&str, &Captured> =
        captures.iter().filter(is_text).map(|capture| (capture.id.as_str(), capture)).collect();
    let mut wrong = Vec::new();
    for row in rows {
        match open.remove(row.id.trim_matches(['<', '>'])) {
            Some(capture) if points_at(row, capture) => {}
            Some(_) => wrong.push(format!("points elsewhere: {}", row.url)),
            None => wrong.push(format!("twice, or no page of the archive: {} {}", row.id, row.url)),
        }
    }
    wrong.extend(open.values().map(|capture| format!("no row: {}", capture.url)));
    wrong
}

pub(super) fn points_at(row: &Row, capture: &Captured) -> bool {
    row.url == capture.url
        && row.warc_file == capture.file
        && (row.warc_offset, row.warc_length) == (capture.offset, capture.length)
}
