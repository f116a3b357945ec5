use super::disk_with_index;
use crate::cc_index;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, TimestampMillisecondType};
use disk::{Disk, MemDisk, read_all};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::path::Path;

const LINE: &str = r#"uk,co,example,alice,blog:8080)/a?b=1 20261120102804 {"url": "https://blog.alice.example.co.uk:8080/a?b=1", "mime": "text/html", "mime-detected": "text/html", "status": "301", "digest": "sha1:ABC", "length": "5", "offset": "7", "filename": "crawl-of-x-20261120102700-00000-host.warc.gz", "charset": "utf-8", "redirect": "/c"}
"#;

fn table(disk: &MemDisk, path: &str) -> RecordBatch {
    let bytes = read_all(disk, Path::new(path)).unwrap();
    let mut batches =
        ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap().build().unwrap();
    batches.next().unwrap().unwrap()
}

#[test]
fn a_line_is_a_row_in_its_parts() {
    let disk = disk_with_index(LINE);
    assert_eq!(
        cc_index(&disk, Path::new(super::INDEX), super::nothing_taken(), Path::new("out"), 1 << 20)
            .unwrap()
            .rows,
        1
    );
    let row = table(&disk, "out/cc-index.parquet");
    let text = |name: &str| {
        let column = row.column_by_name(name).unwrap().as_string::<i32>();
        column.iter().next().unwrap()
    };
    for (name, value) in [
        ("url_surtkey", Some("uk,co,example,alice,blog:8080)/a?b=1")),
        ("url_host_name", Some("blog.alice.example.co.uk")),
        ("url_host_tld", Some("uk")),
        ("url_host_2nd_last_part", Some("co")),
        ("url_host_5th_last_part", Some("blog")),
        ("url_host_registry_suffix", Some("co.uk")),
        ("url_host_registered_domain", Some("example.co.uk")),
        ("url_host_name_reversed", Some("uk.co.example.alice.blog")),
        ("url_protocol", Some("https")),
        ("url_path", Some("/a")),
        ("url_query", Some("b=1")),
        ("fetch_redirect", Some("/c")),
        ("content_digest", Some("ABC")),
        ("content_mime_type", Some("text/html")),
        ("content_languages", None),
        ("warc_segment", None),
        ("crawl", Some("crawl-of-x")),
        ("subset", Some("crawldiagnostics")),
    ] {
        assert_eq!(text(name), value, "{name}");
    }
    let number = |name: &str| row.column_by_name(name).unwrap().as_primitive::<Int32Type>().value(0);
    assert_eq!(
        [number("url_port"), number("warc_record_offset"), number("warc_record_length")],
        [8080, 7, 5]
    );
    assert_eq!(row.column_by_name("fetch_status").unwrap().as_primitive::<Int16Type>().value(0), 301);
    let time = row.column_by_name("fetch_time").unwrap().as_primitive::<TimestampMillisecondType>().value(0);
    assert_eq!(time, 1_795_170_484_000);
}

#[test]
fn robots_and_pages_are_other_subsets() {
    let line = |url: &str, status: &str| {
        format!(
            "x)/ 20261120102804 {{\"url\": \"{url}\", \"status\": \"{status}\", \"length\": \"1\", \"offset\": \"0\", \"filename\": \"f\"}}\n"
        )
    };
    let lines = [
        line("http://x.example/", "200"),
        line("http://x.example/robots.txt", "200"),
        line("http://127.0.0.1/", "404"),
    ];
    let disk = disk_with_index(&lines.concat());
    cc_index(&disk, Path::new(super::INDEX), super::nothing_taken(), Path::new("out"), 1 << 20).unwrap();
    let rows = table(&disk, "out/cc-index.parquet");
    let column = |name: &str| -> Vec<Option<String>> {
        rows.column_by_name(name).unwrap().as_string::<i32>().iter().map(|v| v.map(str::to_owned)).collect()
    };
    assert_eq!(column("subset"), ["warc", "robotstxt", "crawldiagnostics"].map(|v| Some(v.to_owned())));
    assert_eq!(column("url_host_tld")[2], None, "an address has no parts");
}

#[test]
fn a_line_that_is_no_json_is_named() {
    let disk = disk_with_index("x)/ 20261120102804 {\"url\": 5}\n");
    let error = cc_index(&disk, Path::new(super::INDEX), super::nothing_taken(), Path::new("out"), 1 << 20)
        .unwrap_err();
    assert!(matches!(error, crate::Error::Index { line: 1, .. }), "{error}");
}

#[test]
fn a_host_has_the_suffix_and_the_domain_of_the_list() {
    let columns = [
        "url_host_tld",
        "url_host_registry_suffix",
        "url_host_registered_domain",
        "url_host_private_suffix",
        "url_host_private_domain",
        "url_host_name_reversed",
    ];
    let cases = [
        ("www.example.co.uk", "uk co.uk example.co.uk co.uk example.co.uk uk.co.example.www"),
        ("trail.test.", "test test trail.test test trail.test test.trail"),
        ("co.uk", "uk co.uk - co.uk - uk.co"),
        ("com", "com com - com - com"),
        ("foo.ck", "ck foo.ck - foo.ck - ck.foo"),
        ("www.ck", "ck ck www.ck ck www.ck ck.www"),
        ("kawasaki.jp", "jp jp kawasaki.jp jp kawasaki.jp jp.kawasaki"),
        ("github.io", "io io github.io github.io - io.github"),
        ("alice.github.io", "io io github.io github.io alice.github.io io.github.alice"),
    ];
    let line = |host: &str| {
        format!(
            "x)/ 20261120102804 {{\"url\": \"http://{host}/\", \"length\": \"1\", \"offset\": \"0\", \"filename\": \"f\"}}\n"
        )
    };
    let disk = disk_with_index(&cases.map(|(host, _)| line(host)).concat());
    cc_index(&disk, Path::new(super::INDEX), super::nothing_taken(), Path::new("out"), 1 << 20).unwrap();
    let rows = table(&disk, "out/cc-index.parquet");
    let value = |name: &str, at: usize| {
        let column = rows.column_by_name(name).unwrap().as_string::<i32>();
        column.iter().nth(at).unwrap().unwrap_or("-").to_owned()
    };
    for (at, (host, wanted)) in cases.iter().enumerate() {
        let found: Vec<String> = columns.iter().map(|name| value(name, at)).collect();
        assert_eq!(found.join(" "), *wanted, "{host}");
        assert_eq!(value("url_host_name", at), host.trim_end_matches('.'));
    }
}

#[test]
fn a_failed_export_leaves_nothing_behind() {
    let disk = disk_with_index("x)/ 20261120102804 {\"url\": 5}\n");
    cc_index(&disk, Path::new(super::INDEX), super::nothing_taken(), Path::new("out"), 1 << 20).unwrap_err();
    assert_eq!(disk.list(Path::new("out")).unwrap(), Vec::<String>::new());
}
