use crate::body::{Body, Member};
use crate::error::{Error, Result};
use crate::layout::{ARCHIVE_DIR, EARLIER_DIR, OPEN_SUFFIX, parse_warc_name};
use crate::limits::{ARRIVING_BYTES, EARLIER_CRAWLS, HEAD_BYTES, MOVES, REFERENCES, STORED_BODY_BYTES};
use crate::purge::is_kept_file;
use bytes::Bytes;
use disk::{Disk, File, Mode, SequentialReader};
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdx::WallTime;
use warc::{
    Elsewhere, ReadError, ReadErrorKind, Reader, Record, RecordType, Removal, RevisitProfile, Sha1Digest,
};

/// The payload that a revisit stands for: that of its original, in a WARC file of `dir`, closed or not, or of an [earlier
/// crawl](EARLIER_DIR). Whoever reads captures asks here, and nowhere else, what is behind a revisit. A long one is read as it is asked for.
///
/// [`Error::Dangling`] where the original is not there, or is not what the revisit says it is; [`Error::TakenDown`] where it has been.
pub fn payload_of(disk: &dyn Disk, dir: &Path, revisit: &Record) -> Result<Body> {
    Ok(Search::new(disk, dir).follow(revisit)?.body)
}

/// The answer that a revisit stands for, as [`payload_of`] finds it: of one that the server says has not been modified the fields of the
/// original, brought up to date.
pub fn answer_behind(disk: &dyn Disk, dir: &Path, revisit: &Record) -> Result<Original> {
    Ok(Search::new(disk, dir).follow(revisit)?.seen_from(revisit))
}

/// An answer that others may refer to: a response, or a revisit with the payload that it stands for.
#[derive(Debug, Clone)]
pub struct Original {
    /// `urn:uuid:…`.
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) date: WallTime,
    /// The file it is in, as it will be called when closed.
    pub(crate) filename: String,
    /// Where it begins.
    pub(crate) offset: u64,
    pub(crate) head: Bytes,
    pub(crate) body: Body,
}

impl Original {
    /// The URL as it was requested.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Status line and headers, as they are archived.
    pub fn head(&self) -> &Bytes {
        &self.head
    }

    /// The body.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// `ETag`, byte for byte, if it is one tag: `*` and lists mean something else where they are sent back (RFC 9110, section 13.1.2).
    pub fn etag(&self) -> Option<Cow<'_, [u8]>> {
        warc::field(&self.head, "etag").filter(|tag| {
            let parts = tag.split(|byte| *byte == b'"').count();
            **tag != *b"*" && parts <= 3
        })
    }

    /// `Last-Modified`, in the server's own words.
    pub fn last_modified(&self) -> Option<Cow<'_, [u8]>> {
        warc::field(&self.head, "last-modified")
    }

    /// The same, after a 304 with this head has said that it still stands; `None` where that speaks of another entity tag, since then it is
    /// another answer that stands.
    pub fn still_standing(&self, not_modified: &[u8]) -> Option<Self> {
        let is_same = match (self.etag(), warc::field(not_modified, "etag")) {
            (Some(ours), Some(theirs)) => opaque(&ours) == opaque(&theirs),
            _ => true,
        };
        let head = || warc::refreshed_head(&self.head, not_modified).into();
        is_same.then(|| Self { head: head(), ..self.clone() })
    }

    /// Bytes of memory that it takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.head.len() + self.body.held().map_or(0, Bytes::len)
    }

    /// The answer whose record begins at `offset` of a WARC file of the crawl before, wherever it has moved.
    pub(crate) fn of_earlier(
        disk: &dyn Disk,
        filename: &str,
        offset: u64,
    ) -> std::result::Result<Self, Missing> {
        let nearby = Search::new(disk, Path::new(ARCHIVE_DIR));
        let search = Search { crawl: 1, held_bytes: ARRIVING_BYTES, ..nearby };
        search.answer(&Elsewhere { filename: filename.to_owned(), offset, length: 0 })
    }

    /// The response record at `offset` of a WARC file.
    pub(crate) fn read(
        file: &Arc<dyn File>,
        filename: &str,
        offset: u64,
    ) -> std::result::Result<Self, Missing> {
        let record = answer_at(file, offset)?;
        if record.record_type() != RecordType::Response {
            return Err("no response stands where its original was".to_owned().into());
        }
        let body = body_of(file, offset, &record);
        let body = body.ok_or_else(|| "its original is no record of ours".to_owned())?;
        Ok(Self::of(filename, offset, &record, body)?)
    }

    fn of(filename: &str, base: u64, answer: &Record, body: Body) -> std::result::Result<Self, String> {
        let of = |text: Option<&str>| text.map(str::to_owned).ok_or("its original lacks a header");
        let head = answer.http().ok_or("its original is no HTTP message")?.head;
        Ok(Self {
            id: of(answer.id())?,
            url: of(answer.target_uri())?,
            date: answer.date().ok_or("its original has no date")?,
            filename: filename.to_owned(),
            offset: base + answer.offset,
            head: Bytes::copy_from_slice(head),
            body,
        })
    }

    /// With the fields that a 304 brings, or those that came with the same payload.
    fn seen_from(self, revisit: &Record) -> Self {
        let Some(http) = revisit.http() else { return self };
        let head = match revisit.profile() {
            Some(RevisitProfile::ServerNotModified) => warc::refreshed_head(&self.head, http.head).into(),
            _ => Bytes::copy_from_slice(http.head),
        };
        Self { head, ..self }
    }
}

