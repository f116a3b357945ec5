use super::{ENTRIES, Gap, Seen, Since, beginning};
use archive::Entry;
use crawler::{Attempt, End, Failure, FailureKind, Record, Subject};
use node::Witness;
use stdx::Timestamp;

/// An entry of the ledger, of some length.
fn entry(url: &str) -> Entry {
    let attempt = Attempt {
        subject: Subject::Name,
        url: url.to_owned(),
        contact: None,
        at: Timestamp::ZERO,
        end: End::Failed(Failure { kind: FailureKind::NameNotFound, detail: String::new() }),
    };
    Entry { record: Record::Attempt { shard: 0, attempt }.encode(), capture: None }
}

#[test]
fn what_came_since_is_given_once() {
    let seen = Seen::default();
    seen.committed(5, &[entry("http://a.example/"), entry("http://b.example/")]);
    let Since { entries, gap } = seen.since(0);
    let numbers: Vec<u64> = entries.iter().map(|entry| entry.seq).collect();
    assert_eq!((numbers, gap), (vec![5, 6], Gap::None));
    assert!(seen.since(7).entries.is_empty());
}

#[test]
fn it_is_bounded_and_says_when_something_was_missed() {
    let seen = Seen::default();
    let batch = vec![entry("http://a.example/"); ENTRIES];
    seen.committed(0, &batch);
    assert_eq!(seen.since(0).gap, Gap::None);
    seen.committed(ENTRIES as u64, &batch[..10]);
    let Since { entries, gap } = seen.since(0);
    assert_eq!((entries.len(), gap), (ENTRIES, Gap::Some));
    assert_eq!(seen.since(10).gap, Gap::None);
}

#[test]
fn long_entries_are_bounded_by_their_bytes() {
    let seen = Seen::default();
    let long = entry(&format!("http://a.example/{}", "x".repeat(300_000)));
    seen.committed(0, &[long.clone(), long.clone(), long.clone(), long]);
    assert_eq!(seen.since(0).entries.len(), 3);
}

#[test]
fn texts_are_cut_between_characters() {
    assert_eq!(beginning("aöb", 2), "a");
    assert_eq!(beginning("aöb", 3), "aö");
    assert_eq!(beginning("short", 100), "short");
}
