use super::archives::{Answer, answer, archive, page};
use super::{is_final, read};
use crate::{WatConfig, wat};
use disk::{Disk, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, read_all, replace_file};
use flate2::read::MultiGzDecoder;
use serde_json::{Value, json};
use std::io::Read as _;
use std::path::Path;
use stdx::WallTime;
use warc::{Encoder, Fields, Reader, Record, RecordId, RecordType, Warcinfo};

const FILE: &str = "out/test-20261120102804-00000-here.warc.wat.gz";
const HTML: &str = "<html><head><title>A &amp; B</title><base href='/b/'><meta name=robots content=noai>\
    <link rel=stylesheet href=s.css type=text/css><script src=h.js></script></head><body background=b.png>\
    <a href='x?a=1&amp;b=2' rel='nofollow ugc'>to <b>x</b> &gt;\n now</a><img src=i.png alt=I srcset='j.png 2x'>\
    <script src=b.js></script><a name=n>none</a><a href=y><svg><a href=z></a></svg>";

pub(super) fn config() -> WatConfig<'static> {
    WatConfig {
        archive: Path::new("archive"),
        parsed_bytes: 2 << 20,
        software: "drumlin/test",
        taken: super::nothing_taken(),
    }
}

fn exported(disk: &MemDisk) -> Vec<Record> {
    let written = wat(disk, &config(), Path::new("out")).unwrap();
    let bytes = read(disk, FILE);
    let report = warc::check(&bytes[..]);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let records: Vec<Record> = Reader::new(&bytes[..]).map(Result::unwrap).collect();
    assert_eq!((written.files, written.records), (1, records.len() as u64 - 1));
    records
}

fn json_of(record: &Record) -> Value {
    assert_eq!(record.header.get("Content-Type"), Some("application/json"));
    serde_json::from_slice(&record.block).unwrap()
}

#[test]
fn each_record_is_described() {
    let disk = archive(&[page("http://a.example/", HTML)]);
    let records = exported(&disk);
    let described = read(&disk, "archive/test-20261120102804-00000-here.warc.gz");
    let originals: Vec<Record> = Reader::new(&described[..]).map(Result::unwrap).collect();
    assert_eq!(records.len(), originals.len());
    for (record, original) in records.iter().zip(&originals).skip(1) {
        assert_eq!(record.record_type(), RecordType::Metadata);
        assert_eq!(record.header.get("WARC-Refers-To"), original.header.get("WARC-Record-ID"));
        assert_eq!(record.target_uri(), original.target_uri());
        let said = json_of(record);
        let member = &said["Container"]["Gzip-Metadata"];
        assert_eq!(said["Container"]["Offset"], original.offset.to_string());
        assert_eq!(member["Deflate-Length"], original.length.unwrap().to_string());
        let inflated: u64 = member["Inflated-Length"].as_str().unwrap().parse().unwrap();
        let header: u64 = said["Envelope"]["WARC-Header-Length"].as_str().unwrap().parse().unwrap();
        let block = &said["Envelope"]["Payload-Metadata"];
        assert_eq!(block["Actual-Content-Length"], original.block_len.to_string());
        assert_eq!(block["Block-Digest"].as_str(), original.header.get("WARC-Block-Digest"));
        let slop: u64 = block["Trailing-Slop-Length"].as_str().unwrap().parse().unwrap();
        assert_eq!(inflated, header + original.block_len + slop);
        let crc = member["Inflated-CRC"].as_str().unwrap().parse::<i32>().unwrap().cast_unsigned();
        let footer = &described[..(original.offset + original.length.unwrap()) as usize];
        assert_eq!(footer[footer.len() - 8..][..4], crc.to_le_bytes());
        assert_eq!(
            said["Envelope"]["WARC-Header-Metadata"]["WARC-Type"],
            original.header.get("WARC-Type").unwrap()
        );
    }
    let request = &json_of(&records[1])["Envelope"]["Payload-Metadata"]["HTTP-Request-Metadata"];
    assert_eq!(request["Request-Message"], json!({ "Method": "GET", "Path": "/", "Version": "HTTP/1.1" }));
    assert_eq!(request["Headers"], json!({ "Host": "here" }));
    let metadata = &json_of(&records[3])["Envelope"]["Payload-Metadata"]["WARC-Metadata-Metadata"];
    assert_eq!(metadata["Metadata-Records"], json!([{ "Name": "hopsFromSeed", "Value": "L" }]));
}

#[test]
fn a_page_is_told_as_it_is_written() {
    let disk = archive(&[page("http://a.example/", HTML)]);
    let response = &json_of(&exported(&disk)[2])["Envelope"]["Payload-Metadata"]["HTTP-Response-Metadata"];
    assert_eq!(
        response["Response-Message"],
        json!({ "Version": "HTTP/1.1", "Status": "200", "Reason": "OK" })
    );
    assert_eq!(response["Entity-Length"], HTML.len().to_string());
    let page = &response["HTML-Metadata"];
    assert_eq!(
        page["Head"],
        json!({
            "Title": "A & B",
            "Base": "/b/",
            "Metas": [{ "name": "robots", "content": "noai" }],
            "Link": [{ "path": "LINK@/href", "url": "s.css", "rel": "stylesheet", "type": "text/css" }],
            "Scripts": [{ "path": "SCRIPT@/src", "url": "h.js" }],
        })
    );
    assert_eq!(
        page["Links"],
        json!([
            { "path": "BODY@/background", "url": "b.png" },
            { "path": "A@/href", "url": "x?a=1&b=2", "rel": "nofollow ugc", "text": "to x > now" },
            { "path": "IMG@/src", "url": "i.png", "alt": "I" },
            { "path": "IMG@/srcset", "url": "j.png 2x", "alt": "I" },
            { "path": "SCRIPT@/src", "url": "b.js" },
            { "path": "A@/href", "url": "y" },
        ])
    );
}

