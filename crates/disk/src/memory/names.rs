use super::Node;
use crate::path::{is_root, parent};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::mem;
use std::path::{Path, PathBuf};

/// Which names lead to which files: now, durably, and the changes between the two.
#[derive(Default)]
pub(super) struct Names {
    dirs: BTreeSet<PathBuf>,
    /// Those of them that no call has returned from making.
    begun_dirs: BTreeSet<PathBuf>,
    live: BTreeMap<PathBuf, Node>,
    durable: BTreeMap<PathBuf, Node>,
    unsynced: Vec<NameChange>,
}

/// What one call did to names; it arrives on the disk in whole or not at all.
#[derive(Clone)]
struct NameChange {
    gone: Option<PathBuf>,
    set: Option<Binding>,
}

#[derive(Clone)]
struct Binding {
    path: PathBuf,
    node: Node,
}

impl Names {
    pub(super) fn all_durable(dirs: BTreeSet<PathBuf>, files: BTreeMap<PathBuf, Node>) -> Self {
        Self { dirs, begun_dirs: BTreeSet::new(), live: files.clone(), durable: files, unsynced: Vec::new() }
    }

    pub(super) fn dirs(&self) -> &BTreeSet<PathBuf> {
        &self.dirs
    }

    pub(super) fn begun_dirs(&self) -> impl Iterator<Item = &Path> {
        self.begun_dirs.iter().map(PathBuf::as_path)
    }

    pub(super) fn live_nodes(&self) -> impl Iterator<Item = &Node> {
        self.live.values()
    }

    /// The file at `path`, if it is one.
    pub(super) fn file(&self, path: &Path) -> Option<Node> {
        self.live.get(path).cloned()
    }

    /// The file at `path`; an error if its directory is absent or it is a directory itself.
    pub(super) fn find(&self, path: &Path) -> io::Result<Option<Node>> {
        self.check_dir(parent(path))?;
        if self.is_dir(path) {
            return Err(ErrorKind::IsADirectory.into());
        }
        Ok(self.file(path))
    }

    /// Makes an empty file; its directory must have been checked.
    pub(super) fn create(&mut self, path: &Path) -> Node {
        let node = Node::default();
        self.apply(NameChange {
            gone: None,
            set: Some(Binding { path: path.to_owned(), node: node.clone() }),
        });
        node
    }

    /// Returns the file that `to` led to before.
    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> io::Result<Option<Node>> {
        let node = self.find(from)?.ok_or(ErrorKind::NotFound)?;
        let replaced = self.find(to)?;
        if from == to {
            return Ok(None);
        }
        let set = Some(Binding { path: to.to_owned(), node });
        self.apply(NameChange { gone: Some(from.to_owned()), set });
        Ok(replaced)
    }

    pub(super) fn remove(&mut self, path: &Path) -> io::Result<Node> {
        let node = self.find(path)?.ok_or(ErrorKind::NotFound)?;
        self.apply(NameChange { gone: Some(path.to_owned()), set: None });
        Ok(node)
    }

    pub(super) fn create_dir(&mut self, dir: &Path) -> io::Result<()> {
        self.begin_dir(dir)?;
        self.begun_dirs.retain(|begun| !dir.starts_with(begun));
        Ok(())
    }

    /// Makes a directory and those it is in, none of them durably.
    pub(super) fn begin_dir(&mut self, dir: &Path) -> io::Result<()> {
        if dir.ancestors().any(|above| self.live.contains_key(above)) {
            return Err(ErrorKind::NotADirectory.into());
        }
        for above in dir.ancestors().filter(|above| !is_root(above)) {
            if self.dirs.insert(above.to_owned()) {
                self.begun_dirs.insert(above.to_owned());
            }
        }
        Ok(())
    }

    pub(super) fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        self.check_dir(dir)?;
        let below = |path: &&PathBuf| path.starts_with(dir);
        let files = self.live.range(dir.to_owned()..).map(|(path, _)| path).take_while(below);
        let dirs = self.dirs.range(dir.to_owned()..).take_while(below);
        let names: BTreeSet<String> = files
            .chain(dirs)
            .filter(|path| !is_root(path) && path.as_path() != dir && parent(path) == dir)
            .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .collect();
        Ok(names.into_iter().collect())
    }

    /// Makes the changes in `dir` durable, and with them the earlier ones they stand on.
    pub(super) fn sync_dir(&mut self, dir: &Path) -> io::Result<()> {
        self.check_dir(dir)?;
        self.begun_dirs.retain(|begun| parent(begun) != dir);
        let mut synced = BTreeSet::from([dir.to_owned()]);
        let (mut kept, mut taken) = (Vec::new(), Vec::new());
        for change in mem::take(&mut self.unsynced).into_iter().rev() {
            if change.dirs().any(|touched| synced.contains(touched)) {
                synced.extend(change.dirs().map(Path::to_owned));
                taken.push(change);
            } else {
                kept.push(change);
            }
        }
        taken.iter().rev().for_each(|change| change.apply(&mut self.durable));
        self.unsynced = kept.into_iter().rev().collect();
        Ok(())
    }

    /// The names that a power loss leaves if the first `arrived` unsynced changes arrived. A prefix, since
    /// filesystems journal names in order.
    pub(super) fn after_power_loss(&self, arrived: usize) -> BTreeMap<PathBuf, Node> {
        let mut names = self.durable.clone();
        self.unsynced[..arrived].iter().for_each(|change| change.apply(&mut names));
        names
    }

    pub(super) fn unsynced_count(&self) -> usize {
        self.unsynced.len()
    }

    /// The same names leading to copies of the files.
    pub(super) fn fork(&self, mut copy: impl FnMut(&Node) -> Node) -> Self {
        let mut copy_map = |names: &BTreeMap<PathBuf, Node>| -> BTreeMap<PathBuf, Node> {
            names.iter().map(|(path, node)| (path.clone(), copy(node))).collect()
        };
        let (live, durable) = (copy_map(&self.live), copy_map(&self.durable));
        let mut unsynced = self.unsynced.clone();
        for set in unsynced.iter_mut().filter_map(|change| change.set.as_mut()) {
            set.node = copy(&set.node);
        }
        Self { dirs: self.dirs.clone(), begun_dirs: self.begun_dirs.clone(), live, durable, unsynced }
    }

    fn apply(&mut self, change: NameChange) {
        change.apply(&mut self.live);
        self.unsynced.push(change);
    }

    fn is_dir(&self, path: &Path) -> bool {
        is_root(path) || self.dirs.contains(path)
    }

    fn check_dir(&self, dir: &Path) -> io::Result<()> {
        if self.is_dir(dir) {
            return Ok(());
        }
        let through_file = dir.ancestors().any(|above| self.live.contains_key(above));
        Err(if through_file { ErrorKind::NotADirectory } else { ErrorKind::NotFound }.into())
    }
}

impl NameChange {
    fn apply(&self, names: &mut BTreeMap<PathBuf, Node>) {
        if let Some(path) = &self.gone {
            names.remove(path);
        }
        if let Some(set) = &self.set {
            names.insert(set.path.clone(), set.node.clone());
        }
    }

    fn dirs(&self) -> impl Iterator<Item = &Path> {
        let gone = self.gone.iter().map(|path| parent(path));
        gone.chain(self.set.iter().map(|set| parent(&set.path)))
    }
}
