//! What is shared by the tests of files, recovery and limits.

mod crash;
mod duplicates;
mod files;
mod limits;
mod revising;

use crate::{CorpusLimits, Held, Ranges, Reader, Row, Writer};
use disk::{Disk, MemDisk, SharedDisk};
use std::path::Path;
use std::sync::Arc;
use stdx::WallTime;

const DIR: &str = "crawl/corpus";

const SMALL: CorpusLimits =
    CorpusLimits { row_group_bytes: 4_000, row_group_rows: 3, file_bytes: 1 << 30, file_rows: 5 };

fn dir() -> &'static Path {
    Path::new(DIR)
}

fn open(disk: &SharedDisk, limits: CorpusLimits) -> (Writer, Held) {
    Writer::open(Arc::clone(disk), dir(), limits).unwrap()
}

fn memory() -> SharedDisk {
    Arc::new(MemDisk::new())
}

/// A row that is a function of its capture, with every optional column absent in some.
fn row(capture: u64) -> Row {
    let every = |n: u64, value: &str| (capture.is_multiple_of(n)).then(|| value.to_owned());
    Row {
        capture,
        id: format!("<urn:uuid:00000000-0000-4000-8000-{capture:012}>"),
        url: format!("https://example.com/{capture}?q=ü"),
        status: if capture.is_multiple_of(7) { 404 } else { 200 },
        fetched: WallTime::from_unix_ms(1_795_170_484_250 + capture * 1_001),
        title: every(2, "Düne – \u{1f3dc}"),
        language: every(3, "de"),
        language_score: if capture.is_multiple_of(3) { 0.75 } else { 0.0 },
        text: "Sand\nund Wind. ".repeat((capture % 50) as usize),
        digest: format!("blake3:{capture:064x}"),
        content_type: "text/html".to_owned(),
        charset: "UTF-8".to_owned(),
        depth: (capture % 9) as u32,
        warc_file: "example-20261120102804-00000.warc.gz".to_owned(),
        warc_offset: capture * 40_000,
        warc_length: 39_000,
        truncated: every(11, "length"),
        author: every(2, "Frank"),
        published: every(3, "1965-08-01"),
        site: every(5, "Arrakis"),
        simhash: (!capture.is_multiple_of(4)).then_some(capture << 60 | capture),
        preferences: every(2, "train-ai=n, tdm=n"),
        license: every(3, "https://creativecommons.org/licenses/by/4.0/"),
    }
}

/// Names of the closed files; fails on anything else in the directory.
fn closed_files(disk: &dyn Disk) -> Vec<String> {
    let names = disk.list(dir()).unwrap();
    assert!(names.iter().all(|name| name.ends_with(".parquet")), "{names:?}");
    names
}

/// Every row of every closed file, in order.
fn rows(disk: &dyn Disk) -> Vec<Row> {
    let files = closed_files(disk);
    files.iter().flat_map(|name| Reader::open(disk, &dir().join(name)).unwrap()).map(Result::unwrap).collect()
}

/// The corpus holds exactly the rows of `captures`, each once, and says so.
fn check(disk: &SharedDisk, captures: impl IntoIterator<Item = u64>) {
    let mut expected: Vec<Row> = captures.into_iter().map(row).collect();
    let mut found = rows(&**disk);
    expected.sort_by_key(|row| row.capture);
    found.sort_by_key(|row| row.capture);
    assert_eq!(found, expected);
    let (_, held) = open(disk, SMALL);
    assert_eq!(held.captures, found.iter().map(|row| row.capture).collect::<Ranges>());
    assert_eq!(held.rows, found.len() as u64);
}
