use crate::error::{Error, Result};
use crate::limits::RECORD_BYTES;
use disk::{Disk, Mode, SequentialReader};
use page::Header;
use std::path::{Path, PathBuf};
use warc::{Fields, HttpMessage, Reader, Record, RecordType};
use weburl::Url;

/// Names of the closed WARC files in `dir`, in the order they were begun in.
pub(crate) fn warc_files(disk: &dyn Disk, dir: &Path) -> Result<Vec<String>> {
    let names = disk.list(dir).map_err(Error::disk(dir))?;
    Ok(names.into_iter().filter(|name| name.ends_with(".warc.gz")).collect())
}

/// The records of one WARC file; a block of more than [`RECORD_BYTES`] has only its beginning.
pub(crate) struct Records {
    path: PathBuf,
    reader: Reader<SequentialReader>,
}

impl Records {
    pub(crate) fn open(disk: &dyn Disk, path: PathBuf) -> Result<Self> {
        let file =
            disk.open(&path, Mode::Read).and_then(SequentialReader::whole).map_err(Error::disk(&path))?;
        Ok(Self { path, reader: Reader::new(file).with_block_limit(RECORD_BYTES) })
    }

    pub(crate) fn next(&mut self) -> Result<Option<Record>> {
        let record = self.reader.next().transpose();
        record.map_err(|source| Error::Archive { path: self.path.clone(), source })
    }
}

/// A response that a crawl wanted as a page, with its records.
pub(crate) struct PageCapture {
    pub(crate) url: Url,
    pub(crate) status: u16,
    pub(crate) response: Record,
}

impl PageCapture {
    pub(crate) fn http(&self) -> HttpMessage<'_> {
        HttpMessage::split(&self.response.block)
    }

    /// The head as text.
    pub(crate) fn head(&self) -> String {
        String::from_utf8_lossy(self.http().head).into_owned()
    }

    pub(crate) fn id(&self) -> &str {
        self.response.header.get("WARC-Record-ID").unwrap_or_default()
    }

    pub(crate) fn date(&self) -> &str {
        self.response.header.get("WARC-Date").unwrap_or_default()
    }
}

/// The headers in a head.
pub(crate) fn headers(head: &str) -> Vec<Header<'_>> {
    let fields = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    fields.map(|(name, value)| Header { name: name.trim(), value: value.trim() }).collect()
}

/// Shows `see` every response of the archive in `dir` that was fetched as a page, neither robots.txt nor sitemap, in the order of the
/// archive.
pub(crate) fn for_each_page(
    disk: &dyn Disk,
    dir: &Path,
    mut see: impl FnMut(&PageCapture) -> Result<()>,
) -> Result<()> {
    for name in warc_files(disk, dir)? {
        let mut records = Records::open(disk, dir.join(name))?;
        let mut response = None;
        while let Some(record) = records.next()? {
            match record.record_type() {
                RecordType::Response => response = Some(record),
                RecordType::Metadata if is_of_page(&record) => {
                    response.take().and_then(page_capture).iter().try_for_each(&mut see)?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// The last hop of a prerequisite is P, of a sitemap M.
fn is_of_page(metadata: &Record) -> bool {
    let fields = Fields::parse(&metadata.block).fields;
    !fields.get("hopsFromSeed").unwrap_or_default().ends_with(['P', 'M'])
}

fn page_capture(response: Record) -> Option<PageCapture> {
    let url = Url::parse(response.target_uri()?).ok()?;
    let status = response.http()?.status()?;
    Some(PageCapture { url, status, response })
}
