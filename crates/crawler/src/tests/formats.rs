//! What goes to disk from here: `docs/formats/records.md` and `docs/formats/state.md`. A golden file of each version is
//! read for good; `cargo test -p crawler --lib formats -- --ignored` writes those of the present one.

use super::examples::{START, config, journal};
use crate::saved::Saved;
use crate::{CaptureSeq, Crawler, Record, RecordError, RecoveryError};
use archive::ReplayEntry;
use disk::{OsDisk, replace_file};
use frontier::UrlState;
use std::path::{Path, PathBuf};

const RECORDS: &[u8] = include_bytes!("golden/records-v2.bin");
const STATE: &[u8] = include_bytes!("golden/state-v2.bin");

/// Records one after the other, each behind its length in four bytes.
fn framed() -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in journal() {
        let record = record.encode();
        bytes.extend((record.len() as u32).to_le_bytes());
        bytes.extend(record);
    }
    bytes
}

fn unframed(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut records = Vec::new();
    while let Some((len, rest)) = bytes.split_first_chunk() {
        let (record, rest) = rest.split_at(u32::from_le_bytes(*len) as usize);
        records.push(record);
        bytes = rest;
    }
    records
}

fn entries() -> impl Iterator<Item = Result<ReplayEntry, RecoveryError>> {
    let entry = |(seq, record): (u64, Record)| {
        let location = matches!(&record, Record::Attempt { attempt, .. } if
            matches!(attempt.end, frontier::End::Captured(_)));
        Ok(ReplayEntry {
            seq,
            record: record.encode(),
            location: location.then(|| super::examples::location(seq)),
            committed: stdx::WallTime::from_unix_ms(START.as_ms()),
        })
    };
    (1..).zip(journal()).map(entry)
}

fn recovered(checkpoint: Option<&[u8]>, from: u64) -> Crawler {
    let entries = entries().filter(|entry| entry.as_ref().unwrap().seq >= from);
    Crawler::recover::<RecoveryError>(config(), checkpoint, entries).unwrap()
}

#[test]
#[ignore = "writes the golden files"]
fn write_golden_files() {
    let disk = OsDisk::new(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/golden"))).unwrap();
    replace_file(&disk, Path::new("records-v2.bin"), &framed()).unwrap();
    replace_file(&disk, Path::new("state-v2.bin"), &recovered(None, 1).save()).unwrap();
}

#[test]
fn records_of_version_2_are_read_and_written_alike() {
    assert_eq!(framed(), RECORDS);
    for ((seq, bytes), record) in (1..).zip(unframed(RECORDS)).zip(journal()) {
        assert_eq!(format!("{:?}", Record::decode(seq, bytes).unwrap()), format!("{record:?}"));
    }
}

#[test]
fn the_state_of_version_2_is_read_and_written_alike() {
    assert_eq!(recovered(None, 1).save(), STATE);
    assert_eq!(Saved::decode(STATE).unwrap().encode(), STATE);
    assert_eq!(recovered(Some(STATE), u64::MAX).save(), STATE);
}

#[test]
fn a_checkpoint_at_any_entry_and_the_rest_of_the_journal_give_the_same_state() {
    for cut in 1..=journal().len() as u64 {
        let entries = entries().take(cut as usize);
        let checkpoint = Crawler::recover::<RecoveryError>(config(), None, entries).unwrap().save();
        // The replay begins somewhat earlier: what is covered is not applied twice.
        assert_eq!(recovered(Some(&checkpoint), cut.saturating_sub(2)).save(), STATE, "cut at {cut}");
    }
}

#[test]
fn the_example_has_urls_in_every_state() {
    let crawler = recovered(None, 1);
    let count = |is: fn(&UrlState) -> bool| crawler.urls().filter(|state| is(state)).count();
    assert_eq!(count(|state| matches!(state, UrlState::Fetched { .. })), 4);
    assert_eq!(count(|state| matches!(state, UrlState::Excluded { .. })), 1);
    assert_eq!(count(|state| matches!(state, UrlState::Pending(_))), 6);
    assert_eq!(crawler.tally.pages, 2, "redirects and what is tried again are no pages");
    crawler.check_invariants();
}

#[test]
fn another_version_is_refused_by_name() {
    for record in unframed(include_bytes!("golden/records-v1.bin")) {
        let error = Record::decode(41, record).unwrap_err();
        assert!(matches!(error, RecordError::Version { seq: 41, version: 1 }));
        assert_eq!(error.to_string(), "journal entry 41 has record version 1; this program reads version 2");
    }
    let error = Saved::decode(include_bytes!("golden/state-v1.bin")).unwrap_err();
    assert_eq!(error.to_string(), "the checkpoint has state version 1; this program reads version 2");
}

#[test]
fn what_is_cut_or_too_long_is_malformed() {
    for bytes in unframed(RECORDS) {
        for cut in 0..bytes.len() {
            assert!(matches!(Record::decode(1, &bytes[..cut]), Err(RecordError::Malformed { .. })));
        }
        assert!(Record::decode(1, &[bytes, b"x"].concat()).is_err());
    }
    for cut in (0..STATE.len()).step_by(7) {
        assert!(matches!(Saved::decode(&STATE[..cut]), Err(RecoveryError::Checkpoint(_))), "{cut}");
    }
    assert!(Saved::decode(&[STATE, b"x"].concat()).is_err());
}

#[test]
fn a_gap_in_the_journal_and_another_seed_are_refused() {
    let gap = entries().filter(|entry| entry.as_ref().unwrap().seq != 5);
    let error = Crawler::recover::<RecoveryError>(config(), None, gap).unwrap_err();
    assert_eq!(error.to_string(), "the journal goes from entry 4 to 6");
    let mut other = config();
    other.rules = std::sync::Arc::new(crate::Rules {
        scope: weburl::ScopeRules::new(weburl::Scope::Any),
        folding: weburl::Folding::ALL,
        seed: 8,
    });
    let error = Crawler::recover::<RecoveryError>(other, Some(STATE), entries().take(0)).unwrap_err();
    assert!(matches!(error, RecoveryError::OtherCrawl));
}

#[test]
fn a_row_in_a_closed_file_is_noted_and_not_made_again() {
    let unclosed = entries().filter(|entry| entry.as_ref().unwrap().seq < 6);
    let mut crawler = Crawler::recover::<RecoveryError>(config(), None, unclosed).unwrap();
    let none = std::iter::empty::<Result<ReplayEntry, RecoveryError>>();
    crawler.resume(crate::Stop::Unclean, START + 100_000, |capture| capture == CaptureSeq(4), none).unwrap();
    assert_eq!(crawler.tally.rows, 1);
    let wants = crawler.unfinished.get(CaptureSeq(4)).unwrap().wants;
    assert!(wants.links && !wants.row);
}
