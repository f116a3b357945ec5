use super::FILE_BYTES;
use crate::File;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// What files in memory may take together, and what they take.
pub(super) struct Account {
    limit: u64,
    taken: AtomicU64,
}

impl Account {
    pub(super) fn new(limit: u64) -> Self {
        Self { limit, taken: AtomicU64::new(0) }
    }

    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Takes so many bytes more, if they are there.
    fn take(&self, bytes: u64) -> bool {
        let before = self.taken.fetch_add(bytes, Ordering::Relaxed);
        let fits = before + bytes <= self.limit;
        if !fits {
            self.give_back(bytes);
        }
        fits
    }

    fn give_back(&self, bytes: u64) {
        self.taken.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// A file that began in memory, behind a lock since several handles lead to it.
pub(super) struct Node(RwLock<Content>);

enum Content {
    Young(Bytes),
    /// Removed while somebody has it open.
    Orphan(Bytes),
    /// With the disk below.
    Below(Box<dyn File>),
}

impl Node {
    pub(super) fn new(account: Arc<Account>) -> Self {
        Self(RwLock::new(Content::Young(Bytes { held: Vec::new(), taken: 0, account })))
    }

    pub(super) fn len(&self) -> io::Result<u64> {
        match &*self.read() {
            Content::Young(young) | Content::Orphan(young) => Ok(young.held.len() as u64),
            Content::Below(file) => file.len(),
        }
    }

    pub(super) fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        match &*self.read() {
            Content::Young(young) | Content::Orphan(young) => Ok(young.read(buf, offset)),
            Content::Below(file) => file.read_at(buf, offset),
        }
    }

    /// Writes, unless a file in memory has no room for it: that is `None`.
    pub(super) fn write_at(&self, data: &[u8], offset: u64) -> Option<io::Result<()>> {
        match &mut *self.write() {
            Content::Young(young) => young.reserve(offset + data.len() as u64)?.write(data, offset),
            Content::Orphan(young) => young.write(data, offset),
            Content::Below(file) => return Some(file.write_at(data, offset)),
        }
        Some(Ok(()))
    }

    /// Cuts or extends, as [`Node::write_at`] writes.
    pub(super) fn set_len(&self, len: u64) -> Option<io::Result<()>> {
        match &mut *self.write() {
            Content::Young(young) => young.reserve(len)?.held.resize(len as usize, 0),
            Content::Orphan(young) => young.held.resize(len as usize, 0),
            Content::Below(file) => return Some(file.set_len(len)),
        }
        Some(Ok(()))
    }

    /// Has what is in memory written below by `write`, unless it is there already or nobody needs it. After an error it is in memory.
    pub(super) fn settle(&self, write: impl FnOnce(&[u8]) -> io::Result<Box<dyn File>>) -> io::Result<()> {
        let mut content = self.write();
        if let Content::Young(young) = &*content {
            *content = Content::Below(write(&young.held)?);
        }
        Ok(())
    }

    /// Makes durable what has settled.
    pub(super) fn sync(&self) -> io::Result<()> {
        match &mut *self.write() {
            Content::Young(_) | Content::Orphan(_) => Ok(()),
            Content::Below(file) => file.sync(),
        }
    }

    /// The name has gone; whether the file was in memory, so that it goes with its last handle.
    pub(super) fn orphan(&self) -> bool {
        let mut content = self.write();
        if let Content::Young(young) = &mut *content {
            *content = Content::Orphan(young.leave());
        }
        matches!(*content, Content::Orphan(_))
    }

    pub(super) fn let_go(&self, range: Range<u64>) {
        if let Content::Below(file) = &*self.read() {
            file.let_go(range);
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Content> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Content> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file's content, and who pays for it.
struct Bytes {
    held: Vec<u8>,
    /// What the account knows of it: all but what an orphan has gained.
    taken: u64,
    account: Arc<Account>,
}

impl Bytes {
    /// All of it, which leaves nothing here.
    fn leave(&mut self) -> Self {
        let account = Arc::clone(&self.account);
        Self { held: std::mem::take(&mut self.held), taken: std::mem::take(&mut self.taken), account }
    }

    fn read(&self, buf: &mut [u8], offset: u64) -> usize {
        let from = self.held.get(offset as usize..).unwrap_or_default();
        let there = from.len().min(buf.len());
        buf[..there].copy_from_slice(&from[..there]);
        there
    }

    /// Makes room for so many bytes in all, if there is.
    fn reserve(&mut self, len: u64) -> Option<&mut Self> {
        if len > self.taken {
            let wanted = len.max((self.taken * 2).min(FILE_BYTES));
            (len <= FILE_BYTES && self.account.take(wanted - self.taken)).then_some(())?;
            self.taken = wanted;
            self.held.reserve_exact(wanted as usize - self.held.len());
        }
        Some(self)
    }

    fn write(&mut self, data: &[u8], offset: u64) {
        if data.is_empty() {
            return;
        }
        let (start, end) = (offset as usize, offset as usize + data.len());
        if self.held.len() < end {
            self.held.resize(end, 0);
        }
        self.held[start..end].copy_from_slice(data);
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        self.account.give_back(self.taken);
    }
}
