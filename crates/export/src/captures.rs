use crate::error::{Error, Result};
use crate::limits::RECORD_BYTES;
use control::Takedowns;
use disk::{Disk, Mode, SequentialReader};
use page::{Header, Limits};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use warc::{Fields, HttpMessage, Reader, Record, RecordType};
use weburl::Url;

/// Names of the closed WARC files in `dir` that are [whole](archive::absent_files), in the order they were begun in.
pub(crate) fn warc_files(disk: &dyn Disk, dir: &Path) -> Result<Vec<String>> {
    let names = disk.list(dir).map_err(Error::disk(dir))?;
    let absent = archive::absent_files(disk).map_err(Error::Files)?;
    let is_whole = |name: &String| name.ends_with(".warc.gz") && !absent.contains(name);
    Ok(names.into_iter().filter(is_whole).collect())
}

/// The records of one WARC file; of a long block only the beginning, as much as [`block_bytes`] says.
pub(crate) struct Records {
    path: PathBuf,
    reader: Reader<SequentialReader>,
}

impl Records {
    pub(crate) fn open(disk: &dyn Disk, path: PathBuf, parsed_bytes: usize) -> Result<Self> {
        let file =
            disk.open(&path, Mode::Read).and_then(SequentialReader::whole).map_err(Error::disk(&path))?;
        Ok(Self { path, reader: Reader::new(file).with_block_limit(block_bytes(parsed_bytes)) })
    }

    pub(crate) fn next(&mut self) -> Result<Option<Record>> {
        let record = self.reader.next().transpose();
        record.map_err(|source| Error::Archive { path: self.path.clone(), source })
    }
}

/// Bytes of a block that are read where so many of a page are parsed.
fn block_bytes(parsed_bytes: usize) -> usize {
    RECORD_BYTES.saturating_add(parsed_bytes)
}

/// The bounds on a page of which the crawl parses so much.
pub(crate) fn limits(parsed_bytes: usize) -> Limits {
    Limits { parsed_bytes, ..Limits::default() }
}

/// A response, and what it was fetched for.
pub(crate) struct Capture {
    pub(crate) url: Url,
    pub(crate) status: u16,
    pub(crate) purpose: Purpose,
    /// What robots.txt said of its use, as it was in force when the URL was drawn.
    pub(crate) usage: Option<String>,
    /// It is a revisit, and this is why what it stands for is gone: nobody knows what it says.
    pub(crate) dangling: Option<String>,
    pub(crate) response: Record,
}

/// What a capture was fetched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Page,
    Robots,
    Sitemap,
}

/// Captures that stand for what is gone or damaged, in this archive or in that of an earlier crawl.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dangling {
    /// How many.
    pub captures: u64,
    /// What became of the original of the first.
    pub first: String,
}

impl Dangling {
    /// Counts a capture if it is one of them.
    pub(crate) fn see(&mut self, capture: &Capture) {
        let Some(why) = &capture.dangling else { return };
        if self.captures == 0 {
            self.first.clone_from(why);
        }
        self.captures += 1;
    }
}

impl Capture {
    pub(crate) fn http(&self) -> HttpMessage<'_> {
        HttpMessage::split(&self.response.block)
    }

    /// The fields of its head.
    pub(crate) fn fields(&self) -> Vec<Cow<'_, str>> {
        fields_of(self.http())
    }

    pub(crate) fn id(&self) -> &str {
        self.response.header.get("WARC-Record-ID").unwrap_or_default()
    }

    pub(crate) fn date(&self) -> &str {
        self.response.header.get("WARC-Date").unwrap_or_default()
    }
}

/// The fields of a head, read as the crawl reads them: each as one line.
pub(crate) fn fields_of(http: HttpMessage<'_>) -> Vec<Cow<'_, str>> {
    warc::header_lines(http.head).map(warc::header_text).collect()
}

/// The headers in them.
pub(crate) fn headers<'a>(fields: &'a [Cow<'_, str>]) -> Vec<Header<'a>> {
    let fields = fields.iter().filter_map(|line| line.split_once(':'));
    fields.map(|(name, value)| Header { name: name.trim(), value: value.trim() }).collect()
}

/// Shows `see` every response of the archive in `dir`, in its order, but for what was taken down; revisits too, with what they
/// stand for.
pub(crate) fn for_each_capture(
    disk: &dyn Disk,
    dir: &Path,
    taken: &Takedowns,
    parsed_bytes: usize,
    mut see: impl FnMut(&Capture) -> Result<()>,
) -> Result<()> {
    for name in warc_files(disk, dir)? {
        let mut records = Records::open(disk, dir.join(name), parsed_bytes)?;
        let mut answer = None;
        while let Some(record) = records.next()? {
            match record.record_type() {
                RecordType::Response => answer = Some(Answer { record, dangling: None }),
                RecordType::Revisit => {
                    answer = Some(made_whole(disk, dir, record, block_bytes(parsed_bytes))?);
                }
                RecordType::Metadata => {
                    answer
                        .take()
                        .and_then(|answer| capture(answer, &record))
                        .filter(|capture| taken.covering(&capture.url).is_none())
                        .iter()
                        .try_for_each(&mut see)?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// What came of a URL, before it is known what for.
struct Answer {
    record: Record,
    dangling: Option<String>,
}

/// A revisit as the response that it stands for, as far as one would be read.
fn made_whole(disk: &dyn Disk, dir: &Path, revisit: Record, block_bytes: usize) -> Result<Answer> {
    let gone = |what| Ok(Answer { record: revisit.clone(), dangling: Some(what) });
    let original = match archive::answer_behind(disk, dir, &revisit) {
        Err(archive::Error::TakenDown { by }) => {
            return gone(format!("its original was taken down in an earlier crawl (takedown {by})"));
        }
        Err(archive::Error::Dangling { what, .. }) => return gone(what),
        original => original?,
    };
    let mut block = original.head().to_vec();
    let block_len = block.len() as u64 + original.body().len();
    let room = block_bytes.saturating_sub(block.len());
    block.extend(original.body().start(room).map_err(Error::disk(dir))?);
    Ok(Answer { record: Record { block, block_len, ..revisit }, dangling: None })
}

/// The same of those that were fetched as pages.
pub(crate) fn for_each_page(
    disk: &dyn Disk,
    dir: &Path,
    taken: &Takedowns,
    parsed_bytes: usize,
    mut see: impl FnMut(&Capture) -> Result<()>,
) -> Result<()> {
    for_each_capture(disk, dir, taken, parsed_bytes, |capture| {
        if capture.purpose == Purpose::Page { see(capture) } else { Ok(()) }
    })
}

fn capture(answer: Answer, metadata: &Record) -> Option<Capture> {
    let Answer { record: response, dangling } = answer;
    let url = Url::parse(response.target_uri()?).ok()?;
    let status = response.http()?.status()?;
    let fields = Fields::parse(&metadata.block).fields;
    let usage = fields.get("robotsUsage").map(str::to_owned);
    Some(Capture { url, status, purpose: purpose(&fields), usage, dangling, response })
}

/// The last hop of a prerequisite is P, of a sitemap M.
fn purpose(fields: &Fields) -> Purpose {
    match fields.get("hopsFromSeed").unwrap_or_default().as_bytes() {
        [.., b'P'] => Purpose::Robots,
        [.., b'M'] => Purpose::Sitemap,
        _ => Purpose::Page,
    }
}

/// A record's id with its angle brackets, as headers have it.
pub(crate) fn bracketed(id: &str) -> String {
    format!("<{}>", id.trim_start_matches('<').trim_end_matches('>'))
}
