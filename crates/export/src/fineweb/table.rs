use super::joined::Joined;
use crate::error::Result;
use crate::limits::BATCH_BYTES;
use arrow_array::{ArrayRef, Float32Array, Int16Array, Int32Array, Int64Array, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use corpus::Table;
use disk::Disk;
use std::path::PathBuf;
use std::sync::Arc;

/// Rows on their way into a Parquet file.
pub(super) struct Rows {
    table: Table,
    waiting: Vec<Joined>,
    bytes: usize,
}

impl Rows {
    pub(super) fn create(disk: &dyn Disk, path: PathBuf, row_group_bytes: usize) -> Result<Self> {
        let unique = ["text", "id", "url", "digest", "simhash", "capture", "warc_offset"];
        let table = Table::create(disk, path, schema(), &unique, row_group_bytes)?;
        Ok(Self { table, waiting: Vec::new(), bytes: 0 })
    }

    pub(super) fn push(&mut self, joined: Joined) -> Result<()> {
        self.bytes += joined.bytes();
        self.waiting.push(joined);
        if self.bytes < BATCH_BYTES { Ok(()) } else { self.encode_waiting() }
    }

    pub(super) fn finish(mut self, disk: &dyn Disk) -> Result<u64> {
        self.encode_waiting()?;
        Ok(self.table.finish(disk, &[])?)
    }

    fn encode_waiting(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        Ok(self.table.write([theirs(&rows), of_text(&rows), of_capture(&rows)].concat())?)
    }
}

/// `FineWeb`'s columns by its names and types, then ours.
fn schema() -> SchemaRef {
    let (text, long) = (DataType::Utf8, DataType::Int64);
    let always = |name: &str, kind: &DataType| Field::new(name, kind.clone(), false);
    let maybe = |name: &str, kind: &DataType| Field::new(name, kind.clone(), true);
    Arc::new(Schema::new(vec![
        always("text", &text),
        always("id", &text),
        always("dump", &text),
        always("url", &text),
        always("date", &text),
        always("file_path", &text),
        maybe("language", &text),
        maybe("language_score", &DataType::Float32),
        always("token_count", &long),
        maybe("title", &text),
        maybe("author", &text),
        maybe("published", &text),
        maybe("site", &text),
        always("digest", &text),
        maybe("simhash", &text),
        maybe("duplicate_of", &long),
        maybe("preferences", &text),
        maybe("license", &text),
        always("status", &DataType::Int16),
        always("depth", &DataType::Int32),
        always("content_type", &text),
        always("charset", &text),
        maybe("truncated", &text),
        always("capture", &long),
        always("warc_offset", &long),
        always("warc_length", &long),
    ]))
}

fn theirs(rows: &[Joined]) -> Vec<ArrayRef> {
    vec![
        strings(rows, |joined| Some(joined.row.text.clone())),
        strings(rows, |joined| Some(joined.id())),
        strings(rows, |joined| Some(joined.dump().to_owned())),
        strings(rows, |joined| Some(joined.row.url.clone())),
        strings(rows, |joined| Some(joined.row.fetched.iso_seconds())),
        strings(rows, |joined| Some(joined.file_path())),
        strings(rows, |joined| joined.row.language.clone()),
        Arc::new(rows.iter().map(Joined::language_score).collect::<Float32Array>()),
        numbers(rows, |joined| Some(joined.token_count())),
    ]
}

fn of_text(rows: &[Joined]) -> Vec<ArrayRef> {
    vec![
        strings(rows, |joined| joined.row.title.clone()),
        strings(rows, |joined| joined.row.author.clone()),
        strings(rows, |joined| joined.row.published.clone()),
        strings(rows, |joined| joined.row.site.clone()),
        strings(rows, |joined| Some(joined.row.digest.clone())),
        strings(rows, Joined::simhash),
        numbers(rows, |joined| joined.duplicate_of.map(u64::cast_signed)),
        strings(rows, Joined::preferences),
        strings(rows, |joined| joined.terms.license.clone()),
    ]
}

fn of_capture(rows: &[Joined]) -> Vec<ArrayRef> {
    vec![
        Arc::new(Int16Array::from_iter_values(rows.iter().map(|joined| joined.row.status.cast_signed()))),
        Arc::new(Int32Array::from_iter_values(rows.iter().map(|joined| joined.row.depth.cast_signed()))),
        strings(rows, |joined| Some(joined.row.content_type.clone())),
        strings(rows, |joined| Some(joined.row.charset.clone())),
        strings(rows, |joined| joined.row.truncated.clone()),
        numbers(rows, |joined| Some(joined.row.capture.cast_signed())),
        numbers(rows, |joined| Some(joined.row.warc_offset.cast_signed())),
        numbers(rows, |joined| Some(joined.row.warc_length.cast_signed())),
    ]
}

fn strings(rows: &[Joined], of: impl Fn(&Joined) -> Option<String>) -> ArrayRef {
    Arc::new(rows.iter().map(of).collect::<StringArray>())
}

fn numbers(rows: &[Joined], of: impl Fn(&Joined) -> Option<i64>) -> ArrayRef {
    Arc::new(rows.iter().map(of).collect::<Int64Array>())
}
