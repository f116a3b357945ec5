//! The index as a table, in Common Crawl's columns (`commoncrawl/cc-index-table`, the flat schema).

mod columns;
mod host;

use crate::error::{Error, Result};
use crate::index_lines::{Lines, broken};
use crate::limits::{BATCH_BYTES, ROW_GROUP_SHARE};
use crate::new_file::or_withdraw;
use columns::{Columns, Row};
use control::Takedowns;
use corpus::Table;
use disk::Disk;
use serde::Deserialize;
use std::path::Path;
use stdx::WallTime;

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CcIndex {
    /// Rows: one for each line of the index.
    pub rows: u64,
    /// Lines that have none, because what they are of was taken down.
    pub withheld: u64,
    /// Bytes of the table.
    pub bytes: u64,
}

/// The fields of a CDXJ line that have a column.
#[derive(Deserialize)]
struct Fields {
    url: String,
    mime: Option<String>,
    #[serde(rename = "mime-detected")]
    mime_detected: Option<String>,
    status: Option<String>,
    digest: Option<String>,
    length: String,
    offset: String,
    filename: String,
    charset: Option<String>,
    languages: Option<String>,
    truncated: Option<String>,
    redirect: Option<String>,
}

/// Writes the sorted CDXJ `index`, less what was `taken` down, as `cc-index.parquet` into `dir`: a row a line, in the same order,
/// which is that of SURTs. Takes about `memory_bytes`.
pub fn cc_index(
    disk: &dyn Disk,
    index: &Path,
    taken: &Takedowns,
    dir: &Path,
    memory_bytes: usize,
) -> Result<CcIndex> {
    disk.create_dir(dir).map_err(Error::disk(dir))?;
    or_withdraw(write(disk, index, taken, dir, memory_bytes), disk, dir)
}

fn write(
    disk: &dyn Disk,
    index: &Path,
    taken: &Takedowns,
    dir: &Path,
    memory_bytes: usize,
) -> Result<CcIndex> {
    let mut lines = Lines::open(disk, index, taken)?;
    let unique = ["url_surtkey", "url", "warc_record_offset"];
    let mut table = Table::create(
        disk,
        dir.join("cc-index.parquet"),
        columns::schema(),
        &unique,
        memory_bytes / ROW_GROUP_SHARE,
    )?;
    let mut waiting = Columns::default();
    let mut rows = 0;
    while let Some(line) = lines.next()? {
        let fields: Fields =
            serde_json::from_slice(line.fields()).map_err(|_| broken(index, line.number)())?;
        waiting.push(row(line.key(), line.time(), fields));
        rows += 1;
        if waiting.bytes() >= BATCH_BYTES {
            table.write(waiting.take())?;
        }
    }
    table.write(waiting.take())?;
    Ok(CcIndex { rows, withheld: lines.withheld(), bytes: table.finish(disk, &[])? })
}

fn row(key: &str, time: Option<WallTime>, fields: Fields) -> Row {
    let status = fields.status.and_then(|status| status.parse().ok());
    Row {
        surt: key.to_owned(),
        subset: subset(&fields.url, status),
        url: fields.url,
        time,
        status,
        redirect: fields.redirect,
        digest: fields.digest.map(|digest| digest.trim_start_matches("sha1:").to_owned()),
        mime: fields.mime,
        mime_detected: fields.mime_detected,
        charset: fields.charset,
        languages: fields.languages,
        truncated: fields.truncated,
        crawl: corpus::crawl_of(&fields.filename).to_owned(),
        filename: fields.filename,
        offset: fields.offset.parse().ok(),
        length: fields.length.parse().ok(),
    }
}

/// Common Crawl's partitions: robots.txt, pages, and answers that are no pages.
fn subset(url: &str, status: Option<i16>) -> &'static str {
    if url.split(['?', '#']).next().is_some_and(|path| path.ends_with("/robots.txt")) {
        "robotstxt"
    } else if status == Some(200) {
        "warc"
    } else {
        "crawldiagnostics"
    }
}
