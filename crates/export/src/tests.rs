mod archives;
mod cc_index;
mod fineweb;
mod graph;
mod owners;
mod sorting;
mod takedown;
mod wacz;
mod wat;

use crate::{Error, OwnersConfig, Respect, Wet, ZipNum, limits, wet, zipnum};
use control::Takedowns;
use corpus::{CorpusLimits, Row, Writer};
use disk::{Disk, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, SharedDisk, read_all, replace_file};
use flate2::read::{GzDecoder, MultiGzDecoder};
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use stdx::WallTime;
use warc::{Reader, Record, RecordType};

const INDEX: &str = "archive/index.cdxj";

fn index(lines: u64) -> String {
    let line = |n| format!("com,example)/{n:06} 20261120102804 {{\"url\": \"http://example.com/{n:06}\"}}\n");
    (0..lines).map(line).collect::<Vec<_>>().concat()
}

fn disk_with_index(text: &str) -> MemDisk {
    let disk = MemDisk::new();
    disk.create_dir(Path::new("archive")).unwrap();
    replace_file(&disk, Path::new(INDEX), text.as_bytes()).unwrap();
    disk
}

fn nothing_taken() -> &'static Takedowns {
    static NOTHING: LazyLock<Takedowns> = LazyLock::new(Takedowns::default);
    &NOTHING
}

fn read(disk: &MemDisk, path: &str) -> Vec<u8> {
    read_all(disk, Path::new(path)).unwrap()
}

fn export_index(disk: &MemDisk) -> crate::Result<ZipNum> {
    zipnum(disk, Path::new(INDEX), nothing_taken(), Path::new("out"))
}

#[test]
fn blocks_hold_the_index_and_the_cluster_says_where() {
    let text = index(2 * limits::BLOCK_LINES + 5);
    let disk = disk_with_index(&text);
    let written = export_index(&disk).unwrap();
    assert_eq!((written.lines, written.blocks), (6_005, 3));
    let blocks = read(&disk, "out/cdx-00000.gz");
    assert_eq!(written.bytes, blocks.len() as u64);
    let mut all = String::new();
    MultiGzDecoder::new(&blocks[..]).read_to_string(&mut all).unwrap();
    assert!(all == text);
    let cluster = String::from_utf8(read(&disk, "out/cluster.idx")).unwrap();
    for (nth, line) in cluster.lines().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [place, "cdx-00000.gz", offset, length, number] = fields[..] else { panic!("{line}") };
        let [offset, length]: [usize; 2] = [offset, length].map(|text| text.parse().unwrap());
        assert_eq!(
            (place, number),
            (&*format!("com,example)/{:06} 20261120102804", nth * 3_000), &*(nth + 1).to_string())
        );
        let mut block = String::new();
        GzDecoder::new(&blocks[offset..offset + length]).read_to_string(&mut block).unwrap();
        assert!(block.starts_with(place) && block.lines().count() <= 3_000);
    }
    assert_eq!(read(&disk, "out/cluster.loc"), b"cdx-00000.gz\tcdx-00000.gz\n");
}

#[test]
fn an_index_without_lines_has_no_blocks() {
    let disk = disk_with_index("");
    assert_eq!(export_index(&disk).unwrap(), ZipNum::default());
    assert_eq!(read(&disk, "out/cluster.idx"), b"");
}

#[test]
fn a_line_that_is_none_is_named() {
    for broken in ["com,example)/ 2026 {}\nno fields\n", "com,example)/ 2026 {}\ncut) 2026 {\"ur"] {
        let error = export_index(&disk_with_index(broken)).unwrap_err();
        assert!(matches!(error, Error::Index { line: 2, .. }), "{error}");
    }
}

fn row(capture: u64) -> Row {
    Row {
        capture,
        id: format!("<urn:uuid:00000000-0000-4000-8000-{capture:012}>"),
        url: format!("https://example.com/{capture}"),
        status: 200,
        fetched: WallTime::from_unix_ms(1_795_170_484_250 + capture * 1_001),
        language: (!capture.is_multiple_of(3)).then(|| ["de", "zh"][capture as usize % 2].to_owned()),
        text: if capture == 4 {
            String::new()
        } else {
            format!("Text {capture}: Dünen\nund Sand ").repeat(60)
        },
        ..Row::default()
    }
}

/// Two files, of five rows and of two.
fn corpus_of_seven() -> MemDisk {
    corpus_of(0..7)
}

fn corpus_of(captures: Range<u64>) -> MemDisk {
    let disk = MemDisk::new();
    let limits = CorpusLimits { file_rows: 5, ..CorpusLimits::default() };
    let (mut writer, _) = Writer::open(Arc::new(disk.clone()), Path::new("corpus"), limits).unwrap();
    for capture in captures {
        writer.push(row(capture)).unwrap();
    }
    writer.close().unwrap();
    disk
}

/// Nobody is asked: there is no archive.
fn texts_of(disk: &dyn Disk) -> crate::Result<Wet> {
    let config = OwnersConfig { respect: Respect::None, ..owners::config() };
    wet(disk, Path::new("corpus"), &config, Path::new("out"), "drumlin/test")
}

fn export_texts(disk: &MemDisk) -> crate::Result<Wet> {
    texts_of(disk)
}

fn records(disk: &MemDisk, name: &str) -> Vec<Record> {
    let bytes = read(disk, &format!("out/{name}"));
    let report = warc::check(&bytes[..]);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    Reader::new(&bytes[..]).map(Result::unwrap).collect()
}

