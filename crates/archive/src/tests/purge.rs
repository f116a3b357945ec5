//! Archives by hand, with what is taken down in them.

use super::*;
use crate::stored::StoredGroup;
use control::{Stage, Takedown, Takedowns, Target};
use disk::{Fault, FaultPlan, FaultyDisk, Lasts, replace_file};
use std::collections::BTreeMap;
use stdx::Timestamp;
use warc::{
    Encoder, Exchange, Fields, Metadata, Place, Reader, Record, RecordId, RecordType, Request, Response,
    Revisit, RevisitProfile, Sha1Digest, Warcinfo, archived_head,
};

const FIRST: &str = "test-crawl-20261120102804-00000-node.example.warc.gz";
const SECOND: &str = "test-crawl-20261120102805-00001-node.example.warc.gz";
const INDEX: &str = "archive/index.cdxj";
const TWIN: &[u8] = b"<title>The same everywhere</title><p>What two have said";

fn taken_down(host: &str) -> Takedowns {
    let target = Target::Host(host.parse().unwrap());
    let takedown = Takedown { entry: 17, at: Timestamp::from_ms(1), target, stage: Stage::Withheld };
    [takedown].into_iter().collect()
}

/// A WARC file while it is made.
struct ByHand {
    encoder: Encoder,
    bytes: Vec<u8>,
    next: u128,
    groups: BTreeMap<String, Location>,
    /// Ids and places of the responses in the first file.
    originals: BTreeMap<String, Reference>,
}

/// Where an original is.
#[derive(Clone)]
struct Reference {
    id: String,
    offset: u64,
}

impl ByHand {
    fn begin(serial: u32) -> Self {
        let mut by_hand = Self {
            encoder: Encoder::new(),
            bytes: Vec::new(),
            next: u128::from(serial) * 1_000,
            groups: BTreeMap::new(),
            originals: BTreeMap::new(),
        };
        let (id, fields) = (by_hand.id(), Fields::new());
        let info = Warcinfo { id, date: NOW, filename: "by-hand.warc.gz", fields };
        by_hand.encoder.warcinfo(&mut by_hand.bytes, &info);
        by_hand
    }

    fn id(&mut self) -> RecordId {
        self.next += 1;
        RecordId::from_value(self.next)
    }

    /// The group of a URL: whole, or a revisit of another.
    fn group(&mut self, url: &str, body: &[u8], of: Option<&str>) {
        let protocols = ["http/1.1".to_owned()];
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let exchange =
            Exchange { url, date: NOW, address, protocols: &protocols, cipher_suite: None, warcinfo: None };
        let [request, response, metadata] = [self.id(), self.id(), self.id()];
        let offset = self.bytes.len() as u64;
        let head = format!("GET {url} HTTP/1.1\r\n\r\n");
        let record = Request { id: request, response, head: head.as_bytes() };
        self.encoder.request(&mut self.bytes, &exchange, &record);
        let response_offset = self.bytes.len() as u64;
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Of: {url}\r\n\r\n");
        let head = archived_head(head.as_bytes(), body.len() as u64);
        self.answer(&exchange, response, &head, body, of);
        let response_length = self.bytes.len() as u64 - response_offset;
        let record = Metadata { id: metadata, response, fields: Fields::new() };
        self.encoder.metadata(&mut self.bytes, &exchange, &record);
        let length = self.bytes.len() as u64 - offset;
        let serial = (self.next / 1_000) as u32;
        let location = Location { serial, offset, length, response_offset, response_length };
        self.groups.insert(url.to_owned(), location);
    }

