//! Archives as a crawl writes them, in memory.

use disk::{Disk, MemDisk, replace_file};
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use stdx::WallTime;
use warc::{
    Encoder, Exchange, Fields, Metadata, Place, RecordId, Request, Response, Revisit, RevisitProfile,
    Sha1Digest, Warcinfo, archived_head,
};

/// What a URL answered.
pub(super) struct Answer<'a> {
    pub(super) url: &'a str,
    /// Status line and headers but Content-Length.
    pub(super) head: &'a str,
    pub(super) body: &'a str,
    pub(super) hops: &'a str,
    /// What robots.txt says of its use, as it was in force.
    pub(super) usage: Option<&'a str>,
    /// It was not modified since an earlier crawl, whose archive is gone.
    pub(super) is_dangling: bool,
}

/// A page of HTML.
pub(super) fn page<'a>(url: &'a str, body: &'a str) -> Answer<'a> {
    Answer {
        url,
        head: "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n",
        body,
        hops: "L",
        usage: None,
        is_dangling: false,
    }
}

/// A 304 that stands for a page of an earlier crawl, whose archive is gone.
pub(super) fn dangling(url: &str) -> Answer<'_> {
    Answer { is_dangling: true, ..answer(url, "HTTP/1.1 304 Not Modified\r\n") }
}

/// What a URL answered, as its head says.
pub(super) fn answer<'a>(url: &'a str, head: &'a str) -> Answer<'a> {
    Answer { url, head, body: "", hops: "L", usage: None, is_dangling: false }
}

pub(super) const DATE: u64 = 1_795_170_484_000;

/// A disk with an archive of one file.
pub(super) fn archive(answers: &[Answer<'_>]) -> MemDisk {
    let disk = MemDisk::new();
    disk.create_dir(Path::new("archive")).unwrap();
    let path = Path::new("archive/test-20261120102804-00000-here.warc.gz");
    replace_file(&disk, path, &file(answers)).unwrap();
    disk
}

pub(super) fn file(answers: &[Answer<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = Encoder::new();
    let id = RecordId::from_value;
    let date = WallTime::from_unix_ms(DATE);
    let mut fields = Fields::new();
    fields.push("software", "test");
    encoder.warcinfo(&mut out, &Warcinfo { id: id(1), date, filename: "test.warc.gz", fields });
    for (answer, nth) in answers.iter().zip(1..) {
        let exchange = Exchange {
            url: answer.url,
            date,
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            protocols: &["http/1.1".to_owned()],
            cipher_suite: None,
            warcinfo: Some(id(1)),
        };
        let response = id(nth << 8);
        let request =
            Request { id: id(nth << 8 | 1), response, head: b"GET / HTTP/1.1\r\nHost: here\r\n\r\n" };
        encoder.request(&mut out, &exchange, &request);
        let head = archived_head(format!("{}\r\n", answer.head).as_bytes(), answer.body.len() as u64);
        let record = Response {
            id: response,
            head: &head,
            payload_len: answer.body.len() as u64,
            payload_digest: Sha1Digest::of(answer.body.as_bytes()),
            block_digest: None,
            truncated: None,
            payload_type: None,
        };
        if answer.is_dangling {
            encoder.revisit(&mut out, &exchange, &revisit(&record, answer.url));
        } else {
            encoder.response(&mut out, &exchange, &record, answer.body.as_bytes());
        }
        let mut fields = Fields::new();
        fields.push("hopsFromSeed", answer.hops);
        fields.push_some("robotsUsage", answer.usage);
        encoder.metadata(&mut out, &exchange, &Metadata { id: id(nth << 8 | 2), response, fields });
    }
    out
}

fn revisit<'a>(response: &Response<'a>, url: &'a str) -> Revisit<'a> {
    Revisit {
        id: response.id,
        profile: RevisitProfile::ServerNotModified,
        head: response.head,
        refers_to_url: url,
        refers_to_date: WallTime::from_unix_ms(DATE),
        refers_to: Some("<urn:uuid:00000000-0000-4000-8000-000000000001>"),
        refers_to_place: Some(Place {
            filename: "test-20260520102804-00000-here.warc.gz",
            offset: 0,
            length: 300,
        }),
        payload_digest: response.payload_digest,
        payload_type: None,
    }
}
