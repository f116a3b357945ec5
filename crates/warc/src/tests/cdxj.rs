use super::*;

fn line(head: &str, payload: &[u8]) -> String {
    let file = sample_file(head.as_bytes(), payload);
    let record = read_all(&file).remove(2);
    IndexEntry::of(&record, "a.warc.gz").expect("a response").line("com,example)/a?b=c")
}

#[test]
fn a_response_becomes_one_line() {
    let got = line("HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; Charset=\"utf-8\"\r\n\r\n", PAGE);
    let record = read_all(&sample_file(
        b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; Charset=\"utf-8\"\r\n\r\n",
        PAGE,
    ))
    .remove(2);
    let wanted = format!(
        "com,example)/a?b=c 20261120102804 {{\"url\": \"https://example.com/a?b=c\", \"mime\": \"text/html\", \
         \"status\": \"200\", \"digest\": \"{}\", \"length\": \"{}\", \"offset\": \"{}\", \
         \"filename\": \"a.warc.gz\", \"charset\": \"utf-8\"}}",
        sha1_digest(&[PAGE]),
        record.length.expect("own member"),
        record.offset,
    );
    assert_eq!(got, wanted);
}

#[test]
fn a_redirect_says_where_to_and_odd_bytes_are_escaped() {
    let got = line("HTTP/1.1 302 Found\r\nLocation: /\"x\"\\\r\n\r\n", b"");
    let json: serde_json::Value =
        serde_json::from_str(got.splitn(3, ' ').nth(2).expect("json")).expect("valid");
    assert_eq!(json["redirect"], "/\"x\"\\");
    assert_eq!((&json["mime"], &json["status"]), (&"unk".into(), &"302".into()));
    assert!(json.as_object().expect("object").values().all(serde_json::Value::is_string));
}

/// A head may have 64 KB, and a line is made of each.
#[test]
fn what_is_too_long_to_be_a_type_a_charset_or_a_place_is_not_told() {
    let told = |status: u16, field: &str| {
        let got = line(&format!("HTTP/1.1 {status} So\r\n{field}\r\n\r\n"), b"");
        let json: serde_json::Value =
            serde_json::from_str(got.splitn(3, ' ').nth(2).expect("json")).expect("valid");
        ["mime", "charset", "redirect"].map(|name| json[name].as_str().map_or(0, str::len))
    };
    for (bytes, mime) in [(255, 255), (256, 3), (60_000, 3)] {
        let kind = format!("text/{}", "x".repeat(bytes - 5));
        assert_eq!(told(200, &format!("Content-Type: {kind}; charset=utf-8")), [mime, 5, 0]);
    }
    for (charset, bytes) in [("x".repeat(255), 255), ("x".repeat(256), 0), ("utf 8".to_owned(), 0)] {
        assert_eq!(told(200, &format!("Content-Type: text/html; charset={charset}")), [9, bytes, 0]);
    }
    for (bytes, redirect) in [(8_000, 8_000), (8_001, 0)] {
        assert_eq!(told(301, &format!("Location: {}", "/".repeat(bytes))), [3, 0, redirect]);
    }
}

#[test]
fn only_responses_and_revisits_are_listed() {
    let records = read_all(&sample_file(HEAD, PAGE));
    let mimes: Vec<_> =
        records.iter().filter_map(|r| IndexEntry::of(r, "a")).map(|entry| entry.mime).collect();
    assert_eq!(mimes, ["text/html", "warc/revisit"]);
}

#[test]
fn a_revisit_is_read_back_as_it_was_meant_and_listed() {
    let file = sample_file(HEAD, PAGE);
    let record = read_all(&file).pop().expect("it is the last");
    assert_eq!(record.refers_to(), Some(id(3).to_string().as_str()));
    assert_eq!((record.refers_to_file(), record.refers_to_offset()), (Some("a.warc.gz"), Some(700)));
    assert_eq!(record.header.get("WARC-Truncated"), Some("length"), "as the standard asks");
    let entry = IndexEntry::of(&record, "a.warc.gz").expect("listed");
    assert_eq!((entry.truncated.as_deref(), entry.status.as_deref()), (None, Some("200")));
    assert_eq!(entry.digest, Some(Sha1Digest::of(PAGE).to_string()));
    let protocols = [];
    let revisit = revisit_of(HEAD, PAGE);
    let place = Place { filename: "a.warc.gz", offset: record.offset, length: entry.length };
    assert_eq!(
        IndexEntry::of_revisit(&exchange("https://example.com/a?b=c", &protocols), &revisit, place),
        entry
    );
}
