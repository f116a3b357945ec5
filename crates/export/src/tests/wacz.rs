use super::archives::{archive, page};
use super::{is_final, read};
use crate::{Error, Wacz, WaczConfig, wacz};
use control::Takedowns;
use corpus::{CorpusLimits, Row, Writer};
use disk::{Disk, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, replace_file};
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

const PATH: &str = "export/crawl.wacz";
const WARC: &str = "test-20261120102804-00000-here.warc.gz";

pub(super) fn crawl() -> MemDisk {
    let disk = archive(&[page("http://a.example/", "<title>A</title>")]);
    replace_file(&disk, Path::new(super::INDEX), super::index(1_030).as_bytes()).unwrap();
    let limits = CorpusLimits::default();
    let (mut writer, _) = Writer::open(Arc::new(disk.clone()), Path::new("corpus"), limits).unwrap();
    for capture in 0..3 {
        let title = Some(format!("Page {capture}"));
        let warc_file = WARC.to_owned();
        writer.push(Row { depth: capture as u32 % 2, title, warc_file, ..super::row(capture) }).unwrap();
    }
    let expired = "test-20261120102804-00001-here.warc.gz".to_owned();
    writer.push(Row { warc_file: expired, ..super::row(3) }).unwrap();
    writer.close().unwrap();
    disk
}

#[test]
fn captures_that_stand_for_an_earlier_crawls_are_counted() {
    let disk = crawl();
    let line = |n: u64, mime: &str, status: u16| {
        format!(
            "example,a)/{n} 20261120000000 {{\"url\": \"http://a.example/{n}\", \"mime\": \"{mime}\", \"status\": \"{status}\"}}\n"
        )
    };
    let lines = [
        line(1, "warc/revisit", 304),
        line(2, "warc/revisit", 200),
        line(3, "text/html", 304),
        line(4, "warc/revisit", 304),
    ];
    replace_file(&disk, Path::new(super::INDEX), lines.concat().as_bytes()).unwrap();
    assert_eq!(run(&disk).unwrap().not_modified, 2);
}

#[test]
fn lines_of_files_that_are_gone_stay_out() {
    let disk = crawl();
    let line = |n: u64, file: &str| {
        format!(
            "example,a)/{n} 20261120000000 {{\"url\": \"http://a.example/{n}\", \"filename\": \"{file}\"}}\n"
        )
    };
    let here = line(2, WARC);
    let lines = [line(1, "gone.warc.gz"), here.clone(), line(3, "gone.warc.gz")];
    replace_file(&disk, Path::new(super::INDEX), lines.concat().as_bytes()).unwrap();
    run(&disk).unwrap();
    let mut packed = String::new();
    let entries = entries(&read(&disk, PATH));
    MultiGzDecoder::new(&entries["indexes/index.cdx.gz"][..]).read_to_string(&mut packed).unwrap();
    assert_eq!(packed, here);
}

fn run(disk: &dyn Disk) -> crate::Result<Wacz> {
    run_without(disk, super::nothing_taken())
}

pub(super) fn run_without(disk: &dyn Disk, taken: &Takedowns) -> crate::Result<Wacz> {
    let config = WaczConfig {
        archive: Path::new("archive"),
        index: Path::new(super::INDEX),
        corpus: Path::new("corpus"),
        scratch: Path::new("state/export"),
        software: "drumlin/test",
        taken,
    };
    wacz(disk, &config, Path::new(PATH))
}

