use super::archives::{Answer, answer, archive, dangling, page};
use super::read;
use crate::{Form, OwnersConfig, Respect, fineweb, wet};
use corpus::{CorpusLimits, Row, Writer};
use disk::{Disk, MemDisk, replace_file};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use stdx::WallTime;
use warc::{Reader, Record, RecordId, RecordType, Removal, Void, write_void};

pub(super) fn config() -> OwnersConfig<'static> {
    OwnersConfig {
        archive: Path::new("archive"),
        scratch: Path::new("state/export"),
        memory_bytes: 1 << 20,
        parsed_bytes: 2 << 20,
        agent: "drumlin",
        respect: Respect::Training,
        taken: super::nothing_taken(),
    }
}

/// Forty words, and one that no other text has.
fn text(capture: u64) -> String {
    let words: Vec<String> =
        ('a'..='h').flat_map(|x| ('a'..='e').map(move |y| format!("wort{x}{y}"))).collect();
    format!("{} nummer{capture}", words.join(" "))
}

fn is_host_file(url: &str) -> bool {
    ["/robots.txt", "/tdmrep.json", "/ai.txt"].iter().any(|name| url.ends_with(name))
}

/// A row for each page of the archive, the last first, and one whose capture is gone.
pub(super) fn with_corpus(disk: &MemDisk) {
    let limits = CorpusLimits { file_rows: 5, ..CorpusLimits::default() };
    let (mut writer, _) = Writer::open(Arc::new(disk.clone()), Path::new("corpus"), limits).unwrap();
    let name = &disk.list(Path::new("archive")).unwrap()[0];
    let bytes = read(disk, &format!("archive/{name}"));
    let records = Reader::new(&bytes[..]).map(Result::unwrap);
    let is_answer =
        |record: &Record| matches!(record.record_type(), RecordType::Response | RecordType::Revisit);
    let responses = records.filter(is_answer);
    let pages: Vec<_> = responses.filter(|response| !is_host_file(response.target_uri().unwrap())).collect();
    for (response, capture) in pages.iter().rev().zip(0..) {
        let row = Row {
            id: response.id().unwrap().to_owned(),
            url: response.target_uri().unwrap().to_owned(),
            warc_file: name.clone(),
            text: text(capture),
            ..super::row(10 + capture)
        };
        writer.push(row).unwrap();
    }
    writer.push(Row { url: "http://gone.example/".to_owned(), ..super::row(99) }).unwrap();
    writer.close().unwrap();
}

fn robots<'a>(url: &'a str, body: &'a str) -> Answer<'a> {
    Answer { head: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n", hops: "P", ..page(url, body) }
}

/// Every way of saying something, and two pages of which nothing is said.
pub(super) fn said() -> MemDisk {
    const USAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Usage: train-ai=n\r\n";
    const SEARCH: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Usage: search=n\r\n";
    const TDM: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\ntdm-reservation: 1\r\n";
    const TAG: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Robots-Tag: noai\r\n";
    const OTHER: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Robots-Tag: otherbot: noai\r\n";
    let by = |url, head| Answer { head, ..page(url, "<p>text") };
    let disk = archive(&[
        page("http://free.example/", "<a rel=license href='/by'>CC BY</a>"),
        robots(
            "http://shop.example/robots.txt",
            "User-agent: *\nContent-Signal: ai-train=no, search=yes\nContent-Usage: /open train-ai=y\n",
        ),
        page("http://shop.example/closed", "<p>text"),
        page("http://shop.example/open", "<p>text"),
        page("https://shop.example/other-scheme", "<p>text"),
        by("http://header.example/", USAGE),
        by("http://search.example/", SEARCH),
        by("http://tdm.example/", TDM),
        page("http://meta.example/", "<meta name=tdm-reservation content=1>"),
        page("http://noai.example/", "<meta name=robots content='noai, noimageai'>"),
        by("http://tag.example/", TAG),
        by("http://other.example/", OTHER),
        page("http://both.example/", "<meta name=robots content=noai>"),
        robots("http://both.example/robots.txt", "User-agent: *\nContent-Usage: train-ai=y\n"),
    ]);
    with_corpus(&disk);
    disk
}

/// URLs of the texts, and of what is withheld by which rule.
fn exported(disk: &MemDisk, respect: Respect) -> (Vec<String>, Vec<String>) {
    let config = OwnersConfig { respect, ..config() };
    let made = wet(disk, Path::new("corpus"), &config, Path::new("out"), "drumlin/test").unwrap();
    let mut urls = Vec::new();
    for name in disk.list(Path::new("out")).unwrap().iter().filter(|name| name.contains(".wet.")) {
        let bytes = read(disk, &format!("out/{name}"));
        let records = Reader::new(&bytes[..]).map(Result::unwrap);
        urls.extend(records.filter_map(|record| record.target_uri().map(str::to_owned)));
    }
    let list = String::from_utf8(read(disk, "out/withheld.jsonl")).unwrap();
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        format!("{} {}", line["url"].as_str().unwrap(), line["rule"].as_str().unwrap())
    };
    let withheld: Vec<String> = list.lines().map(line).collect();
    assert_eq!((made.records, made.withheld), (urls.len() as u64, withheld.len() as u64));
    urls.sort();
    (urls, withheld)
}

