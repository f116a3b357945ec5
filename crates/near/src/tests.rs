mod damage;
mod groups;
mod search;
mod shingles;
mod sorter;
mod tables;

use crate::scratch::Scratch;
use disk::{MemDisk, SharedDisk};
use std::path::Path;
use std::sync::Arc;

const DIR: &str = "near";

fn dir() -> &'static Path {
    Path::new(DIR)
}

fn memory() -> SharedDisk {
    Arc::new(MemDisk::new())
}

fn scratch() -> Scratch {
    Scratch::take(memory(), dir()).unwrap()
}

/// Names of the files in the directory.
fn files(disk: &SharedDisk) -> Vec<String> {
    disk.list(dir()).unwrap()
}