fn u16_at(bytes: &[u8], at: usize) -> usize {
    u16::from_le_bytes([bytes[at], bytes[at + 1]]) as usize
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// The stored entries, found by the directory at the end.
pub(super) fn entries(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let end = bytes.len() - 22;
    assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
    let mut at = u32_at(bytes, end + 16);
    let mut found = BTreeMap::new();
    for _ in 0..u16_at(bytes, end + 10) {
        assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
        let (crc, length, local) = (u32_at(bytes, at + 16), u32_at(bytes, at + 24), u32_at(bytes, at + 42));
        assert_eq!(u16_at(bytes, at + 10), 0, "stored");
        let name = String::from_utf8(bytes[at + 46..at + 46 + u16_at(bytes, at + 28)].to_vec()).unwrap();
        let start = local + 30 + u16_at(bytes, local + 26) + u16_at(bytes, local + 28);
        let content = bytes[start..start + length].to_vec();
        assert_eq!(crc32fast::hash(&content) as usize, crc, "{name}");
        at += 46 + name.len() + u16_at(bytes, at + 30);
        found.insert(name, content);
    }
    found
}

#[test]
fn all_that_a_reader_wants_is_in_it() {
    let disk = crawl();
    let made = run(&disk).unwrap();
    let bytes = read(&disk, PATH);
    assert_eq!(made, Wacz { files: 1, pages: 3, not_modified: 0, bytes: bytes.len() as u64 });
    let entries = entries(&bytes);
    let warc = &format!("archive/{WARC}");
    assert!(entries[warc] == read(&disk, warc));
    let mut lines = String::new();
    MultiGzDecoder::new(&entries["indexes/index.cdx.gz"][..]).read_to_string(&mut lines).unwrap();
    assert!(lines == super::index(1_030));
    let cluster = String::from_utf8(entries["indexes/index.idx"].clone()).unwrap();
    let second = cluster.lines().nth(2).unwrap();
    assert!(second.starts_with("com,example)/001024 20261120102804 {"), "{second}");
    let place: Value = serde_json::from_str(&second[second.find('{').unwrap()..]).unwrap();
    let (from, length) =
        (place["offset"].as_u64().unwrap() as usize, place["length"].as_u64().unwrap() as usize);
    let mut block = String::new();
    let member = &entries["indexes/index.cdx.gz"][from..from + length];
    MultiGzDecoder::new(member).read_to_string(&mut block).unwrap();
    assert_eq!(block.lines().count(), 6);
    let seeds = String::from_utf8(entries["pages/pages.jsonl"].clone()).unwrap();
    assert_eq!(seeds.lines().count(), 3, "a header and two pages, not the one that has expired: {seeds}");
    let package: Value = serde_json::from_slice(&entries["datapackage.json"]).unwrap();
    assert_eq!(package["mainPageURL"], "https://example.com/0");
    assert_eq!(package["created"], "2026-11-20T10:28:04Z");
    let resources = package["resources"].as_array().unwrap();
    assert_eq!(resources.len() + 2, entries.len());
    let listed = resources.iter().find(|resource| resource["path"] == warc.as_str()).unwrap();
    assert_eq!(listed["bytes"].as_u64(), Some(entries[warc].len() as u64));
    let digest: Value = serde_json::from_slice(&entries["datapackage-digest.json"]).unwrap();
    assert!(digest["hash"].as_str().unwrap().starts_with("sha256:"));
}

#[test]
fn a_damaged_file_is_named_and_nothing_is_packed() {
    let disk = crawl();
    let path = format!("archive/{WARC}");
    let whole = read(&disk, &path);
    let offsets: Vec<u64> = warc::Reader::new(&whole[..]).map(|record| record.unwrap().offset).collect();
    for (record, at) in (0..).zip(offsets.iter().skip(1).chain([&(whole.len() as u64)])) {
        let mut bytes = whole.clone();
        // The last bytes of a member are its checksum and its length.
        bytes[*at as usize - 6] ^= 1;
        replace_file(&disk, Path::new(&path), &bytes).unwrap();
        let error = run(&disk).unwrap_err();
        let Error::Archive { path: named, source } = &error else { panic!("{error}") };
        assert_eq!((named, source.offset), (&Path::new(&path).to_owned(), offsets[record]));
        assert!(disk.stat(Path::new(PATH)).unwrap().is_none());
    }
}

/// As long as the run of the archive's index says, it is exported.
#[test]
fn a_file_that_was_cut_is_not_packed() {
    let disk = crawl();
    let run_path = format!("state/cdxj/{WARC}.run");
    disk.create_dir(Path::new("state/cdxj")).unwrap();
    let says_258_bytes = include_bytes!("../../../archive/src/tests/golden/cdxj-run-v1");
    replace_file(&disk, Path::new(&run_path), says_258_bytes).unwrap();
    let path = format!("archive/{WARC}");
    let whole = read(&disk, &path);
    for (length, files) in [(whole.len(), 1), (200, 0), (0, 0)] {
        replace_file(&disk, Path::new(&path), &whole[..length]).unwrap();
        assert_eq!(run(&disk).unwrap().files, files);
    }
}

#[test]
fn the_same_crawl_gives_the_same_bytes_or_nothing() {
    let whole = crawl();
    let counting = FaultyDisk::counting(whole.kill());
    run(&counting).unwrap();
    run(&whole).unwrap();
    for call in (0..counting.calls()).step_by(5) {
        let plan = FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever };
        let faulty = FaultyDisk::new(crawl(), plan);
        let _ = run(&faulty);
        let left = faulty.inner().kill();
        for name in left.list(Path::new("export")).unwrap_or_default().iter().filter(|name| is_final(name)) {
            assert!(read(&left, &format!("export/{name}")) == read(&whole, PATH), "call {call}");
        }
    }
}
