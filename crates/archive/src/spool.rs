use crate::layout::SPOOL_DIR;
use disk::{File, Mode, SharedDisk};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Files for bodies that memory has no room for. A file loses its name as soon as it is open: its bytes are free again
/// when the last who reads it lets go, or the process dies.
#[derive(Clone)]
pub struct Spool {
    disk: SharedDisk,
    /// Shared by all who spool, so that no two files ever have one name.
    next: Arc<AtomicU64>,
}

impl Spool {
    /// A spool below the disk's root (`state/spool`, made if there is none); what a run that died in the middle of
    /// opening a file left is removed. The caller holds the directory's lock.
    pub fn open(disk: SharedDisk) -> io::Result<Self> {
        let dir = Path::new(SPOOL_DIR);
        disk.create_dir(dir)?;
        for name in disk.list(dir)? {
            disk.remove(&dir.join(name))?;
        }
        Ok(Self { disk, next: Arc::default() })
    }

    /// An empty file.
    pub(crate) fn file(&self) -> io::Result<Box<dyn File>> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(SPOOL_DIR).join(format!("{number}.body"));
        let file = self.disk.open(&path, Mode::CreateNew)?;
        self.disk.remove(&path)?;
        Ok(file)
    }
}
