mod absent;
mod bodies;
mod crash;
mod earlier;
mod formats;
mod full;
mod going_on;
mod ids;
mod index;
mod purge;
mod revisits;
mod round_trip;

use crate::*;
use bytes::Bytes;
use disk::{CrashMode, Disk, MemDisk, Mode, SharedDisk, read_all};
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdx::{Credit, Rng, WallTime};

const NOW: WallTime = WallTime::from_unix_ms(1_795_170_484_250);

fn surt(url: &str) -> String {
    format!("surt:{url}")
}

/// Small files, so that a short script rotates.
fn config() -> ArchiveConfig {
    let mut config = ArchiveConfig::new("test-crawl", "node.example", 7, surt);
    config.operator = Some("https://example.com/contact".to_owned());
    config.max_file_bytes = 4000;
    config.max_segment_bytes = 500;
    config
}

/// Every capture whole, as where files expire.
fn without_revisits() -> ArchiveConfig {
    ArchiveConfig { payload_bytes: 0, ..config() }
}

fn open(disk: &MemDisk) -> Opened {
    try_open(Arc::new(disk.clone())).expect("opens")
}

fn try_open(disk: SharedDisk) -> Result<Opened> {
    Archive::open(disk, config(), NOW)
}

/// Every sixth is the same, and long enough to be worth a revisit.
fn body(n: u64) -> Vec<u8> {
    let (title, words) = if n % 6 == 1 { (1, 150) } else { (n, Rng::new(n).below(60)) };
    let mut rng = Rng::new(title);
    let words: Vec<String> = (0..words).map(|_| format!("{:x}", rng.next_u64())).collect();
    format!("<!doctype html><title>{title}</title>{}", words.join(" ")).into_bytes()
}

fn capture(n: u64) -> Capture {
    let body = body(n);
    let chunked = n.is_multiple_of(2);
    let framing = if chunked {
        "Transfer-Encoding: chunked".to_owned()
    } else {
        format!("Content-Length: {}", body.len())
    };
    Capture {
        url: format!("https://example.com/page/{n}?q=ü"),
        started: WallTime::from_unix_ms(NOW.unix_ms() + n),
        elapsed_ms: n as u32,
        address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, n as u8)),
        protocols: vec!["http/1.1".to_owned(), "tls/1.3".to_owned()],
        cipher_suite: Some("TLS13_AES_128_GCM_SHA256".to_owned()),
        handshake: Some(Arc::new(handshake(n))),
        request_head: Bytes::from(format!("GET /page/{n} HTTP/1.1\r\nHost: example.com\r\n\r\n")),
        response_head: Bytes::from(format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{framing}\r\n\r\n"
        )),
        status: 200,
        body: if n.is_multiple_of(4) { spooled(&body) } else { Body::from(Bytes::from(body)) },
        truncated: n.is_multiple_of(5).then_some(Truncation::Length),
        cut_because: None,
        usage: n.is_multiple_of(4).then(|| "train-ai=n, search=y".to_owned()),
        unchanged: None,
    }
}

fn handshake(n: u64) -> Handshake {
    let says = LeafSays {
        subject: format!("CN=example.com, O=Example {n}"),
        issuer: "CN=Authority".to_owned(),
        not_before: "2026-01-01T00:00:00Z".to_owned(),
        not_after: "2026-04-01T00:00:00Z".to_owned(),
        names: (0..n).map(|name| format!("n{name}.example.com")).collect(),
    };
    let leaf = Leaf { sha256: format!("{n:064x}"), says: n.is_multiple_of(2).then_some(says) };
    Handshake {
        session: if n.is_multiple_of(5) { Session::Resumed } else { Session::New },
        alpn: n.is_multiple_of(3).then(|| "h2".to_owned()),
        certificates: n as usize,
        leaf: (!n.is_multiple_of(7)).then_some(leaf),
        objection: n.is_multiple_of(3).then(|| "expired yesterday".to_owned()),
    }
}

/// A body on a disk of its own, as it arrives where there is no credit.
fn spooled(bytes: &[u8]) -> Body {
    let spool = Spool::open(Arc::new(MemDisk::new())).expect("memory");
    arrive(&Intake::new(Credit::new(0), spool, 0), bytes.chunks(900), 0).expect("memory")
}

