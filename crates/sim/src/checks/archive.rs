use disk::{Disk, SharedDisk};
use std::path::Path;
use warc::{Reader, Record, RecordType, Sha1Digest};

const DIR: &str = "archive";

/// A response or revisit record of the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// `WARC-Record-ID`, without its brackets.
    pub id: String,
    /// `WARC-Target-URI`.
    pub url: String,
    /// Its status.
    pub status: u16,
    /// The file it is in, without its directory and without `.open`.
    pub file: String,
    /// Where its gzip member begins.
    pub offset: u64,
    /// How long that is.
    pub length: u64,
}

/// Every response and revisit in the archive, read with the WARC reader; a file that can't be read to its end is an error.
pub fn captures(disk: &SharedDisk) -> Result<Vec<Captured>, String> {
    let mut found = Vec::new();
    // What was on its way when the crawl died is nothing yet.
    for name in warc_files(disk.as_ref())?.iter().filter(|name| name.strip_suffix(".tmp").is_none()) {
        read_file(disk.as_ref(), name, &mut found)?;
    }
    Ok(found)
}

/// Judges the archive of a crawl that has ended: every file is closed and keeps every rule that readers hold it to.
pub fn warcs_sound(disk: &SharedDisk) -> Vec<String> {
    let names = match warc_files(disk.as_ref()) {
        Ok(names) => names,
        Err(error) => return vec![error],
    };
    let open =
        names.iter().filter_map(|name| name.strip_suffix(".open")).map(|name| format!("left open: {name}"));
    let broken = names.iter().flat_map(|name| findings(disk.as_ref(), name));
    open.chain(broken).chain(names.iter().flat_map(|name| dangling(disk.as_ref(), name))).collect()
}

/// Judges the index of a crawl that has ended: sorted, one line a response, each pointing at its record.
pub fn index_complete(disk: &SharedDisk, captures: &[Captured]) -> Vec<String> {
    let bytes = match disk::read_all(disk.as_ref(), &Path::new(DIR).join("index.cdxj")) {
        Ok(bytes) => bytes,
        Err(error) => return vec![error.to_string()],
    };
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let unsorted =
        lines.windows(2).filter(|pair| pair[0] > pair[1]).map(|pair| format!("unsorted: {}", pair[1]));
    let mut wrong: Vec<String> = unsorted.collect();
    let mut listed: Vec<String> = lines.iter().map(|line| place_in(line)).collect();
    let mut there: Vec<String> = captures.iter().map(place_of).collect();
    listed.sort_unstable();
    there.sort_unstable();
    wrong.extend(
        there.iter().filter(|p| listed.binary_search(p).is_err()).map(|p| format!("not in the index: {p}")),
    );
    wrong.extend(
        listed.iter().filter(|p| there.binary_search(p).is_err()).map(|p| format!("no such record: {p}")),
    );
    wrong.extend(
        listed.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| format!("twice: {}", pair[0])),
    );
    wrong
}

fn place_of(capture: &Captured) -> String {
    format!("{} {} {} {}", capture.url, capture.file, capture.offset, capture.length)
}

fn place_in(line: &str) -> String {
    let member = |name: &str| {
        let start = line.find(&format!("\"{name}\": \"")).map(|at| at + name.len() + 5);
        start.and_then(|start| line[start..].split('"').next()).unwrap_or("?").to_owned()
    };
    format!("{} {} {} {}", member("url"), member("filename"), member("offset"), member("length"))
}

fn warc_files(disk: &dyn Disk) -> Result<Vec<String>, String> {
    let names = disk.list(Path::new(DIR)).map_err(|error| error.to_string())?;
    Ok(names.into_iter().filter(|name| name.contains(".warc.gz")).collect())
}

fn findings(disk: &dyn Disk, name: &str) -> Vec<String> {
    match disk::read_all(disk, &Path::new(DIR).join(name)) {
        Ok(bytes) => {
            warc::check(bytes.as_slice()).findings.iter().map(|found| format!("{name}: {found}")).collect()
        }
        Err(error) => vec![format!("{name}: {error}")],
    }
}

/// What is wrong with the originals of the revisits in a file: one is not there, or its payload is another.
fn dangling(disk: &dyn Disk, name: &str) -> Vec<String> {
    let dir = Path::new(DIR);
    let bytes = disk::read_all(disk, &dir.join(name)).unwrap_or_default();
    let records = Reader::new(bytes.as_slice()).filter_map(Result::ok);
    let revisits = records.filter(|record| record.record_type() == RecordType::Revisit);
    let wrong = revisits.filter_map(|record| {
        let payload = archive::payload_of(disk, dir, &record).and_then(|body| Ok(body.start(usize::MAX)?));
        let promised = record.header.get("WARC-Payload-Digest").and_then(Sha1Digest::from_label);
        match payload {
            Ok(payload) if promised == Some(Sha1Digest::of(&payload)) => None,
            Ok(_) => Some(format!("{name}: another payload than {:?} has", record.id())),
            Err(error) => Some(format!("{name}: {error}")),
        }
    });
    wrong.collect()
}

/// What a server says has not changed is what it was, and only what came with a 200 is asked about.
fn status_of(record: &Record) -> u16 {
    let status = record.http().and_then(|http| http.status()).unwrap_or(0);
    if status == 304 && record.record_type() == RecordType::Revisit { 200 } else { status }
}

fn read_file(disk: &dyn Disk, name: &str, found: &mut Vec<Captured>) -> Result<(), String> {
    let bytes =
        disk::read_all(disk, &Path::new(DIR).join(name)).map_err(|error| format!("{name}: {error}"))?;
    for record in Reader::new(bytes.as_slice()) {
        let record = record.map_err(|error| format!("{name}: {error}"))?;
        if !matches!(record.record_type(), RecordType::Response | RecordType::Revisit) {
            continue;
        }
        let missing = || format!("{name}: a record without id or URL");
        found.push(Captured {
            id: record.id().ok_or_else(missing)?.to_owned(),
            url: record.target_uri().ok_or_else(missing)?.to_owned(),
            status: status_of(&record),
            file: name.trim_end_matches(".open").to_owned(),
            offset: record.offset,
            length: record.length.unwrap_or(0),
        });
    }
    Ok(())
}
