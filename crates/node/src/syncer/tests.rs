use super::{SyncTask, Syncer};
use crate::examples::report;
use crate::executor::Message;
use crawler::Event;
use crossbeam_channel::unbounded;
use disk::{CrashMode, Disk, MemDisk, Mode, read_all};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdx::Rng;

/// What the loop hears when a file was named.
fn check(disk: &MemDisk, named: &str) -> Vec<Message> {
    let (report, messages) = report();
    let (tasks, syncs) = unbounded();
    tasks.send(SyncTask { files: vec![PathBuf::from(named)], last: false }).unwrap();
    drop(tasks);
    Syncer { disk: Arc::new(disk.clone()), report }.serve(&syncs);
    messages.try_iter().collect()
}

#[test]
fn what_it_says_is_durable_survives_a_power_loss() {
    let (disk, named) = (MemDisk::new(), "state/keys/0");
    disk.create_dir(Path::new("state/keys")).unwrap();
    disk.open(Path::new(named), Mode::CreateNew).unwrap().write_at(b"keys", 0).unwrap();
    assert!(matches!(check(&disk, named)[..], [Message::Event(Event::MadeDurable)]));
    let image = disk.crash(CrashMode::LoseUnsynced, &mut Rng::new(1));
    assert_eq!(read_all(&image, Path::new(named)).unwrap(), b"keys");
}

#[test]
fn a_file_that_cannot_be_made_durable_ends_the_run_and_no_checkpoint_names_it() {
    assert!(matches!(check(&MemDisk::new(), "state/keys/1")[..], [Message::Failed(_)]));
}
