mod names;
mod node;

use crate::locked::locked;
use crate::path::{about, inside, parent};
use crate::{Disk, File, Mode, SharedDisk};
use names::{Entry, Names};
use node::{Account, Node};
use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// Another disk, to which small new files below one directory come only when they must: until somebody wants them durable they
/// are in memory, and most are gone before. A crawl's shards write small files anew whenever somebody waits for a verdict, and a
/// checkpoint names the last of each: to make a name and to take it back costs a filesystem more than all that such a file holds.
///
/// A file goes to the disk below when it is [synced](File::sync), or [named](Disk::make_durable), or renamed; when it grows beyond
/// 256 KiB; and when all that are in memory would take more than they may. The directory is nobody else's meanwhile:
/// what is in it is asked for once. With the process goes what was not durable, as with the machine.
pub struct Nursery {
    inner: Arc<Inner>,
}

/// Longer files are worth a name.
const FILE_BYTES: u64 = 256 << 10;

struct Inner {
    below: SharedDisk,
    /// Files outside are none of its business.
    dir: PathBuf,
    account: Arc<Account>,
    // A lock, since one disk is used from several threads. Held while a directory is listed below, and while the root
    // is made there, which syncs; never while a file is written or synced.
    names: Mutex<Names>,
}

/// A handle to a file that began in memory, wherever it is now.
struct YoungFile {
    inner: Arc<Inner>,
    node: Arc<Node>,
    path: PathBuf,
    mode: Mode,
}

impl Nursery {
    /// Above `below`, for files below `dir`, which together take at most `limit` bytes of memory.
    pub fn new(below: SharedDisk, dir: &Path, limit: u64) -> Self {
        let names = Mutex::new(Names::new(Arc::clone(&below), dir));
        let account = Arc::new(Account::new(limit));
        Self { inner: Arc::new(Inner { below, dir: dir.to_owned(), account, names }) }
    }

    /// Bytes of memory that files take.
    pub fn bytes(&self) -> u64 {
        self.inner.account.taken()
    }
}

impl Disk for Nursery {
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        let clean = inside(path)?;
        let Some(node) = self.inner.find_or_create(&clean, mode).map_err(about(path, "open"))? else {
            return self.inner.below.open(path, mode);
        };
        let mut file = YoungFile { inner: Arc::clone(&self.inner), node, path: clean, mode };
        if mode == Mode::Truncate {
            file.set_len(0)?;
        }
        Ok(Box::new(file))
    }

    fn open_direct(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        let clean = inside(path)?;
        if self.inner.young(&clean)?.is_some() {
            return self.open(path, mode);
        }
        let makes = !matches!(mode, Mode::Read | Mode::Write);
        if makes {
            self.inner.prepare(&clean).map_err(about(path, "open"))?;
        }
        let file = self.inner.below.open_direct(path, mode)?;
        if makes {
            self.inner.names().insert(&clean, Entry::Below);
        }
        Ok(file)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        let clean = inside(dir)?;
        if !self.inner.holds(&clean) {
            return self.inner.below.list(dir);
        }
        let listed = self.inner.names().list(&clean)?;
        listed.ok_or(ErrorKind::NotFound.into()).map_err(about(dir, "list"))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (old, new) = (inside(from)?, inside(to)?);
        if let Some(node) = self.inner.young(&old)? {
            self.inner.settle(&old, &node)?;
        }
        self.inner.prepare(&new).map_err(about(to, "rename to"))?;
        let replaced = self.inner.young(&new)?;
        self.inner.below.rename(from, to)?;
        if let Some(node) = replaced.filter(|_| old != new) {
            node.orphan();
        }
        let mut names = self.inner.names();
        names.remove(&old);
        names.insert(&new, Entry::Below);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let clean = inside(path)?;
        match self.inner.young(&clean)? {
            // It may have gone below since it was asked for, or be about to.
            Some(node) if node.orphan() => {}
            _ => self.inner.below.remove(path)?,
        }
        if self.inner.is_mine(&clean) {
            self.inner.names().remove(&clean);
        }
        Ok(())
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        let clean = inside(dir)?;
        if !self.inner.holds(&clean) {
            return self.inner.below.create_dir(dir);
        }
        self.inner.names().create_dir(&clean).map_err(about(dir, "make directory"))
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        let clean = inside(dir)?;
        let young = if self.inner.holds(&clean) { self.inner.names().young_in(&clean)? } else { None };
        if let Some(young) = young {
            young.into_iter().try_for_each(|at| self.inner.settle(&at.path, &at.node))?;
            self.inner.make_dir_below(&clean)?;
        }
        self.inner.below.sync_dir(dir)
    }

    fn make_durable(&self, files: &[PathBuf]) -> io::Result<()> {
        let (mut young, mut dirs) = (Vec::new(), BTreeSet::new());
        for path in files {
            let path = inside(path)?;
            if let Some(node) = self.inner.young(&path)? {
                dirs.insert(parent(&path).to_owned());
                young.push((path, node));
            }
        }
        self.inner.make_dirs_below(dirs)?;
        young.into_iter().try_for_each(|(path, node)| self.inner.settle(&path, &node))?;
        self.inner.below.make_durable(files)
    }

    fn stat(&self, path: &Path) -> io::Result<Option<u64>> {
        let clean = inside(path)?;
        if !self.inner.is_mine(&clean) {
            return self.inner.below.stat(path);
        }
        let entry = self.inner.names().entry(&clean)?;
        match entry {
            None | Some(Entry::Dir) => Ok(None),
            Some(Entry::Below) => self.inner.below.stat(path),
            Some(Entry::Young(node)) => node.len().map(Some),
        }
    }

    fn free_bytes(&self) -> io::Result<u64> {
        self.inner.below.free_bytes()
    }
}