    fn answer(&mut self, exchange: &Exchange<'_>, id: RecordId, head: &[u8], body: &[u8], of: Option<&str>) {
        let (payload_digest, payload_type) = (Sha1Digest::of(body), Some("text/html"));
        let Some(refers_to_url) = of else {
            let payload_len = body.len() as u64;
            let place = Reference { id: id.bracketed(), offset: self.bytes.len() as u64 };
            self.originals.insert(exchange.url.to_owned(), place);
            let response = Response {
                id,
                head,
                payload_len,
                payload_digest,
                block_digest: None,
                truncated: None,
                payload_type,
            };
            return self.encoder.response(&mut self.bytes, exchange, &response, body);
        };
        let original = self.originals[refers_to_url].clone();
        let revisit = Revisit {
            id,
            profile: RevisitProfile::IdenticalPayloadDigest,
            head,
            refers_to_url,
            refers_to_date: NOW,
            refers_to: Some(&original.id),
            refers_to_place: Some(Place { filename: FIRST, offset: original.offset, length: 0 }),
            payload_digest,
            payload_type,
        };
        self.encoder.revisit(&mut self.bytes, exchange, &revisit);
    }
}

/// Two files; two hosts had the same payload three times, and the one that goes had it first.
fn archive() -> (MemDisk, BTreeMap<String, Location>) {
    let disk = MemDisk::new();
    let mut first = ByHand::begin(0);
    first.group("http://kept.example/1", b"<p>one", None);
    first.group("http://gone.example/twin", TWIN, None);
    first.group("http://kept.example/2", b"<p>two", None);
    let mut second = ByHand { originals: first.originals.clone(), ..ByHand::begin(1) };
    second.group("http://kept.example/twin", TWIN, Some("http://gone.example/twin"));
    second.group("http://gone.example/again", TWIN, Some("http://gone.example/twin"));
    second.group("http://kept.example/other-twin", TWIN, Some("http://gone.example/twin"));
    second.group("http://gone.example/one", b"<p>one", Some("http://kept.example/1"));
    second.group("http://kept.example/3", b"<p>three", None);
    for dir in ["archive", "state/cdxj"] {
        disk.create_dir(Path::new(dir)).unwrap();
    }
    for (name, file) in [(FIRST, &first), (SECOND, &second)] {
        replace_file(&disk, &Path::new("archive").join(name), &file.bytes).unwrap();
    }
    let groups = first.groups.into_iter().chain(second.groups).collect();
    crate::index::build(&disk, &[FIRST.to_owned(), SECOND.to_owned()], &config(), &mut stdx::nobody).unwrap();
    (disk, groups)
}

fn records(disk: &dyn Disk) -> Vec<(String, Record)> {
    let mut all = Vec::new();
    for path in files(disk, "archive", ".warc.gz") {
        let bytes = content(disk, &path);
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        all.extend(Reader::new(&bytes[..]).map(|record| (name.clone(), record.unwrap())));
    }
    all
}

/// Everything that is kept, and where its response stands.
fn answers(disk: &dyn Disk) -> BTreeMap<String, (RecordType, String)> {
    let answers = records(disk).into_iter().filter(|(_, record)| record.http().is_some());
    let answers = answers.filter(|(_, record)| record.record_type() != RecordType::Request);
    answers
        .map(|(file, record)| (record.target_uri().unwrap().to_owned(), (record.record_type(), file)))
        .collect()
}

fn stored(disk: &MemDisk, location: Location) -> Result<StoredCapture> {
    let name = if location.serial == 0 { FIRST } else { SECOND };
    let path = Path::new("archive").join(name);
    let file = disk.open(&path, Mode::Read)?;
    StoredGroup::new(Arc::new(disk.clone()), path, file, location).read()
}

/// Every line of the index is of a record that is there, and every answer has its line.
fn check_index(disk: &dyn Disk) {
    let index = String::from_utf8(content(disk, Path::new(INDEX))).unwrap();
    let mut listed = 0;
    for line in index.lines() {
        let field = |name: &str| {
            let from = line.split_once(&format!("\"{name}\": \"")).expect("a field").1;
            from.split_once('"').expect("a text").0.to_owned()
        };
        let bytes = content(disk, &Path::new("archive").join(field("filename")));
        let from: usize = field("offset").parse().unwrap();
        let record = Reader::new(&bytes[from..]).next().unwrap().unwrap();
        assert_eq!(record.target_uri(), Some(&*field("url")), "{line}");
        listed += 1;
    }
    assert_eq!(listed, answers(disk).len());
}

