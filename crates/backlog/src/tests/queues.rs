use super::fixture::{commit, empty, files, numbered, run_job};
use crate::limits::SCATTERED_STRETCHES;
use crate::{Backlog, QueueId};

const FIRST: QueueId = QueueId(1);
const SECOND: QueueId = QueueId(2);

fn fill(backlog: &mut Backlog, queue: QueueId, numbers: std::ops::Range<usize>) {
    run_job(backlog, |_, outputs| {
        numbers.for_each(|nth| outputs.queues.append(queue, &numbered(nth)).unwrap());
    });
}

fn drain(backlog: &mut Backlog, queue: QueueId) -> Vec<Vec<u8>> {
    run_job(backlog, |_, outputs| {
        let mut read = Vec::new();
        while let Some(entries) = outputs.queues.read(queue).unwrap() {
            read.extend(entries.iter().map(<[u8]>::to_vec));
        }
        read
    })
}

fn numbers(range: std::ops::Range<usize>) -> Vec<Vec<u8>> {
    range.map(numbered).collect()
}

#[test]
fn a_queue_is_in_several_files_and_each_goes_when_it_is_read() {
    let (mut backlog, disk) = empty();
    fill(&mut backlog, FIRST, 0..100);
    fill(&mut backlog, FIRST, 100..120);
    commit(&mut backlog);
    let before = files(&disk).len();
    assert!(before > 5, "{before} files");
    let half = run_job(&mut backlog, |_, outputs| {
        let mut read = 0;
        while read < 60 {
            read += outputs.queues.read(FIRST).unwrap().unwrap().len();
        }
        read
    });
    commit(&mut backlog);
    assert!(files(&disk).len() <= before / 2 + 1);
    assert_eq!(backlog.queue_len(FIRST), 120 - half as u64);
    assert_eq!(drain(&mut backlog, FIRST), numbers(half..120));
    commit(&mut backlog);
    assert_eq!(files(&disk), [""; 0]);
}

#[test]
fn small_appends_of_many_jobs_share_a_file() {
    let (mut backlog, disk) = empty();
    (0..4).for_each(|nth| fill(&mut backlog, FIRST, nth..nth + 1));
    assert_eq!(files(&disk).len(), 1);
    assert_eq!(drain(&mut backlog, FIRST), numbers(0..4));
}

#[test]
fn small_appends_to_many_queues_share_a_file_and_those_that_stay_get_their_own() {
    let (mut backlog, disk) = empty();
    let queues: Vec<QueueId> = (0..5).map(QueueId).collect();
    for job in 0..8 {
        run_job(&mut backlog, |_, outputs| {
            for queue in &queues {
                outputs.queues.append(*queue, &numbered(job)).unwrap();
            }
        });
        if job == 0 {
            assert_eq!(files(&disk).len(), 1, "one file for all");
        }
    }
    commit(&mut backlog);
    let most = SCATTERED_STRETCHES + queues.len();
    assert!(files(&disk).len() <= most, "{} files", files(&disk).len());
    for queue in &queues {
        assert_eq!(drain(&mut backlog, *queue), numbers(0..8));
    }
    commit(&mut backlog);
    assert_eq!(files(&disk), [""; 0]);
}

#[test]
fn a_splice_moves_no_byte() {
    let (mut backlog, disk) = empty();
    fill(&mut backlog, SECOND, 0..50);
    let before = files(&disk);
    run_job(&mut backlog, |_, outputs| outputs.queues.splice(SECOND, FIRST).unwrap());
    assert_eq!(files(&disk), before);
    assert_eq!((backlog.queue_len(FIRST), backlog.queue_len(SECOND)), (50, 0));
    fill(&mut backlog, FIRST, 50..55);
    assert_eq!(drain(&mut backlog, FIRST), numbers(0..55));
}

#[test]
#[should_panic(expected = "would stand behind")]
fn a_splice_takes_an_empty_queue() {
    let (mut backlog, _) = empty();
    fill(&mut backlog, SECOND, 0..10);
    run_job(&mut backlog, |_, outputs| {
        outputs.queues.append(FIRST, &numbered(20)).unwrap();
        outputs.queues.splice(SECOND, FIRST).unwrap();
    });
}

#[test]
fn a_queue_can_be_read_while_a_new_one_takes_its_name() {
    let (mut backlog, _) = empty();
    fill(&mut backlog, FIRST, 0..40);
    run_job(&mut backlog, |_, outputs| {
        let queues = &mut outputs.queues;
        queues.splice(FIRST, SECOND).unwrap();
        let mut nth = 0;
        while let Some(entries) = queues.read(SECOND).unwrap() {
            let entries: Vec<Vec<u8>> = entries.iter().map(<[u8]>::to_vec).collect();
            assert_eq!(entries, numbers(nth..nth + entries.len()));
            nth += entries.len();
            for entry in &entries {
                queues.append(FIRST, entry).unwrap();
            }
        }
        assert!(queues.is_empty(SECOND) && queues.readable(FIRST) == 0);
    });
    assert_eq!(drain(&mut backlog, FIRST), numbers(0..40));
}

#[test]
fn a_job_does_not_read_what_it_appends() {
    let (mut backlog, _) = empty();
    run_job(&mut backlog, |_, outputs| {
        (0..40).for_each(|nth| outputs.queues.append(FIRST, &numbered(nth)).unwrap());
        assert!(outputs.queues.read(FIRST).unwrap().is_none());
        assert_eq!(outputs.queues.len(FIRST), 40);
    });
    assert_eq!(backlog.queue_len(FIRST), 40);
}

#[test]
fn what_the_owner_appends_waits_in_memory_until_it_is_flushed() {
    let (mut backlog, disk) = empty();
    backlog.append(FIRST, &numbered(0)).unwrap();
    assert_eq!((backlog.queue_len(FIRST), files(&disk).len()), (1, 0));
    assert_eq!(drain(&mut backlog, FIRST), numbers(0..0));
    backlog.flush().unwrap();
    assert_eq!(drain(&mut backlog, FIRST), numbers(0..1));
}
