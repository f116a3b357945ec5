//! The reader, the checker and the readers of heads on what nobody wrote.

use fuzz::Fuzz;
use meter::Meter;
use std::io::Write;
use warc::{
    Fields, HttpMessage, IndexEntry, PayloadReader, ReadError, Reader, Record, archived_head, check, identify,
};

#[global_allocator]
static METER: Meter = Meter::new();

const RECORD: &str = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n\
    WARC-Date: 2026-11-20T10:28:04Z\r\nWARC-Target-URI: http://site.test/\r\nContent-Type: application/http;msgtype=response\r\n\
    Content-Length: 63\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: y\r\n\r\n<p>hello</p>\r\n\r\n\r\n";

const WORDS: [&str; 18] = [
    "WARC/1.1\r\n",
    "WARC/1.0\n",
    "\r\n",
    "\r\n\r\n",
    "\n\n",
    "Content-Length: ",
    "0",
    "99999999999999999999",
    "WARC-Type: ",
    "revisit",
    "WARC-Refers-To: ",
    "HTTP/1.1 ",
    "Transfer-Encoding: chunked",
    "Content-Encoding: gzip",
    "\u{1f}\u{8b}",
    ": ",
    "\t",
    "5\r\n",
];

/// Bytes of a block that are kept.
const BLOCK_BYTES: usize = 64 << 10;

fn zipped(text: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(text).and_then(|()| writer.finish()).expect("memory")
}

fn records(input: &[u8]) -> Vec<Result<Record, ReadError>> {
    Reader::new(input).with_block_limit(BLOCK_BYTES).take(input.len() + 2).collect()
}

#[test]
fn records_are_read_or_refused() {
    let zip = zipped(RECORD.as_bytes());
    let damaged = [&zip[..zip.len() / 2], &zip, b"x", &zip].concat();
    let seeds = [RECORD.as_bytes().to_vec(), zip.clone(), zip.repeat(2), damaged];
    Fuzz::new("records").seeds(seeds).words(&WORDS).run(|input| {
        let peak = METER.peak_while(|| {
            let read = records(input);
            assert!(read.len() <= input.len() + 1, "a reader ends");
            let sound = read.iter().flatten();
            let places: Vec<u64> = sound.clone().map(|record| record.offset).collect();
            assert!(places.is_sorted() && places.iter().all(|at| *at <= input.len() as u64), "{places:?}");
            for record in sound {
                drop(IndexEntry::of(record, "x.warc.gz").map(|entry| entry.line("test,site)/")));
            }
            let report = check(input);
            assert!(report.skipped_bytes <= input.len() as u64, "{} bytes", report.skipped_bytes);
        });
        assert!(peak <= 8 * BLOCK_BYTES + 64 * input.len() + (4 << 20), "{peak} bytes for {}", input.len());
    });
}

#[test]
fn heads() {
    let block = &RECORD[RECORD.find("HTTP/").expect("a response")..];
    let seeds = [
        block,
        "HTTP/1.1 200\nA:b\n c\n\nx",
        "HTTP/ 2005",
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "3\nContent-Encoding:\u{B}",
        ";\nTransfer-Encoding\n :chunked",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    ];
    Fuzz::new("heads").seeds(seeds).words(&WORDS).run(|input| {
        let message = HttpMessage::split(input);
        assert_eq!([message.head, message.payload].concat(), input, "nothing is lost between them");
        let (status, coding) = (message.status(), message.header("content-encoding"));
        let is_bare = |value: &str| value.trim_matches([' ', '\t', '\r', '\n']) == value;
        assert!(status.is_none_or(|status| status < 1000) && coding.is_none_or(|value| is_bare(&value)));
        let head = archived_head(message.head, message.payload.len() as u64);
        let again = HttpMessage::split(&head);
        assert!(!again.is_chunked(), "stored without a transfer coding");
        assert_eq!(again.head.len(), head.len(), "one head");
        drop(Fields::parse(input));
        assert!(!identify(message.payload, None).contains('\n'));
        let mut payload = Vec::new();
        let peak = METER.peak_while(|| {
            let reader = PayloadReader::open(input, message.head.len() as u64);
            drop(reader.map(|reader| std::io::copy(&mut std::io::Read::take(reader, 1 << 20), &mut payload)));
        });
        assert!(payload.len() <= 1 << 20 && peak <= 4 << 20, "{peak}");
    });
}
