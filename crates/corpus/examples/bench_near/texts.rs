//! Texts to measure on.

use data_encoding::BASE64;
use flate2::read::GzDecoder;
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::path::Path;

/// Shorter ones say nothing.
const LEAST_BYTES: usize = 200;
/// Longer files are no texts.
const MOST_BYTES: u64 = 1 << 20;

/// The visible text of every saved page of the shared data, and the articles' own.
pub(crate) fn saved_pages(data: &Path) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for line in lines(&data.join("extract/articles.jsonl.gz")) {
        texts.extend(line["articleBody"].as_str().map(str::to_owned));
        texts.extend(line["html"].as_str().map(|html| visible(html.as_bytes())));
    }
    for line in lines(&data.join("extract/snippets.jsonl.gz")) {
        let html = line["html_b64"].as_str().map(|html| BASE64.decode(html.as_bytes()).expect("base64"));
        texts.extend(html.map(|html| visible(&html)));
    }
    texts.retain(|text| text.len() >= LEAST_BYTES);
    assert!(texts.len() > 100, "the saved pages are in {}", data.display());
    texts
}

/// Every text file below `dir`, in the same order each time.
pub(crate) fn below(dir: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        let mut entries: Vec<_> = fs::read_dir(&dir).expect("a directory").flatten().collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let kind = entry.file_type().expect("a kind of file");
            if kind.is_dir() {
                dirs.push(entry.path());
            } else if kind.is_file() && entry.metadata().is_ok_and(|file| file.len() <= MOST_BYTES) {
                texts.extend(fs::read_to_string(entry.path()).ok().filter(|text| text.len() >= LEAST_BYTES));
            }
        }
    }
    texts
}

fn visible(body: &[u8]) -> String {
    let url = weburl::Url::parse("http://example.com/").expect("a URL");
    page::parse(&page::Document { url: &url, headers: &[], body }, &page::Settings::default()).text
}

fn lines(path: &Path) -> Vec<Value> {
    let Ok(bytes) = fs::read(path) else { return Vec::new() };
    let mut text = String::new();
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("whole gzip");
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}
