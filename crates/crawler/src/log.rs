use crate::Record;
use disk::{Disk, File, Mode};
use frontier::{Attempt, End, Kind, PageSubject, Subject};
use std::io;
use std::path::Path;
use stdx::WallTime;

/// `crawl.log`: one line an attempt, for people. A view of the journal: each line begins with the number of its entry, so
/// that what a crash took off its end is written again.
pub struct CrawlLog {
    file: Box<dyn File>,
    len: u64,
    next_seq: u64,
}

/// Bytes read at a time when looking for the last line.
const READ_BYTES: u64 = 64 << 10;

impl CrawlLog {
    /// Opens the log and drops what a crash tore: everything from the first hole on, and a last line without its end.
    pub fn open(disk: &dyn Disk, path: &Path) -> io::Result<Self> {
        let mut file = disk.open(path, Mode::OpenOrCreate)?;
        disk.sync_dir(path.parent().unwrap_or(Path::new("")))?;
        let sound = sound_part(file.as_ref())?;
        file.set_len(sound.len)?;
        file.sync()?;
        Ok(Self { file, len: sound.len, next_seq: sound.last_seq.map_or(0, |seq| seq + 1) })
    }

    /// The first journal entry that may be missing from the log.
    pub fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// Appends the lines of entries, numbered from `first_seq`; entries that are in the log already are passed over.
    pub fn append<'a>(
        &mut self,
        first_seq: u64,
        records: impl IntoIterator<Item = &'a [u8]>,
    ) -> io::Result<()> {
        let mut lines = String::new();
        for (seq, bytes) in (first_seq..).zip(records) {
            if seq < self.next_seq {
                continue;
            }
            let record = Record::is_attempt(bytes).then(|| Record::decode(seq, bytes).ok()).flatten();
            if let Some(line) = record.and_then(|record| log_line(seq, &record)) {
                lines.push_str(&line);
                lines.push('\n');
            }
            self.next_seq = seq + 1;
        }
        self.file.write_at(lines.as_bytes(), self.len)?;
        self.len += lines.len() as u64;
        Ok(())
    }

    /// Makes the lines durable.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }
}

/// One attempt as a line: number, time, status or failure, bytes, milliseconds, address, what for, type, URL.
pub fn log_line(seq: u64, record: &Record) -> Option<String> {
    let Record::Attempt { attempt, .. } = record else { return None };
    let Attempt { contact, at, end, url, subject } = attempt;
    let time = WallTime::from_unix_ms(at.as_ms()).iso_millis();
    let (outcome, bytes, kind) = match end {
        End::Captured(response) => (
            response.status.to_string(),
            response.bytes,
            response.content_type.clone().filter(|kind| !kind.is_empty()).unwrap_or_else(|| "-".to_owned()),
        ),
        End::Failed(failure) => (failure.kind.to_string(), 0, "-".to_owned()),
    };
    let elapsed = contact.map_or(0, |contact| contact.ended.since_ms(contact.started));
    let address = contact.map_or_else(|| "-".to_owned(), |contact| contact.address.ip.to_string());
    let purpose = match subject {
        Subject::Page(PageSubject { kind: Kind::Page, .. }) => "page",
        Subject::Page(PageSubject { kind: Kind::Sitemap, .. }) => "sitemap",
        Subject::Robots { .. } => "robots",
        Subject::Name => "name",
    };
    let kind = kind.replace(|c: char| c.is_whitespace() || c.is_control(), "_");
    Some(format!("{seq} {time} {outcome} {bytes} {elapsed}ms {address} {purpose} {kind} {url}"))
}

/// The lines of a log that are whole.
struct Sound {
    len: u64,
    last_seq: Option<u64>,
}

/// Reads the log up to its end or to the first hole. Lines that were never synced may have reached the disk without those
/// before them, whose place then reads as zeros.
fn sound_part(file: &dyn File) -> io::Result<Sound> {
    let mut sound = Sound { len: 0, last_seq: None };
    let mut rest = Vec::new();
    loop {
        let kept = rest.len();
        rest.resize(kept + READ_BYTES as usize, 0);
        let read = file.read_at(&mut rest[kept..], sound.len + kept as u64)?;
        rest.truncate(kept + read);
        let hole = rest.iter().position(|&byte| byte == 0);
        rest.truncate(hole.unwrap_or(rest.len()));
        let whole = rest.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        sound.last_seq = last_seq(&rest[..whole]).or(sound.last_seq);
        sound.len += whole as u64;
        rest.drain(..whole);
        if hole.is_some() || read == 0 {
            return Ok(sound);
        }
    }
}

fn last_seq(tail: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(tail.strip_suffix(b"\n")?).ok()?;
    let line = text.rsplit('\n').next()?;
    line.split(' ').next()?.parse().ok()
}
