//! What it costs to know what comes again. It is in the crawl's figures, since nothing of it can be switched off; here each part is done once
//! more over what the crawl wrote, by itself and on one thread.

use crate::process;
use disk::OsDisk;
use meter::thread_cpu_s;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::hint::black_box;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;
use warc::{Reader, RecordType, Sha1Digest};

/// Bytes of a record that is read: pages are shorter.
const RECORD_BYTES: usize = 64 << 20;

/// What each part took of the processor, in microseconds a page; `program` looks for near-duplicates.
pub(crate) fn of(program: &Path, dir: &Path) -> Value {
    let (texts, payloads) = (Texts::of(dir), Payloads::of(dir));
    assert!(payloads.digests == payloads.all && texts.fingerprints > 0, "digests and fingerprints are on");
    let near = process::run(Command::new(program).arg("duplicates").arg("--dir").arg(dir));
    assert!(near.succeeded, "the search for near-duplicates failed");
    let a_page_us = |seconds: f64| (seconds / texts.all as f64 * 1e7).round() / 10.0;
    json!({
        "rows": texts.all,
        "rows_with_fingerprint": texts.fingerprints,
        "fingerprint_us_a_page": a_page_us(texts.spent_s),
        "payloads_with_digest": payloads.digests,
        "revisits": payloads.revisits,
        "digest_us_a_page": a_page_us(payloads.spent_s),
        "near_rows_us_a_page": a_page_us(near.cpu_s()),
    })
}

/// The corpus: its texts are fingerprinted as the crawl did it.
#[derive(Default)]
struct Texts {
    all: u64,
    fingerprints: u64,
    spent_s: f64,
}

impl Texts {
    fn of(dir: &Path) -> Self {
        let disk = OsDisk::new(dir.to_owned()).expect("the crawl's directory");
        let mut texts = Self::default();
        for file in files(&dir.join("corpus"), "parquet") {
            let file = Path::new("corpus").join(file.file_name().expect("a file"));
            for row in corpus::Reader::open(&disk, &file).expect("a corpus") {
                let row = row.expect("a row");
                let began = thread_cpu_s();
                let simhash = black_box(page::fingerprint(&row.text));
                texts.spent_s += thread_cpu_s() - began;
                texts.all += 1;
                texts.fingerprints += u64::from(simhash.is_some() && simhash == row.simhash);
            }
        }
        texts
    }
}

/// The archive: of each response the digests of payload and of block are taken.
#[derive(Default)]
struct Payloads {
    all: u64,
    digests: u64,
    revisits: u64,
    spent_s: f64,
}

impl Payloads {
    fn of(dir: &Path) -> Self {
        let mut payloads = Self::default();
        for file in files(&dir.join("archive"), "warc.gz") {
            let file = BufReader::new(File::open(file).expect("an archive"));
            for record in Reader::new(file).with_block_limit(RECORD_BYTES) {
                let record = record.expect("a record");
                let kind = record.record_type();
                payloads.revisits += u64::from(kind == RecordType::Revisit);
                let Some(http) = record.http().filter(|_| kind == RecordType::Response) else { continue };
                let began = thread_cpu_s();
                let payload = black_box(Sha1Digest::of(http.payload));
                black_box(Sha1Digest::of(&record.block));
                payloads.spent_s += thread_cpu_s() - began;
                let label = record.header.get("WARC-Payload-Digest").unwrap_or_default();
                payloads.all += 1;
                payloads.digests += u64::from(Sha1Digest::from_label(label) == Some(payload));
            }
        }
        payloads
    }
}

fn files(dir: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.to_string_lossy().ends_with(ending)).collect()
}
