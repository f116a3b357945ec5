use super::Backlog;
use crate::error::Result;
use crate::manifest::{Cut, Manifest};

impl Backlog {
    /// Names everything so far, and the files that must be synced before the manifest may be relied upon. Writes what
    /// is in memory, syncs nothing. A job that runs is not part of the cut. May be repeated after an error. The files
    /// stay until a later cut is [committed](Self::committed).
    pub fn cut(&mut self) -> Result<Cut> {
        self.flush()?;
        let files = self.now.files();
        self.kept.extend(files.keys().cloned());
        let is_durable = |name: &String, len: u64| self.durable.get(name) == Some(&len);
        let unsynced = files.iter().filter(|(name, len)| !is_durable(name, **len));
        let sync = unsynced.map(|(name, _)| self.store.path(name)).collect();
        Ok(Cut { manifest: self.now.clone(), sync })
    }

    /// The caller's checkpoint with `manifest`, the latest, is durable, its files were synced, and it replaces every
    /// earlier one: files that only those named are removed. An error means that one could not be; it is tried again
    /// later.
    pub fn committed(&mut self, manifest: &Manifest) -> Result<()> {
        self.durable = manifest.files();
        self.kept = self.durable.keys().cloned().collect();
        self.sweep()
    }
}
