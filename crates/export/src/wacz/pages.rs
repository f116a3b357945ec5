use crate::error::Result;
use crate::scratch::{Scratch, ScratchFile, ScratchWriter};
use control::Takedowns;
use corpus::{Reader, Row};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// The lists of pages, and the page that a reader begins with.
pub(super) struct Pages<'a> {
    /// Those that the crawl began with.
    pub(super) seeds: ScratchFile<'a>,
    pub(super) others: ScratchFile<'a>,
    pub(super) main: Option<MainPage>,
    pub(super) count: u64,
}

/// The first of the seeds.
pub(super) struct MainPage {
    pub(super) url: String,
    pub(super) title: String,
    pub(super) date: String,
}

/// Lists the rows of the corpus that were not taken down and whose captures are in `archived`, names of WARC files: those that have expired
/// cannot be shown.
pub(super) fn make<'a>(
    scratch: Scratch<'a>,
    corpus: &Path,
    taken: &Takedowns,
    archived: &BTreeSet<&str>,
) -> Result<Pages<'a>> {
    let (seeds, others) = (scratch.file("pages.jsonl"), scratch.file("extraPages.jsonl"));
    let (mut main, mut count) = (None, 0);
    seeds.write(|seeds| {
        others.write(|others| {
            put(seeds, &json!({ "format": "json-pages-1.0", "id": "pages", "title": "Pages" }))?;
            put(others, &json!({ "format": "json-pages-1.0", "id": "extraPages", "title": "Other pages" }))?;
            for path in corpus::closed_files(scratch.disk, corpus)? {
                for row in Reader::open(scratch.disk, &path)? {
                    let row = row?;
                    if !archived.contains(row.warc_file.as_str()) || taken.covering_text(&row.url).is_some() {
                        continue;
                    }
                    count += 1;
                    if row.depth == 0 {
                        main.get_or_insert_with(|| main_page(&row));
                    }
                    put(if row.depth == 0 { &mut *seeds } else { &mut *others }, &line(&row))?;
                }
            }
            Ok(())
        })
    })?;
    Ok(Pages { seeds, others, main, count })
}

fn line(row: &Row) -> Value {
    let id = row.id.trim_matches(['<', '>']).trim_start_matches("urn:uuid:");
    let mut line = json!({ "id": id, "url": row.url, "ts": row.fetched.iso_millis() });
    if let Some(title) = &row.title {
        line["title"] = title.as_str().into();
    }
    line
}

fn main_page(row: &Row) -> MainPage {
    let title = row.title.as_ref().unwrap_or(&row.url).clone();
    MainPage { url: row.url.clone(), title, date: row.fetched.iso_seconds() }
}

fn put(out: &mut ScratchWriter, line: &Value) -> Result<()> {
    out.put(format!("{line}\n").as_bytes())
}
