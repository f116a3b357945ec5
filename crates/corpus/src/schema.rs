use crate::limits::{CorpusLimits, STATISTICS_BYTES, ZSTD_LEVEL};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;
use std::sync::Arc;

/// Version of the corpus files, as [`FORMAT_KEY`] carries it.
pub const FORMAT: &str = "1";
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

use Presence::{Always, Maybe};

/// The columns in order: first `FineWeb`'s, by its names, then ours.
pub(crate) fn schema() -> SchemaRef {
    let field = |name: &str, kind: DataType, presence| Field::new(name, kind, presence == Maybe);
    Arc::new(Schema::new(vec![
        field("text", DataType::Utf8, Always),
        field("id", DataType::Utf8, Always),
        field("url", DataType::Utf8, Always),
        field("date", DataType::Utf8, Always),
        field("language", DataType::Utf8, Maybe),
        field("language_score", DataType::Float32, Maybe),
        field("title", DataType::Utf8, Maybe),
        field("status", DataType::Int16, Always),
        field("content_type", DataType::Utf8, Always),
        field("charset", DataType::Utf8, Always),
        field("digest", DataType::Utf8, Always),
        field("truncated", DataType::Utf8, Maybe),
        field("depth", DataType::Int32, Always),
        field("fetched", DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())), Always),
        field("capture", DataType::Int64, Always),
        field("warc_file", DataType::Utf8, Always),
        field("warc_offset", DataType::Int64, Always),
        field("warc_length", DataType::Int64, Always),
    ]))
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
    let unique = ["text", "id", "url", "digest", "capture", "fetched", "warc_offset"];
    let with_plain_columns = unique.into_iter().fold(base, without_dictionary);
    let text = ColumnPath::from("text");
    Ok(with_plain_columns.set_column_statistics_enabled(text, EnabledStatistics::None).build())
}

/// A dictionary of values that never repeat only costs memory.
fn without_dictionary(builder: WriterPropertiesBuilder, column: &str) -> WriterPropertiesBuilder {
    builder.set_column_dictionary_enabled(ColumnPath::from(column), false)
}
