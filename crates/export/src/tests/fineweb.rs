use super::owners::{config, said};
use super::{is_final, read};
use crate::{Error, FineWeb, Form, OwnersConfig, Respect, fineweb};
use arrow_array::cast::AsArray;
use corpus::{CorpusLimits, Writer};
use disk::{Disk, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, SharedDisk};
use flate2::read::GzDecoder;
use near::Config;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

fn run(disk: &dyn Disk, respect: Respect, form: Form) -> crate::Result<FineWeb> {
    let config = OwnersConfig { respect, ..config() };
    fineweb(disk, Path::new("corpus"), &config, Path::new("out"), form)
}

pub(super) fn lines(disk: &MemDisk) -> Vec<Value> {
    let mut lines = Vec::new();
    for name in disk.list(Path::new("out")).unwrap().iter().filter(|name| name.ends_with(".jsonl.gz")) {
        let mut text = String::new();
        let bytes = read(disk, &format!("out/{name}"));
        GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
        lines.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
    }
    lines
}

fn find_duplicates(disk: &MemDisk) {
    let shared: SharedDisk = Arc::new(disk.clone());
    let (dir, scratch) = (Path::new("corpus"), Path::new("state/near"));
    let search = corpus::Search { dir, scratch, config: Config::default(), is_withheld: &|_| false };
    corpus::find_duplicates(&shared, search, &mut stdx::nobody).unwrap();
}

#[test]
fn a_row_has_all_that_is_known_of_it() {
    let disk = said();
    find_duplicates(&disk);
    assert_eq!(run(&disk, Respect::None, Form::JsonLines).unwrap().rows, 13);
    let lines = lines(&disk);
    let of = |url: &str| lines.iter().find(|line| line["url"] == url).unwrap();
    let free = of("http://free.example/");
    assert_eq!(free["license"], "http://free.example/by");
    assert_eq!(free["preferences"], Value::Null);
    assert_eq!(free["dump"], "test");
    assert_eq!(free["file_path"], "archive/test-20261120102804-00000-here.warc.gz");
    assert!(free["id"].as_str().unwrap().starts_with("<urn:uuid:"));
    assert_eq!(
        free["token_count"].as_u64().unwrap(),
        free["text"].as_str().unwrap().len().div_ceil(4) as u64
    );
    assert_eq!(free["simhash"].as_str().unwrap().len(), 16);
    assert_eq!(of("http://both.example/")["preferences"], "train-ai=n, ai-input=n");
    assert_eq!(of("http://shop.example/open")["preferences"], "train-ai=y, search=y");
    let repeats = lines.iter().filter(|line| line["duplicate_of"] != Value::Null);
    assert!(repeats.count() >= 5, "their texts differ in a number");
    let names: Vec<&String> = free.as_object().unwrap().keys().collect();
    assert_eq!(
        names[..9],
        ["text", "id", "dump", "url", "date", "file_path", "language", "language_score", "token_count"]
    );
}

/// `date` has the moment, and `file_path` the file.
#[test]
fn no_column_of_the_corpus_is_left_out() {
    let disk = said();
    let shared: SharedDisk = Arc::new(disk.clone());
    let (mut writer, _) = Writer::open(shared, Path::new("corpus"), CorpusLimits::default()).unwrap();
    let said = |text: &str| Some(text.to_owned());
    let (author, published, site) = (said("A. Writer"), said("2026-11-20"), said("The Site"));
    writer.push(corpus::Row { author, published, site, ..super::row(500) }).unwrap();
    writer.close().unwrap();
    run(&disk, Respect::None, Form::JsonLines).unwrap();
    let line = lines(&disk).pop().unwrap();
    assert_eq!([&line["author"], &line["published"], &line["site"]], ["A. Writer", "2026-11-20", "The Site"]);
    let bytes = bytes::Bytes::from(read(&disk, "corpus/pages-00001.parquet"));
    let columns = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap().schema().clone();
    let names = columns.fields().iter().map(|field| field.name().as_str());
    let left_out: Vec<&str> = names.filter(|name| line.get(name).is_none()).collect();
    assert_eq!(left_out, ["fetched", "warc_file"]);
}

#[test]
fn it_is_known_among_how_many_rows_duplicates_were_looked_for() {
    let disk = said();
    assert_eq!(run(&disk, Respect::None, Form::JsonLines).unwrap().compared, None);
    find_duplicates(&disk);
    let shared: SharedDisk = Arc::new(disk.clone());
    let (mut writer, _) = Writer::open(shared, Path::new("corpus"), CorpusLimits::default()).unwrap();
    writer.push(super::row(500)).unwrap();
    writer.close().unwrap();
    let made = run(&disk, Respect::Training, Form::JsonLines).unwrap();
    assert_eq!((made.rows + made.withheld, made.compared), (14, Some(13)));
}

/// A damaged file was moved away, and its pages are written again behind the others.
#[test]
fn a_table_of_other_rows_is_not_joined() {
    let disk = said();
    find_duplicates(&disk);
    disk.remove(Path::new("corpus/pages-00001.parquet")).unwrap();
    let error = run(&disk, Respect::None, Form::JsonLines).unwrap_err();
    assert!(matches!(error, Error::OtherRows { .. }), "{error}");
}

/// The table says what the lines say.
#[test]
fn both_forms_are_the_same_rows() {
    let disk = said();
    let of_lines = run(&disk, Respect::Training, Form::JsonLines).unwrap();
    let lines = lines(&disk);
    let of_table = run(&disk, Respect::Training, Form::Parquet).unwrap();
    assert_eq!((of_lines.rows, of_lines.withheld), (5, 8));
    assert_eq!((of_table.rows, of_table.withheld), (5, 8));
    let mut at = 0;
    for name in disk.list(Path::new("out")).unwrap().iter().filter(|name| name.ends_with(".parquet")) {
        let bytes = bytes::Bytes::from(read(&disk, &format!("out/{name}")));
        let batches = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap().build().unwrap();
        for batch in batches.map(Result::unwrap) {
            let fields = batch.schema().fields().clone();
            let names: Vec<&String> = lines[0].as_object().unwrap().keys().collect();
            assert_eq!(fields.iter().map(|field| field.name()).collect::<Vec<_>>(), names);
            for row in 0..batch.num_rows() {
                for name in ["text", "id", "url", "preferences", "license", "simhash", "title", "author"] {
                    let column = batch.column_by_name(name).unwrap().as_string::<i32>();
                    assert_eq!(lines[at][name].as_str(), column.iter().nth(row).unwrap(), "{name}");
                }
                at += 1;
            }
        }
    }
    assert_eq!(at, lines.len());
}

#[test]
fn an_interrupted_export_leaves_whole_files() {
    for form in [Form::Parquet, Form::JsonLines] {
        let whole = said();
        let counting = FaultyDisk::counting(whole.kill());
        run(&counting, Respect::Training, form).unwrap();
        run(&whole, Respect::Training, form).unwrap();
        for call in (0..counting.calls()).step_by(9) {
            let plan = FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever };
            let faulty = FaultyDisk::new(said(), plan);
            let _ = run(&faulty, Respect::Training, form);
            let left = faulty.inner().kill();
            for name in left.list(Path::new("out")).unwrap_or_default().iter().filter(|name| is_final(name)) {
                let path = format!("out/{name}");
                assert!(read(&left, &path) == read(&whole, &path), "call {call}: {name}");
            }
        }
    }
}
