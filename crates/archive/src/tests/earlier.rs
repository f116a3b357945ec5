//! A crawl that looks back on an earlier one, and on the one before.

use super::revisits::revisits;
use super::*;
use crate::earlier::{EarlierCrawl, Notable};
use crate::limits::STORED_BODY_BYTES;
use control::{Stage, Takedown, Takedowns, Target};
use disk::{Beside, replace_file};
use std::borrow::Cow;
use stdx::Timestamp;
use warc::{Record, RevisitProfile};

const TAGGED: &str = "ETag: W/\"\u{e4}b c\"\r\nLast-Modified: Sun Nov  6 08:49:37 1994\r\n";
const NOT_MODIFIED: &[u8] =
    b"HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=9\r\nContent-Length: 4\r\n\r\n";

fn page(n: u64, fields: &str, body: impl Into<Body>) -> Capture {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}\r\n");
    Capture { response_head: Bytes::from(head), body: body.into(), truncated: None, ..capture(n) }
}

fn text(n: u64) -> Bytes {
    Bytes::from(format!("<title>{n}</title>{}", "All is dune. ".repeat(90 + n as usize)))
}

fn kept(capture: Capture, purpose: Purpose) -> Entry {
    let meta = CaptureMeta { via: None, hops: 1, purpose };
    Entry { record: Vec::new(), capture: Some(Kept { capture: Arc::new(capture), meta }) }
}

fn commit(archive: &mut Archive, captures: impl IntoIterator<Item = Capture>) -> Vec<Location> {
    let batch: Vec<Entry> = captures.into_iter().map(|capture| kept(capture, Purpose::Page)).collect();
    let locations = archive.commit(NOW, &batch).expect("commits").locations;
    locations.into_iter().map(|location| location.expect("a capture")).collect()
}

/// Another crawl, begun some seconds later.
fn open_at(disk: &SharedDisk, s: u64) -> Archive {
    let at = WallTime::from_unix_ms(NOW.unix_ms() + s * 1_000);
    Archive::open(disk.clone(), ArchiveConfig { seed: s, ..config() }, at).expect("opens").archive
}

/// A new disk that looks back on `earlier`, and knows what it has.
fn looking_back(earlier: &SharedDisk, taken: &Takedowns) -> SharedDisk {
    let disk: SharedDisk = Arc::new(Beside::new(Arc::new(MemDisk::new()), EARLIER_DIR, earlier.clone()));
    disk.create_dir(Path::new("state")).unwrap();
    let notable = Notable { disk: earlier, taken, memory_bytes: 200 };
    EarlierCrawl::note(&disk, &notable, &mut stdx::nobody).expect("is noted");
    disk
}

fn earlier_of(disk: &SharedDisk) -> EarlierCrawl {
    EarlierCrawl::open(disk).expect("readable").expect("a table")
}

fn nothing() -> Takedowns {
    [].into_iter().collect()
}

fn withheld(host: &str) -> Takedowns {
    let target = Target::Host(host.parse().unwrap());
    [Takedown { entry: 17, at: Timestamp::from_ms(1), target, stage: Stage::Withheld }].into_iter().collect()
}

/// A crawl of 40 pages, each with validators, in several files.
fn first_crawl() -> SharedDisk {
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let mut archive = open_at(&disk, 0);
    commit(&mut archive, (0..40).map(|n| page(n, TAGGED, text(n))));
    archive.finish().expect("finishes");
    disk
}

/// The same page, which the server says has not changed.
fn unchanged(n: u64, earlier: &EarlierCrawl) -> Capture {
    let known = earlier.find(&capture(n).url).expect("known");
    let still = known.still_standing(NOT_MODIFIED).expect("the same");
    Capture {
        status: 304,
        response_head: Bytes::from_static(NOT_MODIFIED),
        unchanged: Some(Arc::new(still)),
        ..page(n, "", Bytes::new())
    }
}

