//! What goes to disk from here: `docs/formats/records.md` and `docs/formats/state.md`. A golden file of each version is
//! read for good; `cargo test -p crawler --lib formats -- --ignored` writes those of the present one.

use super::examples::{
    FIRST, START, asked_again, between_nodes, commands, config, discovered, failed, grouped, journal,
    led_in_a_circle, listed, lost, orders, outage, page, promised, put_off, saved_peers,
};
use crate::orders::Orders;
use crate::saved::{Head, Rest, Saved, SavedWriter};
use crate::{CaptureSeq, CrawlConfig, Crawler, Event, Promise, Record, RecordError, RecoveryError, Storage};
use archive::{Checkpoint, ReplayEntry};
use disk::{Disk, MemDisk, OsDisk, SharedDisk, read_all, replace_file};
use frontier::{End, FailureKind, Hunger, Pending, Stop, UrlState};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use weburl::Folding;

const RECORDS: &[u8] = include_bytes!("golden/records-v2.bin");
const STATE: &[u8] = include_bytes!("golden/state-v6.bin");
/// With shards of version 2, and with hosts that did not count sitemaps.
const FIRST_STATE_6: &[u8] = include_bytes!("golden/state-v6-first.bin");
const SECOND_STATE_6: &[u8] = include_bytes!("golden/state-v6-second.bin");
/// Written by programs that did not say what is the same URL, and by those whose hosts did not know whether their address
/// had failed.
const STATE_5: &[u8] = include_bytes!("golden/state-v5.bin");
const FIRST_STATE_5: &[u8] = include_bytes!("golden/state-v5-first.bin");
/// Written by programs that kept no outage.
const STATE_4: &[u8] = include_bytes!("golden/state-v4.bin");
/// Written by programs that kept no line with a crawl-delay, and shards of version 1.
const FIRST_RECORDS: &[u8] = include_bytes!("golden/records-v2-first.bin");
const FIRST_STATE: &[u8] = include_bytes!("golden/state-v4-first.bin");
/// Written by programs whose hosts counted no refusals, and by those whose hosts knew of no authorities that rest.
const SECOND_STATE: &[u8] = include_bytes!("golden/state-v4-second.bin");
const THIRD_STATE: &[u8] = include_bytes!("golden/state-v4-third.bin");
const STATE_2: &[u8] = include_bytes!("golden/state-v2.bin");
const STATE_3: &[u8] = include_bytes!("golden/state-v3.bin");
const STATE_OF_SEVERAL: &[u8] = include_bytes!("golden/state-of-several-v6.bin");
const STATE_OF_SEVERAL_5: &[u8] = include_bytes!("golden/state-of-several-v5.bin");
const STATE_OF_SEVERAL_4: &[u8] = include_bytes!("golden/state-of-several-v4.bin");
const STATE_OF_SEVERAL_3: &[u8] = include_bytes!("golden/state-of-several-v3.bin");
/// The files of the shards, and those that a program wrote whose buckets were packed by a closer search.
const FILES: &[u8] = include_bytes!("golden/state-v4.files");
const FIRST_FILES: &[u8] = include_bytes!("golden/state-v3.files");

/// One of each kind at least.
fn records() -> impl Iterator<Item = Record> {
    let last = [grouped(), listed(), lost(), discovered(), led_in_a_circle(), put_off(), asked_again()];
    journal().into_iter().chain(between_nodes()).chain([promised()]).chain(commands()).chain(last)
}

/// The state of a node among several, but for what those of one have too.
fn state_of_several() -> Saved {
    let rest = Rest { peers: Some(saved_peers()), ..Rest::default() };
    Saved {
        head: Head::default(),
        shards: Vec::new(),
        rest,
        orders: orders(),
        outage: Some(outage()),
        folding: Some(Folding::ALL),
    }
}

fn written(saved: &Saved) -> Vec<u8> {
    let mut writer = SavedWriter::begin(&saved.head, saved.shards.len());
    saved.shards.iter().for_each(|(shard, state)| writer.shard(*shard, state));
    writer.finish(&saved.rest, &saved.orders, saved.outage.as_ref(), saved.folding.unwrap())
}

