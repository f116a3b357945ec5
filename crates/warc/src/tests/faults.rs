use super::*;

const ID: &str = "WARC-Record-ID: <urn:uuid:00000000-0000-8000-8000-000000000009>\r\n";
const DAY: &str = "WARC-Date: 2026-11-20T10:28:04Z\r\n";
const URI: &str = "WARC-Target-URI: http://a.example/\r\n";
const HTTP: &str = "Content-Type: application/http; msgtype=response\r\n";

/// Checks one plain record after a sound warcinfo; the rules it breaks must be `wanted`.
#[track_caller]
fn check_record(header: &str, block: &str, wanted: &[Rule]) {
    let mut first = Vec::new();
    let warcinfo = Warcinfo { id: id(1), date: DATE, filename: "a.warc.gz", fields: Fields::new() };
    Encoder::new().warcinfo(&mut first, &warcinfo);
    let record = format!("WARC/1.1\r\n{header}Content-Length: {}\r\n\r\n{block}\r\n\r\n", block.len());
    let report = check([gunzip(&first), record.into_bytes()].concat().as_slice());
    let rules: Vec<Rule> = report.findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, wanted, "{:#?}", report.findings);
}

fn response_with(extra: &str) -> String {
    format!("WARC-Type: response\r\n{ID}{DAY}{URI}{HTTP}{extra}")
}

#[test]
fn headers_are_held_to_their_types() {
    check_record(&response_with(""), "HTTP/1.1 200 OK\r\n\r\n", &[]);
    check_record(&format!("{ID}{DAY}"), "", &[Rule::MandatoryHeader]);
    check_record("WARC-Type: metadata\r\n", "", &[Rule::MandatoryHeader, Rule::MandatoryHeader]);
    check_record(&format!("WARC-Type: response\r\n{ID}{DAY}"), "", &[Rule::TypeNeedsHeader]);
    check_record(
        &response_with("WARC-Refers-To: <urn:uuid:x>\r\n"),
        "HTTP/1.1 200 OK\r\n\r\n",
        &[Rule::TypeForbidsHeader],
    );
    check_record(&format!("WARC-Type: warcinfo\r\n{ID}{DAY}{URI}"), "", &[Rule::TypeForbidsHeader]);
    check_record(&response_with(URI), "HTTP/1.1 200 OK\r\n\r\n", &[Rule::RepeatedHeader]);
    let twice = "WARC-Concurrent-To: <urn:x:1>\r\nWARC-Concurrent-To: <urn:x:2>\r\n";
    check_record(&response_with(twice), "HTTP/1.1 200 OK\r\n\r\n", &[]);
    check_record(&response_with("no field\r\n"), "HTTP/1.1 200 OK\r\n\r\n", &[Rule::HeaderLine]);
    check_record(&format!("WARC-Type: metadata\r\n{ID}{DAY}"), "a: b\r\n", &[Rule::ContentType]);
}

#[test]
fn an_error_is_found_behind_any_number_of_warnings() {
    let of = |id: usize, head: &str, block: &str| {
        let id = format!("WARC-Record-ID: <urn:uuid:00000000-0000-8000-8000-{id:012}>\r\n");
        let length = block.len();
        format!("WARC/1.1\r\n{id}{DAY}{head}Content-Length: {length}\r\n\r\n{block}\r\n\r\n")
    };
    let warned = format!("WARC-Type: response\r\n{URI}{HTTP}");
    let block = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let records = crate::limits::FINDINGS + 2;
    let mut file: String = (0..records).map(|n| of(n, &warned, block)).collect();
    file += &of(records, "WARC-Type: metadata\r\nWARC-Block-Digest: sha1:AAAA\r\n", "");
    let report = check(file.as_bytes());
    assert!(report.findings_dropped > 0);
    assert_eq!(report.errors().map(|error| error.rule).collect::<Vec<_>>(), [Rule::DigestForm]);
}

/// ISO 28500:2017, section 4: the version line, each field and the line behind them end with CRLF. Some readers refuse what does not.
#[test]
fn lines_of_a_header_end_with_crlf() {
    let sound = gunzip(&sample_file(HEAD, PAGE));
    let head_len = memchr::memmem::find(&sound, b"\r\n\r\n").expect("a head") + 4;
    let (head, rest) = sound.split_at(head_len);
    let head = std::str::from_utf8(head).expect("text");
    let told = |head: &str| {
        let report = check([head.as_bytes(), rest].concat().as_slice());
        report.findings.iter().map(|found| (found.rule, found.detail.clone())).collect::<Vec<_>>()
    };
    let bare = |lines: &str| vec![(Rule::HeaderLine, format!("{lines} with LF alone at the end, not CRLF"))];
    assert_eq!(told(head), []);
    assert_eq!(told(&head.replacen("\r\n", "\n", 1)), bare("1 line"), "the version line");
    assert_eq!(told(&head.replace("\r\n\r\n", "\r\n\n")), bare("1 line"), "the empty line");
    let lines = head.lines().count();
    assert_eq!(told(&head.replace("\r\n", "\n")), bare(&format!("{lines} lines")));
}

