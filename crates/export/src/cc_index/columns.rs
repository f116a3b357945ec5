use super::host::HostParts;
use arrow_array::{ArrayRef, Int16Array, Int32Array, StringArray, TimestampMillisecondArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use std::sync::Arc;
use stdx::WallTime;
use weburl::{Url, without_root_dot};

/// One capture.
pub(super) struct Row {
    pub(super) surt: String,
    pub(super) url: String,
    pub(super) time: Option<WallTime>,
    pub(super) status: Option<i16>,
    pub(super) redirect: Option<String>,
    pub(super) digest: Option<String>,
    pub(super) mime: Option<String>,
    pub(super) mime_detected: Option<String>,
    pub(super) charset: Option<String>,
    pub(super) languages: Option<String>,
    pub(super) truncated: Option<String>,
    pub(super) filename: String,
    /// None beyond 2 GiB, which Common Crawl's column cannot say.
    pub(super) offset: Option<i32>,
    pub(super) length: Option<i32>,
    pub(super) crawl: String,
    pub(super) subset: &'static str,
}

/// Rows on their way into columns.
#[derive(Default)]
pub(super) struct Columns {
    rows: Vec<Row>,
    bytes: usize,
}

const UTC: &str = "UTC";

/// Common Crawl's columns, in its order.
pub(super) fn schema() -> SchemaRef {
    let (text, number) = (DataType::Utf8, DataType::Int32);
    let time = DataType::Timestamp(TimeUnit::Millisecond, Some(UTC.into()));
    let field = |(name, kind): (&str, &DataType)| Field::new(name, kind.clone(), true);
    let columns = [
        ("url_surtkey", &text),
        ("url", &text),
        ("url_host_name", &text),
        ("url_host_tld", &text),
        ("url_host_2nd_last_part", &text),
        ("url_host_3rd_last_part", &text),
        ("url_host_4th_last_part", &text),
        ("url_host_5th_last_part", &text),
        ("url_host_registry_suffix", &text),
        ("url_host_registered_domain", &text),
        ("url_host_private_suffix", &text),
        ("url_host_private_domain", &text),
        ("url_host_name_reversed", &text),
        ("url_protocol", &text),
        ("url_port", &number),
        ("url_path", &text),
        ("url_query", &text),
        ("fetch_time", &time),
        ("fetch_status", &DataType::Int16),
        ("fetch_redirect", &text),
        ("content_digest", &text),
        ("content_mime_type", &text),
        ("content_mime_detected", &text),
        ("content_charset", &text),
        ("content_languages", &text),
        ("content_truncated", &text),
        ("warc_filename", &text),
        ("warc_record_offset", &number),
        ("warc_record_length", &number),
        ("warc_segment", &text),
        ("crawl", &text),
        ("subset", &text),
    ];
    Arc::new(Schema::new(columns.map(field).to_vec()))
}

impl Columns {
    pub(super) fn push(&mut self, row: Row) {
        self.bytes += 2 * row.url.len() + row.surt.len() + size_of::<Row>();
        self.rows.push(row);
    }

    /// What the rows take, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The rows as columns; there are none afterwards.
    pub(super) fn take(&mut self) -> Vec<ArrayRef> {
        let rows = std::mem::take(self).rows;
        let urls: Vec<Option<Url>> = rows.iter().map(|row| Url::parse(&row.url).ok()).collect();
        let hosts: Vec<HostParts<'_>> =
            urls.iter().map(|url| url.as_ref().map(HostParts::of).unwrap_or_default()).collect();
        [of_urls(&rows, &urls, &hosts), of_fetches(&rows), of_contents(&rows), of_places(&rows)].concat()
    }
}

fn of_urls(rows: &[Row], urls: &[Option<Url>], hosts: &[HostParts<'_>]) -> Vec<ArrayRef> {
    let of_host = |of: fn(&HostParts<'_>) -> Option<String>| strings(hosts, of);
    let label = |nth: usize| strings(hosts, move |host| host.labels.get(nth).map(ToString::to_string));
    let of_url = |of: fn(&Url) -> Option<String>| strings(urls, move |url| of(url.as_ref()?));
    let port = urls.iter().map(|url| url.as_ref()?.explicit_port().map(i32::from));
    vec![
        strings(rows, |row| Some(row.surt.clone())),
        strings(rows, |row| Some(row.url.clone())),
        of_url(|url| Some(without_root_dot(url.host()).to_owned())),
        label(0),
        label(1),
        label(2),
        label(3),
        label(4),
        of_host(|host| host.registry_suffix.map(str::to_owned)),
        of_host(|host| host.registered_domain.map(str::to_owned)),
        of_host(|host| host.private_suffix.map(str::to_owned)),
        of_host(|host| host.private_domain.map(str::to_owned)),
        of_host(|host| host.reversed.clone()),
        of_url(|url| Some(url.scheme().to_owned())),
        Arc::new(port.collect::<Int32Array>()),
        of_url(|url| Some(url.path().to_owned())),
        of_url(|url| url.query().map(str::to_owned)),
    ]
}

fn of_fetches(rows: &[Row]) -> Vec<ArrayRef> {
    let times = rows.iter().map(|row| Some(row.time?.unix_ms().cast_signed()));
    vec![
        Arc::new(times.collect::<TimestampMillisecondArray>().with_timezone(UTC)),
        Arc::new(rows.iter().map(|row| row.status).collect::<Int16Array>()),
        strings(rows, |row| row.redirect.clone()),
    ]
}

fn of_contents(rows: &[Row]) -> Vec<ArrayRef> {
    vec![
        strings(rows, |row| row.digest.clone()),
        strings(rows, |row| row.mime.clone()),
        strings(rows, |row| row.mime_detected.clone()),
        strings(rows, |row| row.charset.clone()),
        strings(rows, |row| row.languages.clone()),
        strings(rows, |row| row.truncated.clone()),
    ]
}

fn of_places(rows: &[Row]) -> Vec<ArrayRef> {
    vec![
        strings(rows, |row| Some(row.filename.clone())),
        Arc::new(rows.iter().map(|row| row.offset).collect::<Int32Array>()),
        Arc::new(rows.iter().map(|row| row.length).collect::<Int32Array>()),
        strings(rows, |_| None),
        strings(rows, |row| Some(row.crawl.clone())),
        strings(rows, |row| Some(row.subset.to_owned())),
    ]
}

fn strings<T>(of: &[T], value: impl Fn(&T) -> Option<String>) -> ArrayRef {
    Arc::new(of.iter().map(value).collect::<StringArray>())
}