#[test]
fn every_text_is_a_conversion_of_its_response() {
    let disk = corpus_of_seven();
    let written = export_texts(&disk).unwrap();
    assert_eq!((written.files, written.records), (2, 6));
    let all = records(&disk, "pages-00001.warc.wet.gz");
    assert_eq!(all.len(), 5);
    assert_eq!(all[0].record_type(), RecordType::Warcinfo);
    for (record, capture) in all[1..].iter().zip(0..) {
        let row = row(capture);
        assert_eq!(record.record_type(), RecordType::Conversion);
        assert_eq!(record.block, row.text.as_bytes());
        assert_eq!(record.target_uri(), Some(&*row.url));
        assert_eq!(record.header.get("WARC-Refers-To"), Some(&*row.id));
        assert_eq!(record.header.get("WARC-Date"), Some(&*row.fetched.iso_seconds()));
        assert_eq!(record.header.get("WARC-Identified-Payload-Type"), Some("text/plain"));
        let language = row.language.as_deref().and_then(page::iso_639_3);
        assert_eq!(record.header.get("WARC-Identified-Content-Language"), language);
    }
    assert_eq!(all[2].header.get("WARC-Identified-Content-Language"), Some("cmn"));
    assert_eq!(records(&disk, "pages-00002.warc.wet.gz").len(), 3);
}

/// A file without a byte is no gzip file.
#[test]
fn a_file_without_texts_has_a_first_record() {
    let disk = corpus_of(4..5);
    assert_eq!(export_texts(&disk).unwrap().records, 0);
    let [info] = &records(&disk, "pages-00001.warc.wet.gz")[..] else { panic!("one record") };
    assert_eq!(
        (info.record_type(), info.header.get("WARC-Date")),
        (RecordType::Warcinfo, Some(&*row(4).fetched.iso_seconds()))
    );
}

#[test]
fn again_gives_the_same_bytes() {
    let (first, again) = (corpus_of_seven(), corpus_of_seven());
    export_texts(&first).unwrap();
    for _ in 0..2 {
        export_texts(&again).unwrap();
    }
    for name in ["out/pages-00001.warc.wet.gz", "out/pages-00002.warc.wet.gz"] {
        assert!(read(&first, name) == read(&again, name));
    }
}

/// Whoever reads all files that there are reads one export.
#[test]
fn files_of_an_earlier_export_do_not_stay_beside_those_of_the_present_one() {
    let disk = corpus_of_seven();
    export_texts(&disk).unwrap();
    replace_file(&disk, Path::new("out/notes.txt"), b"somebody's own").unwrap();
    let (second, rest) = (Path::new("corpus/pages-00002.parquet"), ["notes.txt", "pages-00001.warc.wet.gz"]);
    disk.remove(second).unwrap();
    assert_eq!(export_texts(&disk).unwrap().files, 1);
    let left = disk.list(Path::new("out")).unwrap();
    assert_eq!(left, [&rest[..], &["withheld.jsonl"]].concat());
}

/// Files of two crawls have the same names.
#[test]
fn the_file_of_another_crawl_has_another_id() {
    let id_of = |captures| {
        let disk = corpus_of(captures);
        export_texts(&disk).unwrap();
        let records = records(&disk, "pages-00001.warc.wet.gz");
        let id = records[0].id().unwrap().to_owned();
        let named = |record: &Record| record.header.get("WARC-Warcinfo-ID").unwrap().contains(&id);
        assert!(records[1..].iter().all(named));
        id
    };
    assert_eq!(id_of(0..3), id_of(0..4));
    assert_ne!(id_of(0..3), id_of(1..3));
}

#[test]
fn an_error_leaves_its_cause_to_its_source() {
    let error = export_index(&MemDisk::new()).unwrap_err();
    let cause = std::error::Error::source(&error).expect("the disk's").to_string();
    assert!(!error.to_string().contains(&cause), "{error}: {cause}");
}

/// Where the disk fails for good nothing can be taken away; where it fails once nothing is left.
#[test]
fn a_failed_export_leaves_nothing_unfinished() {
    let counting = FaultyDisk::counting(corpus_of_seven());
    texts_of(&counting).unwrap();
    for call in 0..counting.calls() {
        let plan = FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Once };
        let faulty = FaultyDisk::new(corpus_of_seven(), plan);
        let _ = texts_of(&faulty);
        let left = faulty.inner().list(Path::new("out")).unwrap_or_default();
        assert!(left.iter().all(|name| is_final(name)), "call {call}: {left:?}");
    }
}

fn is_final(name: &str) -> bool {
    Path::new(name).extension().is_none_or(|end| end != "open")
}

/// The disk fails at each call in turn: what has its final name is whole.
#[test]
fn an_interrupted_export_leaves_whole_files() {
    let whole = corpus_of_seven();
    let counting = FaultyDisk::counting(whole.kill());
    texts_of(&counting).unwrap();
    export_texts(&whole).unwrap();
    for call in 0..counting.calls() {
        let plan = FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever };
        let faulty = FaultyDisk::new(corpus_of_seven(), plan);
        assert!(texts_of(&faulty).is_err());
        let left = faulty.inner().kill();
        let there: SharedDisk = Arc::new(left.clone());
        for name in there.list(Path::new("out")).unwrap_or_default().iter().filter(|name| is_final(name)) {
            let path = format!("out/{name}");
            assert!(read(&left, &path) == read(&whole, &path), "call {call}: {name}");
        }
    }
}
