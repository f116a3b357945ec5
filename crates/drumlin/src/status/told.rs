use crate::directory::STATUS;
use crate::exit::{Exit, bad_usage};
use disk::Disk;
use serde::{Deserialize, Serialize};
use snapshot::Snapshot;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};
use stdx::format_count;

#[cfg(test)]
mod tests;

/// `state/status.json`: what a crawl last said of itself. docs/formats/status.md.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Told {
    format: u32,
    /// How it ended, once it has.
    pub(super) exit: Option<String>,
    pub(super) snapshot: Snapshot,
    /// When the file was written, by the file system.
    #[serde(skip)]
    written: Option<SystemTime>,
}

const FORMAT: u32 = 1;

/// So often, on the crawl's timeline.
const EVERY_MS: u64 = 1_000;

impl Told {
    /// How long ago it was said.
    pub(super) fn ago_ms(&self) -> u64 {
        let ago = self.written.and_then(|written| written.elapsed().ok());
        ago.unwrap_or_default().as_millis() as u64
    }

    /// Whether the index was made, as is done at the very end: a run that finds no room for a write does not come to that.
    fn is_indexed(&self) -> bool {
        self.exit.as_deref().is_some_and(|exit| exit != Exit::DiskFull.name())
    }

    /// What the corpus lacks of the archive, of a crawl that does not run: known where it ended, of a crash nobody knows.
    pub(super) fn missing_rows(&self) -> Option<String> {
        match (&self.exit, self.snapshot.unparsed) {
            (None, _) => Some(NO_END.to_owned()),
            (Some(_), 0) => None,
            (Some(_), 1) => Some("1 archived page has no row yet".to_owned()),
            (Some(_), pages) => Some(format!("{} archived pages have no row yet", format_count(pages))),
        }
    }
}

/// What was said last, if anything that can be read: nobody syncs it, so that a power loss may leave it empty.
pub(super) fn read(dir: &Path) -> anyhow::Result<Option<Told>> {
    let path = dir.join(STATUS);
    let name = path.display();
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(bad_usage(format!("cannot read {name}: {error}"))),
    };
    if let Some(format) = format_of(&text).filter(|format| *format > FORMAT) {
        return Err(bad_usage(format!("{name} has format {format}; this program reads {FORMAT}")));
    }
    let Ok(told) = serde_json::from_slice::<Told>(&text) else { return Ok(None) };
    let written = fs::metadata(&path).and_then(|file| file.modified()).ok();
    Ok(Some(Told { written, ..told }))
}

fn format_of(text: &[u8]) -> Option<u32> {
    #[derive(Deserialize)]
    struct Head {
        format: u32,
    }
    serde_json::from_slice::<Head>(text).ok().map(|head| head.format)
}

/// What the corpus lacks of the archive, as far as the last run has said it: one that says nothing any more did not end, unless the
/// checkpoint says that it did.
pub(super) fn missing_rows(dir: &Path, disk: &dyn Disk) -> anyhow::Result<Option<String>> {
    if archive::has_ended_clean(disk)? {
        return Ok(None);
    }
    Ok(match read(dir)? {
        Some(told) => told.missing_rows(),
        None if dir.join(STATUS).exists() => Some(NO_END.to_owned()),
        None => None,
    })
}

/// What the index lacks of the archive, as far as the last run has said it.
pub(super) fn missing_lines(dir: &Path) -> anyhow::Result<Option<&'static str>> {
    let is_indexed = read(dir)?.map_or_else(|| !dir.join(STATUS).exists(), |told| told.is_indexed());
    Ok((!is_indexed).then_some(NO_INDEX))
}

const NO_INDEX: &str = "the last run did not come to its end: the index may lack what it archived";
const NO_END: &str = "the last run did not end: what it archived last may have no row yet";

fn bytes_of(snapshot: &Snapshot, exit: Option<String>) -> Vec<u8> {
    let told = Told { format: FORMAT, exit, snapshot: snapshot.clone(), written: None };
    serde_json::to_vec(&told).expect("a snapshot is plain data")
}

/// Says once a second how the crawl stands. The file is replaced whole, so that a reader never sees half of it; it is not
/// synced, since nobody needs it after a crash.
pub(crate) struct Teller {
    path: PathBuf,
    next_ms: u64,
}

impl Teller {
    /// For the crawl in `dir`.
    pub(crate) fn new(dir: &Path) -> Self {
        Self { path: dir.join(STATUS), next_ms: 0 }
    }

    /// Takes in a snapshot and says it when it is time.
    pub(crate) fn tell(&mut self, snapshot: &Snapshot) {
        if snapshot.now_ms >= self.next_ms {
            self.tell_now(snapshot);
        }
    }

    /// Says it at once: whoever has had a command answered finds in the status what it did.
    pub(crate) fn tell_now(&mut self, snapshot: &Snapshot) {
        self.next_ms = snapshot.now_ms + EVERY_MS;
        self.write(snapshot);
    }

    /// The crawl has ended. Where it has by a full disk, there is room in what was said last only.
    pub(crate) fn end(&self, snapshot: &Snapshot, exit: Exit) {
        let bytes = bytes_of(snapshot, Some(exit.name().to_owned()));
        let _ = self.replace(&bytes).or_else(|_| self.write_over(&bytes));
    }

    /// A crawl is not to stop because nobody can be told of it.
    fn write(&self, snapshot: &Snapshot) {
        let _ = self.replace(&bytes_of(snapshot, None));
    }

    fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        let beside = self.path.with_extension("json.tmp");
        let replaced = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, &self.path));
        replaced.inspect_err(|_| drop(fs::remove_file(&beside)))
    }

    /// Not cut before it is written to: what it has of the disk may be all that there is.
    fn write_over(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = fs::OpenOptions::new().write(true).open(&self.path)?;
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)
    }
}
