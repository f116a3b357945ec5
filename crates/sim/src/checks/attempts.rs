use crate::log::{Contact, ServerLog};
use crawler::crawl_log_files;
use disk::SharedDisk;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use stdx::WallTime;

/// Judges `crawl.log` against the server's log: its lines are whole and in order, each contact that no crash can have
/// hidden has one, and no line tells of a contact that never was.
pub fn attempts_logged(disk: &SharedDisk, log: &ServerLog) -> Vec<String> {
    let bytes = match whole_log(disk) {
        Ok(bytes) => bytes,
        Err(error) => return vec![error.to_string()],
    };
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<Line<'_>> = text.lines().map(Line::read).collect();
    let order = lines.windows(2).filter(|pair| pair[0].seq >= pair[1].seq);
    let mut wrong: Vec<String> =
        order.map(|pair| format!("out of order or torn: {:?}", pair[1].text)).collect();
    let mut told: BTreeMap<String, u32> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.is_contact) {
        *told.entry(line.what.clone()).or_default() += 1;
    }
    for contact in &log.contacts {
        let what = format!("{} {}", WallTime::from_unix_ms(contact.ended.as_ms()).iso_millis(), contact.url);
        match told.remove(&what) {
            Some(1) => {}
            Some(count) => wrong.push(format!("{count} lines: {what}")),
            None if may_be_lost(log, contact) => {}
            None => wrong.push(format!("no line: {what} in run {}", contact.run)),
        }
    }
    wrong.extend(told.keys().map(|what| format!("never happened: {what}")));
    wrong
}

fn whole_log(disk: &SharedDisk) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    for path in crawl_log_files(disk.as_ref(), Path::new("crawl.log"))? {
        all.extend(disk::read_all(disk.as_ref(), &path)?);
    }
    Ok(all)
}

fn may_be_lost(log: &ServerLog, contact: &Contact) -> bool {
    !log.is_remembered(contact, contact.run + 1)
}

/// A line, as far as it is judged.
struct Line<'a> {
    text: &'a str,
    seq: Option<u64>,
    /// Time and URL.
    what: String,
    /// Whether it names an address.
    is_contact: bool,
}

impl<'a> Line<'a> {
    fn read(text: &'a str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let field = |index: usize| fields.get(index).copied().unwrap_or("");
        let whole = fields.len() == 9;
        Self {
            text,
            seq: field(0).parse().ok().filter(|_| whole),
            what: format!("{} {}", field(1), field(8)),
            is_contact: field(5) != "-",
        }
    }
}