#[test]
fn what_is_refused_is_withheld_by_its_rule() {
    let (urls, withheld) = exported(&said(), Respect::Training);
    assert_eq!(
        urls,
        [
            "http://free.example/",
            "http://other.example/",
            "http://search.example/",
            "http://shop.example/open",
            "https://shop.example/other-scheme",
        ]
    );
    assert_eq!(
        withheld,
        [
            "http://both.example/ noai: train-ai=n",
            "http://tag.example/ noai: train-ai=n",
            "http://noai.example/ noai: train-ai=n",
            "http://meta.example/ tdm-reservation meta: tdm=n",
            "http://tdm.example/ tdm-reservation header: tdm=n",
            "http://header.example/ Content-Usage header: train-ai=n",
            "http://shop.example/closed robots.txt: train-ai=n",
            "http://gone.example/ no closed file of the archive has its capture, or not what that stands for",
        ]
    );
}

#[test]
fn other_policies_withhold_more_or_nothing() {
    let (urls, withheld) = exported(&said(), Respect::All);
    assert!(!urls.contains(&"http://search.example/".to_owned()));
    assert!(withheld.contains(&"http://search.example/ Content-Usage header: search=n".to_owned()));
    let (urls, withheld) = exported(&said(), Respect::None);
    assert_eq!((urls.len(), withheld.len()), (13, 0));
}

#[test]
fn memory_changes_nothing() {
    let disk = said();
    let wanted = exported(&disk, Respect::Training);
    let little = OwnersConfig { memory_bytes: 1, ..config() };
    wet(&disk, Path::new("corpus"), &little, Path::new("little"), "drumlin/test").unwrap();
    assert_eq!(exported(&disk, Respect::Training), wanted);
    assert!(read(&disk, "out/withheld.jsonl") == read(&disk, "little/withheld.jsonl"));
}

/// As the crawl reads them; lines that look folded onto the status line belong to no field.
#[test]
fn a_header_is_heard_however_its_lines_are_cut() {
    let by = |url, head| Answer { head, ..page(url, "<p>text") };
    let disk = archive(&[
        by(
            "http://a.example/",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Usage: search=y,\r\n train-ai=n\r\n",
        ),
        by(
            "http://b.example/",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Usage:\r\n\ttrain-ai=n\r\n",
        ),
        by(
            "http://c.example/",
            "HTTP/1.1 200 OK\r\n Content-Usage: train-ai=n\r\nContent-Type: text/html\r\n",
        ),
    ]);
    with_corpus(&disk);
    let (urls, withheld) = exported(&disk, Respect::Training);
    assert_eq!(urls, ["http://c.example/"], "{withheld:?}");
}

/// As they are fetched where `preference_files` asks for them.
fn host_file<'a>(url: &'a str, body: &'a str) -> Answer<'a> {
    Answer { hops: "M", ..robots(url, body) }
}

