use super::Shown;
use crate::directory::{CONFIG, SEEDS, SOCKET};
use disk::OsDisk;
use std::fs;
use std::os::unix::fs::symlink;
use tempfile::tempdir;

#[test]
fn a_socket_that_cannot_be_opened_is_told_at_once() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("state")).unwrap();
    fs::write(at(CONFIG), "format = 1\nseed = \"2a\"\n").unwrap();
    fs::write(at(SEEDS), "http://a.example/\n").unwrap();
    let _running = OsDisk::new(dir.path().to_owned()).unwrap().lock("crawl.lock").unwrap();
    symlink("control.sock", at(SOCKET)).unwrap();
    let told = Shown::find(dir.path()).err().unwrap().to_string();
    assert!(told.starts_with(&format!("cannot speak to {}: ", at(SOCKET).display())), "{told}");
}