fn check_purged(disk: &MemDisk) {
    check_warcs(disk);
    check_index(disk);
    for path in files(disk, "archive", "") {
        let plain = records(disk).into_iter().all(|(_, record)| {
            let text = String::from_utf8_lossy(record.header.as_bytes()).into_owned();
            !text.contains("gone.example")
        });
        assert!(plain, "{}", path.display());
    }
    let whole = RecordType::Response;
    let kept = ["1", "2", "3", "other-twin", "twin"].map(|page| format!("http://kept.example/{page}"));
    let answers = answers(disk);
    assert_eq!(answers.keys().cloned().collect::<Vec<_>>(), kept);
    assert!(answers.values().all(|(kind, _)| *kind == whole), "{answers:?}");
}

fn run(disk: &dyn Disk) -> Result<Purged> {
    purge(disk, &config(), &taken_down("gone.example"))
}

#[test]
fn what_is_taken_down_is_gone_and_the_rest_stands_where_it_stood() {
    let (disk, groups) = archive();
    let before = records(&disk);
    let purged = run(&disk).unwrap();
    assert_eq!((purged.files, purged.records, purged.made_whole), (2, 9, 2));
    check_purged(&disk);
    let after = records(&disk);
    for (file, record) in &before {
        let now = after.iter().find(|(name, now)| name == file && now.offset == record.offset);
        assert_eq!(now.map(|(_, now)| now.length), Some(record.length), "every place is a record's");
    }
    for (url, location) in &groups {
        match stored(&disk, *location) {
            Err(Error::TakenDown { by: 17 }) => assert!(url.contains("gone.example"), "{url}"),
            read => assert_eq!(read.unwrap().capture.url, *url),
        }
    }
}

#[test]
fn a_payload_that_somebody_else_had_too_stays_with_them() {
    let (disk, groups) = archive();
    let purged = run(&disk).unwrap();
    for page in ["twin", "other-twin"] {
        let url = format!("http://kept.example/{page}");
        let read = stored(&disk, groups[&url]).unwrap();
        assert_eq!(bytes_of(&read.capture.body), TWIN);
        assert!(String::from_utf8_lossy(&read.capture.response_head).contains(&url), "its own head");
        let place = purged.moved.place(&read.record_id).expect("it has moved");
        assert_eq!(place.filename, "test-crawl-kept-20261120102805.00001.node.example-00001.warc.gz");
        assert_eq!((read.path, read.offset), (Path::new("archive").join(&*place.filename), place.offset));
    }
}

/// What refers to a payload is away, on a disk of its own say, or was emptied: the payload stays until it is back.
#[test]
fn a_payload_stays_that_an_absent_file_refers_to() {
    let lose: [fn(&MemDisk, &Path); 2] =
        [|disk, path| disk.remove(path).unwrap(), |disk, path| replace_file(disk, path, b"").unwrap()];
    for lose in lose {
        let (disk, _) = archive();
        let second = Path::new("archive").join(SECOND);
        let bytes = content(&disk, &second);
        lose(&disk, &second);
        assert_eq!(run(&disk).unwrap().records, 0, "of the first file nothing but that payload goes");
        check_index(&disk);
        assert!(answers(&disk).contains_key("http://gone.example/twin"));
        assert_eq!(absent_files(&disk).unwrap(), [SECOND]);
        replace_file(&disk, &second, &bytes).unwrap();
        assert_eq!(run(&disk).unwrap().made_whole, 2);
        check_purged(&disk);
    }
}

#[test]
fn once_more_changes_nothing() {
    let (disk, _) = archive();
    run(&disk).unwrap();
    let before: Vec<_> = files(&disk, "archive", "").iter().map(|path| content(&disk, path)).collect();
    assert_eq!(run(&disk).unwrap().records, 0);
    assert_eq!(
        before,
        files(&disk, "archive", "").iter().map(|path| content(&disk, path)).collect::<Vec<_>>()
    );
}

