use super::{CONFIG, Directory, STATE, open_to_read};
use crate::exit::{Exit, exit_of};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::tempdir;

/// Asserts that the directory is the user's to put right, and told so.
fn check(told: &anyhow::Error, part: &str) {
    assert!(told.to_string().contains(part), "{told}");
    assert_eq!(exit_of(told), Exit::Usage, "{told}");
}

fn claimed(dir: &Path) -> anyhow::Error {
    Directory::claim(dir, |disk| disk).unwrap_err()
}

#[test]
fn a_configuration_that_cannot_be_looked_at_is_not_absent() {
    let dir = tempdir().unwrap();
    symlink(CONFIG, dir.path().join(CONFIG)).unwrap();
    let part = format!("cannot look at {}: ", dir.path().join(CONFIG).display());
    check(&open_to_read(dir.path()).err().unwrap(), &part);
    check(&Directory::look_into(dir.path()).unwrap_err(), &part);
    check(&claimed(dir.path()), &part);
}

#[test]
fn a_directory_that_cannot_be_looked_into_is_the_users_affair() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join(STATE), "").unwrap();
    check(&claimed(dir.path()), &format!("cannot look into {}: ", dir.path().join(STATE).display()));
}

#[test]
fn what_is_no_directory_holds_no_crawl() {
    let dir = tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    check(&open_to_read(&file).err().unwrap(), "is not a crawl");
    check(&open_to_read(&dir.path().join("absent")).err().unwrap(), "there is no directory");
}