/// Takes a body in, as it comes.
fn arrive<'a>(intake: &Intake, parts: impl IntoIterator<Item = &'a [u8]>, beside: usize) -> io::Result<Body> {
    let mut arriving = intake.begin();
    for mut part in parts {
        while !part.is_empty() {
            part = &part[arriving.take(part)..];
            if !part.is_empty() {
                arriving.spill()?;
            }
        }
    }
    arriving.finish(beside).or_else(|arriving| arriving.finish_on_disk())
}

/// Entry `n`: every third has no capture.
fn entry(n: u64) -> Entry {
    let meta =
        CaptureMeta { via: Some("https://example.com/".to_owned()), hops: n as u32, purpose: Purpose::Page };
    let kept = Kept { capture: Arc::new(capture(n)), meta };
    Entry { record: format!("record {n}").into_bytes(), capture: (!n.is_multiple_of(3)).then_some(kept) }
}

fn batch(numbers: std::ops::Range<u64>) -> Vec<Entry> {
    numbers.map(entry).collect()
}

fn ledger_of(disk: &MemDisk) -> Vec<ReplayEntry> {
    let mut journal = ledger(Arc::new(disk.clone())).expect("a journal");
    let entries = journal.by_ref().map(|entry| entry.expect("readable")).collect();
    // As far as a journal says it has been read, there is nothing behind it but a torn tail.
    assert!(journal.bytes_read() <= crate::ledger_bytes(disk).expect("a journal"));
    entries
}

/// Files of a directory, as paths.
fn files(disk: &dyn Disk, dir: &str, suffix: &str) -> Vec<PathBuf> {
    let names = disk.list(Path::new(dir)).unwrap_or_default();
    names.iter().filter(|name| name.ends_with(suffix)).map(|name| Path::new(dir).join(name)).collect()
}

fn content(disk: &dyn Disk, path: &Path) -> Vec<u8> {
    read_all(disk, path).expect("a file")
}

fn overwrite(disk: &dyn Disk, path: &Path, offset: u64, bytes: &[u8]) {
    let mut file = disk.open(path, Mode::Write).expect("a file");
    file.write_at(bytes, offset).expect("memory");
    file.sync().expect("memory");
}

/// The entries given are whole and in order, and their captures read back as they went in.
#[track_caller]
fn check_entries(archive: &Archive, entries: &[ReplayEntry]) {
    for (index, replayed) in entries.iter().enumerate() {
        let n = index as u64 + 1;
        let original = entry(n);
        assert_eq!((replayed.seq, &replayed.record), (n, &original.record));
        assert_eq!(replayed.location.is_some(), original.capture.is_some(), "entry {n}");
        if let (Some(location), Some(kept)) = (replayed.location, original.capture) {
            check_capture(archive, location, &kept.capture);
        }
    }
}

#[track_caller]
fn check_capture(archive: &Archive, location: Location, original: &Capture) {
    let stored = archive.read(location).expect("stored");
    let capture = &stored.capture;
    assert_eq!(
        (&capture.url, capture.started, capture.elapsed_ms, capture.address, capture.status),
        (&original.url, original.started, original.elapsed_ms, original.address, original.status),
    );
    assert_eq!(capture.request_head, original.request_head);
    assert_eq!(bytes_of(&capture.body), bytes_of(&original.body));
    assert_eq!((&capture.protocols, &capture.cipher_suite), (&original.protocols, &original.cipher_suite));
    assert_eq!(
        (&capture.handshake, capture.truncated, &capture.usage),
        (&original.handshake, original.truncated, &original.usage)
    );
    assert_eq!(stored.record_id, archive.record_id(location));
    assert_eq!(capture.body.digest(), warc::Sha1Digest::of(&bytes_of(&original.body)));
}

fn bytes_of(body: &Body) -> Bytes {
    body.start(usize::MAX).expect("readable")
}

/// No WARC breaks a rule, whatever its suffix.
#[track_caller]
fn check_warcs(disk: &dyn Disk) {
    for path in [files(disk, "archive", ".warc.gz"), files(disk, "archive", ".open")].concat() {
        let report = warc::check(content(disk, &path).as_slice());
        assert_eq!(report.findings, [], "{}", path.display());
        assert!(report.records > 1, "{} holds nothing", path.display());
    }
}