#[test]
fn what_became_whole_can_be_taken_down_too() {
    let (disk, groups) = archive();
    run(&disk).unwrap();
    purge(&disk, &config(), &taken_down("kept.example")).unwrap();
    check_index(&disk);
    assert!(answers(&disk).is_empty());
    for location in groups.values() {
        assert!(matches!(stored(&disk, *location), Err(Error::TakenDown { .. })));
    }
}

#[test]
fn an_archive_without_any_of_it_is_left_alone() {
    let (disk, _) = archive();
    let before = content(&disk, &Path::new("archive").join(FIRST));
    assert_eq!(purge(&disk, &config(), &taken_down("other.example")).unwrap().files, 0);
    assert_eq!(content(&disk, &Path::new("archive").join(FIRST)), before);
}

/// The disk dies at each call in turn, by a kill and by a power cut: no payload that stays is out of reach, the index names only what is
/// there, and doing it again ends it.
#[test]
fn a_crash_at_any_moment_leaves_one_generation_or_the_other() {
    let (whole, _) = archive();
    let counting = FaultyDisk::counting(whole.kill());
    run(&counting).unwrap();
    assert!(counting.calls() > 50);
    for call in 0..counting.calls() {
        for fault in [Fault::Io, Fault::TornWrite] {
            let (disk, groups) = archive();
            let faulty = FaultyDisk::new(disk, FaultPlan { call, fault, lasts: Lasts::Forever });
            let _ = run(&faulty);
            for left in
                [faulty.inner().kill(), faulty.inner().crash(CrashMode::KeepSome, &mut Rng::new(call))]
            {
                check_between(&left, &groups);
                run(&left).unwrap_or_else(|error| panic!("call {call}: {error}"));
                check_purged(&left);
            }
        }
    }
}

/// The same, and the takedown is taken back: what the next purge, of nothing, finds gone is told, and whatever is left is listed again.
#[test]
fn what_a_purge_left_when_it_died_can_be_taken_back() {
    let (whole, _) = archive();
    let counting = FaultyDisk::counting(whole.kill());
    run(&counting).unwrap();
    let mut halves = 0;
    for call in 0..counting.calls() {
        let (disk, _) = archive();
        let ids: BTreeMap<String, String> = ids_of_answers(&disk);
        let faulty =
            FaultyDisk::new(disk, FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever });
        let _ = run(&faulty);
        let left = faulty.inner().kill();
        let begun = is_purge_unfinished(&left).unwrap();
        let purged = purge(&left, &config(), &Takedowns::default()).unwrap();
        assert_eq!(purged.resumed, begun, "call {call}");
        check_warcs(&left);
        check_index(&left);
        let there = ids_of_answers(&left);
        for (url, id) in &ids {
            assert_eq!(purged.gone.has(id), begun && there.get(url) != Some(id), "call {call}: {url}");
        }
        assert!(there.len() >= 5 && there.iter().all(|(url, id)| ids[url] == *id), "call {call}");
        halves += usize::from(there.len() < ids.len() && there.keys().any(|url| url.contains("gone")));
        end_purge(&left).unwrap();
        assert!(!is_purge_unfinished(&left).unwrap());
    }
    assert!(halves > 0, "a purge died when half of it was done");
}

/// The id under which each URL's answer stands.
fn ids_of_answers(disk: &dyn Disk) -> BTreeMap<String, String> {
    let is_answer =
        |record: &Record| matches!(record.record_type(), RecordType::Response | RecordType::Revisit);
    let answers = records(disk).into_iter().filter(|(_, record)| is_answer(record));
    answers
        .map(|(_, record)| (record.target_uri().unwrap().to_owned(), record.id().unwrap().to_owned()))
        .collect()
}

fn check_between(disk: &MemDisk, groups: &BTreeMap<String, Location>) {
    check_warcs(disk);
    for (url, location) in groups {
        match stored(disk, *location) {
            Err(Error::TakenDown { .. }) => assert!(url.contains("gone.example"), "{url}"),
            // Of what goes the original may have gone before it.
            Err(Error::Dangling { .. }) if url.contains("gone.example") => {}
            read => {
                assert_eq!(read.expect("what stays can be read at any moment").capture.url, *url);
            }
        }
    }
}
