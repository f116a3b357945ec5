//! Measures a seen-set: checks a second, and α as IRLbot defines it (bytes moved per byte of URL checked).
//!
//! `cargo run --release -p drum --example alpha -- DIR URLS KEYS CHECKS LEVEL`: preloads `KEYS` keys in `DIR`,
//! then makes `CHECKS` check+updates, one in nine of a new key, with the lines of the file `URLS` as aux, each
//! with six random digits behind it, so that no text comes twice.
#![expect(clippy::disallowed_methods, reason = "a measurement reads the clock and the arguments")]

use disk::{Disk, Mode, OsDisk, SequentialReader, SharedDisk, read_all};
use drum::{Config, Drum, Request, Traffic};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use stdx::Rng;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, dir, urls, keys, checks, level] = &arguments[..] else {
        panic!("usage: alpha DIR URLS KEYS CHECKS LEVEL");
    };
    let (keys, checks): (u64, u64) = (keys.parse().unwrap(), checks.parse().unwrap());
    let texts = Texts::read(Path::new(urls));
    // A pass through the keys is paid for by all that waits: seven times as many as it finds, at least.
    let config = Config {
        bucket_bits: 6,
        buffer_bytes: 256 << 10,
        bucket_bytes: (checks * 40 / 64).clamp(1 << 20, 64 << 20),
        level: level.parse().unwrap(),
    };
    let disk: SharedDisk = Arc::new(OsDisk::new(PathBuf::from(dir)).unwrap());
    let mut drum: Drum<()> = Drum::open(disk, PathBuf::from("drum"), config, None).unwrap();
    preload(&mut drum, keys);
    measure(&mut drum, &texts, keys, checks);
}

/// The key that came `nth`.
fn key(nth: u64) -> u64 {
    Rng::new(nth).next_u64()
}

struct Texts {
    lines: Vec<Vec<u8>>,
}

impl Texts {
    fn read(path: &Path) -> Self {
        let dir = OsDisk::new(path.parent().unwrap().to_owned()).unwrap();
        let bytes = read_all(&dir, Path::new(path.file_name().unwrap())).unwrap();
        Self { lines: bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect() }
    }

    /// The `nth` text, into `text`.
    fn write(&self, nth: u64, text: &mut Vec<u8>) {
        text.clear();
        text.extend_from_slice(&self.lines[nth as usize % self.lines.len()]);
        let random = key(nth);
        text.extend((0..6).map(|place| b"0123456789abcdef"[(random >> (4 * place)) as usize & 15]));
    }
}

fn preload(drum: &mut Drum<()>, keys: u64) {
    let start = Stopwatch::start();
    for nth in 0..keys {
        append(drum, key(nth), b"", &mut 0);
    }
    merge_all(drum, &mut 0);
    println!(
        "preloaded {} keys in {:.1} s, {:.1} s of them computing",
        drum.keys(),
        start.seconds(),
        start.cpu_seconds()
    );
}

fn measure(drum: &mut Drum<()>, texts: &Texts, known: u64, checks: u64) {
    let (before, start, mut rng) = (drum.traffic(), Stopwatch::start(), Rng::new(9));
    let (mut text_bytes, mut unique, mut new, mut text) = (0, 0, known, Vec::new());
    for nth in 0..checks {
        texts.write(nth, &mut text);
        text_bytes += text.len() as u64;
        new += u64::from(nth % 9 == 0);
        let asked = if nth % 9 == 0 { key(new) } else { key(rng.below(known)) };
        append(drum, asked, &text, &mut unique);
    }
    let appended = start.cpu_seconds();
    merge_all(drum, &mut unique);
    report(drum.traffic(), before, text_bytes);
    println!(
        "{checks} checks, {unique} unique, {:.1} bytes each: {:.2} s, {:.2} s of them computing ({appended:.2} s \
         while appending), {:.2} M checks a second of computing",
        text_bytes as f64 / checks as f64,
        start.seconds(),
        start.cpu_seconds(),
        checks as f64 / start.cpu_seconds() / 1e6
    );
}

/// Time on the clock, and time on a core as Linux counts it: the figure that other programs do not spoil.
struct Stopwatch {
    started: Instant,
    cpu_ns: f64,
}

impl Stopwatch {
    fn start() -> Self {
        Self { started: Instant::now(), cpu_ns: cpu_ns() }
    }

    fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn cpu_seconds(&self) -> f64 {
        (cpu_ns() - self.cpu_ns) / 1e9
    }
}

/// The first number in `schedstat`: nanoseconds on a core, in the system too.
fn cpu_ns() -> f64 {
    let process = OsDisk::new(PathBuf::from("/proc/self")).unwrap();
    let file = process.open(Path::new("schedstat"), Mode::Read).unwrap();
    let mut text = String::new();
    SequentialReader::new(file, 0..4096).read_to_string(&mut text).unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

fn append(drum: &mut Drum<()>, key: u64, text: &[u8], unique: &mut u64) {
    drum.append(key, Request::CheckUpdate(()), text).unwrap();
    if key.is_multiple_of(4096)
        && let Some(bucket) = drum.due()
    {
        merge(drum, bucket, unique);
    }
}

fn merge_all(drum: &mut Drum<()>, unique: &mut u64) {
    while let Some(bucket) = drum.fullest() {
        merge(drum, bucket, unique);
    }
}

fn merge(drum: &mut Drum<()>, bucket: usize, unique: &mut u64) {
    let count = |verdict: drum::Verdict<'_, ()>| {
        *unique += u64::from(verdict.is_unique());
        Ok(())
    };
    drum.merge_now(bucket, count).unwrap();
}

fn report(after: Traffic, before: Traffic, text_bytes: u64) {
    let share = |after: u64, before: u64| (after - before) as f64 / text_bytes as f64;
    println!(
        "alpha {:.3}: buckets written {:.3}, read {:.3}; keys read {:.3}, written {:.3} (queue of uniques not counted)",
        share(after.total(), before.total()),
        share(after.bucket_written, before.bucket_written),
        share(after.bucket_read, before.bucket_read),
        share(after.keys_read, before.keys_read),
        share(after.keys_written, before.keys_written),
    );
}
