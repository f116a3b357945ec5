//! Names of files, both ways.

use std::path::{Path, PathBuf};
use stdx::WallTime;

/// Beneath this name in the root of its disk a crawl sees the one before it, and only reads it: its archive is in `earlier/archive`, that of
/// the one before that in `earlier/earlier/archive`.
pub const EARLIER_DIR: &str = "earlier";

pub(crate) const ARCHIVE_DIR: &str = "archive";
pub(crate) const STATE_DIR: &str = "state";
pub(crate) const RUN_DIR: &str = "state/cdxj";
pub(crate) const SPOOL_DIR: &str = "state/spool";
pub(crate) const CHECKPOINT: &str = "state/checkpoint";
/// Is there while files are rewritten without what was taken down.
pub(crate) const PURGING: &str = "state/purging";
pub(crate) const PAYLOADS: &str = "state/payloads";
pub(crate) const EARLIER: &str = "state/earlier";
pub(crate) const INDEX: &str = "archive/index.cdxj";
pub(crate) const OPEN_SUFFIX: &str = ".open";
pub(crate) const TEMP_SUFFIX: &str = ".tmp";
pub(crate) const WARC_SUFFIX: &str = ".warc.gz";
pub(crate) const RUN_SUFFIX: &str = ".run";

/// `<prefix>-<14 digits>-<serial>-<host>.warc.gz`.
pub(crate) fn warc_name(prefix: &str, begun: WallTime, serial: u32, host: &str) -> String {
    format!("{prefix}-{}-{serial:05}-{host}{WARC_SUFFIX}", begun.digits14())
}

/// A WARC file as it lies in the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WarcName {
    pub(crate) serial: u32,
    /// Without `.open`.
    pub(crate) name: String,
    pub(crate) state: NameState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameState {
    Open,
    Closed,
}

/// Reads a directory entry, whatever its prefix and host; `None` for what is no WARC file of ours.
pub(crate) fn parse_warc_name(entry: &str) -> Option<WarcName> {
    let (name, state) = match entry.strip_suffix(OPEN_SUFFIX) {
        Some(name) => (name, NameState::Open),
        None => (entry, NameState::Closed),
    };
    let parts: Vec<&str> = name.strip_suffix(WARC_SUFFIX)?.split('-').collect();
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let is_place =
        |pair: &[&str]| pair[0].len() == 14 && pair[1].len() >= 5 && pair.iter().all(|p| is_number(p));
    let serial = parts.windows(2).find(|pair| is_place(pair))?[1].parse().ok()?;
    Some(WarcName { serial, name: name.to_owned(), state })
}

pub(crate) fn closed_path(name: &str) -> PathBuf {
    Path::new(ARCHIVE_DIR).join(name)
}

/// Where a WARC file would lie of which only the serial is known.
pub(crate) fn path_of_serial(serial: u32) -> PathBuf {
    closed_path(&format!("*-{serial:05}-*{WARC_SUFFIX}"))
}

pub(crate) fn open_path(name: &str) -> PathBuf {
    Path::new(ARCHIVE_DIR).join(format!("{name}{OPEN_SUFFIX}"))
}

pub(crate) fn run_path(name: &str) -> PathBuf {
    Path::new(RUN_DIR).join(format!("{name}{RUN_SUFFIX}"))
}

/// What will be `path`, while it is written; it ends as everything does that an opening removes.
pub(crate) fn temp_path(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}{TEMP_SUFFIX}", path.display()))
}

/// A sorted part of a run that is still to be made.
pub(crate) fn piece_path(name: &str, piece: u32) -> PathBuf {
    Path::new(RUN_DIR).join(format!("{name}.{piece}{TEMP_SUFFIX}"))
}

/// Runs merged into one, on the way to the merge of all.
pub(crate) fn merged_path(step: u32) -> PathBuf {
    Path::new(RUN_DIR).join(format!("merged-{step}{TEMP_SUFFIX}"))
}

pub(crate) fn segment_path(number: u32) -> PathBuf {
    Path::new(STATE_DIR).join(format!("journal-{number:08}.log"))
}

pub(crate) fn parse_segment_name(entry: &str) -> Option<u32> {
    let digits = entry.strip_prefix("journal-")?.strip_suffix(".log")?;
    (digits.len() >= 8).then(|| digits.parse().ok())?
}
