//! Closed WARC files without what was taken down.
//!
//! A file is replaced by a new generation of itself, in which a [void](warc::write_void) stands in the place of each record that is gone:
//! whatever is kept stands where it stood, so that the journal, the state and the corpus, which say where captures are, stay right.
//! A revisit that is kept while its original goes becomes whole: its group moves to a file of its own, and the voids in its place say
//! where to. In this order, each step durable before the next: those files, the index, the rewritten files. So a kept payload is
//! always somewhere, the index lists nothing that is not there, and a purge that was interrupted can be done again. While a file is absent,
//! payloads stay that its revisits refer to. A file says that one
//! has begun, until [`end_purge`]: the next looks at everything, since what was taken down then may not be now.

mod awaited;
mod groups;
mod kept;
mod rewrite;
mod survey;
mod unfinished;

use crate::absent::whole_files;
use crate::config::ArchiveConfig;
use crate::error::Result;
use crate::index;
use crate::layout::{ARCHIVE_DIR, WARC_SUFFIX};
use awaited::Awaited;
use control::Takedowns;
use disk::Disk;
use kept::Kept;
use rewrite::Generation;
use std::path::Path;
use stdx::{Step, Watch};
use survey::Survey;
use unfinished::begin_purge;
use warc::Record;

pub(crate) use groups::{Group, Groups};
pub use kept::Moved;
pub(crate) use kept::is_kept_file;
pub use unfinished::{Gone, end_purge, is_purge_unfinished};

/// What a purge did to the archive.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Purged {
    /// WARC files that were rewritten.
    pub files: u64,
    /// Records that are gone, of all types.
    pub records: u64,
    /// What they took.
    pub bytes: u64,
    /// Revisits of them that have become whole.
    pub made_whole: u64,
    /// Where groups have gone that stay.
    pub moved: Moved,
    /// Whether another had not come to its end before.
    pub resumed: bool,
    /// What is gone, by any purge: only looked for after an interruption.
    pub gone: Gone,
}

/// Takes what is taken down out of the closed WARC files below `disk`'s root, and out of their index. Nobody may have the archive
/// open. Doing it again changes nothing; it has not ended before [`end_purge`]. Memory is a group of records, and about 200 bytes for each
/// revisit whose original goes, or whose file is absent; after an interruption also about 32 for each record that has gone, by this purge or any before.
pub fn purge(disk: &dyn Disk, config: &ArchiveConfig, taken: &Takedowns) -> Result<Purged> {
    purge_watched(disk, config, taken, &mut stdx::nobody)
}

/// The same; `watch` is told how far the files and the index are.
pub fn purge_watched(
    disk: &dyn Disk,
    config: &ArchiveConfig,
    taken: &Takedowns,
    watch: &mut Watch<'_>,
) -> Result<Purged> {
    let resumed = begin_purge(disk)?;
    let closed = closed_files(disk)?;
    let names = whole_files(disk, &closed)?;
    let awaited = Awaited::of(disk, taken)?;
    let survey = Survey::of(disk, &names, taken, &awaited)?;
    let made_whole = kept::make_whole(disk, config, &survey)?;
    let closed = closed_files(disk)?;
    let kept = Kept::of(disk, &whole_files(disk, &closed)?)?;
    let generation = Generation { taken, kept: &kept, awaited: &awaited };
    let dirty = survey.dirty();
    let mut gone = Gone::default();
    // An earlier one may have left out lines of what stays now.
    let indexed = if resumed { names.iter().copied().collect() } else { dirty.clone() };
    for (done, name) in (1..).zip(indexed.iter().copied()) {
        index::make_run_of(disk, name, config, |record| {
            if resumed {
                gone.see(record);
            }
            generation.removal_of(name, record).is_none()
        })?;
        watch(Step::items("indexing files that lose records", done, indexed.len() as u64));
    }
    index::build(disk, &closed, config, watch)?;
    let mut purged = Purged { made_whole, resumed, gone, ..Purged::default() };
    // Whoever refers to another comes after it, and leaves before it goes.
    for (done, name) in (1..).zip(dirty.iter().rev()) {
        purged.count(&generation.rewrite(disk, name)?);
        watch(Step::items("rewriting archive files", done, dirty.len() as u64));
    }
    Ok(Purged { moved: kept.into_moved(), ..purged })
}

/// Shows `see` every record of the closed WARC files that is covered by what is taken down, by the file's name.
pub fn for_each_covered(
    disk: &dyn Disk,
    taken: &Takedowns,
    mut see: impl FnMut(&str, &Record),
) -> Result<()> {
    for name in closed_files(disk)? {
        for group in groups::Groups::open(disk, &name)? {
            let group = group?;
            group.records.iter().filter(|record| covering(taken, record).is_some()).for_each(|record| {
                see(&name, record);
            });
        }
    }
    Ok(())
}

impl Purged {
    fn count(&mut self, file: &rewrite::Rewritten) {
        self.files += 1;
        self.records += file.records;
        self.bytes += file.bytes;
    }
}

/// The number of the takedown that covers a record.
fn covering(taken: &Takedowns, record: &Record) -> Option<u64> {
    taken.covering_text(record.target_uri()?).map(|takedown| takedown.entry)
}

/// Names of the closed WARC files, sorted.
pub(crate) fn closed_files(disk: &dyn Disk) -> Result<Vec<String>> {
    let names = disk.list(Path::new(ARCHIVE_DIR))?;
    Ok(names.into_iter().filter(|name| name.ends_with(WARC_SUFFIX)).collect())
}
