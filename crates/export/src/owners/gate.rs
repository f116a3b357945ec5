use super::{Owners, OwnersConfig, Respect, Terms};
use crate::captures::bracketed;
use crate::error::Result;
use crate::new_file::NewFile;
use control::{Takedown, Takedowns};
use corpus::Row;
use disk::Disk;
use serde_json::json;
use std::path::Path;

/// Lets rows out that were not taken down and whose owners do not mind, and lists the others.
pub(crate) struct Gate<'a> {
    /// None where nobody needs to be asked.
    owners: Option<Owners<'a>>,
    respect: Respect,
    taken: &'a Takedowns,
    list: NewFile,
    withheld: u64,
}

/// Where those are listed that are withheld, and why.
const WITHHELD: &str = "withheld.jsonl";

impl<'a> Gate<'a> {
    pub(crate) fn new(
        disk: &dyn Disk,
        owners: Option<Owners<'a>>,
        config: &OwnersConfig<'a>,
        dir: &Path,
    ) -> Result<Self> {
        let list = NewFile::create(disk, dir.join(WITHHELD))?;
        Ok(Self { owners, respect: config.respect, taken: config.taken, list, withheld: 0 })
    }

    /// What its owner says of the next row of the corpus; nothing, and a line in the list, if it is withheld.
    pub(crate) fn admit(&mut self, row: &Row) -> Result<Option<Terms>> {
        // Owners are asked of every row, in order.
        let terms = self.owners.as_mut().map(Owners::next).transpose()?;
        let taken = self.taken.covering_text(&row.url).map(Takedown::rule);
        let Some(rule) = taken.or_else(|| self.respect.withholds(terms.as_ref()?.as_ref())) else {
            return Ok(Some(terms.flatten().unwrap_or_default()));
        };
        self.withheld += 1;
        let line = json!({ "id": bracketed(&row.id), "url": row.url, "rule": rule });
        self.list.write(format!("{line}\n").as_bytes())?;
        Ok(None)
    }

    /// How many were withheld.
    pub(crate) fn finish(self, disk: &dyn Disk) -> Result<u64> {
        self.list.finish(disk)?;
        Ok(self.withheld)
    }
}