/// An entity tag for the weak comparison (RFC 9110, section 8.8.3.2), without what servers add to it where they have compressed: one that has
/// compared the tag without that answers with the tag without that.
fn opaque(etag: &[u8]) -> &[u8] {
    const CODINGS: [&[u8]; 4] = [b"--gzip", b"-gzip", b";gzip", b"-df"];
    let tag = etag.strip_prefix(b"W/").unwrap_or(etag);
    let tag = tag.strip_suffix(b"\"").unwrap_or(tag);
    CODINGS.iter().find_map(|coding| tag.strip_suffix(*coding)).unwrap_or(tag)
}

/// Why there is no original.
pub(crate) enum Missing {
    /// It was taken down.
    TakenDown { by: u64 },
    /// Its file is not there.
    NoFile,
    /// It is not there, or is something else.
    Gone(String),
    /// Nobody can say: the disk does not answer.
    Disk(io::Error),
}

impl From<io::Error> for Missing {
    /// What has been cut off is gone.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => Self::Gone(error.to_string()),
            _ => Self::Disk(error),
        }
    }
}

impl From<ReadError> for Missing {
    fn from(error: ReadError) -> Self {
        match error.kind {
            ReadErrorKind::Io(error) => error.into(),
            kind => Self::Gone(kind.to_string()),
        }
    }
}

impl From<String> for Missing {
    fn from(what: String) -> Self {
        Self::Gone(what)
    }
}

impl Missing {
    /// Where there is something else, or what is damaged.
    fn within(self, dir: &Path, at: &Elsewhere) -> Self {
        match self {
            Self::Gone(what) => {
                Self::Gone(format!("{}, byte {}: {what}", dir.join(&at.filename).display(), at.offset))
            }
            other => other,
        }
    }

    fn blamed_on(self, revisit: &Record) -> Error {
        match self {
            Self::TakenDown { by } => Error::TakenDown { by },
            Self::NoFile => {
                let file = revisit.refers_to_file().unwrap_or_default();
                Error::dangling(revisit, &format!("the file of its original is gone: {file}"))
            }
            Self::Gone(what) => Error::dangling(revisit, &what),
            Self::Disk(error) => Error::Disk(error),
        }
    }
}

/// Where an answer is looked for: what a record refers to is in the archive that it stands in itself, or in that of an earlier crawl.
#[derive(Clone, Copy)]
struct Search<'a> {
    disk: &'a dyn Disk,
    /// The archive.
    dir: &'a Path,
    /// Whose: 0 the crawl's own, 1 the one before …
    crawl: usize,
    /// Revisits in a row that may still refer to each other.
    references: usize,
    /// The longest body that is brought into memory.
    held_bytes: usize,
}

impl<'a> Search<'a> {
    fn new(disk: &'a dyn Disk, dir: &'a Path) -> Self {
        Self { disk, dir, crawl: 0, references: REFERENCES, held_bytes: STORED_BODY_BYTES }
    }

    /// What a revisit refers to.
    fn follow(self, revisit: &Record) -> Result<Original> {
        let missing = |what: &str| Error::dangling(revisit, what);
        let place = revisit.refers_to_file().zip(revisit.refers_to_offset());
        let (name, offset) = place.ok_or_else(|| missing("it does not say where its original is"))?;
        let references = self.references.checked_sub(1);
        let search =
            Self { references: references.ok_or_else(|| missing("too many refer to each other"))?, ..self };
        let at = Elsewhere { filename: name.to_owned(), offset, length: 0 };
        let found = match revisit.profile() {
            Some(RevisitProfile::ServerNotModified) => search.among_earlier(&at, revisit),
            _ => search.confirmed(&at, revisit),
        };
        found.map_err(|why| why.blamed_on(revisit))
    }

    /// In the nearest of the earlier crawls that has it: two that began in the same second have files of the same name.
    fn among_earlier(self, at: &Elsewhere, revisit: &Record) -> std::result::Result<Original, Missing> {
        let mut nearest = None;
        for crawl in self.crawl + 1..=EARLIER_CRAWLS {
            match (Self { crawl, ..self }).confirmed(at, revisit) {
                Err(Missing::NoFile) => {}
                Err(why) => drop(nearest.get_or_insert(why)),
                found => return found,
            }
        }
        Err(nearest.unwrap_or(Missing::NoFile))
    }

    /// What stands there, if that is what the revisit says.
    fn confirmed(self, at: &Elsewhere, revisit: &Record) -> std::result::Result<Original, Missing> {
        self.compared(at, revisit).map_err(|why| why.within(&self.place(), at))
    }

