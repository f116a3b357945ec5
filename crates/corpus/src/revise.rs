use crate::columns::for_each_batch_of;
use crate::duplicates_file::DUPLICATES_FILE;
use crate::error::Error;
use crate::held::Footer;
use crate::limits::CorpusLimits;
use crate::open_file::OpenFile;
use crate::read::Reader;
use crate::row::Row;
use crate::schema::FORMATS;
use crate::source::Source;
use crate::writer::closed_files;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use disk::Disk;
use std::path::{Path, PathBuf};

/// What becomes of a row in the next generation of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revision {
    /// Nothing.
    Stays,
    /// It is not there.
    Gone,
    /// Its capture stands elsewhere.
    Moved {
        /// The WARC file, without its directory.
        warc_file: String,
        /// Where the response record begins in it.
        offset: u64,
        /// How long that is.
        length: u64,
    },
}

/// What [`revise`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Revised {
    /// Files that were rewritten.
    pub files: u64,
    /// Rows that are gone.
    pub gone: u64,
    /// Tables of duplicates that are: one or none.
    pub tables: u64,
}

/// Rewrites the closed files in `dir` that hold rows of which `decide` says, by `id` and `url`, that they do not stay. Each is
/// replaced at once by its next generation, which settles the same captures. The table of duplicates names rows and goes before the first of
/// them. Nobody may be writing there; doing it again changes nothing.
pub fn revise(
    disk: &dyn Disk,
    dir: &Path,
    limits: &CorpusLimits,
    decide: impl Fn(&str, &str) -> Revision,
) -> Result<Revised, Error> {
    let mut revised = Revised::default();
    for path in closed_files(disk, dir)? {
        if is_outdated(disk, &path, &decide)? {
            revised.tables += u64::from(remove(disk, &dir.join(DUPLICATES_FILE))?);
            revised.files += 1;
            revised.gone += rewrite(disk, &path, limits, &decide)?;
        }
    }
    Ok(revised)
}

/// Looks at four columns, and not at the texts. What stands where it has moved to is up to date.
fn is_outdated(
    disk: &dyn Disk,
    path: &Path,
    decide: &impl Fn(&str, &str) -> Revision,
) -> Result<bool, Error> {
    let mut is_outdated = false;
    for_each_batch_of(disk, path, &FORMATS, &["id", "url", "warc_file", "warc_offset"], |batch| {
        let column = |name: &str| batch.column_by_name(name).expect("it was asked for");
        let [ids, urls, files] = ["id", "url", "warc_file"].map(|name| column(name).as_string::<i32>());
        let offsets = column("warc_offset").as_primitive::<Int64Type>();
        is_outdated |= (0..batch.num_rows()).any(|row| match decide(ids.value(row), urls.value(row)) {
            Revision::Stays => false,
            Revision::Gone => true,
            Revision::Moved { warc_file, offset, .. } => {
                (files.value(row), offsets.value(row).cast_unsigned()) != (&*warc_file, offset)
            }
        });
        Ok::<_, Error>(())
    })?;
    Ok(is_outdated)
}

fn rewrite(
    disk: &dyn Disk,
    path: &Path,
    limits: &CorpusLimits,
    decide: &impl Fn(&str, &str) -> Revision,
) -> Result<u64, Error> {
    let source = Source::open(disk, path).map_err(Error::disk(path))?;
    let settled = Footer::read(&source, path)?.captures;
    // A start removes what is called so.
    let open = PathBuf::from(format!("{}.open", path.display()));
    let mut file = OpenFile::create(disk, open.clone(), limits)?;
    let mut gone = 0;
    for row in Reader::open(disk, path)? {
        match revision_of(row?, decide) {
            Some(row) => file.push(row, limits)?,
            None => gone += 1,
        }
    }
    file.finish(&settled)?;
    disk.rename(&open, path).map_err(Error::disk(&open))?;
    sync_dir_of(disk, path)?;
    Ok(gone)
}

fn revision_of(row: Row, decide: &impl Fn(&str, &str) -> Revision) -> Option<Row> {
    match decide(&row.id, &row.url) {
        Revision::Stays => Some(row),
        Revision::Gone => None,
        Revision::Moved { warc_file, offset, length } => {
            Some(Row { warc_file, warc_offset: offset, warc_length: length, ..row })
        }
    }
}

/// Says whether it was there.
fn remove(disk: &dyn Disk, path: &Path) -> Result<bool, Error> {
    if disk.stat(path).map_err(Error::disk(path))?.is_none() {
        return Ok(false);
    }
    disk.remove(path).map_err(Error::disk(path))?;
    sync_dir_of(disk, path)?;
    Ok(true)
}

fn sync_dir_of(disk: &dyn Disk, path: &Path) -> Result<(), Error> {
    let dir = path.parent().unwrap_or(Path::new(""));
    disk.sync_dir(dir).map_err(Error::disk(dir))
}
