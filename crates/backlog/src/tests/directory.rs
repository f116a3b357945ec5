use super::fixture::{commit, empty, files, run_job};
use crate::limits::MAX_ENTRY_BYTES;
use crate::{Backlog, Key};

fn key(group: u64, host: u64) -> Key {
    Key { group, host }
}

fn write(backlog: &mut Backlog, records: &[(Key, &[u8])]) {
    run_job(backlog, |job, outputs| {
        let mut new = job.new_directory();
        for (key, payload) in records {
            new.push(*key, payload).unwrap();
        }
        assert_eq!(new.records(), records.len() as u64);
        outputs.directory = Some(new);
    });
}

fn read(backlog: &mut Backlog) -> Vec<(Key, Vec<u8>)> {
    let job = backlog.start_job();
    let mut reader = job.directory().unwrap();
    let mut records = Vec::new();
    while let Some(record) = reader.next().unwrap() {
        records.push((record.key, record.payload.to_vec()));
    }
    assert_eq!(reader.peek().unwrap(), None, "the end stays the end");
    backlog.abandon_job();
    records
}

/// What a join gives: each key, and whether the directory has it.
fn join(backlog: &mut Backlog, arrivals: &[Key]) -> Vec<(Key, bool)> {
    let job = backlog.start_job();
    let (mut join, mut arrivals) = (job.join().unwrap(), arrivals.iter().copied().peekable());
    let mut keys = Vec::new();
    while let Some(joined) = join.next(arrivals.peek().copied()).unwrap() {
        keys.push((joined.key, joined.known.is_some()));
        while arrivals.next_if_eq(&joined.key).is_some() {}
    }
    backlog.abandon_job();
    keys
}

#[test]
fn records_of_any_size_are_read_as_they_were_written() {
    let (mut backlog, _) = empty();
    let largest = vec![7; MAX_ENTRY_BYTES];
    let records: [(Key, &[u8]); 5] = [
        (key(0, 0), b""),
        (key(0, 9), b"small"),
        (key(3, 1), &largest),
        (key(3, 2), &[5; 1000]),
        (key(u64::MAX, u64::MAX), b"last"),
    ];
    write(&mut backlog, &records);
    assert!(read(&mut backlog).iter().map(|(key, payload)| (*key, &payload[..])).eq(records));
    for (key, payload) in records {
        assert_eq!(backlog.look_up(key).unwrap().as_deref(), Some(payload));
    }
    for absent in [key(0, 8), key(3, 3), key(4, 0), key(u64::MAX, 0)] {
        assert_eq!(backlog.look_up(absent).unwrap(), None);
    }
}

#[test]
fn a_directory_without_records_is_no_file() {
    let (mut backlog, disk) = empty();
    assert_eq!(read(&mut backlog), []);
    write(&mut backlog, &[(key(1, 0), b"a group")]);
    assert_eq!((backlog.records(), files(&disk).len()), (1, 1));
    write(&mut backlog, &[]);
    commit(&mut backlog);
    assert_eq!((backlog.records(), backlog.directory_bytes(), files(&disk).len()), (0, 0, 0));
    assert_eq!(backlog.look_up(key(1, 0)).unwrap(), None);
}

#[test]
#[should_panic(expected = "records out of order")]
fn a_key_comes_once() {
    let (mut backlog, _) = empty();
    write(&mut backlog, &[(key(1, 1), b""), (key(1, 1), b"")]);
}

#[test]
fn a_join_gives_every_key_of_either_side_once_and_headers_first() {
    let (mut backlog, _) = empty();
    write(&mut backlog, &[(key(2, 0), b"h"), (key(2, 5), b""), (key(4, 7), b""), (key(4, 8), b"")]);
    let arrivals = [key(1, 3), key(2, 4), key(2, 5), key(2, 5), key(9, 0), key(9, 2)];
    let expected = [
        (key(1, 0), false),
        (key(1, 3), false),
        (key(2, 0), true),
        (key(2, 4), false),
        (key(2, 5), true),
        (key(4, 0), false),
        (key(4, 7), true),
        (key(4, 8), true),
        (key(9, 0), false),
        (key(9, 2), false),
    ];
    assert_eq!(join(&mut backlog, &arrivals), expected);
    assert!(Key::header(4).is_header() && !key(4, 7).is_header());
}

#[test]
fn a_join_of_nothing_is_empty() {
    let (mut backlog, _) = empty();
    assert_eq!(join(&mut backlog, &[]), []);
}

#[test]
#[should_panic(expected = "not dealt with")]
fn a_join_insists_that_arrivals_are_dealt_with() {
    let (mut backlog, _) = empty();
    let job = backlog.start_job();
    let mut join = job.join().unwrap();
    for _ in 0..3 {
        join.next(Some(key(1, 1))).unwrap();
    }
}

#[test]
fn a_view_is_read_from_any_key_until_there_is_a_newer_directory() {
    let (mut backlog, _) = empty();
    let payload = vec![9; 300];
    let records: Vec<(Key, &[u8])> = (0..2_000).map(|n| (key(n / 3, 2 * n), &payload[..])).collect();
    write(&mut backlog, &records);
    let view = backlog.view_directory();
    assert_eq!(view.records(), 2_000);
    let rest = |from: Key| {
        let mut reader = view.read_from(from).unwrap();
        let mut keys = Vec::new();
        while let Some(record) = reader.next().unwrap() {
            keys.push(record.key);
        }
        keys
    };
    for from in [key(0, 0), key(0, 1), key(100, 0), key(333, 1999), key(666, 3998), key(667, 0)] {
        assert!(rest(from).into_iter().eq(records.iter().map(|(key, _)| *key).filter(|key| *key >= from)));
    }
    let mut opened = view.read_from(key(0, 0)).unwrap();
    write(&mut backlog, &records[..1]);
    let mut read = 0;
    while opened.next().unwrap().is_some() {
        read += 1;
    }
    assert_eq!(read, 2_000, "what is open stays");
    assert!(view.read_from(key(0, 0)).is_err_and(|error| error.is_gone()), "and what is not has gone");
    assert_eq!(empty().0.view_directory().read_from(key(0, 0)).unwrap().peek().unwrap(), None);
}
