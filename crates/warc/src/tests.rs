mod cdxj;
mod faults;
mod head;
mod large;
mod reading;
mod refreshing;
mod round_trip;
mod samples;
mod sniffing;
mod voids;

use crate::*;
use std::net::{IpAddr, Ipv4Addr};
use stdx::WallTime;

const DATE: WallTime = WallTime::from_unix_ms(1_795_170_484_250);
const PAGE: &[u8] = b"<!doctype html><title>A page</title><p>Hello.";
const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";

fn id(n: u128) -> RecordId {
    RecordId::from_value(n)
}

fn exchange<'a>(url: &'a str, protocols: &'a [String]) -> Exchange<'a> {
    let address = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
    Exchange { url, date: DATE, address, protocols, cipher_suite: None, warcinfo: Some(id(1)) }
}

fn response<'a>(head: &'a [u8], payload: &[u8]) -> Response<'a> {
    let (payload_len, payload_digest) = (payload.len() as u64, Sha1Digest::of(payload));
    Response {
        id: id(3),
        head,
        payload_len,
        payload_digest,
        block_digest: None,
        truncated: None,
        payload_type: None,
    }
}

/// Of a page that came twice.
fn revisit_of<'a>(head: &'a [u8], payload: &[u8]) -> Revisit<'a> {
    Revisit {
        id: id(5),
        profile: RevisitProfile::IdenticalPayloadDigest,
        head,
        refers_to_url: "https://example.com/a?b=c",
        refers_to_date: DATE,
        refers_to: None,
        refers_to_place: Some(Place { filename: "a.warc.gz", offset: 700, length: 300 }),
        payload_digest: Sha1Digest::of(payload),
        payload_type: Some("text/html"),
    }
}

/// A whole small file: warcinfo, request, response, metadata, revisit.
fn sample_file(head: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut out = Vec::new();
    let mut fields = Fields::new();
    fields.push("software", "drumlin/0.1");
    encoder.warcinfo(&mut out, &Warcinfo { id: id(1), date: DATE, filename: "a.warc.gz", fields });
    let protocols = ["http/1.1".to_owned(), "tls/1.3".to_owned()];
    let exchange = exchange("https://example.com/a?b=c", &protocols);
    let get = b"GET /a?b=c HTTP/1.1\r\nHost: example.com\r\n\r\n";
    encoder.request(&mut out, &exchange, &Request { id: id(2), response: id(3), head: get });
    encoder.response(&mut out, &exchange, &response(head, payload), payload);
    let mut fields = Fields::new();
    fields.push("fetchTimeMs", "12");
    encoder.metadata(&mut out, &exchange, &Metadata { id: id(4), response: id(3), fields });
    let original = id(3).bracketed();
    encoder.revisit(
        &mut out,
        &exchange,
        &Revisit { refers_to: Some(&original), ..revisit_of(head, payload) },
    );
    out
}

fn read_all(file: &[u8]) -> Vec<Record> {
    Reader::new(file).map(|record| record.expect("readable")).collect()
}

fn gunzip(mut data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    std::io::Read::read_to_end(&mut flate2::bufread::MultiGzDecoder::new(&mut data), &mut out).expect("gzip");
    out
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, data).expect("memory");
    encoder.finish().expect("memory")
}
