use crate::Record;
use disk::{Disk, File, Mode, SharedDisk};
use frontier::{Attempt, End, Kind, PageSubject, Subject};
use std::fmt::{self, Write};
use std::io;
use std::path::{Path, PathBuf};
use stdx::WallTime;

/// `crawl.log`: one line an attempt, for people. A view of the journal: each line begins with the number of its entry, so
/// that what a crash took off its end is written again.
///
/// A file that is full takes the number of the last entry it covers into its name ([`crawl_log_files`]), and is written no more.
pub struct CrawlLog {
    disk: SharedDisk,
    path: PathBuf,
    /// Bytes of a file, unless the lines of one commit are longer.
    file_bytes: u64,
    file: Box<dyn File>,
    len: u64,
    next_seq: u64,
}

/// Bytes read at a time when looking for the last line.
const READ_BYTES: u64 = 64 << 10;

impl CrawlLog {
    /// Opens the log and drops what a crash tore: everything from the first hole on, and a last line without its end. Files that are
    /// full are whole, since they were synced before they got their names.
    pub fn open(disk: SharedDisk, path: &Path, file_bytes: u64) -> io::Result<Self> {
        let mut file = disk.open(path, Mode::OpenOrCreate)?;
        disk.sync_dir(dir_of(path))?;
        let sound = sound_part(file.as_ref())?;
        file.set_len(sound.len)?;
        file.sync()?;
        let covered = sound.last_seq.or(full_files(disk.as_ref(), path)?.pop());
        let next_seq = covered.map_or(0, |seq| seq + 1);
        Ok(Self { disk, path: path.to_owned(), file_bytes, file, len: sound.len, next_seq })
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
        let (mut lines, mut next_seq) = (String::new(), self.next_seq);
        for (seq, bytes) in (first_seq..).zip(records) {
            if seq < next_seq {
                continue;
            }
            let record = Record::is_attempt(bytes).then(|| Record::decode(seq, bytes).ok()).flatten();
            if record.is_some_and(|record| write_line(&mut lines, seq, &record)) {
                lines.push('\n');
            }
            next_seq = seq + 1;
        }
        self.write(&lines)?;
        self.next_seq = next_seq;
        Ok(())
    }

    fn write(&mut self, lines: &str) -> io::Result<()> {
        let bytes = lines.len() as u64;
        if self.len > 0 && bytes > 0 && self.len + bytes > self.file_bytes {
            self.rotate()?;
        }
        self.file.write_at(lines.as_bytes(), self.len)?;
        self.len += bytes;
        Ok(())
    }

    /// Whoever opens the log reads of a full file no more than its name: its lines are durable before it has that, and it has that before
    /// there is a new file.
    fn rotate(&mut self) -> io::Result<()> {
        self.file.sync()?;
        self.disk.rename(&self.path, &full_file(&self.path, self.next_seq - 1))?;
        self.disk.sync_dir(dir_of(&self.path))?;
        self.file = self.disk.open(&self.path, Mode::CreateNew)?;
        self.len = 0;
        self.disk.sync_dir(dir_of(&self.path))
    }

    /// Makes the lines durable.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }
}

/// The files of the log at `path`, in the order of their lines: `crawl.000000041872.log`, which has all attempts up to entry 41,872 that no file
/// before it has, and so on; last `crawl.log`, which is written.
pub fn crawl_log_files(disk: &dyn Disk, path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> =
        full_files(disk, path)?.into_iter().map(|last_seq| full_file(path, last_seq)).collect();
    if disk.stat(path)?.is_some() {
        files.push(path.to_owned());
    }
    Ok(files)
}

/// The last entries that full files cover, in order.
fn full_files(disk: &dyn Disk, path: &Path) -> io::Result<Vec<u64>> {
    let names = disk.list(dir_of(path))?;
    let covered = |name: &String| {
        let stem = name.strip_suffix(".log")?;
        let (_, number) = stem.rsplit_once('.')?;
        let last_seq = number.parse().ok()?;
        (full_file(path, last_seq).file_name() == Some(name.as_ref())).then_some(last_seq)
    };
    let mut all: Vec<u64> = names.iter().filter_map(covered).collect();
    all.sort_unstable();
    Ok(all)
}

fn full_file(path: &Path, last_seq: u64) -> PathBuf {
    path.with_extension(format!("{last_seq:012}.log"))
}

fn dir_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// One attempt as a line: number, time, status or failure, bytes, milliseconds, address, what for, type, URL.
pub fn log_line(seq: u64, record: &Record) -> Option<String> {
    let mut line = String::new();
    write_line(&mut line, seq, record).then_some(line)
}

/// Appends the line of an attempt; says whether it is one.
fn write_line(line: &mut String, seq: u64, record: &Record) -> bool {
    let Record::Attempt { attempt, .. } = record else { return false };
    let Attempt { contact, at, end, url, subject } = attempt;
    push(line, format_args!("{seq} "));
    WallTime::from_unix_ms(at.as_ms()).write_iso_millis(line);
    let kind = match end {
        End::Captured(response) => {
            push(line, format_args!(" {} {}", response.status, response.bytes));
            response.content_type.as_deref().unwrap_or_default()
        }
        End::Failed(failure) | End::PutOff { failure, .. } => {
            push(line, format_args!(" {} 0", failure.kind));
            ""
        }
    };
    match contact {
        Some(contact) => {
            let elapsed_ms = contact.ended.since_ms(contact.started);
            push(line, format_args!(" {elapsed_ms}ms {} ", contact.address.ip));
        }
        None => line.push_str(" 0ms - "),
    }
    line.push_str(match subject {
        Subject::Page(PageSubject { kind: Kind::Page, .. }) => "page",
        Subject::Page(PageSubject { kind: Kind::Sitemap, .. }) => "sitemap",
        Subject::Robots { .. } => "robots",
        Subject::Name => "name",
    });
    line.push(' ');
    let is_blank = |c: char| c.is_whitespace() || c.is_control();
    line.extend(kind.chars().map(|c| if is_blank(c) { '_' } else { c }));
    line.extend([if kind.is_empty() { "- " } else { " " }, url]);
    true
}

fn push(line: &mut String, text: fmt::Arguments<'_>) {
    line.write_fmt(text).expect("a string takes any text");
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
