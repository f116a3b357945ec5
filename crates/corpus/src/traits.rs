use crate::columns::for_each_batch;
use crate::error::Error;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, RecordBatch, StringArray};
use disk::Disk;
use std::path::Path;
use stdx::Watch;

/// What a row says of its page beside the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits<'a> {
    /// Where the page is.
    pub url: &'a str,
    /// ISO 639-1.
    pub language: Option<&'a str>,
    /// Media type without parameters.
    pub content_type: &'a str,
    /// WHATWG name of the encoding.
    pub charset: &'a str,
    /// Why the row has less than the server.
    pub truncated: Option<&'a str>,
    /// Links from the nearest seed.
    pub depth: u32,
}

const COLUMNS: [&str; 6] = ["url", "language", "content_type", "charset", "truncated", "depth"];

/// Shows `see` every row of the closed files in `dir`, some hundred at a time; texts are not read.
pub fn for_each_traits(
    disk: &dyn Disk,
    dir: &Path,
    watch: &mut Watch<'_>,
    mut see: impl FnMut(Traits<'_>),
) -> Result<(), Error> {
    for_each_batch(disk, dir, &COLUMNS, watch, |batch| {
        of_batch(batch).for_each(&mut see);
        Ok(())
    })
}

fn of_batch(batch: &RecordBatch) -> impl Iterator<Item = Traits<'_>> {
    let texts = |name| batch.column_by_name(name).expect("it was asked for").as_string::<i32>();
    let [urls, languages, types, charsets, truncated] =
        ["url", "language", "content_type", "charset", "truncated"].map(texts);
    let depths = batch.column_by_name("depth").expect("it was asked for").as_primitive::<Int32Type>();
    (0..batch.num_rows()).map(move |row| Traits {
        url: urls.value(row),
        language: present(languages, row),
        content_type: types.value(row),
        charset: charsets.value(row),
        truncated: present(truncated, row),
        depth: depths.value(row).cast_unsigned(),
    })
}

fn present(column: &StringArray, row: usize) -> Option<&str> {
    column.is_valid(row).then(|| column.value(row))
}
