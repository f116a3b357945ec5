use super::*;
use proptest::prelude::*;

#[test]
fn a_file_reads_back_and_breaks_no_rule() {
    let file = sample_file(HEAD, PAGE);
    let kinds: Vec<_> = read_all(&file).iter().map(Record::record_type).collect();
    assert_eq!(
        kinds,
        [
            RecordType::Warcinfo,
            RecordType::Request,
            RecordType::Response,
            RecordType::Metadata,
            RecordType::Revisit
        ]
    );
    let report = check(file.as_slice());
    assert_eq!(report.findings, []);
    assert_eq!((report.records, report.digests_verified), (5, 6));
}

#[test]
fn members_stand_side_by_side_and_read_alone() {
    let file = sample_file(HEAD, PAGE);
    let mut end = 0;
    for record in read_all(&file) {
        let length = record.length.expect("a member of its own");
        assert_eq!(record.offset, end);
        end += length;
        let alone = read_all(&file[record.offset as usize..end as usize]);
        assert_eq!((alone.len(), &alone[0].block), (1, &record.block));
    }
    assert_eq!(end, file.len() as u64);
}

#[test]
fn a_response_record_is_laid_out_as_the_standard_draws_it() {
    let mut out = Vec::new();
    let protocols = ["h2".to_owned(), "tls/1.3".to_owned()];
    let mut exchange = exchange("https://example.com/", &protocols);
    exchange.cipher_suite = Some("TLS_AES_128_GCM_SHA256");
    let mut response = response(b"HTTP/1.1 200 \r\n\r\n", b"hi");
    response.truncated = Some(Truncation::Length);
    response.payload_type = Some("text/plain");
    Encoder::new().response(&mut out, &exchange, &response, b"hi");
    let text = String::from_utf8(gunzip(&out)).expect("text");
    let wanted = "WARC/1.1\r\n\
        WARC-Type: response\r\n\
        WARC-Record-ID: <urn:uuid:00000000-0000-8000-8000-000000000003>\r\n\
        WARC-Date: 2026-11-20T10:28:04Z\r\n\
        WARC-Target-URI: https://example.com/\r\n\
        WARC-Warcinfo-ID: <urn:uuid:00000000-0000-8000-8000-000000000001>\r\n\
        WARC-IP-Address: 192.0.2.7\r\n\
        WARC-Protocol: h2\r\n\
        WARC-Protocol: tls/1.3\r\n\
        WARC-Cipher-Suite: TLS_AES_128_GCM_SHA256\r\n\
        WARC-Payload-Digest: sha1:YIRMMRSUM4YIT4A3CKG5L5CMTRABADYG\r\n\
        WARC-Identified-Payload-Type: text/plain\r\n\
        WARC-Truncated: length\r\n\
        WARC-Block-Digest: sha1:BLOCK\r\n\
        Content-Type: application/http; msgtype=response\r\n\
        Content-Length: 19\r\n\r\n\
        HTTP/1.1 200 \r\n\r\nhi\r\n\r\n";
    let block = sha1_digest(&[b"HTTP/1.1 200 \r\n\r\n", b"hi"]).to_string();
    let payload = sha1_digest(&[b"hi"]).to_string();
    let wanted =
        wanted.replace("sha1:BLOCK", &block).replace("sha1:YIRMMRSUM4YIT4A3CKG5L5CMTRABADYG", &payload);
    assert_eq!(text, wanted);
}

#[test]
fn digests_of_block_and_payload_made_together_are_those_made_apart() {
    let bytes: Vec<u8> = (0..1_000_u32).map(|n| (n * n / 7) as u8).collect();
    for head in 0..=130 {
        for payload in (0..260).chain([640, 799, 870]) {
            let (head, payload) = bytes[..head + payload].split_at(head);
            let apart =
                ResponseDigests { block: sha1_digest(&[head, payload]), payload: Sha1Digest::of(payload) };
            assert_eq!(
                ResponseDigests::of(head, payload),
                apart,
                "{} and {} bytes",
                head.len(),
                payload.len()
            );
        }
    }
}

