//! Purges of a crawl at rest, step by step as `node::purge` makes them: opened and left, files rewritten, opened again to note it.

use crate::checks::{Holdings, captures, index_complete, left_out, purged, warcs_sound};
use crate::{Failed, Life, Trial};
use control::Takedowns;
use crawler::Event;
use disk::SharedDisk;
use std::path::Path;
use std::sync::Arc;

/// A purge, and what judges found wrong with it.
#[derive(Debug, Clone, Default)]
pub struct Purge {
    /// What is taken down; nothing where there was nothing to do, or it died before that was known.
    pub takedowns: Takedowns,
    /// Whether it came to its end.
    pub done: bool,
    /// What is wrong.
    pub wrong: Vec<String>,
    before: Option<Holdings>,
}

impl Trial<'_> {
    /// Purges the crawl, which is at rest. It dies at a call to the disk if that is how this life ends.
    pub fn purge(&mut self, life: &Life) -> Purge {
        let disk = self.failing(life);
        let mut purge = Purge::default();
        let shared = self.whole(Arc::new(disk.clone()));
        purge.done = self.purge_on(&shared, &mut purge).is_ok();
        self.note(&disk);
        if !purge.done {
            self.die(&disk, life);
        }
        if let Some(before) = purge.before.take() {
            let wrong = self.judge_purge(&before, &purge);
            purge.wrong.extend(wrong);
        }
        purge
    }

    fn judge_purge(&self, before: &Holdings, purge: &Purge) -> Vec<String> {
        let disk = self.disk();
        let is_covered = |url: &str| purge.takedowns.covering_text(url).is_some();
        if !purge.done {
            // The corpus may have files that the next start removes.
            return captures(&disk)
                .map_or_else(|error| vec![error], |after| left_out(&before.captures, &after, is_covered));
        }
        let after = match Holdings::of(&disk) {
            Ok(after) => after,
            Err(error) => return vec![error],
        };
        let mut wrong = purged(before, &after, is_covered);
        wrong.extend(index_complete(&disk, &after.captures));
        wrong.extend(warcs_sound(&disk));
        wrong
    }

    fn purge_on(&mut self, disk: &SharedDisk, purge: &mut Purge) -> Result<(), Failed> {
        self.visit(disk, |_, _| {})?;
        let checkpoint = archive::last_checkpoint(disk.as_ref())?;
        let takedowns =
            crawler::takedowns(checkpoint.as_ref(), |from| archive::ledger_from(disk.clone(), from))?;
        let through = takedowns.withheld().map(|takedown| takedown.entry).max();
        if through.is_none() && !archive::is_purge_unfinished(disk.as_ref())? {
            return Ok(());
        }
        purge.takedowns = takedowns.clone();
        purge.before = Holdings::of(&self.disk()).map_err(|error| purge.wrong.push(error)).ok();
        let rewritten = archive::purge(disk.as_ref(), &self.setup.archive, &takedowns)?;
        let decide = |id: &str, url: &str| crawler::revision(&takedowns, &rewritten, id, url);
        corpus::revise(disk.as_ref(), Path::new("corpus"), &self.setup.corpus, decide)?;
        if let Some(through) = through {
            self.visit(disk, |_, sim| sim.crawler.handle(sim.now, Event::Purged { through }))?;
        }
        Ok(archive::end_purge(disk.as_ref())?)
    }
}
