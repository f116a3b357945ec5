use super::{Owners, OwnersConfig, Respect, Terms};
use crate::captures::bracketed;
use crate::error::Result;
use crate::new_file::NewFile;
use corpus::Row;
use disk::Disk;
use serde_json::json;
use std::path::Path;

/// Lets rows out whose owners do not mind, and lists the others.
pub(crate) struct Gate<'a> {
    /// None where nobody needs to be asked.
    owners: Option<Owners<'a>>,
    respect: Respect,
    list: NewFile,
    withheld: u64,
}

/// Where those are listed that are withheld, and why.
const WITHHELD: &str = "withheld.jsonl";

impl<'a> Gate<'a> {
    pub(crate) fn new(
        disk: &dyn Disk,
        owners: Option<Owners<'a>>,
        config: &OwnersConfig<'_>,
        dir: &Path,
    ) -> Result<Self> {
        let list = NewFile::create(disk, dir.join(WITHHELD))?;
        Ok(Self { owners, respect: config.respect, list, withheld: 0 })
    }

    /// What its owner says of the next row of the corpus; nothing, and a line in the list, if it is withheld.
    pub(crate) fn admit(&mut self, row: &Row) -> Result<Option<Terms>> {
        let Some(owners) = &mut self.owners else { return Ok(Some(Terms::default())) };
        let terms = owners.next()?;
        let Some(rule) = self.respect.withholds(terms.as_ref()) else {
            return Ok(Some(terms.unwrap_or_default()));
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
