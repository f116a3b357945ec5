use super::*;

fn void(removal: Removal) -> Void {
    Void { id: id(9), date: DATE, removal }
}

fn written(void: &Void, length: u64) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    write_void(&mut out, void, length).map(|()| out)
}

#[test]
fn a_void_takes_exactly_the_bytes_of_what_it_stands_for() {
    let void = void(Removal::TakenDown { by: 17 });
    let least = (0..1_000).find(|length| written(&void, *length).is_ok()).expect("a thousand is enough");
    assert!(least < 320, "{least} bytes: no record of a crawl is shorter");
    // Around every place where a length or a block needs one more byte.
    let around = |place: u64| place.saturating_sub(320)..place + 20;
    let lengths = (least..1_400).chain(around(10_300)).chain(around(65_560)).chain(around(131_080));
    for length in lengths.chain([1_000_000, 3_000_017]) {
        let bytes = written(&void, length).unwrap_or_else(|error| panic!("{length}: {error}"));
        assert_eq!(bytes.len() as u64, length);
        let [record] = &read_all(&bytes)[..] else { panic!("{length}: one record") };
        assert_eq!((record.offset, record.length), (0, Some(length)));
        assert_eq!(Removal::of(record), Some(Removal::TakenDown { by: 17 }));
        let findings = check(&bytes[..]).findings;
        assert!(findings.iter().all(|finding| finding.rule == Rule::WarcinfoFirst), "{length}: {findings:?}");
    }
    assert_eq!(written(&void, least - 1).unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
}

#[test]
fn a_void_says_where_its_record_has_gone() {
    let elsewhere = Elsewhere { filename: "a-kept-1.warc.gz".to_owned(), offset: 17, length: 5_000_000_000 };
    let void = void(Removal::Moved(elsewhere));
    let bytes = written(&void, 700).unwrap();
    assert_eq!(Removal::of(&read_all(&bytes)[0]), Some(void.removal));
    assert!(read_all(&sample_file(HEAD, PAGE)).iter().all(|record| Removal::of(record).is_none()));
}

#[test]
fn a_place_outside_the_archive_is_none() {
    let elsewhere = Elsewhere { filename: "../../etc/passwd".to_owned(), offset: 0, length: 1 };
    let bytes = written(&void(Removal::Moved(elsewhere)), 700).unwrap();
    assert_eq!(Removal::of(&read_all(&bytes)[0]), None);
}

#[test]
fn the_rest_of_a_file_stands_where_it_stood() {
    let file = sample_file(HEAD, PAGE);
    let before = read_all(&file);
    let response = before.iter().find(|record| record.record_type() == RecordType::Response).unwrap();
    let (from, length) = (response.offset as usize, response.length.unwrap());
    let mut rewritten = file.clone();
    let bytes = written(&void(Removal::TakenDown { by: 1 }), length).unwrap();
    rewritten[from..from + length as usize].copy_from_slice(&bytes);
    let after = read_all(&rewritten);
    let places = |records: &[Record]| records.iter().map(|record| record.offset).collect::<Vec<_>>();
    assert_eq!(places(&after), places(&before));
    assert!(check(&rewritten[..]).is_clean());
}

#[test]
fn a_revisit_becomes_the_response_that_it_was() {
    let file = sample_file(HEAD, PAGE);
    let records = read_all(&file);
    let revisit = records.last().unwrap();
    let mut out = file[..records[1].offset as usize].to_vec();
    write_whole_response(&mut out, revisit, Some("text/html"), PAGE.len() as u64, || Ok(PAGE)).unwrap();
    assert!(check(&out[..]).is_clean());
    let whole = read_all(&out).pop().unwrap();
    assert_eq!((whole.record_type(), whole.id()), (RecordType::Response, revisit.id()));
    assert_eq!((whole.target_uri(), whole.date()), (revisit.target_uri(), revisit.date()));
    assert_eq!(whole.http().unwrap().payload, PAGE);
    assert_eq!(whole.header.get("WARC-Payload-Digest"), revisit.header.get("WARC-Payload-Digest"));
    assert_eq!(whole.header.get("WARC-Refers-To-Date"), None);
}
