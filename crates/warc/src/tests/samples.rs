//! Real files of other crawlers, from the shared data; skipped where that is absent.

use super::*;
use std::path::Path;

fn report(name: &str) -> Option<Report> {
    let file = std::fs::File::open(testdata::path(Path::new("warc").join(name))?).expect("a sample");
    Some(check(file))
}

fn rules(report: &Report) -> Vec<Rule> {
    report.findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn common_crawls_records_are_sound() {
    let Some(report) = report("whirlwind.warc.gz") else { return };
    assert_eq!((report.records, report.errors().count()), (4, 0), "{:#?}", report.findings);
    assert_eq!((report.digests_verified, report.digests_unverified), (7, 0));
}

#[test]
fn heritrix_files_are_read_and_their_faults_named() {
    let Some(original) = report("20141129-heritrix-original.warc.gz") else { return };
    assert_eq!((original.records, original.digests_verified), (1, 1));
    assert_eq!(rules(&original), [Rule::WarcinfoFirst]);
    let revisit =
        report("20141129-heritrix-revisit-with-http-headers-and-new-warc-headers.warc.gz").expect("there");
    assert_eq!(rules(&revisit), [Rule::WarcinfoFirst]);
    let unmodified = report("20141124-heritrix-server-not-modified.warc.gz").expect("there");
    assert!(!rules(&unmodified).contains(&Rule::RevisitDigest), "{unmodified:?}");
}

#[test]
fn the_index_of_a_real_record_is_what_common_crawl_says() {
    let Some(path) = testdata::path("warc/whirlwind.warc.gz") else { return };
    let file = std::fs::File::open(path).expect("a sample");
    let records = Reader::new(file).map(|record| record.expect("readable"));
    let entries: Vec<_> = records.filter_map(|record| IndexEntry::of(&record, "whirlwind.warc.gz")).collect();
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].url, "https://an.wikipedia.org/wiki/Escopete");
    assert_eq!((entries[0].offset, entries[0].length), (1023, 17_351));
    assert_eq!(entries[0].mime_detected.as_deref(), Some("text/html"));
    assert_eq!(entries[0].charset.as_deref(), Some("UTF-8"));
}

#[test]
fn version_1_files_are_read_and_indexed_alike_forever() {
    let file: &[u8] = include_bytes!("golden/v1.warc.gz");
    assert_eq!(check(file).findings, []);
    let lines: String = read_all(file)
        .iter()
        .filter_map(|record| IndexEntry::of(record, "v1.warc.gz"))
        .map(|entry| entry.line("com,example)/a?b=c") + "\n")
        .collect();
    assert_eq!(lines, include_str!("golden/v1.cdxj"));
}
