//! What was taken down leaves the crawl by no export.

use super::archives::{answer, archive, page};
use super::owners::{config, with_corpus};
use super::{disk_with_index, read, wacz};
use crate::{
    Error, Form, GraphConfig, OwnersConfig, Respect, WatConfig, cc_index, fineweb, graph, wat, wet,
    withdraw_all, zipnum,
};
use control::{Stage, Takedown, Takedowns, Target};
use disk::{Disk, MemDisk, read_all, replace_file};
use flate2::read::MultiGzDecoder;
use std::io::Read;
use std::path::Path;
use stdx::Timestamp;

fn taken(target: Target, stage: Stage) -> Takedowns {
    let at = Timestamp::from_ms(1_795_170_484_000);
    [Takedown { entry: 17, at, target, stage }].into_iter().collect()
}

fn host(name: &str) -> Takedowns {
    taken(Target::Host(name.parse().unwrap()), Stage::Withheld)
}

fn archived() -> MemDisk {
    let disk = archive(&[
        page("http://kept.example/", "<a href='http://gone.example/'>to what is gone</a>"),
        page("http://gone.example/secret", "<a href='http://kept.example/'>from what is gone</a>"),
        answer("http://gone.example/robots.txt", "HTTP/1.1 404 None\r\n"),
        page("http://kept.example/2", "<p>two"),
    ]);
    with_corpus(&disk);
    disk
}

/// All files of an export, unpacked where they are packed.
fn all_of(disk: &MemDisk) -> String {
    let mut all = String::new();
    for name in disk.list(Path::new("out")).unwrap() {
        let bytes = read(disk, &format!("out/{name}"));
        let mut plain = Vec::new();
        if MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain).is_err() {
            plain = bytes;
        }
        all.push_str(&String::from_utf8_lossy(&plain));
    }
    all
}

#[test]
fn texts_and_rows_are_listed_and_not_given() {
    let taken = host("gone.example");
    for respect in [Respect::None, Respect::Training] {
        let disk = archived();
        let config = OwnersConfig { respect, taken: &taken, ..config() };
        wet(&disk, Path::new("corpus"), &config, Path::new("out"), "drumlin/test").unwrap();
        fineweb(&disk, Path::new("corpus"), &config, Path::new("out"), Form::JsonLines).unwrap();
        let list = String::from_utf8(read(&disk, "out/withheld.jsonl")).unwrap();
        assert!(
            list.contains(r#""url":"http://gone.example/secret","rule":"takedown 17 of host gone.example""#),
            "{list}"
        );
        assert!(!list.contains("kept.example"));
        disk.remove(Path::new("out/withheld.jsonl")).unwrap();
        let all = all_of(&disk);
        assert!(all.contains("http://kept.example/2") && !all.contains("gone.example"), "{respect:?}");
    }
}

#[test]
fn the_index_is_given_without_it() {
    let line = |url: &str| {
        format!(
            "x) 20261120102804 {{\"url\": \"{url}\", \"length\": \"1\", \"offset\": \"1\", \"filename\": \"f\"}}\n"
        )
    };
    let disk = disk_with_index(&[line("http://gone.example/x"), line("http://kept.example/")].concat());
    let taken = host("gone.example");
    let index = Path::new(super::INDEX);
    let blocks = zipnum(&disk, index, &taken, Path::new("out")).unwrap();
    assert_eq!((blocks.lines, blocks.withheld), (1, 1));
    assert!(!all_of(&disk).contains("gone.example"));
    let table = cc_index(&disk, index, &taken, Path::new("out"), 1 << 20).unwrap();
    assert_eq!((table.rows, table.withheld), (1, 1));
    let bytes = read_all(&disk, Path::new("out/cc-index.parquet")).unwrap();
    assert!(!bytes.windows(12).any(|part| part == b"gone.example"));
}

#[test]
fn records_of_it_are_not_described() {
    let disk = archived();
    let config = WatConfig { taken: &host("gone.example"), ..super::wat::config() };
    let made = wat(&disk, &config, Path::new("out")).unwrap();
    assert_eq!((made.records, made.withheld), (6, 6));
    let all = all_of(&disk);
    assert!(!all.contains("gone.example/secret") && all.contains("kept.example/2"));
    assert!(all.contains("http://gone.example/"), "what others link to is theirs to say");
}

#[test]
fn its_links_do_not_count_and_links_to_it_do() {
    let disk = archived();
    let taken = host("gone.example");
    let config = GraphConfig { taken: &taken, ..super::graph::config() };
    let made = graph(&disk, &config, Path::new("out")).unwrap();
    assert_eq!((made.pages, made.page_edges), (2, 1));
    let edges = String::from_utf8(read(&disk, "out/edges.txt")).unwrap();
    assert_eq!(edges, "1\t0\n", "kept.example links to gone.example");
}

#[test]
fn a_package_waits_for_the_purge() {
    let disk = wacz::crawl();
    let pattern = |stage| taken(Target::Pattern("example.com/1$".parse().unwrap()), stage);
    let error = wacz::run_without(&disk, &pattern(Stage::Withheld)).unwrap_err();
    assert!(
        matches!(&error, Error::NotPurged { takedown } if takedown.contains("takedown 17 of 2026-")),
        "{error}"
    );
    let made = wacz::run_without(&disk, &pattern(Stage::Purged)).unwrap();
    assert_eq!(made.pages, 2);
}

#[test]
fn a_package_waits_for_what_was_purged_and_is_there_again() {
    let there = taken(Target::Host("a.example".parse().unwrap()), Stage::Purged);
    let error = wacz::run_without(&wacz::crawl(), &there).unwrap_err();
    assert!(
        matches!(&error, Error::NotPurged { takedown } if takedown.ends_with("host a.example")),
        "{error}"
    );
}

#[test]
fn what_exports_have_made_is_withdrawn_and_nothing_else() {
    let disk = MemDisk::new();
    let ours = ["crawl.wacz", "wet/pages-00000.warc.wet.gz.open", "graph/edges.txt", "jsonl/withheld.jsonl"];
    let theirs = ["notes.txt", "graph/analysis.csv", "cdxj/mine.gz"];
    for path in ours.iter().chain(&theirs).map(|name| Path::new("export").join(name)) {
        disk.create_dir(path.parent().unwrap()).unwrap();
        replace_file(&disk, &path, b"x").unwrap();
    }
    assert_eq!(withdraw_all(&disk, Path::new("export")).unwrap(), ours.len() as u64);
    let is_there = |name: &&str| disk.stat(&Path::new("export").join(name)).unwrap().is_some();
    assert!(theirs.iter().all(is_there) && !ours.iter().any(is_there));
}
