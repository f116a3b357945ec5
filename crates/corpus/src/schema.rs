use crate::limits::{CorpusLimits, STATISTICS_BYTES, ZSTD_LEVEL};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;
use std::sync::Arc;

/// Version of the corpus files, as [`FORMAT_KEY`] carries it.
pub const FORMAT: &str = "2";
/// The versions that are read.
pub(crate) const FORMATS: [&str; 2] = ["1", FORMAT];
/// Footer key of the version.
pub const FORMAT_KEY: &str = "drumlin.format";
/// Footer key of the captures whose rows are settled by the file, a [`crate::Ranges`] in writing.
pub const CAPTURES_KEY: &str = "drumlin.captures";

/// Whether a column may be absent from a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Always,
    Maybe,
}

use DataType::{Float32, Int16, Int32, Int64, Timestamp, Utf8};
use Presence::{Always, Maybe};

/// The columns in order: first `FineWeb`'s, by its names and in its order, then ours.
pub(crate) fn schema() -> SchemaRef {
    columns(&[
        ("text", Utf8, Always),
        ("id", Utf8, Always),
        ("dump", Utf8, Always),
        ("url", Utf8, Always),
        ("date", Utf8, Always),
        ("file_path", Utf8, Always),
        ("language", Utf8, Maybe),
        ("language_score", Float32, Maybe),
        ("token_count", Int64, Always),
        ("title", Utf8, Maybe),
        ("author", Utf8, Maybe),
        ("published", Utf8, Maybe),
        ("site", Utf8, Maybe),
        ("digest", Utf8, Always),
        ("simhash", Utf8, Maybe),
        ("preferences", Utf8, Maybe),
        ("license", Utf8, Maybe),
        ("status", Int16, Always),
        ("depth", Int32, Always),
        ("content_type", Utf8, Always),
        ("charset", Utf8, Always),
        ("truncated", Utf8, Maybe),
        ("fetched", Timestamp(TimeUnit::Millisecond, Some("UTC".into())), Always),
        ("capture", Int64, Always),
        ("warc_file", Utf8, Always),
        ("warc_offset", Int64, Always),
        ("warc_length", Int64, Always),
    ])
}

/// The columns of format 1, which are still read.
pub(crate) fn schema_1() -> SchemaRef {
    columns(&[
        ("text", Utf8, Always),
        ("id", Utf8, Always),
        ("url", Utf8, Always),
        ("date", Utf8, Always),
        ("language", Utf8, Maybe),
        ("language_score", Float32, Maybe),
        ("title", Utf8, Maybe),
        ("status", Int16, Always),
        ("content_type", Utf8, Always),
        ("charset", Utf8, Always),
        ("digest", Utf8, Always),
        ("truncated", Utf8, Maybe),
        ("depth", Int32, Always),
        ("fetched", Timestamp(TimeUnit::Millisecond, Some("UTC".into())), Always),
        ("capture", Int64, Always),
        ("warc_file", Utf8, Always),
        ("warc_offset", Int64, Always),
        ("warc_length", Int64, Always),
    ])
}

fn columns(columns: &[(&str, DataType, Presence)]) -> SchemaRef {
    let field = |(name, kind, presence): &(&str, DataType, Presence)| {
        Field::new(*name, kind.clone(), *presence == Maybe)
    };
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// How the columns are encoded: zstd throughout, statistics of every column in which a range means something.
pub(crate) fn properties(limits: &CorpusLimits) -> Result<WriterProperties, ParquetError> {
    let page_bytes = limits.batch_bytes() as usize;
    let base = WriterProperties::builder()
        .set_created_by(format!("drumlin version {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
        .set_data_page_size_limit(page_bytes)
        .set_dictionary_page_size_limit(page_bytes)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_statistics_truncate_length(Some(STATISTICS_BYTES))
        .set_max_row_group_row_count(None);
    let unique = ["text", "id", "url", "digest", "simhash", "capture", "fetched", "warc_offset"];
    let with_plain_columns = unique.into_iter().fold(base, without_dictionary);
    let text = ColumnPath::from("text");
    Ok(with_plain_columns.set_column_statistics_enabled(text, EnabledStatistics::None).build())
}

/// A dictionary of values that never repeat only costs memory.
fn without_dictionary(builder: WriterPropertiesBuilder, column: &str) -> WriterPropertiesBuilder {
    builder.set_column_dictionary_enabled(ColumnPath::from(column), false)
}
