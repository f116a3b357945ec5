use super::{Asked, CrawlDesk};
use crate::config::Config;
use crate::settings::Settings;
use crate::wiring;
use control::Changes;
use disk::MemDisk;
use snapshot::Snapshot;
use std::path::PathBuf;
use std::sync::Arc;
use ui::{Desk, Mode, Unanswered};

#[test]
fn a_crawl_that_is_being_recovered_has_no_numbers() {
    let settings = Settings { seed: Some("2a".to_owned()), ..Settings::defaults() };
    let config = Config::new(&settings).expect("the defaults");
    let (sender, _inbox) = node::channel();
    let (disk, asked, promise) = (MemDisk::new(), Asked::running(sender), wiring::promise(&config));
    let (dir, seen, told) = (PathBuf::from("a"), Arc::default(), Changes::default());
    let desk = CrawlDesk::new(dir, Arc::new(disk), asked, seen, promise, told);
    assert_eq!(desk.standing().err(), Some(Unanswered::Recovering));
    assert_eq!(desk.traps().err(), Some(Unanswered::Recovering));
    desk.show(Snapshot { pages: 3, ..Snapshot::default() });
    let standing = desk.standing().expect("it has said where it stands");
    assert_eq!((standing.mode, standing.snapshot.pages), (Mode::Running, 3));
}