impl Inner {
    fn names(&self) -> MutexGuard<'_, Names> {
        locked(&self.names)
    }

    /// Whether a directory and all in it is its business.
    fn holds(&self, dir: &Path) -> bool {
        dir.starts_with(&self.dir)
    }

    /// Whether a file is.
    fn is_mine(&self, path: &Path) -> bool {
        path.parent().is_some_and(|dir| self.holds(dir))
    }

    fn young(&self, path: &Path) -> io::Result<Option<Arc<Node>>> {
        if !self.is_mine(path) {
            return Ok(None);
        }
        Ok(match self.names().entry(path)? {
            Some(Entry::Young(node)) => Some(node),
            _ => None,
        })
    }

    /// The file, if it is in memory or begins there; nothing where the disk below has it.
    fn find_or_create(&self, path: &Path, mode: Mode) -> io::Result<Option<Arc<Node>>> {
        if !self.is_mine(path) {
            return Ok(None);
        }
        let mut names = self.names();
        match (names.entry(path)?, mode) {
            (Some(Entry::Young(_)), Mode::CreateNew) => Err(ErrorKind::AlreadyExists.into()),
            (Some(Entry::Young(node)), _) => Ok(Some(node)),
            (Some(Entry::Below), _) => Ok(None),
            (Some(Entry::Dir), _) => Err(ErrorKind::IsADirectory.into()),
            (None, Mode::Read | Mode::Write) => Err(ErrorKind::NotFound.into()),
            (None, _) => {
                names.check_place(path)?;
                let node = Arc::new(Node::new(Arc::clone(&self.account)));
                names.insert(path, Entry::Young(Arc::clone(&node)));
                Ok(Some(node))
            }
        }
    }

    /// Gives a file to the disk below, if it is still in memory. After an error it still is.
    fn settle(&self, path: &Path, node: &Arc<Node>) -> io::Result<()> {
        node.settle(|bytes| self.write_below(path, bytes))?;
        self.names().settled(path, node);
        Ok(())
    }

    fn write_below(&self, path: &Path, bytes: &[u8]) -> io::Result<Box<dyn File>> {
        self.make_dir_below(parent(path))?;
        let mut file = self.below.open(path, Mode::Truncate)?;
        file.write_at(bytes, 0)?;
        Ok(file)
    }

    /// Makes sure that the disk below can have a file at `path`.
    fn prepare(&self, path: &Path) -> io::Result<()> {
        if !self.is_mine(path) {
            return Ok(());
        }
        self.names().check_place(path)?;
        self.make_dir_below(parent(path))
    }

    fn make_dirs_below(&self, dirs: BTreeSet<PathBuf>) -> io::Result<()> {
        let mut missing = Vec::new();
        for dir in dirs {
            if !self.names().is_below(&dir)? {
                missing.push(dir);
            }
        }
        self.below.create_dirs(&missing)?;
        let mut names = self.names();
        for dir in &missing {
            names.made_below(dir);
        }
        Ok(())
    }

    fn make_dir_below(&self, dir: &Path) -> io::Result<()> {
        self.make_dirs_below(BTreeSet::from([dir.to_owned()]))
    }
}

impl YoungFile {
    /// Changes the file in memory, and below where there is no room for it.
    fn wherever(&self, change: impl Fn(&Node) -> Option<io::Result<()>>) -> io::Result<()> {
        self.mode.check_writable(&self.path)?;
        if let Some(done) = change(&self.node) {
            return done;
        }
        self.inner.settle(&self.path, &self.node)?;
        change(&self.node).expect("what is not in memory needs no room there")
    }
}

impl File for YoungFile {
    fn len(&self) -> io::Result<u64> {
        self.node.len()
    }

    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        self.node.read_at(buf, offset)
    }

    fn write_at(&mut self, data: &[u8], offset: u64) -> io::Result<()> {
        self.wherever(|node| node.write_at(data, offset))
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.wherever(|node| node.set_len(len))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.inner.settle(&self.path, &self.node)?;
        self.node.sync()
    }

    fn let_go(&self, range: Range<u64>) {
        self.node.let_go(range);
    }
}
