use super::lines::Lines;
use super::require_journal;
use crate::exit::{Exit, exit_of};
use archive::{Archive, ArchiveConfig, Entry, Standing};
use disk::{Disk, MemDisk};
use std::path::Path;
use std::sync::Arc;
use stdx::WallTime;

#[test]
fn where_the_journal_is_gone_and_the_checkpoint_is_not_nothing_can_be_proven() {
    let disk = MemDisk::new();
    let config = ArchiveConfig::new("test", "here", 0, str::to_owned);
    let mut archive = Archive::open(Arc::new(disk.clone()), config, WallTime::default()).unwrap().archive;
    archive.commit(WallTime::default(), &[Entry { record: Vec::new(), capture: None }]).unwrap();
    archive.checkpoint(1, Standing::Clean, b"state").unwrap();
    drop(archive);
    let dir = Path::new("crawl");
    require_journal(dir, &disk).unwrap();
    disk.remove(Path::new("state/journal-00000001.log")).unwrap();
    let told = require_journal(dir, &disk).unwrap_err();
    assert_eq!(exit_of(&told), Exit::Usage);
    assert_eq!(told.to_string(), "crawl: there is no journal; nothing can be proven");
}

#[test]
fn what_can_be_read_only_once_is_no_log() {
    let told = Lines::open(Path::new("/dev/null")).err().map(|error| error.to_string());
    assert_eq!(told.as_deref(), Some("it is no file, and a log is read twice"));
}
