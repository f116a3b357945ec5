use super::{FORMAT, STATUS, Teller, Told, missing_lines, missing_rows, read};
use crate::exit::Exit;
use archive::{Archive, Entry, Standing};
use disk::MemDisk;
use snapshot::Snapshot;
use std::fs;
use std::sync::Arc;
use stdx::WallTime;

fn missing(exit: Option<&str>, unparsed: u64) -> Option<String> {
    let snapshot = Snapshot { unparsed, ..Snapshot::default() };
    Told { format: FORMAT, exit: exit.map(str::to_owned), snapshot, written: None }.missing_rows()
}

#[test]
fn rows_are_missing_after_a_crash_and_where_the_end_says_so() {
    assert_eq!(missing(Some("done"), 0), None);
    assert_eq!(missing(Some("interrupted"), 1).as_deref(), Some("1 archived page has no row yet"));
    assert_eq!(missing(Some("disk-full"), 1_200).as_deref(), Some("1,200 archived pages have no row yet"));
    assert!(missing(None, 0).is_some_and(|said| said.contains("did not end")));
}

/// The index is the last that a run makes.
#[test]
fn lines_are_missing_where_a_run_did_not_come_to_its_end() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("state")).unwrap();
    assert_eq!(missing_lines(dir.path()).unwrap(), None, "there was no run");
    for (exit, is_missing) in [(None, true), (Some("disk-full"), true), (Some("done"), false)] {
        let (exit, snapshot) = (exit.map(str::to_owned), Snapshot::default());
        let told = Told { format: FORMAT, exit, snapshot, written: None };
        fs::write(dir.path().join(STATUS), serde_json::to_vec(&told).unwrap()).unwrap();
        assert_eq!(missing_lines(dir.path()).unwrap().is_some(), is_missing, "{:?}", told.exit);
    }
    fs::write(dir.path().join(STATUS), "").unwrap();
    assert!(missing_lines(dir.path()).unwrap().is_some(), "after a power loss");
}

/// What a run leaves that came to its end.
fn ended_clean() -> MemDisk {
    let disk = MemDisk::new();
    let config = archive::ArchiveConfig::new("test", "here", 7, str::to_owned);
    let mut archive = Archive::open(Arc::new(disk.clone()), config, WallTime::default()).unwrap().archive;
    archive.commit(WallTime::default(), &[Entry { record: Vec::new(), capture: None }]).unwrap();
    archive.checkpoint(1, Standing::Clean, b"").unwrap();
    disk
}

/// It is not synced: after a power loss the file may be there and empty.
#[test]
fn a_status_that_cannot_be_read_is_that_of_a_run_that_did_not_end() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("state")).unwrap();
    assert_eq!(missing_rows(dir.path(), &MemDisk::new()).unwrap(), None, "there was no run");
    let ended = ended_clean();
    for text in ["", "{\"format\":1,\"exi"] {
        fs::write(dir.path().join(STATUS), text).unwrap();
        assert!(read(dir.path()).unwrap().is_none(), "{text}");
        assert_eq!(missing_rows(dir.path(), &ended).unwrap(), None, "the checkpoint says that it did");
        let said = missing_rows(dir.path(), &MemDisk::new()).unwrap();
        assert!(said.is_some_and(|said| said.contains("did not end")), "{text}");
    }
    fs::write(dir.path().join(STATUS), "{\"format\":2,\"new\":true}").unwrap();
    assert!(read(dir.path()).is_err_and(|error| error.to_string().contains("has format 2")));
}

#[test]
fn the_end_is_told_where_there_is_no_room_beside_what_was_told_before() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("state")).unwrap();
    let mut teller = Teller::new(dir.path());
    teller.tell_now(&Snapshot { no_room: Some("corpus: no space".repeat(9)), ..Snapshot::default() });
    // Nothing can be written to it.
    fs::create_dir(dir.path().join(STATUS).with_extension("json.tmp")).unwrap();
    teller.tell_now(&Snapshot { pages: 7, ..Snapshot::default() });
    assert_eq!(read(dir.path()).unwrap().unwrap().snapshot.pages, 0, "while it runs nobody sees half of it");
    teller.end(&Snapshot { pages: 7, ..Snapshot::default() }, Exit::DiskFull);
    let told = read(dir.path()).unwrap().unwrap();
    assert_eq!((told.exit.as_deref(), told.snapshot.pages), (Some("disk-full"), 7));
}