/// Records one after the other, each behind its length in four bytes.
fn framed() -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in records() {
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

fn entries() -> impl Iterator<Item = archive::Result<ReplayEntry>> {
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

/// The crawl behind these entries of the journal, on a disk as it was left.
fn recovered(disk: &MemDisk, checkpoint: Option<&[u8]>, entries: RangeInclusive<u64>) -> Crawler {
    let entries = self::entries().filter(|entry| entries.contains(&entry.as_ref().unwrap().seq));
    Crawler::recover(config(), Arc::new(disk.clone()), checkpoint, entries).unwrap()
}

const ALL: RangeInclusive<u64> = 1..=u64::MAX;

/// What a checkpoint of it holds.
fn saved(crawler: &mut Crawler) -> Vec<u8> {
    crawler.save(&mut stdx::nobody).unwrap().state
}

/// Files below the root, by path.
fn files(disk: &MemDisk) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut dirs = vec![PathBuf::new()];
    while let Some(dir) = dirs.pop() {
        for path in disk.list(&dir).unwrap().into_iter().map(|name| dir.join(name)) {
            match read_all(disk, &path) {
                Ok(bytes) => files.push((path, bytes)),
                Err(_) => dirs.push(path),
            }
        }
    }
    files.sort();
    files
}

/// The disk that the golden state is of.
fn golden_disk(files: &[u8]) -> MemDisk {
    let disk = MemDisk::new();
    for (path, bytes) in postcard::from_bytes::<Vec<(PathBuf, Vec<u8>)>>(files).unwrap() {
        disk.create_dir(path.parent().unwrap()).unwrap();
        replace_file(&disk, &path, &bytes).unwrap();
    }
    disk
}

/// The answer that there is no page, of which older programs derived nothing.
fn absent() -> CaptureSeq {
    let says_404 = |end: &End| matches!(end, End::Captured(response) if response.status == 404);
    let is_absent =
        |record: &Record| matches!(record, Record::Attempt { attempt, .. } if says_404(&attempt.end));
    CaptureSeq(1 + journal().iter().position(is_absent).expect("there is one") as u64)
}

/// The end of the crawl as far as anybody can tell: every URL's state, but for where it waits; clocks; what is to be
/// derived; counts. Nobody can tell when a run began that promises nothing, as the example's does at first.
fn told(mut crawler: Crawler) -> String {
    for shard in 0..=u8::MAX {
        while crawler.shards.if_open(shard).is_some_and(|shard| shard.undecided() > 0) {
            crawler.work_at_once(shard, Hunger::Starving).unwrap();
        }
    }
    let mut states = BTreeMap::new();
    let note = |key, state| {
        let told = match state {
            UrlState::Pending { pending, .. } => format!("{:?}", Pending { order: 0, ..pending }),
            other => format!("{other:?}"),
        };
        states.insert(key, told);
    };
    crawler.walk(note).unwrap();
    crawler.tally.elapsed_ms = 0;
    let servers = crawler.servers.save(crawler.tally.latest);
    let derived = crawler.unfinished.save().into_iter().filter(|(capture, _)| *capture != absent());
    format!("{states:#?} {servers:?} {:?} {:?}", derived.collect::<Vec<_>>(), crawler.tally)
}

#[test]
#[ignore = "writes the golden files"]
fn write_golden_files() {
    let disk = OsDisk::new(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/golden"))).unwrap();
    let crawled = MemDisk::new();
    let state = saved(&mut recovered(&crawled, None, ALL));
    let files = postcard::to_allocvec(&files(&crawled)).unwrap();
    let of_several = written(&state_of_several());
    let written = [("records-v2", framed()), ("state-v6", state), ("state-of-several-v6", of_several)];
    for (name, bytes) in written {
        replace_file(&disk, Path::new(&format!("{name}.bin")), &bytes).unwrap();
    }
    replace_file(&disk, Path::new("state-v4.files"), &files).unwrap();
}

#[test]
fn the_state_of_version_2_is_read() {
    let read = recovered(&golden_disk(FIRST_FILES), Some(STATE_2), u64::MAX..=u64::MAX);
    assert_eq!(read.orders, Orders::default());
    assert_eq!(told(read), told(recovered(&MemDisk::new(), None, ALL)));
}

#[test]
fn the_state_of_version_3_is_read() {
    let read = recovered(&golden_disk(FIRST_FILES), Some(STATE_3), u64::MAX..=u64::MAX);
    assert_eq!(told(read), told(recovered(&MemDisk::new(), None, ALL)));
    let mut orders = orders();
    orders.purged_through = 0;
    assert_eq!(Saved::decode(STATE_OF_SEVERAL_3).unwrap().orders, orders, "nothing was purged then");
}

#[test]
fn records_of_version_2_are_read_and_written_alike() {
    assert_eq!(framed(), RECORDS);
    for ((seq, bytes), record) in (1..).zip(unframed(RECORDS)).zip(records()) {
        assert_eq!(format!("{:?}", Record::decode(seq, bytes).unwrap()), format!("{record:?}"));
    }
}

#[test]
fn the_first_records_of_version_2_are_read_and_written_alike() {
    for ((seq, bytes), record) in (1..).zip(unframed(FIRST_RECORDS)).zip(records()) {
        let read = Record::decode(seq, bytes).unwrap();
        assert_eq!(std::mem::discriminant(&read), std::mem::discriminant(&record));
        assert_eq!(read.encode(), bytes);
    }
}

#[test]
fn states_of_version_4_are_read() {
    assert_eq!(Saved::decode(STATE_OF_SEVERAL_4).unwrap().outage, None, "nobody asked then");
    for earlier in [FIRST_STATE, SECOND_STATE, THIRD_STATE, STATE_4] {
        let read = recovered(&golden_disk(FIRST_FILES), Some(earlier), u64::MAX..=u64::MAX);
        assert_eq!(told(read), told(recovered(&MemDisk::new(), None, ALL)));
    }
}

#[test]
fn states_of_version_5_are_read() {
    assert_eq!(Saved::decode(STATE_OF_SEVERAL_5).unwrap().folding, None, "nobody said then");
    for earlier in [FIRST_STATE_5, STATE_5] {
        let read = recovered(&golden_disk(FIRST_FILES), Some(earlier), u64::MAX..=u64::MAX);
        assert_eq!(told(read), told(recovered(&MemDisk::new(), None, ALL)));
    }
}

#[test]
fn the_state_of_version_6_is_read_and_written_alike() {
    let disk = MemDisk::new();
    assert_eq!(saved(&mut recovered(&disk, None, ALL)), STATE);
    assert_eq!(postcard::to_allocvec(&files(&disk)).unwrap(), FILES);
    assert_eq!(written(&Saved::decode(STATE).unwrap()), STATE);
    assert_eq!(written(&state_of_several()), STATE_OF_SEVERAL);
    let of_several = Saved::decode(STATE_OF_SEVERAL).unwrap();
    assert_eq!((of_several.rest.peers, of_several.orders), (Some(saved_peers()), orders()));
    assert_eq!(of_several.outage, Some(outage()));
    let earlier = [(FILES, FIRST_STATE_6), (FILES, SECOND_STATE_6)];
    for (files, state) in [(FIRST_FILES, STATE), (FILES, STATE)].into_iter().chain(earlier) {
        let read = recovered(&golden_disk(files), Some(state), u64::MAX..=u64::MAX);
        assert_eq!(told(read), told(recovered(&MemDisk::new(), None, ALL)));
    }
}

#[test]
fn a_checkpoint_at_any_entry_and_the_rest_of_the_journal_give_the_same_state() {
    let whole = told(recovered(&MemDisk::new(), None, ALL));
    for cut in 1..=journal().len() as u64 {
        let disk = MemDisk::new();
        let checkpoint = saved(&mut recovered(&disk, None, 1..=cut));
        // The replay begins somewhat earlier: what is covered is not applied twice.
        let rest = cut.saturating_sub(2)..=u64::MAX;
        assert_eq!(told(recovered(&disk, Some(&checkpoint), rest)), whole, "cut at {cut}");
    }
}

/// A run that is killed does not say how long it took; what it did says so, up to the last of it.
#[test]
fn the_time_of_runs_that_were_killed_counts() {
    let again = |began| match promised() {
        Record::Promised { promise } => Record::Promised { promise: Promise { began, ..promise } },
        other => other,
    };
    let lost = failed(FailureKind::ResponseTimeout);
    let records = [
        journal().swap_remove(0),
        promised(),
        page(FIRST, 1, lost.clone()),
        page(FIRST, 3, lost.clone()),
        again(START + 60_000),
        page(FIRST, 65, lost),
    ];
    let entries = |seqs: RangeInclusive<u64>| {
        (1..).zip(&records).filter(move |(seq, _)| seqs.contains(seq)).map(|(seq, record)| {
            let committed = stdx::WallTime::from_unix_ms(START.as_ms());
            Ok(ReplayEntry { seq, record: record.encode(), location: None, committed })
        })
    };
    for cut in 1..=6 {
        let disk: SharedDisk = Arc::new(MemDisk::new());
        let before = saved(&mut Crawler::recover(config(), disk.clone(), None, entries(1..=cut)).unwrap());
        let crawler = Crawler::recover(config(), disk, Some(&before), entries(cut + 1..=6)).unwrap();
        assert_eq!(crawler.tally.elapsed_ms, 3_040 + 5_040, "cut at {cut}");
    }
    let mut crawler = Crawler::recover(config(), Arc::new(MemDisk::new()), None, entries(1..=6)).unwrap();
    assert_eq!(crawler.tally.elapsed_ms, 3_040 + 5_040);
    let now = START + 100_000;
    crawler.resume(Stop::Unclean, now, |_| false).unwrap();
    assert_eq!(crawler.snapshot(now + 2_000).elapsed_ms, 10_080);
    crawler.handle(now + 4_000, Event::Storage(Storage::Enough));
    let checkpoint = saved(&mut crawler);
    assert_eq!(
        Saved::decode(&checkpoint).unwrap().rest.tally.elapsed_ms,
        12_080,
        "of the run under way, too"
    );
}

#[test]
fn the_example_has_urls_in_every_state() {
    let crawler = recovered(&MemDisk::new(), None, ALL);
    crawler.check_invariants();
    assert_eq!(crawler.tally.pages, 2, "redirects and what is tried again are no pages");
    let told = told(crawler);
    let count = |state: &str| told.matches(&format!("\"{state} {{")).count();
    assert_eq!((count("Fetched"), count("Excluded"), count("Pending")), (4, 1, 6), "{told}");
}

#[test]
fn another_version_is_refused_by_name() {
    for record in unframed(include_bytes!("golden/records-v1.bin")) {
        let error = Record::decode(41, record).unwrap_err();
        assert!(matches!(error, RecordError::Version { seq: 41, version: 1 }));
        assert_eq!(error.to_string(), "journal entry 41 has record version 1; this program reads version 2");
    }
    let error = Saved::decode(include_bytes!("golden/state-v1.bin")).unwrap_err();
    assert_eq!(error.to_string(), "the checkpoint has state version 1; this program reads version 6");
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
fn a_gap_in_the_journal_and_keys_of_another_kind_are_refused() {
    let gap = entries().filter(|entry| entry.as_ref().unwrap().seq != 5);
    let disk = || Arc::new(MemDisk::new());
    let error = Crawler::recover(config(), disk(), None, gap).err().unwrap();
    assert_eq!(error.to_string(), "the journal goes from entry 4 to 6");
    let error = |folding, seed| {
        let scope = weburl::ScopeRules::new(weburl::Scope::Any);
        let other = CrawlConfig { rules: Arc::new(crate::Rules { scope, folding, seed }), ..config() };
        Crawler::recover(other, disk(), Some(STATE), entries().take(0)).err().unwrap()
    };
    assert!(matches!(error(Folding::ALL, 8), RecoveryError::OtherCrawl));
    let sessions_kept = Folding { sessions: false, ..Folding::ALL };
    assert!(matches!(error(sessions_kept, config().rules.seed), RecoveryError::OtherFolding));
}

#[test]
fn whose_a_checkpoint_is_stands_at_its_beginning() {
    let of = |state: &[u8], seed| {
        crate::require_own(&Checkpoint { covers_seq: 1, state: state.to_vec() }, seed)
            .map_err(|error| error.to_string())
    };
    let seed = config().rules.seed;
    for state in [STATE, include_bytes!("golden/state-v2.bin")] {
        assert_eq!(of(state, seed), Ok(()));
        let other = of(&state[..40], seed + 1).unwrap_err();
        assert_eq!(other, "state/checkpoint belongs to another crawl: it was made under another seed");
    }
    assert_eq!(of(b"", seed).unwrap_err(), "the checkpoint is not readable: it is empty");
}

#[test]
fn a_row_in_a_closed_file_is_noted_and_not_made_again() {
    let mut crawler = recovered(&MemDisk::new(), None, 1..=5);
    crawler.resume(crate::Stop::Unclean, START + 100_000, |capture| capture == CaptureSeq(4)).unwrap();
    assert_eq!(crawler.tally.rows, 1);
    let wants = crawler.unfinished.get(CaptureSeq(4)).unwrap().wants;
    assert!(wants.links && !wants.row);
}

#[test]
fn an_attempt_is_known_by_its_tag() {
    for record in journal() {
        assert_eq!(
            Record::is_attempt(&record.encode()),
            matches!(record, Record::Attempt { .. }),
            "{record:?}"
        );
    }
}