#[test]
fn what_would_mean_something_else_if_it_were_sent_back_is_no_tag() {
    let etag = |value: &str| {
        let disk: SharedDisk = Arc::new(MemDisk::new());
        let mut archive = open_at(&disk, 0);
        commit(&mut archive, [page(0, &format!("ETag: {value}\r\n"), text(0))]);
        archive.finish().expect("finishes");
        let earlier = earlier_of(&looking_back(&disk, &nothing()));
        earlier.find(&capture(0).url).and_then(|known| known.etag().map(Cow::into_owned))
    };
    assert_eq!(etag("*"), None);
    assert_eq!(etag("\"a\", \"b\""), None);
    assert_eq!(etag("\"a, b\"").as_deref(), Some(&b"\"a, b\""[..]));
    assert_eq!(etag("unquoted").as_deref(), Some(&b"unquoted"[..]));
}

#[test]
fn what_was_answered_is_found_by_its_url_with_validators_as_they_came() {
    let disk = looking_back(&first_crawl(), &nothing());
    let earlier = earlier_of(&disk);
    assert_eq!(earlier.pages(), 40);
    for n in 0..40 {
        let known = earlier.find(&capture(n).url).expect("known");
        assert_eq!(known.etag().as_deref(), Some("W/\"\u{e4}b c\"".as_bytes()));
        assert_eq!(known.last_modified().as_deref(), Some(&b"Sun Nov  6 08:49:37 1994"[..]));
        assert_eq!(bytes_of(known.body()), text(n));
    }
    assert!(earlier.find("https://example.com/page/7").is_none());
    assert!(files(disk.as_ref(), "state/cdxj", "").is_empty());
}

#[test]
fn what_cannot_be_asked_about_is_not_noted() {
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let mut archive = open_at(&disk, 0);
    let absent = Capture {
        status: 404,
        response_head: "HTTP/1.1 404 No\r\nETag: \"x\"\r\n\r\n".into(),
        ..page(1, "", text(1))
    };
    let cut = Capture { truncated: Some(Truncation::Length), ..page(2, TAGGED, text(2)) };
    commit(&mut archive, [absent, cut, page(3, "ETag:\r\n", text(3))]);
    archive.commit(NOW, &[kept(page(4, TAGGED, text(4)), Purpose::Robots)]).expect("commits");
    archive.commit(NOW, &[kept(page(5, TAGGED, text(5)), Purpose::Sitemap)]).expect("commits");
    archive.finish().expect("finishes");
    let earlier = earlier_of(&looking_back(&disk, &nothing()));
    let known: Vec<u64> = (1..6).filter(|n| earlier.find(&capture(*n).url).is_some()).collect();
    assert_eq!((known, earlier.pages()), (vec![5], 1));
}

#[test]
fn what_has_not_been_modified_is_a_revisit_and_reads_as_it_did() {
    let disk = looking_back(&first_crawl(), &nothing());
    let earlier = earlier_of(&disk);
    let mut archive = open_at(&disk, 60);
    let given = unchanged(7, &earlier);
    let location = commit(&mut archive, [given.clone()])[0];
    let revisit = revisit_of(&disk);
    let header = |name| revisit.header.get(name).expect(name).to_owned();
    assert_eq!(revisit.profile(), Some(RevisitProfile::ServerNotModified));
    assert_eq!(header("WARC-Refers-To-Target-URI"), capture(7).url);
    assert_eq!(header("WARC-Refers-To-Date"), capture(7).started.iso_seconds());
    assert_eq!(header("WARC-Payload-Digest"), warc::Sha1Digest::of(&text(7)).to_string());
    assert_eq!(revisit.http().expect("HTTP").status(), Some(304));
    check_warcs(disk.as_ref());
    let stored = archive.read(location).expect("readable").capture;
    assert_eq!((stored.status, stored.body.len()), (304, 0));
    let content = stored.content();
    assert_eq!((content.status, bytes_of(content.body)), (200, text(7)));
    for (name, value) in [("content-type", "text/html"), ("cache-control", "max-age=9")] {
        assert_eq!(warc::field(content.head, name).as_deref(), Some(value.as_bytes()));
    }
    assert_eq!(warc::field(content.head, "etag").as_deref(), Some("W/\"\u{e4}b c\"".as_bytes()));
    assert_eq!(given.content().body.digest(), content.body.digest());
}

