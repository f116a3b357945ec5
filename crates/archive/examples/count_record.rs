//! `count_record N`: commits N captures of a page in groups of 16, for `cargo xtask counts`. The body is as it comes from most
//! servers, gzip, and is not compressed again.

use archive::{Archive, ArchiveConfig, Body, Capture, CaptureMeta, Entry, Kept, Purpose};
use bytes::Bytes;
use disk::MemDisk;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use stdx::{Rng, WallTime};

const NOW: WallTime = WallTime::from_unix_ms(1_795_170_484_250);
const GROUP: u64 = 16;
const BODY_BYTES: usize = 20 << 10;

fn main() {
    let count: u64 = std::env::args().nth(1).and_then(|count| count.parse().ok()).expect("how many");
    let config = ArchiveConfig::new("count", "node.example", 7, str::to_owned);
    let mut archive = Archive::open(Arc::new(MemDisk::new()), config, NOW).expect("memory").archive;
    let body = body();
    for first in (0..count).step_by(GROUP as usize) {
        let batch: Vec<Entry> = (first..count.min(first + GROUP)).map(|n| entry(n, &body)).collect();
        archive.commit(NOW, &batch).expect("memory");
    }
}

/// What no compressor makes smaller.
fn body() -> Vec<u8> {
    let mut rng = Rng::new(1);
    (0..BODY_BYTES / 8).flat_map(|_| rng.next_u64().to_le_bytes()).collect()
}

/// No two have one body: what comes again would be a revisit.
fn entry(n: u64, body: &[u8]) -> Entry {
    let body = Bytes::from([&n.to_le_bytes(), &body[8..]].concat());
    let head = format!(
        "HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\n\
         Cache-Control: max-age=600\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let capture = Capture {
        url: format!("https://www.example.com/articles/2026/{n}.html"),
        started: NOW,
        elapsed_ms: 40,
        address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)),
        protocols: vec!["http/1.1".to_owned(), "tls/1.3".to_owned()],
        cipher_suite: Some("TLS13_AES_128_GCM_SHA256".to_owned()),
        handshake: None,
        request_head: Bytes::from(format!(
            "GET /articles/2026/{n}.html HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        )),
        response_head: Bytes::from(head),
        status: 200,
        body: Body::from(body),
        truncated: None,
        cut_because: None,
        usage: None,
        unchanged: None,
    };
    let meta =
        CaptureMeta { via: Some("https://www.example.com/".to_owned()), hops: 2, purpose: Purpose::Page };
    Entry { record: vec![0; 120], capture: Some(Kept { capture: Arc::new(capture), meta }) }
}
