mod beside;
mod cache;
mod crashes;
mod direct;
mod durable;
mod faults;
mod model;
mod nursery;
mod observed;
mod root;
mod streams;

use crate::{Disk, Mode};
use std::path::Path;

fn put(disk: &dyn Disk, path: &str, bytes: &[u8]) {
    let mut file = disk.open(Path::new(path), Mode::Truncate).unwrap();
    file.write_at(bytes, 0).unwrap();
}

fn put_synced(disk: &dyn Disk, path: &str, bytes: &[u8]) {
    put(disk, path, bytes);
    disk.open(Path::new(path), Mode::Write).unwrap().sync().unwrap();
}

fn get(disk: &dyn Disk, path: &str) -> Option<Vec<u8>> {
    let path = Path::new(path);
    disk.stat(path).unwrap().map(|_| crate::read_all(disk, path).unwrap())
}