fn revisit_of(disk: &SharedDisk) -> Record {
    let paths =
        [files(disk.as_ref(), "archive", ".warc.gz"), files(disk.as_ref(), "archive", ".open")].concat();
    let copy = MemDisk::new();
    copy.create_dir(Path::new("archive")).unwrap();
    for path in paths {
        replace_file(&copy, &path, &content(disk.as_ref(), &path)).unwrap();
    }
    let [revisit] = &revisits(&copy)[..] else { panic!("one revisit") };
    revisit.clone()
}

#[test]
fn each_crawl_refers_to_the_answer_that_has_the_bytes() {
    let first = first_crawl();
    let second = looking_back(&first, &nothing());
    let mut archive = open_at(&second, 60);
    commit(&mut archive, [unchanged(7, &earlier_of(&second)), page(8, "", text(8))]);
    archive.finish().expect("finishes");
    let third = looking_back(&second, &nothing());
    let earlier = earlier_of(&third);
    assert_eq!(earlier.pages(), 1, "what came again without a validator is not asked about");
    let mut archive = open_at(&third, 120);
    let location = commit(&mut archive, [unchanged(7, &earlier)])[0];
    let original = warc_name_of_first(&first);
    assert!(original.contains(&revisit_of(&third).refers_to_file().expect("a file").to_owned()));
    assert_eq!(bytes_of(archive.read(location).expect("readable").capture.content().body), text(7));
}

fn warc_name_of_first(disk: &SharedDisk) -> Vec<String> {
    disk.list(Path::new("archive")).expect("an archive")
}

/// Its head is its own, its bytes are another's.
#[test]
fn a_page_whose_payload_another_had_stands_by_its_own_head() {
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let mut archive = open_at(&disk, 0);
    commit(&mut archive, [page(1, "ETag: \"one\"\r\n", text(3)), page(2, "ETag: \"two\"\r\n", text(3))]);
    archive.finish().expect("finishes");
    let second = looking_back(&disk, &nothing());
    let earlier = earlier_of(&second);
    assert_eq!(earlier.find(&capture(2).url).expect("known").etag().as_deref(), Some(&b"\"two\""[..]));
    let mut archive = open_at(&second, 60);
    let location = commit(&mut archive, [unchanged(2, &earlier)])[0];
    let stored = archive.read(location).expect("readable").capture;
    assert_eq!(warc::field(stored.content().head, "etag").as_deref(), Some(&b"\"two\""[..]));
    assert_eq!(bytes_of(stored.content().body), text(3));
}

#[test]
fn what_is_withheld_or_gone_is_asked_for_as_it_is() {
    let first = first_crawl();
    let taken = withheld("example.com");
    assert_eq!(earlier_of(&looking_back(&first, &taken)).pages(), 0);

    let disk = looking_back(&first, &nothing());
    let earlier = earlier_of(&disk);
    let mut archive = open_at(&disk, 60);
    let location = commit(&mut archive, [unchanged(7, &earlier)])[0];
    purge(first.as_ref(), &config(), &taken).expect("is purged");
    assert!((0..40).all(|n| earlier.find(&capture(n).url).is_none()));
    assert!(matches!(archive.read(location), Err(Error::TakenDown { by: 17 })));

    let files = files(first.as_ref(), "archive", ".warc.gz");
    for path in &files {
        overwrite(first.as_ref(), path, 0, &vec![0; content(first.as_ref(), path).len()]);
    }
    let error = archive.read(location).expect_err("it is damaged").to_string();
    let is_named = |path: &PathBuf| error.contains(&format!("earlier/{}, byte ", path.display()));
    assert!(files.iter().any(is_named), "{error}");

    for path in &files {
        first.remove(path).unwrap();
    }
    assert!(earlier.find(&capture(7).url).is_none());
    assert!(matches!(archive.read(location), Err(Error::Dangling { .. })));
}

