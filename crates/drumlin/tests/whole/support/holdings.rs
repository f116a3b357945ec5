use disk::OsDisk;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use warc::{HttpMessage, Reader, Record, RecordType};

/// What a crawl archived, read from its WARC files alone.
pub(crate) struct Holdings {
    /// Response and revisit records in the order of the files.
    pub(crate) captures: Vec<Capture>,
}

/// A response or revisit record, and what the metadata record beside it says.
#[derive(Debug, Clone)]
pub(crate) struct Capture {
    pub(crate) url: String,
    pub(crate) status: u16,
    pub(crate) content_type: String,
    /// The body as it was received.
    pub(crate) payload: Vec<u8>,
    /// Whether its record is a revisit, and the payload that of its original.
    pub(crate) is_revisit: bool,
    pub(crate) truncated: bool,
    /// When its request began, in milliseconds since 1970.
    pub(crate) fetched_ms: u64,
    pub(crate) id: String,
    pub(crate) file: String,
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

impl Holdings {
    /// Reads a crawl that no run is working on. Every file must be closed and without a finding.
    pub(crate) fn read(dir: &Path) -> Self {
        let mut captures = Vec::new();
        for name in names_in(&dir.join("archive")) {
            if name != "index.cdxj" {
                assert!(is_warc(&name), "{name} was left behind");
                captures.extend(read_file(&dir.join("archive").join(&name), &name));
            }
        }
        Self { captures }
    }

    /// Captures of anything but robots.txt.
    pub(crate) fn pages(&self) -> impl Iterator<Item = &Capture> {
        self.captures.iter().filter(|capture| !capture.is_robots())
    }

    /// URLs and statuses of anything but robots.txt, in order of URL, twice what is there twice.
    pub(crate) fn statuses(&self) -> Vec<(&str, u16)> {
        let mut statuses: Vec<_> = self.pages().map(|page| (page.url.as_str(), page.status)).collect();
        statuses.sort_unstable();
        statuses
    }

    /// URLs that were captured with a final status more than once.
    pub(crate) fn repeated(&self) -> Vec<&str> {
        let mut times: BTreeMap<&str, u32> = BTreeMap::new();
        for page in self.pages().filter(|page| page.is_final()) {
            *times.entry(&page.url).or_default() += 1;
        }
        times.into_iter().filter(|(_, times)| *times > 1).map(|(url, _)| url).collect()
    }
}

impl Capture {
    /// Whether it is a robots.txt, or what one is redirected to in a synthetic web.
    pub(crate) fn is_robots(&self) -> bool {
        self.url.contains("/robots")
    }

    /// Whether its URL is done with it: what asks for another attempt is not final.
    pub(crate) fn is_final(&self) -> bool {
        !matches!(self.status, 408 | 425 | 429 | 500 | 502..=504 | 507..=599)
    }
}

/// Whether a file is a closed WARC file, by its name.
pub(crate) fn is_warc(name: &str) -> bool {
    name.strip_suffix(".warc.gz").is_some()
}

/// Names of the files in a directory, in order.
pub(crate) fn names_in(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("a directory").file_name().into_string().expect("ASCII")).collect();
    names.sort();
    names
}

fn read_file(path: &Path, name: &str) -> Vec<Capture> {
    let open = || BufReader::new(File::open(path).expect("a file that was listed"));
    let report = warc::check(open());
    assert!(report.is_clean(), "{name}: {:?}", report.findings);
    let mut captures: Vec<Capture> = Vec::new();
    for record in Reader::new(open()) {
        let record = record.expect("a file without findings");
        match record.record_type() {
            RecordType::Response | RecordType::Revisit => captures.push(capture(&record, path)),
            // A void, in the place of a record that is gone, is about no URL.
            RecordType::Metadata if record.target_uri().is_some() => {
                complete(captures.last_mut().expect("a response before it"), &record);
            }
            _ => {}
        }
    }
    captures
}

fn capture(record: &Record, path: &Path) -> Capture {
    let http: HttpMessage<'_> = record.http().expect("a response holds HTTP");
    let is_revisit = record.record_type() == RecordType::Revisit;
    Capture {
        url: record.target_uri().expect("a response has a target").to_owned(),
        status: http.status().expect("a response has a status"),
        content_type: http.header("content-type").unwrap_or_default(),
        payload: if is_revisit { original(record, path) } else { http.payload.to_owned() },
        is_revisit,
        truncated: !is_revisit && record.header.get("WARC-Truncated").is_some(),
        fetched_ms: 0,
        id: record.header.get("WARC-Record-ID").unwrap_or_default().to_owned(),
        file: path.file_name().expect("a name").to_string_lossy().into_owned(),
        offset: record.offset,
        length: record.length.expect("a record has a member of its own"),
    }
}

/// The payload that a revisit stands for.
fn original(revisit: &Record, path: &Path) -> Vec<u8> {
    let disk = OsDisk::new(path.parent().expect("a directory").to_owned()).expect("it is there");
    let body = archive::payload_of(&disk, Path::new(""), revisit).expect("its original is there");
    body.start(usize::MAX).expect("readable").to_vec()
}

fn complete(capture: &mut Capture, metadata: &Record) {
    assert_eq!(metadata.target_uri(), Some(capture.url.as_str()), "metadata stands beside its response");
    let text = String::from_utf8(metadata.block.clone()).expect("fields are UTF-8");
    let start = text.lines().find_map(|line| line.strip_prefix("fetchStart: ")).expect("when it was fetched");
    capture.fetched_ms = stdx::WallTime::parse_iso(start.trim()).expect("a time").unix_ms();
}
