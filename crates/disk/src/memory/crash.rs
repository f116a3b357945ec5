use super::{Content, MemDisk, Names, Node};
use crate::locked::locked;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use stdx::Rng;

/// How much of what was not yet durable a power loss takes away. What was durable stays in every mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashMode {
    /// All of it: unsynced content is gone and unsynced names are as they were.
    LoseUnsynced,
    /// Names arrived, unsynced content did not: the empty file after a careless rename.
    KeepNames,
    /// Names up to one of their changes; each file's writes up to one that is torn at a byte.
    KeepPrefix,
    /// Names up to one of their changes; of each file's writes any subset, each whole or torn.
    KeepSome,
}

impl CrashMode {
    /// Every mode, for tests that go through all of them.
    pub const ALL: [Self; 4] = [Self::LoseUnsynced, Self::KeepNames, Self::KeepPrefix, Self::KeepSome];
}

impl MemDisk {
    /// The disk as a power loss at this moment may leave it; everything on it is durable. This disk and the
    /// handles opened on it go on without touching the image. Equal disks and seeds give equal images.
    #[must_use]
    pub fn crash(&self, mode: CrashMode, rng: &mut Rng) -> Self {
        let names = locked(&self.names);
        let arrived = surviving_names(names.unsynced_count(), mode, rng);
        let lost: Vec<&Path> = names.begun_dirs().filter(|_| loses_dir(mode, rng)).collect();
        let stays = |path: &PathBuf| !lost.iter().any(|dir| path.starts_with(dir));
        let files = names
            .after_power_loss(arrived)
            .into_iter()
            .filter(|(path, _)| stays(path))
            .map(|(path, node)| (path, node_of(Content::durable(surviving_bytes(&locked(&node), mode, rng)))))
            .collect();
        let dirs = names.dirs().iter().filter(|dir| stays(dir)).cloned().collect();
        Self::from_names(Names::all_durable(dirs, files), self.space.capacity())
    }

    /// The disk as a kill of the process leaves it: everything written is there, and what was not durable
    /// still is not, should a [`MemDisk::crash`] follow.
    #[must_use]
    pub fn kill(&self) -> Self {
        let mut copies: BTreeMap<usize, Node> = BTreeMap::new();
        let copy = |node: &Node| -> Node {
            let address = Arc::as_ptr(node) as usize;
            copies.entry(address).or_insert_with(|| node_of(locked(node).clone())).clone()
        };
        Self::from_names(locked(&self.names).fork(copy), self.space.capacity())
    }
}

fn surviving_names(unsynced: usize, mode: CrashMode, rng: &mut Rng) -> usize {
    match mode {
        CrashMode::LoseUnsynced => 0,
        CrashMode::KeepNames => unsynced,
        CrashMode::KeepPrefix | CrashMode::KeepSome => rng.below(unsynced as u64 + 1) as usize,
    }
}

/// Whether a directory is lost, and all in it, that no call has returned from making.
fn loses_dir(mode: CrashMode, rng: &mut Rng) -> bool {
    match mode {
        CrashMode::LoseUnsynced => true,
        CrashMode::KeepNames => false,
        CrashMode::KeepPrefix | CrashMode::KeepSome => rng.one_in(2),
    }
}

fn surviving_bytes(content: &Content, mode: CrashMode, rng: &mut Rng) -> Vec<u8> {
    match mode {
        CrashMode::LoseUnsynced | CrashMode::KeepNames => content.last_durable(),
        CrashMode::KeepPrefix => content.torn_prefix(rng),
        CrashMode::KeepSome => content.any_subset(rng),
    }
}

fn node_of(content: Content) -> Node {
    Arc::new(Mutex::new(content))
}
