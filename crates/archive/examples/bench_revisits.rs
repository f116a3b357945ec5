//! What it costs to know which payloads come again, and what it saves.
//!
//! `cargo xtask bench revisits [--captures N] [--bytes N] [--known N] [--dir DIR]`
//!
//! Two archives on disk get `--captures` (20,000) captures of gzip bodies of `--bytes` (42,000), in commits of 64, and then captures with
//! the same bodies once more: one that writes no revisits, and one that does and knows `--known` (5 × 10^6) payloads of other
//! captures before. CPU time, less what making the bodies takes; the time of the system counts, that of the disk does not.

use archive::{Archive, ArchiveConfig, Body, Capture, CaptureMeta, Entry, Kept, Purpose};
use bytes::Bytes;
use disk::{Disk, Mode, OsDisk, SharedDisk};
use meter::cpu_s;
use serde_json::json;
use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdx::{Rng, WallTime};

const NOW: WallTime = WallTime::from_unix_ms(1_795_170_484_250);
const COMMIT: u64 = 64;
/// The share of a crawl with 2 GiB.
const MEMORY: usize = 32 << 20;

struct Options {
    captures: u64,
    bytes: usize,
    known: u64,
    dir: PathBuf,
}

fn main() {
    let options = options();
    let place = options.dir.join(format!("bench-revisits-{}", std::process::id()));
    let whole = run(&place.join("whole"), &options, 0);
    let known = run(&place.join("known"), &options, MEMORY);
    fs::remove_dir_all(&place).expect("our own directory");
    let figures = json!({
        "bench": "revisits",
        "captures": options.captures,
        "body_bytes": options.bytes,
        "payloads_known_before": options.known,
        "us_a_capture_without_index": whole.first_us,
        "us_a_capture_that_is_new": known.first_us,
        "us_a_capture_that_comes_again_without_index": whole.again_us,
        "us_a_capture_that_comes_again": known.again_us,
        "archive_bytes_without_index": whole.bytes,
        "archive_bytes": known.bytes,
        "us_to_open": known.open_us,
    });
    println!("{figures}");
}

struct Measured {
    first_us: f64,
    again_us: f64,
    open_us: f64,
    bytes: u64,
}

fn run(dir: &Path, options: &Options, memory: usize) -> Measured {
    fs::create_dir_all(dir).expect("a directory to work in");
    let disk: SharedDisk = Arc::new(OsDisk::new(dir.to_owned()).expect("a directory to work in"));
    let config =
        ArchiveConfig { payload_bytes: memory, ..ArchiveConfig::new("bench", "node", 7, str::to_owned) };
    if memory > 0 {
        // What is known has to be of a file that is there.
        let mut archive = Archive::open(disk.clone(), config.clone(), NOW).expect("opens").archive;
        archive.commit(NOW, &[entry(0, Bytes::from_static(b"first"))]).expect("commits");
        drop(archive);
        know(disk.as_ref(), options.known);
    }
    let started = cpu_s();
    let mut archive = Archive::open(disk.clone(), config, NOW).expect("opens").archive;
    let open_us = (cpu_s() - started) * 1e6;
    let first_us = archive_all(&mut archive, options, 0);
    let again_us = archive_all(&mut archive, options, options.captures);
    archive.finish().expect("closes");
    let names = disk.list(Path::new("archive")).expect("a directory");
    let bytes = names.iter().filter_map(|name| disk.stat(&Path::new("archive").join(name)).expect("a file"));
    Measured { first_us, again_us, open_us, bytes: bytes.sum() }
}

/// Entries of payloads that nobody will show again, of a place that is committed by the time they are looked for.
fn know(disk: &dyn Disk, known: u64) {
    let mut rng = Rng::new(3);
    let mut file = disk.open(Path::new("state/payloads"), Mode::Write).expect("the index");
    let mut end = file.len().expect("a length");
    for _ in 0..known.div_ceil(1 << 16) {
        let mut entries = Vec::new();
        for _ in 0..1 << 16 {
            let digest = [rng.next_u64(), rng.next_u64()].map(u64::to_le_bytes).concat();
            let entry = [digest.as_slice(), &[0; 12]].concat();
            entries.extend_from_slice(&entry);
            entries.extend_from_slice(&crc32fast::hash(&entry).to_le_bytes());
        }
        file.write_at(&entries, end).expect("writes");
        end += entries.len() as u64;
    }
}

/// Microseconds a capture; numbers begin at `from`, bodies at zero.
fn archive_all(archive: &mut Archive, options: &Options, from: u64) -> f64 {
    let mut spent_s = 0.0;
    for first in (0..options.captures).step_by(COMMIT as usize) {
        let numbers = first..options.captures.min(first + COMMIT);
        let batch: Vec<Entry> = numbers.map(|n| entry(from + n, body(n, options.bytes))).collect();
        let started = cpu_s();
        archive.commit(NOW, &batch).expect("commits");
        spent_s += cpu_s() - started;
    }
    spent_s * 1e6 / options.captures as f64
}

/// What no compressor makes smaller.
fn body(n: u64, bytes: usize) -> Bytes {
    let mut rng = Rng::new(n);
    (0..bytes / 8).flat_map(|_| rng.next_u64().to_le_bytes()).collect()
}

fn entry(n: u64, body: Bytes) -> Entry {
    let head = format!(
        "HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\n\
         Content-Length: {}\r\n\r\n",
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
    let meta = CaptureMeta { via: None, hops: 2, purpose: Purpose::Page };
    Entry { record: vec![0; 120], capture: Some(Kept { capture: Arc::new(capture), meta }) }
}

fn options() -> Options {
    let mut options =
        Options { captures: 20_000, bytes: 42_000, known: 5_000_000, dir: std::env::temp_dir() };
    let mut words = std::env::args().skip(1);
    while let Some(name) = words.next() {
        let value = words.next().unwrap_or_else(|| panic!("{name} needs a value"));
        let number = || value.parse::<f64>().unwrap_or_else(|_| panic!("`{value}` is no number"));
        match name.as_str() {
            "--captures" => options.captures = number() as u64,
            "--bytes" => options.bytes = number() as usize,
            "--known" => options.known = number() as u64,
            "--dir" => options.dir = value.into(),
            _ => panic!("no option {name}: see the head of bench_revisits.rs"),
        }
    }
    options
}
