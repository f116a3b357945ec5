use crate::control::Control;
use crate::run::Opening;
use crate::visit::visit;
use crate::{NodeConfig, NodeError};
use control::Takedowns;
use corpus::Revised;
use disk::SharedDisk;
use std::path::Path;
use stdx::Watch;

/// What a purge did.
#[derive(Debug, Clone, Default)]
pub struct Purge {
    /// The takedowns it was for: those that were only withheld.
    pub takedowns: Takedowns,
    /// To the archive.
    pub archive: archive::Purged,
    /// To the corpus.
    pub corpus: Revised,
    /// WARC files that are not there, or not whole, and may hold what it was for: while there are any, the takedowns stay withheld.
    pub absent: Vec<String>,
}

/// Takes what is taken down out of the files of a crawl that does not run: out of the corpus, the archive and its index. It is opened
/// as for a run first, contacts nobody, and parses what was archived and not parsed yet, so that everything is in closed files; at the
/// end the journal has it that nothing is left, unless a file is absent. What was purged before and has come back goes again. Interrupted, it can be done again, and
/// is to be even where nothing is taken down any more. `watch` is told how far that is.
pub fn purge(config: &NodeConfig, disk: &SharedDisk, watch: &mut Watch<'_>) -> Result<Purge, NodeError> {
    visit(Opening::AtOnce, config, disk.clone(), None, watch)?;
    let takedowns = taken_down(disk)?;
    let through = takedowns.withheld().map(|takedown| takedown.entry).max();
    let archive = archive::purge_watched(disk.as_ref(), &config.archive, &takedowns, watch)?;
    let decide = |id: &str, url: &str| crawler::revision(&takedowns, &archive, id, url);
    let corpus = corpus::revise(disk.as_ref(), Path::new("corpus"), &config.corpus, decide)?;
    let absent = archive::absent_files(disk.as_ref())?;
    if let Some(through) = through.filter(|_| absent.is_empty()) {
        visit(Opening::AtOnce, config, disk.clone(), Some(Control::Purged { through }), watch)?;
    }
    archive::end_purge(disk.as_ref())?;
    let takedowns = takedowns.withheld().cloned().collect();
    Ok(Purge { takedowns, archive, corpus, absent })
}

/// What has been taken down in a crawl that nobody runs, or somebody else.
pub fn taken_down(disk: &SharedDisk) -> Result<Takedowns, NodeError> {
    let checkpoint = archive::last_checkpoint(disk.as_ref())?;
    Ok(crawler::takedowns(checkpoint.as_ref(), |from| archive::ledger_from(disk.clone(), from))?)
}
