use super::*;
use std::io::{self, Read};

const CODED: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";

fn noise(bytes: usize) -> Vec<u8> {
    (0..=bytes as u32 / 4).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).take(bytes).collect()
}

/// A file that ends with a response whose payload came as a stream.
fn large_file(head: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut out = sample_file(HEAD, PAGE);
    let exchange = exchange("https://example.com/large", &[]);
    write_large_response(&mut out, &exchange, &large(head, payload), || Ok(payload)).expect("memory");
    out
}

fn large<'a>(head: &'a [u8], payload: &[u8]) -> Response<'a> {
    Response { id: id(9), ..response(head, payload) }
}

#[test]
fn a_large_response_is_the_same_record_as_a_small_one() {
    for head in [HEAD, CODED] {
        let payload = noise(300_000);
        let file = large_file(head, &payload);
        assert_eq!(check(file.as_slice()).findings, []);
        let mut small = Vec::new();
        let exchange = exchange("https://example.com/large", &[]);
        Encoder::new().response(&mut small, &exchange, &large(head, &payload), &payload);
        let [large, small] = [read_all(&file).remove(5), read_all(&small).remove(0)];
        assert_eq!((large.header.as_bytes(), large.block), (small.header.as_bytes(), small.block));
    }
}

#[test]
fn a_coded_large_payload_is_stored_as_it_came() {
    let payload = noise(300_000);
    let file = large_file(CODED, &payload);
    assert!(memchr::memmem::find(&file, &payload[..1_000]).is_some());
    assert!(memchr::memmem::find(&large_file(HEAD, &payload), &payload[..1_000]).is_none());
}

#[test]
fn a_payload_reads_back_as_a_stream() {
    let payload = noise(200_000);
    let file = large_file(HEAD, &payload);
    let offset = read_all(&file)[5].offset as usize;
    let mut read = Vec::new();
    let mut stream = PayloadReader::open(&file[offset..], HEAD.len() as u64).expect("a record");
    stream.read_to_end(&mut read).expect("whole");
    assert_eq!(read, payload);

    let cut = &file[offset..file.len() - 1_000];
    let mut stream = PayloadReader::open(cut, HEAD.len() as u64).expect("its head is there");
    let error = stream.read_to_end(&mut Vec::new()).expect_err("its end is not");
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
}

#[test]
fn a_payload_of_another_length_is_no_record() {
    let (short, long) = (noise(10), noise(11));
    let exchange = exchange("https://example.com/", &[]);
    for payload in [&short[..9], long.as_slice()] {
        let written = write_large_response(Vec::new(), &exchange, &response(HEAD, &short), || Ok(payload));
        assert_eq!(written.expect_err("not what was promised").kind(), io::ErrorKind::UnexpectedEof);
    }
}

#[test]
fn digests_come_back_from_their_labels() {
    let mut stream = Sha1Stream::default();
    PAGE.chunks(7).for_each(|part| stream.update(part));
    let digest = stream.finish();
    assert_eq!((digest, digest.to_string()), (Sha1Digest::of(PAGE), sha1_digest(&[PAGE]).to_string()));
    assert_eq!(Sha1Digest::from_label(&digest.to_string()), Some(digest));
    assert_eq!(Sha1Digest::from_label("sha256:abc"), None);
    assert_eq!(Sha1Digest::from_label("sha1:short"), None);
}