#[test]
fn as_much_of_a_page_is_told_as_the_crawl_reads() {
    let long = format!("<p>{}<a href=x>x</a>", "sand ".repeat(2_000_000));
    let disk = archive(&[page("http://a.example/", &long)]);
    let links = |parsed_bytes| {
        wat(&disk, &WatConfig { parsed_bytes, ..config() }, Path::new("out")).unwrap();
        let records: Vec<Record> = Reader::new(&read(&disk, FILE)[..]).map(Result::unwrap).collect();
        let payload = &json_of(&records[2])["Envelope"]["Payload-Metadata"];
        payload["HTTP-Response-Metadata"]["HTML-Metadata"]["Links"].as_array().unwrap().len()
    };
    assert_eq!([2 << 20, 12 << 20].map(links), [0, 1]);
}

#[test]
fn what_is_no_page_has_no_links() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nVary: a\r\nVary: b\r\n";
    let disk = archive(&[Answer { head, ..page("http://a.example/", HTML) }]);
    let response = &json_of(&exported(&disk)[2])["Envelope"]["Payload-Metadata"]["HTTP-Response-Metadata"];
    assert_eq!(response["HTML-Metadata"], Value::Null);
    assert_eq!(response["Headers"]["Vary"], "a, b");
}

/// A blank before a colon, a folded line, a name that is no token: the crawl reads them all.
#[test]
fn headers_are_told_as_the_crawl_reads_them() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type : text/html\r\nX-Folded: a\r\n b\r\nX[0]: c\r\n";
    let disk = archive(&[Answer { head, ..page("http://a.example/", HTML) }]);
    let response = &json_of(&exported(&disk)[2])["Envelope"]["Payload-Metadata"]["HTTP-Response-Metadata"];
    let headers = &response["Headers"];
    assert_eq!([&headers["Content-Type"], &headers["X-Folded"]], ["text/html", "a b"]);
    assert_eq!(headers["X[0]"], "c");
    assert!(response["HTML-Metadata"].is_object());
}

/// ISO-8859-1, as HTTP once had it.
#[test]
fn a_header_that_is_no_utf_8_keeps_its_letters() {
    let head = "HTTP/1.1 302 Trouv#\r\nLocation: /caf#\r\n";
    let disk = archive(&[answer("http://a.example/", head)]);
    let path = Path::new("archive/test-20261120102804-00000-here.warc.gz");
    let mut plain = Vec::new();
    MultiGzDecoder::new(&*read_all(&disk, path).unwrap()).read_to_end(&mut plain).unwrap();
    plain.iter_mut().filter(|byte| **byte == b'#').for_each(|byte| *byte = 0xe9);
    replace_file(&disk, path, &plain).unwrap();
    let response = &json_of(&exported(&disk)[2])["Envelope"]["Payload-Metadata"]["HTTP-Response-Metadata"];
    assert_eq!(response["Headers"]["Location"], "/caf\u{e9}");
    assert_eq!(response["Response-Message"]["Reason"], "Trouv\u{e9}");
}

#[test]
fn an_interrupted_export_leaves_whole_files() {
    let made = || archive(&[page("http://a.example/", HTML)]);
    let run = |disk: &dyn Disk| wat(disk, &config(), Path::new("out"));
    let whole = made();
    let counting = FaultyDisk::counting(whole.kill());
    run(&counting).unwrap();
    run(&whole).unwrap();
    for call in 0..counting.calls() {
        let faulty =
            FaultyDisk::new(made(), FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever });
        assert!(run(&faulty).is_err());
        let left = faulty.inner().kill();
        for name in left.list(Path::new("out")).unwrap_or_default().iter().filter(|name| is_final(name)) {
            assert!(read(&left, &format!("out/{name}")) == read(&whole, FILE), "call {call}");
        }
    }
}

#[test]
fn the_file_of_another_crawl_has_another_id() {
    let described = |info: u128| {
        let disk = archive(&[]);
        let mut bytes = Vec::new();
        let (id, date) = (RecordId::from_value(info), WallTime::from_unix_ms(super::archives::DATE));
        let record = Warcinfo { id, date, filename: "test.warc.gz", fields: Fields::new() };
        Encoder::new().warcinfo(&mut bytes, &record);
        replace_file(&disk, Path::new("archive/test-20261120102804-00000-here.warc.gz"), &bytes).unwrap();
        exported(&disk)[0].id().unwrap().to_owned()
    };
    assert_eq!(described(1), described(1));
    assert_ne!(described(1), described(2));
}

#[test]
fn a_failed_export_leaves_nothing_behind() {
    let disk = archive(&[page("http://a.example/", HTML)]);
    let path = Path::new("archive/test-20261120102804-00000-here.warc.gz");
    let whole = read_all(&disk, path).unwrap();
    replace_file(&disk, path, &whole[..whole.len() - 30]).unwrap();
    wat(&disk, &config(), Path::new("out")).unwrap_err();
    assert_eq!(disk.list(Path::new("out")).unwrap(), Vec::<String>::new());
}
