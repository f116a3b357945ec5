use crate::limits::BATCH_ROWS;
use crate::row::Row;
use crate::schema::schema;
use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Int16Type, Int32Type, Int64Type, TimestampMillisecondType,
};
use arrow_array::{
    ArrayRef, Float32Array, Int16Array, Int32Array, Int64Array, RecordBatch, StringArray,
    TimestampMillisecondArray,
};
use arrow_schema::ArrowError;
use std::sync::Arc;
use stdx::WallTime;

/// Rows on their way into columns.
#[derive(Default)]
pub(crate) struct Batch {
    rows: Vec<Row>,
    bytes: u64,
}

impl Batch {
    pub(crate) fn push(&mut self, row: Row) {
        self.bytes += row.bytes();
        self.rows.push(row);
    }

    /// Whether it is time to turn the rows into columns before `row` joins them, where they may have so many bytes.
    pub(crate) fn is_full_for(&self, row: &Row, batch_bytes: u64) -> bool {
        !self.is_empty() && (self.bytes + row.bytes() > batch_bytes || self.rows.len() >= BATCH_ROWS)
    }

    /// Decoded bytes of the rows.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows as columns; the batch is empty afterwards.
    pub(crate) fn take_columns(&mut self) -> Result<RecordBatch, ArrowError> {
        let rows = std::mem::take(self).rows;
        columns(&rows)
    }
}

/// `rows` in the order of [`schema`].
fn columns(rows: &[Row]) -> Result<RecordBatch, ArrowError> {
    let columns = [theirs(rows), of_page(rows), of_capture(rows)].concat();
    RecordBatch::try_new(schema(), columns)
}

fn theirs(rows: &[Row]) -> Vec<ArrayRef> {
    vec![
        strings(rows, |row| &row.text),
        strings(rows, |row| &row.id),
        strings(rows, Row::dump),
        strings(rows, |row| &row.url),
        made(rows, |row| row.fetched.iso_seconds()),
        made(rows, Row::file_path),
        optional(rows, |row| row.language.as_deref()),
        Arc::new(rows.iter().map(score).collect::<Float32Array>()),
        Arc::new(Int64Array::from_iter_values(rows.iter().map(Row::token_count))),
    ]
}

fn of_page(rows: &[Row]) -> Vec<ArrayRef> {
    vec![
        optional(rows, |row| row.title.as_deref()),
        optional(rows, |row| row.author.as_deref()),
        optional(rows, |row| row.published.as_deref()),
        optional(rows, |row| row.site.as_deref()),
        strings(rows, |row| &row.digest),
        Arc::new(rows.iter().map(Row::simhash_digits).collect::<StringArray>()),
        optional(rows, |row| row.preferences.as_deref()),
        optional(rows, |row| row.license.as_deref()),
    ]
}

fn of_capture(rows: &[Row]) -> Vec<ArrayRef> {
    vec![
        Arc::new(Int16Array::from_iter_values(rows.iter().map(|row| row.status.cast_signed()))),
        Arc::new(Int32Array::from_iter_values(rows.iter().map(|row| row.depth.cast_signed()))),
        strings(rows, |row| &row.content_type),
        strings(rows, |row| &row.charset),
        optional(rows, |row| row.truncated.as_deref()),
        Arc::new(fetch_times(rows)),
        numbers(rows, |row| row.capture),
        strings(rows, |row| &row.warc_file),
        numbers(rows, |row| row.warc_offset),
        numbers(rows, |row| row.warc_length),
    ]
}

fn made(rows: &[Row], of: impl Fn(&Row) -> String) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(rows.iter().map(of)))
}

/// Room for all is made at once: texts are long.
fn strings(rows: &[Row], of: impl Fn(&Row) -> &str) -> ArrayRef {
    let bytes = rows.iter().map(|row| of(row).len()).sum();
    let mut all = StringBuilder::with_capacity(rows.len(), bytes);
    for row in rows {
        all.append_value(of(row));
    }
    Arc::new(all.finish())
}

fn optional(rows: &[Row], of: impl Fn(&Row) -> Option<&str>) -> ArrayRef {
    Arc::new(rows.iter().map(of).collect::<StringArray>())
}

/// Signed, since half of the engines know no unsigned columns.
fn numbers(rows: &[Row], of: impl Fn(&Row) -> u64) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| of(row).cast_signed())))
}

fn fetch_times(rows: &[Row]) -> TimestampMillisecondArray {
    let ms = rows.iter().map(|row| row.fetched.unix_ms().cast_signed());
    TimestampMillisecondArray::from_iter_values(ms).with_timezone("UTC")
}

fn score(row: &Row) -> Option<f32> {
    row.language.as_ref().map(|_| row.language_score)
}

/// Column by column back into rows; the reverse of [`columns`]. The schema has been compared before.
pub(crate) fn rows(batch: &RecordBatch) -> Vec<Row> {
    (0..batch.num_rows()).map(|at| Place { batch, at }.row()).collect()
}

/// One row of a batch.
#[derive(Clone, Copy)]
struct Place<'a> {
    batch: &'a RecordBatch,
    at: usize,
}

impl Place<'_> {
    fn row(self) -> Row {
        Row {
            capture: self.number::<Int64Type>("capture").cast_unsigned(),
            id: self.string("id"),
            url: self.string("url"),
            status: self.number::<Int16Type>("status").cast_unsigned(),
            fetched: WallTime::from_unix_ms(
                self.number::<TimestampMillisecondType>("fetched").cast_unsigned(),
            ),
            title: self.optional("title"),
            language: self.optional("language"),
            language_score: self.number::<Float32Type>("language_score"),
            text: self.string("text"),
            digest: self.string("digest"),
            content_type: self.string("content_type"),
            charset: self.string("charset"),
            depth: self.number::<Int32Type>("depth").cast_unsigned(),
            warc_file: self.string("warc_file"),
            warc_offset: self.number::<Int64Type>("warc_offset").cast_unsigned(),
            warc_length: self.number::<Int64Type>("warc_length").cast_unsigned(),
            truncated: self.optional("truncated"),
            author: self.optional("author"),
            published: self.optional("published"),
            site: self.optional("site"),
            simhash: self.optional("simhash").and_then(|digits| u64::from_str_radix(&digits, 16).ok()),
            preferences: self.optional("preferences"),
            license: self.optional("license"),
        }
    }

    fn column(&self, name: &str) -> &ArrayRef {
        self.batch.column_by_name(name).expect("the schema has been compared")
    }

    /// Nothing too where the file's format has no such column.
    fn optional(self, name: &str) -> Option<String> {
        let column = self.batch.column_by_name(name)?;
        column.is_valid(self.at).then(|| column.as_string::<i32>().value(self.at).to_owned())
    }

    fn string(self, name: &str) -> String {
        self.optional(name).unwrap_or_default()
    }

    /// The type's zero where the row has none.
    fn number<T: ArrowPrimitiveType>(self, name: &str) -> T::Native {
        let column = self.column(name);
        if column.is_valid(self.at) { column.as_primitive::<T>().value(self.at) } else { T::default_value() }
    }
}