/// Its payload was that of a page that was taken down, so that it was moved to a file of its own.
#[test]
fn what_became_whole_is_found_where_it_has_moved() {
    let first: SharedDisk = Arc::new(MemDisk::new());
    let mut archive = open_at(&first, 0);
    let gone = Capture { url: "https://gone.example/".to_owned(), ..page(1, TAGGED, text(3)) };
    commit(&mut archive, [gone, page(2, "ETag: \"two\"\r\n", text(3))]);
    archive.finish().expect("finishes");
    let second = looking_back(&first, &nothing());
    let earlier = earlier_of(&second);
    let mut archive = open_at(&second, 60);
    let location = commit(&mut archive, [unchanged(2, &earlier)])[0];

    let purged = purge(first.as_ref(), &config(), &withheld("gone.example")).expect("is purged");
    assert_eq!(purged.made_whole, 1);
    let stored = archive.read(location).expect("readable").capture;
    assert_eq!(bytes_of(stored.content().body), text(3));
    let known = earlier.find(&capture(2).url).expect("known");
    assert_eq!((known.etag().as_deref(), bytes_of(known.body())), (Some(&b"\"two\""[..]), text(3)));
    let anew = earlier_of(&looking_back(&first, &nothing()));
    assert!(anew.find(&capture(2).url).is_some() && anew.find("https://gone.example/").is_none());
}

#[test]
fn another_entity_tag_is_another_answer() {
    let disk = looking_back(&first_crawl(), &nothing());
    let known = earlier_of(&disk).find(&capture(7).url).expect("known");
    let says = |etag: &str| {
        let head = format!("HTTP/1.1 304 Not Modified\r\n{etag}\r\n\r\n");
        known.still_standing(head.as_bytes()).is_some()
    };
    assert!(says("ETag: W/\"\u{e4}b c\"") && says("ETag: \"\u{e4}b c\"") && says("Server: x"));
    assert!(says("ETag: \"\u{e4}b c-gzip\""), "of a server that has compressed it before");
    assert!(!says("ETag: \"another\""));
}

#[test]
fn a_long_body_stays_where_it_is() {
    let long = Bytes::from(vec![b'a'; STORED_BODY_BYTES + (300 << 10)]);
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let mut archive = open_at(&disk, 0);
    commit(&mut archive, [page(1, TAGGED, long.clone())]);
    archive.finish().expect("finishes");
    let second = looking_back(&disk, &nothing());
    let known = earlier_of(&second).find(&capture(1).url).expect("known");
    assert!(known.body().held().is_none());
    assert_eq!(bytes_of(known.body()), long);
}

/// Nothing in a table that is damaged is believed, and nothing fails for it but the opening.
#[test]
fn a_damaged_table_is_not_believed() {
    let disk = looking_back(&first_crawl(), &nothing());
    let path = Path::new("state/earlier");
    let whole = content(disk.as_ref(), path);
    for at in (0..whole.len()).step_by(7) {
        overwrite(disk.as_ref(), path, at as u64, &[whole[at] ^ 0x10]);
        if let Ok(Some(earlier)) = EarlierCrawl::open(&disk) {
            let known = (0..40).filter_map(|n| Some((n, earlier.find(&capture(n).url)?)));
            known.for_each(|(n, known)| assert_eq!(bytes_of(known.body()), text(n)));
        }
        overwrite(disk.as_ref(), path, at as u64, &whole[at..=at]);
    }
    replace_file(disk.as_ref(), path, &whole[..whole.len() - 1]).unwrap();
    assert!(EarlierCrawl::open(&disk).is_err());
    let mut other = whole.clone();
    other[8] = 2;
    let crc = crc32fast::hash(&other[..36]).to_le_bytes();
    other[36..40].copy_from_slice(&crc);
    replace_file(disk.as_ref(), path, &other).unwrap();
    assert!(matches!(EarlierCrawl::open(&disk), Err(Error::Version { found: 2, known: 1, .. })));
}
