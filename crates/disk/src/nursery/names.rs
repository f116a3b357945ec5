use super::node::Node;
use crate::SharedDisk;
use crate::error::is_absence;
use crate::path::{name_of, parent};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdx::Map;

/// What a name leads to.
#[derive(Clone)]
pub(super) enum Entry {
    /// A file in memory, or on its way below.
    Young(Arc<Node>),
    /// Whatever the disk below has there.
    Below,
    /// A directory that was made here.
    Dir,
}

/// A file in memory, and its name.
pub(super) struct YoungAt {
    pub(super) path: PathBuf,
    pub(super) node: Arc<Node>,
}

/// The names in one directory and below. A directory is looked at when somebody first asks for something in it; from then
/// on it changes here alone.
pub(super) struct Names {
    below: SharedDisk,
    root: PathBuf,
    /// By their paths without `.` components, letter for letter: comparing paths part by part is dear.
    dirs: Map<OsString, Dir>,
}

#[derive(Default)]
struct Dir {
    /// Whether the disk below has made it, or was asked to: who merely found it there does not know that it is durable.
    is_below: bool,
    entries: BTreeMap<String, Entry>,
}

impl Names {
    pub(super) fn new(below: SharedDisk, root: &Path) -> Self {
        Self { below, root: root.to_owned(), dirs: Map::default() }
    }

    /// What is at `path`, whose directory is in the root.
    pub(super) fn entry(&mut self, path: &Path) -> io::Result<Option<Entry>> {
        let dir = self.dir(parent(path))?;
        Ok(dir.and_then(|dir| dir.entries.get(&name_of(path)).cloned()))
    }

    /// An error unless a file can have this name.
    pub(super) fn check_place(&mut self, path: &Path) -> io::Result<()> {
        if self.dir(parent(path))?.is_none() {
            return Err(ErrorKind::NotFound.into());
        }
        if self.dir(path)?.is_some() { Err(ErrorKind::IsADirectory.into()) } else { Ok(()) }
    }

    /// Says what is at `path`, if it is in a directory of the root.
    pub(super) fn insert(&mut self, path: &Path, entry: Entry) {
        if let Some(dir) = self.holding(path) {
            dir.entries.insert(name_of(path), entry);
        }
    }

    pub(super) fn remove(&mut self, path: &Path) {
        if let Some(dir) = self.holding(path) {
            dir.entries.remove(&name_of(path));
        }
    }

    /// The file of this node has come to the disk below.
    pub(super) fn settled(&mut self, path: &Path, node: &Arc<Node>) {
        let entry = self.holding(path).and_then(|dir| dir.entries.get_mut(&name_of(path)));
        if let Some(entry) = entry
            && matches!(entry, Entry::Young(young) if Arc::ptr_eq(young, node))
        {
            *entry = Entry::Below;
        }
    }

    /// Names in `dir`, sorted; `None` if there is no such directory.
    pub(super) fn list(&mut self, dir: &Path) -> io::Result<Option<Vec<String>>> {
        Ok(self.dir(dir)?.map(|dir| dir.entries.keys().cloned().collect()))
    }

    /// The files of a directory that are in memory; `None` if there is no such directory.
    pub(super) fn young_in(&mut self, dir: &Path) -> io::Result<Option<Vec<YoungAt>>> {
        let young = |(name, entry): (&String, &Entry)| match entry {
            Entry::Young(node) => Some(YoungAt { path: dir.join(name), node: Arc::clone(node) }),
            Entry::Below | Entry::Dir => None,
        };
        Ok(self.dir(dir)?.map(|dir| dir.entries.iter().filter_map(young).collect()))
    }

    /// Makes a directory, and those it is in; the root below.
    pub(super) fn create_dir(&mut self, dir: &Path) -> io::Result<()> {
        if self.dir(dir)?.is_some() {
            return Ok(());
        }
        if dir == self.root {
            return self.below.create_dir(dir);
        }
        self.create_dir(parent(dir))?;
        if self.entry(dir)?.is_some() {
            return Err(ErrorKind::NotADirectory.into());
        }
        self.insert(dir, Entry::Dir);
        self.dirs.insert(dir.into(), Dir::default());
        Ok(())
    }

    /// Whether the disk below has this directory, durably.
    pub(super) fn is_below(&mut self, dir: &Path) -> io::Result<bool> {
        Ok(self.dir(dir)?.is_some_and(|dir| dir.is_below))
    }

    /// The disk below has this directory now, and those it is in.
    pub(super) fn made_below(&mut self, dir: &Path) {
        for above in dir.ancestors().take_while(|above| above.starts_with(&self.root)) {
            if let Some(dir) = self.dirs.get_mut(above.as_os_str()) {
                dir.is_below = true;
            }
        }
    }

    /// The directory that `path` is in, where it has been looked at.
    fn holding(&mut self, path: &Path) -> Option<&mut Dir> {
        self.dirs.get_mut(parent(path).as_os_str())
    }

    /// A directory; what is not said here of those above it need not be asked for below.
    fn dir(&mut self, path: &Path) -> io::Result<Option<&mut Dir>> {
        if !self.dirs.contains_key(path.as_os_str()) {
            if path != self.root && !matches!(self.entry(path)?, Some(Entry::Below)) {
                return Ok(None);
            }
            let names = match self.below.list(path) {
                Ok(names) => names,
                Err(error) if is_absence(&error) => return Ok(None),
                Err(error) => return Err(error),
            };
            let entries = names.into_iter().map(|name| (name, Entry::Below)).collect();
            self.dirs.insert(path.into(), Dir { is_below: false, entries });
        }
        Ok(self.dirs.get_mut(path.as_os_str()))
    }
}