#[test]
fn values_have_their_forms() {
    let with = |id: &str, day: &str, uri: &str| {
        format!(
            "WARC-Type: request\r\nWARC-Record-ID: {id}\r\nWARC-Date: {day}\r\nWARC-Target-URI: {uri}\r\n"
        )
    };
    let (id, day, uri) = ("<urn:uuid:1>", "2026-11-20T10:28:04.123Z", "http://a.example/");
    check_record(&with(id, day, uri), "", &[]);
    check_record(&with("urn:uuid:1", day, uri), "", &[Rule::RecordIdForm]);
    check_record(&with(id, "20261120102804", uri), "", &[Rule::DateForm]);
    check_record(&with(id, day, "<http://a.example/>"), "", &[Rule::TargetUriForm]);
    check_record(&with(id, day, "/relative"), "", &[Rule::TargetUriForm]);
    check_record(
        &response_with("WARC-Truncated: size\r\n"),
        "HTTP/1.1 200 OK\r\n\r\n",
        &[Rule::TruncatedWord],
    );
}

#[test]
fn digests_are_those_of_the_bytes() {
    let block = "HTTP/1.1 200 OK\r\n\r\nhello";
    let right = format!(
        "WARC-Block-Digest: {}\r\nWARC-Payload-Digest: {}\r\n",
        sha1_digest(&[block.as_bytes()]),
        sha1_digest(&[b"hello"])
    );
    check_record(&response_with(&right), block, &[]);
    let swapped = format!(
        "WARC-Payload-Digest: {}\r\nWARC-Block-Digest: {}\r\n",
        sha1_digest(&[block.as_bytes()]),
        sha1_digest(&[b"hello"])
    );
    check_record(&response_with(&swapped), block, &[Rule::BlockDigest, Rule::PayloadDigest]);
    check_record(&response_with("WARC-Block-Digest: sha1:short\r\n"), block, &[Rule::DigestForm]);
}

/// ISO 28500:2017, section 5.9: the first segment has the digest of the payload of all.
#[test]
fn a_segment_has_the_digest_and_the_length_of_the_whole() {
    let digest = sha1_digest(&[b"hello, world"]);
    let header = response_with(&format!("WARC-Segment-Number: 1\r\nWARC-Payload-Digest: {digest}\r\n"));
    let block = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nhello, ";
    check_record(&header, block, &[]);
    check_record(&format!("{header}WARC-Block-Digest: {digest}\r\n"), block, &[Rule::BlockDigest]);
}

/// A header may hold a quarter of a megabyte, and there may be ten thousand findings.
#[test]
fn a_finding_is_short_and_says_nothing_to_a_terminal() {
    let long = "9".repeat(200_000);
    let record = format!("WARC/1.1\u{1b}[2J\r\nWARC-Record-ID: {long}\r\nContent-Length: 0\r\n\r\n\r\n\r\n");
    let findings = check(record.as_bytes()).findings;
    assert!(
        findings
            .iter()
            .any(|found| found.rule == Rule::Version && found.detail.starts_with("WARC/1.1\u{fffd}"))
    );
    assert!(findings.iter().any(|found| found.rule == Rule::RecordIdForm));
    for found in findings {
        let shown = found.to_string();
        assert!(shown.len() < 4 << 10 && !shown.contains(char::is_control), "{shown}");
    }
}

/// jwarc and others know a digest's form by its length.
#[test]
fn digests_are_written_in_base_16_32_and_64() {
    let block = "HTTP/1.1 200 OK\r\n\r\nhello";
    let right = [
        "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
        "sha1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n",
        "SHA-1:AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D",
        "sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
        "sha1:qvTGHdzF6KLavt4PO0gs2a6pQ00=",
        "sha1:qvTGHdzF6KLavt4PO0gs2a6pQ00",
        "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        "SHA-256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====",
        "sha512:m3HSJL1i83hdltRq0+o9czGb+8KJDKra4t/3JRlnPKcjI8PZm6XBHXx6zG4UuMXaDEZjR1wuXDre9G9zvN7AQw==",
    ];
    for label in right {
        check_record(&response_with(&format!("WARC-Payload-Digest: {label}\r\n")), block, &[]);
    }
    let other = response_with("WARC-Payload-Digest: sha1:qvTGHdzF6KLavt4PO0gs2a6pQ01=\r\n");
    check_record(&other, block, &[Rule::DigestForm]);
    let other = response_with("WARC-Payload-Digest: sha1:qvTGHdzF6KLavt4PO0gs2a6pQ04=\r\n");
    check_record(&other, block, &[Rule::PayloadDigest]);
    let other = response_with(&format!("WARC-Payload-Digest: sha256:{}\r\n", "0".repeat(64)));
    check_record(&other, block, &[Rule::PayloadDigest]);
}

