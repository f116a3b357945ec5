use super::Node;
use super::content::Content;
use crate::SharedDisk;
use crate::locked::locked;
use crate::path::{is_root, name_of, parent};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Which names lead to which files: what is not said here is as it is below.
pub(super) struct Names {
    below: SharedDisk,
    /// Files that were opened, made or moved here; nothing where one has gone.
    files: BTreeMap<PathBuf, Option<Node>>,
    /// Directories that were made here.
    dirs: BTreeSet<PathBuf>,
}

impl Names {
    pub(super) fn new(below: SharedDisk) -> Self {
        Self { below, files: BTreeMap::new(), dirs: BTreeSet::new() }
    }

    /// The file at `path`, the same for everybody who asks from now on.
    pub(super) fn find(&mut self, path: &Path) -> io::Result<Option<Node>> {
        if let Some(known) = self.files.get(path) {
            return Ok(known.clone());
        }
        let Some(len) = self.below.stat(path)? else { return Ok(None) };
        let node = Arc::new(Mutex::new(Content::of(path, len)));
        self.files.insert(path.to_owned(), Some(Arc::clone(&node)));
        Ok(Some(node))
    }

    /// Makes an empty file where none is.
    pub(super) fn create(&mut self, path: &Path) -> io::Result<Node> {
        self.check_place(path)?;
        let node = Node::default();
        self.files.insert(path.to_owned(), Some(Arc::clone(&node)));
        Ok(node)
    }

    /// Why no file is there.
    pub(super) fn absence(&self, path: &Path) -> ErrorKind {
        if self.check_dir(path).is_ok() { ErrorKind::IsADirectory } else { ErrorKind::NotFound }
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let node = self.find(from)?.ok_or(ErrorKind::NotFound)?;
        self.check_place(to)?;
        self.files.insert(from.to_owned(), None);
        self.files.insert(to.to_owned(), Some(node));
        Ok(())
    }

    pub(super) fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.find(path)?.ok_or(ErrorKind::NotFound)?;
        self.files.insert(path.to_owned(), None);
        Ok(())
    }

    pub(super) fn create_dir(&mut self, dir: &Path) -> io::Result<()> {
        for above in dir.ancestors().filter(|above| !is_root(above)) {
            if self.stat(above)?.is_some() {
                return Err(ErrorKind::NotADirectory.into());
            }
        }
        self.dirs.extend(dir.ancestors().filter(|above| !is_root(above)).map(Path::to_owned));
        Ok(())
    }

    pub(super) fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        let mut names: BTreeSet<String> = match self.below.list(dir) {
            Ok(names) => names.into_iter().collect(),
            Err(_) if self.dirs.contains(dir) => BTreeSet::new(),
            Err(error) => return Err(error),
        };
        for (path, node) in self.files.iter().filter(|(path, _)| parent(path) == dir) {
            match node {
                Some(_) => names.insert(name_of(path)),
                None => names.remove(&name_of(path)),
            };
        }
        names.extend(self.dirs.iter().filter(|path| parent(path) == dir).map(|path| name_of(path)));
        Ok(names.into_iter().collect())
    }

    pub(super) fn stat(&self, path: &Path) -> io::Result<Option<u64>> {
        match self.files.get(path) {
            Some(known) => Ok(known.as_ref().map(|node| locked(node).len())),
            None => self.below.stat(path),
        }
    }

    /// An error unless `dir` is a directory.
    pub(super) fn check_dir(&self, dir: &Path) -> io::Result<()> {
        if self.dirs.contains(dir) { Ok(()) } else { self.below.list(dir).map(drop) }
    }

    /// An error unless a file can have this name.
    fn check_place(&self, path: &Path) -> io::Result<()> {
        self.check_dir(parent(path))?;
        if self.check_dir(path).is_ok() { Err(ErrorKind::IsADirectory.into()) } else { Ok(()) }
    }
}