#[test]
fn known_digests_come_out() {
    assert_eq!(sha1_digest(&[]).to_string(), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    let hex = "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709";
    assert_eq!(compare_digest(hex, &[]), DigestMatch::Same);
    assert_eq!(compare_digest(hex, &[b"x"]), DigestMatch::Different);
    assert_eq!(compare_digest("md5:abc", &[]), DigestMatch::Unverified);
    assert_eq!(compare_digest("3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", &[]), DigestMatch::Malformed);
}

#[test]
fn a_compressed_body_is_stored_not_compressed_again() {
    let noise: Vec<u8> = (0..200_000u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let body = gzip(&noise);
    let head = archived_head(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", body.len() as u64);
    let mut out = Vec::new();
    Encoder::new().response(&mut out, &exchange("http://a.example/", &[]), &response(&head, &body), &body);
    let at = memchr::memmem::find(&out, &body[..1000]).expect("the server's bytes stand as they came");
    assert!(at < 2000);
    assert_eq!(read_all(&out)[0].http().expect("http").payload, body);
}

#[test]
fn a_small_member_is_stored_and_a_larger_one_is_deflated() {
    let written = |body: &str| {
        let mut out = Vec::new();
        let head = archived_head(b"HTTP/1.1 200 OK\r\n\r\n", body.len() as u64);
        let (exchange, body) = (exchange("http://a.example/", &[]), body.as_bytes());
        Encoder::new().response(&mut out, &exchange, &response(&head, body), body);
        assert_eq!(read_all(&out)[0].http().expect("http").payload, body);
        out
    };
    let stands_in = |member: &[u8]| memchr::memmem::find(member, b"the same words").is_some();
    assert!(stands_in(&written("the same words")));
    let long = written(&"the same words ".repeat(200));
    assert!(!stands_in(&long) && long.len() < 1_000, "{} bytes", long.len());
}

#[test]
fn a_resource_is_its_payload() {
    let mut out = sample_file(HEAD, PAGE);
    let url = "https://example.com/list.txt";
    let (content_type, payload) = ("text/plain", b"a list".as_slice());
    let resource = Resource { id: id(9), url, date: DATE, warcinfo: Some(id(1)), content_type, payload };
    Encoder::new().resource(&mut out, &resource);
    assert_eq!(check(out.as_slice()).findings, []);
    let record = read_all(&out).remove(5);
    assert_eq!((record.record_type(), record.block.as_slice()), (RecordType::Resource, payload));
    assert!(record.http().is_none());
}

#[test]
fn header_values_cannot_break_out_of_their_line() {
    let mut fields = Fields::new();
    fields.push("via", "http://a.example/\r\nWARC-Type: warcinfo");
    assert_eq!(fields.as_bytes(), b"via: http://a.example/  WARC-Type: warcinfo\r\n");
}

proptest! {
    #[test]
    fn any_payload_reads_back(payload in prop::collection::vec(any::<u8>(), 0..200_000), coded in any::<bool>()) {
        let coding = if coded { "Content-Encoding: gzip\r\n" } else { "" };
        let head = format!("HTTP/1.1 200 OK\r\n{coding}Content-Length: {}\r\n\r\n", payload.len());
        let file = sample_file(head.as_bytes(), &payload);
        let records = read_all(&file);
        let http = records[2].http().expect("http");
        prop_assert_eq!(http.payload, &payload);
        prop_assert_eq!(http.head, head.as_bytes());
        let findings = check(file.as_slice()).findings;
        let allowed = |f: &Finding| f.rule == Rule::RevisitDigest && payload.is_empty();
        prop_assert!(findings.iter().all(allowed), "{findings:?}");
    }

    #[test]
    fn ids_are_uuids_and_keep_the_callers_bits(a in any::<u128>(), b in any::<u128>()) {
        let text = id(a).to_string();
        prop_assert_eq!(text.len(), 45);
        prop_assert_eq!(&text[23..24], "8");
        prop_assert!("89ab".contains(&text[28..29]));
        let own = !((0xF_u128 << 76) | (0b11_u128 << 62));
        prop_assert_eq!(id(a) == id(b), a & own == b & own);
    }
}