#[test]
fn chunks_left_in_a_payload_are_seen() {
    let block = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nhello\r\n0\r\n\r\n";
    let over_entity = format!("WARC-Payload-Digest: {}\r\n", sha1_digest(&[b"hello"]));
    check_record(&response_with(&over_entity), block, &[Rule::HttpTransferEncoding]);
    let over_chunks = format!("WARC-Payload-Digest: {}\r\n", sha1_digest(&[b"5;x\r\nhello\r\n0\r\n\r\n"]));
    check_record(&response_with(&over_chunks), block, &[Rule::PayloadDigest, Rule::HttpTransferEncoding]);
}

#[test]
fn http_inside_is_consistent() {
    check_record(&response_with(""), "HTTP/2 200\r\n\r\n", &[Rule::HttpStartLine]);
    check_record(
        &response_with(""),
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
        &[Rule::HttpContentLength],
    );
    check_record(&response_with(""), "HTTP/1.1 200 OK\r\nX-Crawler-Content-Length: 9\r\n\r\nhello", &[]);
}

#[test]
fn revisits_say_of_what() {
    let revisit = |rest: &str| format!("WARC-Type: revisit\r\n{ID}{DAY}{URI}{rest}");
    let profile = format!("WARC-Profile: {}\r\n", RevisitProfile::ServerNotModified.uri());
    let refers =
        "WARC-Refers-To-Target-URI: http://a.example/\r\nWARC-Refers-To-Date: 2026-11-20T10:28:04Z\r\n";
    check_record(&revisit(&format!("{profile}{refers}")), "", &[]);
    check_record(&revisit(&format!("{profile}{refers}{HTTP}")), "", &[]);
    check_record(&revisit(&format!("{profile}{refers}{HTTP}")), "304\r\n\r\n", &[Rule::HttpStartLine]);
    check_record(&revisit(refers), "", &[Rule::TypeNeedsHeader]);
    check_record(&revisit(&profile), "", &[Rule::RevisitRefers, Rule::RevisitRefers]);
    check_record(&revisit(&format!("WARC-Profile: http://x/\r\n{refers}")), "", &[Rule::RevisitProfile]);
    let empty = "WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n";
    check_record(&revisit(&format!("{profile}{refers}{empty}")), "", &[]);
    let identical = format!("WARC-Profile: {}\r\n", RevisitProfile::IdenticalPayloadDigest.uri());
    check_record(&revisit(&format!("{identical}{refers}{empty}")), "", &[Rule::RevisitDigest]);
}

/// ISO 28500:2017 has any granularity, its first edition the full form alone.
#[test]
fn a_date_may_be_short_in_version_1_1() {
    let findings_of = |version: &str, date: &str| {
        let header = format!("WARC-Type: warcinfo\r\n{ID}WARC-Date: {date}\r\nContent-Length: 0\r\n");
        check(format!("WARC/{version}\r\n{header}\r\n\r\n\r\n").as_bytes()).findings
    };
    for date in ["2020", "2020-02", "2020-02-03", "2020-02-03T10:20Z"] {
        assert_eq!(findings_of("1.1", date), [], "{date}");
        let [finding] = &findings_of("1.0", date)[..] else { panic!("{date}") };
        assert_eq!(finding.rule, Rule::DateForm);
    }
    for date in ["", "20", "2020-13", "2020-02-32", "2020-02-03T10Z", "2020-02-03T10:20", "2020-02-03T24:20Z"]
    {
        assert_eq!(findings_of("1.1", date).len(), 1, "{date}");
    }
}

#[test]
fn a_file_without_a_record_is_not_clean() {
    let no_record = |file: &[u8]| {
        let report = check(file);
        assert_eq!(report.errors().count(), 1, "{:?}", report.findings);
        report.findings[0].rule
    };
    assert_eq!(no_record(b""), Rule::AnyRecord);
    assert_eq!(no_record(b"GARBAGE"), Rule::Readable);
    let empty_member = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(no_record(&empty_member), Rule::AnyRecord);
    assert_eq!(Rule::AnyRecord.name(), "any-record");
}

#[test]
fn records_are_seen_together() {
    let file = sample_file(HEAD, PAGE);
    let doubled = [file.clone(), file.clone()].concat();
    let report = check(doubled.as_slice());
    assert_eq!(report.findings.len(), 5);
    assert!(report.findings.iter().all(|finding| finding.rule == Rule::RecordIdUnique));
    let start = read_all(&file)[1].offset as usize;
    assert_eq!(check(&file[start..]).findings[0].rule, Rule::WarcinfoFirst);
    let other_day =
        String::from_utf8(gunzip(&file)).expect("text").replacen("WARC-Date: 2026", "WARC-Date: 2025", 2);
    assert_eq!(check(other_day.as_bytes()).findings[0].rule, Rule::ConcurrentDate);
}

#[test]
fn the_end_of_a_record_is_exact() {
    let plain = gunzip(&sample_file(HEAD, PAGE));
    let longer = [&plain[..], b"\r\n"].concat();
    assert_eq!(check(longer.as_slice()).findings[0].rule, Rule::RecordEnd);
    assert_eq!(check(&plain[..plain.len() - 1]).findings[0].rule, Rule::RecordEnd);
    assert_eq!(Rule::HttpContentLength.name(), "http-content-length");
}