#[test]
fn files_of_a_host_speak_of_its_pages() {
    let disk = archive(&[
        page("http://tdm.example/free/1", "<p>text"),
        page("http://tdm.example/2", "<p>text"),
        page("https://tdm.example/other-scheme", "<p>text"),
        host_file(
            "http://tdm.example/.well-known/tdmrep.json",
            r#"[{"location": "/free/", "tdm-reservation": 0}, {"location": "/", "tdm-reservation": 1}]"#,
        ),
        page("http://ai.example/page", "<p>text"),
        page("http://ai.example/file.txt", "<p>text"),
        host_file("http://ai.example/ai.txt", "User-Agent: *\nDisallow: *.html\nAllow: *.txt\n"),
        page("http://prose.example/", "<p>text"),
        host_file("http://prose.example/ai.txt", "# About our app\n\nIt is about hills."),
        // Somebody linked to it, and it was crawled as a page.
        page("http://linked.example/", "<p>text"),
        page("http://linked.example/.well-known/tdmrep.json", r#"{"tdm-reservation": 1, "location": "/"}"#),
    ]);
    with_corpus(&disk);
    let (urls, withheld) = exported(&disk, Respect::Training);
    assert_eq!(
        urls,
        [
            "http://ai.example/file.txt",
            "http://prose.example/",
            "http://tdm.example/free/1",
            "https://tdm.example/other-scheme",
        ]
    );
    for rule in [
        "http://tdm.example/2 tdmrep.json: tdm=n",
        "http://ai.example/page ai.txt: train-ai=n",
        "http://linked.example/ tdmrep.json: tdm=n",
    ] {
        assert!(withheld.contains(&rule.to_owned()), "{withheld:?}");
    }
}

/// Those of another host, where robots.txt redirects to it; or of an earlier day.
#[test]
fn rules_that_were_in_force_count_whosever_they_were() {
    let disk = archive(&[
        answer(
            "http://a.example/robots.txt",
            "HTTP/1.1 301 Moved\r\nLocation: http://b.example/robots.txt\r\n",
        ),
        robots("http://b.example/robots.txt", "User-agent: *\nContent-Usage: train-ai=n\n"),
        Answer { usage: Some("train-ai=n"), ..page("http://a.example/", "<p>text") },
    ]);
    with_corpus(&disk);
    let (urls, withheld) = exported(&disk, Respect::Training);
    assert!(urls.is_empty(), "{urls:?}");
    assert!(withheld.contains(&"http://a.example/ robots.txt: train-ai=n".to_owned()), "{withheld:?}");
}

/// A robots.txt is asked for every day: of many that are equal one is read, of too many that differ none.
#[test]
fn of_a_host_that_says_too_much_nothing_is_kept() {
    let same = vec!["Content-Usage: /x bots=n\n".to_owned(); 3_000];
    let lines = |nth: u32| format!("Content-Usage: /{nth}-{} bots=n\n", "x".repeat(100)).repeat(200);
    let differing: Vec<String> = (0..250).map(lines).collect();
    for (files, kept, said) in
        [(&same, 1, ""), (&differing, 0, "more files of the host than are read: train-ai=n")]
    {
        let mut answers = vec![page("http://a.example/", "<p>text")];
        answers.extend(files.iter().map(|file| robots("http://a.example/robots.txt", file)));
        let disk = archive(&answers);
        with_corpus(&disk);
        let (rows, withheld) = exported(&disk, Respect::Training);
        assert_eq!(rows.len(), kept, "{rows:?}");
        assert!(withheld.iter().any(|line| line.contains(said)), "{withheld:?}");
    }
}

/// Its archive was removed: nobody knows what owners said, of such a page or in such a file.
#[test]
fn what_stands_for_something_that_is_gone_is_withheld() {
    let disk = archive(&[
        page("http://free.example/", "<p>text"),
        dangling("http://free.example/gone"),
        page("http://papers.example/", "<p>text"),
        dangling("http://papers.example/.well-known/tdmrep.json"),
    ]);
    with_corpus(&disk);
    let (urls, withheld) = exported(&disk, Respect::Training);
    assert_eq!(urls, ["http://free.example/"]);
    assert_eq!(
        withheld,
        [
            "http://papers.example/ a file of the host that is gone: train-ai=n",
            "http://free.example/gone no closed file of the archive has its capture, or not what that stands for",
            "http://gone.example/ no closed file of the archive has its capture, or not what that stands for",
        ]
    );
    let made = wet(&disk, Path::new("corpus"), &config(), Path::new("out"), "drumlin/test").unwrap();
    assert_eq!(made.dangling.captures, 2);
    assert!(made.dangling.first.starts_with("the file of its original is gone: "), "{}", made.dangling.first);
    for form in [Form::Parquet, Form::JsonLines] {
        let made = fineweb(&disk, Path::new("corpus"), &config(), Path::new("out"), form).unwrap();
        assert_eq!((made.rows, made.withheld, made.dangling.captures), (1, 3, 2));
    }
}

#[test]
fn what_was_taken_down_in_an_earlier_crawl_is_told() {
    let disk = archive(&[page("http://free.example/", "<p>text"), dangling("http://free.example/gone")]);
    with_corpus(&disk);
    let mut earlier = Vec::new();
    let removal = Removal::TakenDown { by: 7 };
    let void = Void { id: RecordId::from_value(9), date: WallTime::from_unix_ms(0), removal };
    write_void(&mut earlier, &void, 300).unwrap();
    let path = Path::new("earlier/archive/test-20260520102804-00000-here.warc.gz");
    disk.create_dir(path.parent().unwrap()).unwrap();
    replace_file(&disk, path, &earlier).unwrap();
    let made = wet(&disk, Path::new("corpus"), &config(), Path::new("out"), "drumlin/test").unwrap();
    assert_eq!(made.dangling.captures, 1);
    assert_eq!(made.dangling.first, "its original was taken down in an earlier crawl (takedown 7)");
}

/// What a page says of its use behind three megabytes holds, if the crawl reads as far.
#[test]
fn as_much_of_a_page_is_asked_as_the_crawl_reads() {
    let long = format!("{}<a rel=license href='/by'>CC BY</a>", "<p>sand</p>\n".repeat(300_000));
    let disk = archive(&[page("http://long.example/", &long)]);
    with_corpus(&disk);
    for (parsed_bytes, license) in [(2 << 20, Value::Null), (4 << 20, "http://long.example/by".into())] {
        let config = OwnersConfig { parsed_bytes, ..config() };
        fineweb(&disk, Path::new("corpus"), &config, Path::new("out"), Form::JsonLines).unwrap();
        assert_eq!(super::fineweb::lines(&disk)[0]["license"], license);
    }
}