    fn compared(self, at: &Elsewhere, revisit: &Record) -> std::result::Result<Original, Missing> {
        let original = self.answer(at)?;
        let digest = revisit.header.get("WARC-Payload-Digest").and_then(Sha1Digest::from_label);
        if revisit.refers_to() != Some(&original.id) || digest != Some(original.body.digest()) {
            return Err("another record stands where its original was".to_owned().into());
        }
        Ok(original)
    }

    /// The answer that stands there, or where it has moved.
    fn answer(self, at: &Elsewhere) -> std::result::Result<Original, Missing> {
        let mut at = at.clone();
        for _ in 0..=MOVES {
            let file = self.open(&at.filename)?;
            let record = answer_at(&file, at.offset)?;
            match Removal::of(&record) {
                None if record.record_type() == RecordType::Response => {
                    let body = body_within(self.held_bytes, &file, at.offset, &record);
                    let body = body.ok_or_else(|| "its original is no record of ours".to_owned())?;
                    return Ok(Original::of(&at.filename, at.offset, &record, body)?);
                }
                None => return self.behind(&at, &record),
                Some(Removal::TakenDown { by }) => return Err(Missing::TakenDown { by }),
                Some(Removal::Moved(place)) => at = place,
            }
        }
        Err("its original has moved too often".to_owned().into())
    }

    /// What a revisit that stands there comes to: itself with a payload, or what it says still stands.
    fn behind(self, at: &Elsewhere, revisit: &Record) -> std::result::Result<Original, Missing> {
        let further = self.follow(revisit).map_err(|error| match error {
            Error::TakenDown { by } => Missing::TakenDown { by },
            Error::Disk(error) => Missing::Disk(error),
            error => Missing::Gone(error.to_string()),
        })?;
        match revisit.profile() {
            Some(RevisitProfile::ServerNotModified) => Ok(further.seen_from(revisit)),
            _ => Ok(Original::of(&at.filename, at.offset, revisit, further.body)?),
        }
    }

    /// The directory of the archive.
    fn place(self) -> PathBuf {
        let mut dir: PathBuf = std::iter::repeat_n(EARLIER_DIR, self.crawl).collect();
        dir.push(self.dir);
        dir
    }

    fn open(self, name: &str) -> std::result::Result<Arc<dyn File>, Missing> {
        match open_warc(self.disk, &self.place(), name) {
            Ok(file) => Ok(file.ok_or(Missing::NoFile)?.into()),
            Err(Error::Disk(error)) => Err(Missing::Disk(error)),
            Err(error) => Err(Missing::Gone(error.to_string())),
        }
    }
}

/// The response, the revisit or the void that stands at `offset`, or behind the request there.
fn answer_at(file: &Arc<dyn File>, offset: u64) -> std::result::Result<Record, Missing> {
    let len = file.len()?;
    let stream = SequentialReader::new(Arc::clone(file), offset..len.max(offset));
    let mut records = Reader::new(stream).with_block_limit(HEAD_BYTES + STORED_BODY_BYTES);
    let mut next = || -> std::result::Result<Record, Missing> {
        let record = records.next().ok_or_else(|| "the file ends before its original".to_owned())?;
        Ok(record?)
    };
    let first = next()?;
    let record = if first.record_type() == RecordType::Request { next()? } else { first };
    match record.record_type() {
        RecordType::Response | RecordType::Revisit => Ok(record),
        _ if Removal::of(&record).is_some() => Ok(record),
        _ => Err("no response stands where its original was".to_owned().into()),
    }
}

/// The body of a response record that was read from `base` on: in memory where all of it was, else where it is.
pub(crate) fn body_of(file: &Arc<dyn File>, base: u64, response: &Record) -> Option<Body> {
    body_within(usize::MAX, file, base, response)
}

/// The same, but in memory only up to so many bytes.
fn body_within(held_bytes: usize, file: &Arc<dyn File>, base: u64, response: &Record) -> Option<Body> {
    let http = response.http()?;
    let digest = Sha1Digest::from_label(response.header.get("WARC-Payload-Digest")?)?;
    if response.is_whole() && http.payload.len() <= held_bytes {
        return Some(Body::in_memory(Bytes::copy_from_slice(http.payload), digest));
    }
    let start = base + response.offset;
    let head_len = http.head.len() as u64;
    let range = start..start + response.length?;
    let member = Member { file: Arc::clone(file), range, head_len };
    Some(Body::in_archive(member, response.block_len - head_len, digest))
}

/// Opens a WARC file by the name it has when closed. It may be closed, and so renamed, between two looks.
pub(crate) fn open_warc(disk: &dyn Disk, dir: &Path, name: &str) -> Result<Option<Box<dyn File>>> {
    let is_ours = parse_warc_name(name).is_some() || is_kept_file(name);
    if !is_ours || name.contains(['/', '\\']) {
        return Ok(None);
    }
    let open = format!("{name}{OPEN_SUFFIX}");
    for name in [name, &open, name] {
        match disk.open(&dir.join(name), Mode::Read) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return Ok(Some(opened?)),
        }
    }
    Ok(None)
}
