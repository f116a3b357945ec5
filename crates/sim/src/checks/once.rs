use disk::{Disk, SharedDisk};
use std::collections::BTreeMap;
use std::path::Path;
use warc::{Reader, RecordType};

/// A response record of the archive.
#[derive(Debug, Clone)]
pub struct Captured {
    /// `WARC-Target-URI`.
    pub url: String,
    /// Its status.
    pub status: u16,
    /// The file it is in.
    pub file: String,
}

/// Every response in the archive, read with the WARC reader; a file that can't be read to its end is an error.
pub fn captures(disk: &SharedDisk) -> Result<Vec<Captured>, String> {
    let dir = Path::new("archive");
    let names = disk.list(dir).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for name in names.iter().filter(|name| name.contains(".warc.gz")) {
        read_file(disk.as_ref(), &dir.join(name), &mut found)?;
    }
    Ok(found)
}

fn read_file(disk: &dyn Disk, path: &Path, found: &mut Vec<Captured>) -> Result<(), String> {
    let file = path.display().to_string();
    let bytes = disk::read_all(disk, path).map_err(|error| format!("{file}: {error}"))?;
    for record in Reader::new(bytes.as_slice()) {
        let record = record.map_err(|error| format!("{file}: {error}"))?;
        if record.record_type() != RecordType::Response {
            continue;
        }
        let url = record.target_uri().ok_or_else(|| format!("{file}: a response without a URL"))?.to_owned();
        let status = record.http().and_then(|http| http.status()).unwrap_or(0);
        found.push(Captured { url, status, file: file.clone() });
    }
    Ok(())
}

/// Judges the archive: a URL with a final answer stands in it once.
pub fn at_most_once(captures: &[Captured]) -> Vec<String> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let is_final = |status: u16| matches!(status, 200..=299 | 404 | 410);
    let content =
        captures.iter().filter(|capture| is_final(capture.status) && !capture.url.ends_with("/robots.txt"));
    for capture in content {
        *counts.entry(&capture.url).or_default() += 1;
    }
    let twice = counts.into_iter().filter(|(_, count)| *count > 1);
    twice.map(|(url, count)| format!("archived {count} times: {url}")).collect()
}
