use super::fixture::{commit, empty, files, nothing, numbered, reopen, run_job, write_section};
use super::model::DIR;
use crate::{Key, QueueId};
use disk::{Disk, MemDisk, Mode, SharedDisk};
use std::sync::Arc;

const QUEUE: QueueId = QueueId(3);

fn assert_send<T: Send>(value: T) -> T {
    value
}

#[test]
fn a_job_runs_on_another_thread_while_the_owner_goes_on() {
    let (mut backlog, _) = empty();
    let section = write_section(&mut backlog, 20);
    let job = assert_send(backlog.start_job());
    let running = std::thread::scope(|scope| {
        let running = scope.spawn(move || {
            let mut outputs = nothing(&job);
            (0..9).for_each(|nth| outputs.queues.append(QUEUE, &numbered(nth)).unwrap());
            job.finish(outputs).unwrap()
        });
        (20..30).for_each(|nth| backlog.append(QUEUE, &numbered(nth)).unwrap());
        assert!(backlog.take_head(section).unwrap().rest.is_some());
        let cut = backlog.cut().unwrap();
        backlog.committed(&cut.manifest).unwrap();
        running.join().unwrap()
    });
    backlog.finish_job(running);
    let mut entries = Vec::new();
    backlog.scan_queue(QUEUE, |entry| entries.push(entry.to_vec())).unwrap();
    assert_eq!(entries, (0..9).chain(20..30).map(numbered).collect::<Vec<_>>());
}

#[test]
fn a_job_that_does_nothing_makes_no_file() {
    let (mut backlog, disk) = empty();
    run_job(&mut backlog, |job, outputs| {
        outputs.directory = Some(job.new_directory());
        outputs.run.begin();
        assert_eq!(outputs.run.end().unwrap(), None);
        outputs.queues.splice(QUEUE, QueueId(0)).unwrap();
    });
    assert_eq!(files(&disk), [""; 0]);
    assert!(backlog.cut().unwrap().sync.is_empty());
}

#[test]
fn an_abandoned_job_leaves_nothing_behind() {
    let (mut backlog, disk) = empty();
    run_job(&mut backlog, |_, outputs| outputs.queues.append(QUEUE, &numbered(0)).unwrap());
    let before = files(&disk);
    let job = backlog.start_job();
    let mut outputs = nothing(&job);
    let mut new = job.new_directory();
    new.push(Key::header(1), &[1; 500]).unwrap();
    outputs.directory = Some(new);
    outputs.run.begin();
    (0..50).for_each(|nth| outputs.run.push(&numbered(nth)).unwrap());
    outputs.run.end().unwrap();
    (0..50).for_each(|nth| outputs.queues.append(QUEUE, &numbered(nth)).unwrap());
    let _ = job.finish(outputs).unwrap();
    assert!(files(&disk).len() > before.len() + 2);
    assert!(backlog.has_job());
    backlog.abandon_job();
    assert_eq!(files(&disk), before);
    assert_eq!((backlog.queue_len(QUEUE), backlog.records(), backlog.runs().len()), (1, 0, 0));
}

#[test]
#[should_panic(expected = "running already")]
fn there_is_one_job_at_a_time() {
    let (mut backlog, _) = empty();
    let _job = backlog.start_job();
    backlog.start_job();
}

#[test]
fn files_that_a_cut_names_stay_until_a_later_one_is_committed() {
    let (mut backlog, disk) = empty();
    let section = write_section(&mut backlog, 5);
    let first = backlog.cut().unwrap();
    let named: Vec<String> = first.manifest.files().into_keys().collect();
    backlog.release(section);
    run_job(&mut backlog, |_, _| ());
    assert_eq!(files(&disk), named);
    backlog.committed(&first.manifest).unwrap();
    assert_eq!(files(&disk), named);
    commit(&mut backlog);
    assert_eq!(files(&disk), [""; 0]);
}

#[test]
fn what_a_job_may_read_stays_until_it_is_back() {
    let (mut backlog, disk) = empty();
    let section = write_section(&mut backlog, 5);
    let job = backlog.start_job();
    backlog.release(section);
    commit(&mut backlog);
    assert!(job.runs().head(section).is_ok());
    backlog.abandon_job();
    assert_eq!(files(&disk), [""; 0]);
}

#[test]
fn what_was_appended_after_a_cut_is_cut_off() {
    let (mut backlog, disk) = empty();
    let append = |backlog: &mut crate::Backlog, nth| {
        run_job(backlog, |_, outputs| outputs.queues.append(QUEUE, &numbered(nth)).unwrap());
    };
    append(&mut backlog, 0);
    let manifest = backlog.cut().unwrap().manifest;
    append(&mut backlog, 1);
    let path = std::path::Path::new(DIR).join(&files(&disk)[0]);
    let before = disk.stat(&path).unwrap();
    let reopened = reopen(&disk, &manifest).unwrap();
    assert!(disk.stat(&path).unwrap() < before);
    assert_eq!((reopened.queue_len(QUEUE), reopened.disk_bytes()), (1, disk.stat(&path).unwrap().unwrap()));
}

#[test]
fn only_what_has_changed_is_to_be_synced() {
    let (mut backlog, _) = empty();
    write_section(&mut backlog, 5);
    run_job(&mut backlog, |_, outputs| outputs.queues.append(QUEUE, &numbered(0)).unwrap());
    let first = backlog.cut().unwrap();
    assert_eq!(first.sync.len(), 2);
    assert_eq!(backlog.cut().unwrap().sync, first.sync, "until it is committed");
    backlog.committed(&first.manifest).unwrap();
    assert!(backlog.cut().unwrap().sync.is_empty());
    backlog.append(QUEUE, &numbered(1)).unwrap();
    let queue = first.sync.iter().find(|path| path.to_string_lossy().contains("queue"));
    assert_eq!(backlog.cut().unwrap().sync.iter().collect::<Vec<_>>(), Vec::from_iter(queue));
}

#[test]
fn files_of_others_are_left_alone() {
    let disk = MemDisk::new();
    disk.create_dir("shard".as_ref()).unwrap();
    for name in ["run-1.backlog", "run-0000000001.drum", "notes-0000000001.backlog", "run-0000000001.backlog"]
    {
        disk.open(&std::path::Path::new("shard").join(name), Mode::CreateNew).unwrap();
    }
    let shared: SharedDisk = Arc::new(disk.clone());
    crate::Backlog::open(shared, "shard".into(), crate::Config::default(), None).unwrap();
    assert_eq!(files(&disk), ["notes-0000000001.backlog", "run-0000000001.drum", "run-1.backlog"]);
}
