use super::fixture::{commit, empty, files, numbered, run_job, scanned, write_section};
use crate::limits::{MAX_ENTRY_BYTES, MAX_RUNS};
use crate::{Backlog, Section};

fn copy(backlog: &mut Backlog, section: Section) -> Section {
    run_job(backlog, |job, outputs| {
        outputs.run.begin();
        outputs.run.copy(&mut job.runs(), section).unwrap();
        outputs.run.end().unwrap().unwrap()
    })
}

#[test]
fn heads_come_one_by_one_and_the_run_goes_with_the_last() {
    let (mut backlog, disk) = empty();
    let (mut left, mut read) = (Some(write_section(&mut backlog, 20)), Vec::new());
    while let Some(section) = left {
        assert_eq!(backlog.runs().live_bytes(), section.bytes);
        let head = backlog.take_head(section).unwrap();
        assert_eq!(head.entries.len() as u64, section.count - head.rest.map_or(0, |rest| rest.count));
        read.extend(head.entries.iter().map(<[u8]>::to_vec));
        left = head.rest;
    }
    assert_eq!(read, (0..20).map(numbered).collect::<Vec<_>>());
    assert!(backlog.runs().is_empty());
    commit(&mut backlog);
    assert_eq!(files(&disk), [""; 0]);
}

#[test]
fn an_entry_larger_than_a_block_is_a_block() {
    let (mut backlog, _) = empty();
    let entries = [vec![1; 10], vec![2; MAX_ENTRY_BYTES], Vec::new(), vec![3; 200]];
    let section = run_job(&mut backlog, |_, outputs| {
        outputs.run.begin();
        for entry in &entries {
            outputs.run.push(entry).unwrap();
        }
        outputs.run.end().unwrap().unwrap()
    });
    assert_eq!(scanned(&backlog, section), entries);
    let rest = backlog.read_head(section).unwrap().rest.unwrap();
    let head = backlog.read_head(rest).unwrap();
    assert!(head.entries.iter().eq([&entries[1][..]]));
}

#[test]
fn sections_are_joined_by_copying() {
    let (mut backlog, _) = empty();
    let sections = [write_section(&mut backlog, 7), write_section(&mut backlog, 9)];
    let joined = run_job(&mut backlog, |job, outputs| {
        let mut runs = job.runs();
        outputs.run.begin();
        outputs.run.push(b"before").unwrap();
        for section in sections {
            outputs.run.copy(&mut runs, section).unwrap();
            outputs.released.add(section);
        }
        outputs.run.push(b"after").unwrap();
        outputs.run.end().unwrap().unwrap()
    });
    let before = std::iter::once(b"before".to_vec());
    let expected = before.chain((0..7).map(numbered)).chain((0..9).map(numbered)).chain([b"after".to_vec()]);
    assert_eq!(scanned(&backlog, joined), expected.collect::<Vec<_>>());
    assert_eq!((backlog.runs().len(), backlog.runs().live_bytes()), (1, joined.bytes));
}

#[test]
fn what_was_read_during_a_copy_is_read_in_the_copy() {
    let (mut backlog, _) = empty();
    let from = write_section(&mut backlog, 20);
    let job = backlog.start_job();
    let mut outputs = super::fixture::nothing(&job);
    outputs.run.begin();
    outputs.run.copy(&mut job.runs(), from).unwrap();
    let to = outputs.run.end().unwrap().unwrap();
    let head = backlog.take_head(from).unwrap();
    let finished = job.finish(outputs).unwrap();
    backlog.finish_job(finished);
    let moved = backlog.relocate(from, to, head.rest).unwrap();
    assert_eq!(scanned(&backlog, moved), (head.entries.len()..20).map(numbered).collect::<Vec<_>>());
    assert_eq!((backlog.runs().len(), backlog.runs().live_bytes()), (1, moved.bytes));
}

#[test]
fn a_copy_that_was_read_to_its_end_meanwhile_is_dropped() {
    let (mut backlog, _) = empty();
    let from = write_section(&mut backlog, 3);
    let to = copy(&mut backlog, from);
    backlog.release(from);
    assert_eq!(backlog.relocate(from, to, None), None);
    assert!(backlog.runs().is_empty());
}

#[test]
fn runs_that_are_half_dead_are_to_be_moved() {
    let (mut backlog, _) = empty();
    let sections: Vec<Section> = run_job(&mut backlog, |_, outputs| {
        let section = |_| {
            outputs.run.begin();
            outputs.run.push(&[9; 50]).unwrap();
            outputs.run.end().unwrap().unwrap()
        };
        (0..4).map(section).collect()
    });
    sections[..2].iter().for_each(|section| backlog.release(*section));
    assert!(backlog.runs().to_move().is_empty(), "half is not less than half");
    backlog.release(sections[2]);
    assert!(backlog.runs().to_move().contains(&sections[3].run));
    assert!(backlog.start_job().should_move(sections[3]));
}

#[test]
fn when_runs_are_too_many_the_least_are_to_be_moved() {
    let (mut backlog, _) = empty();
    let sections: Vec<Section> =
        (0..=MAX_RUNS).map(|nth| write_section(&mut backlog, 2 + nth * 37 % 65)).collect();
    let to_move = backlog.runs().to_move();
    assert_eq!(MAX_RUNS + 1 - to_move.len(), MAX_RUNS / 2);
    let largest_moved =
        sections.iter().filter(|section| to_move.contains(&section.run)).map(|s| s.bytes).max();
    let least_kept = sections.iter().filter(|section| !to_move.contains(&section.run)).map(|s| s.bytes).min();
    assert!(largest_moved <= least_kept);
    backlog.release(sections[0]);
    assert!(backlog.runs().to_move().is_empty(), "as many as there may be");
}

#[test]
#[should_panic(expected = "keeps its run")]
fn a_section_is_released_once() {
    let (mut backlog, _) = empty();
    let section = write_section(&mut backlog, 3);
    backlog.release(section);
    backlog.release(section);
}

#[test]
fn a_pointer_survives_serialisation() {
    let (mut backlog, _) = empty();
    let section = write_section(&mut backlog, 3);
    let bytes = postcard::to_stdvec(&section).unwrap();
    assert_eq!(postcard::from_bytes::<Section>(&bytes).unwrap(), section);
    assert!(bytes.len() <= 8, "{} bytes", bytes.len());
}
