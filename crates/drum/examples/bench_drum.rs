//! The seen-set of a crawl against IRLbot's α and against point look-ups in an embedded store: same machine, same
//! run, same keys, same memory.
//!
//! `cargo xtask bench drum [--from N] [--keys N] [--checks N] [--lookups N] [--store-keys N] [--memory BYTES] [--data DIR]
//! [--dir DIR]`
//!
//! For `--from` keys (10^7), ten times as many and so on up to `--keys` (10^8): 256 DRUMs, one a shard as a crawl has
//! them, are preloaded with the keys, sorted; `--checks` URLs are checked (two for three keys; of few keys, more); then
//! fjall is preloaded with the same keys, sorted, and does `--lookups` (10^5), unless they are more than
//! `--store-keys`. All of it in `--memory` (1 GiB) with the page cache, which a control group enforces. The full size,
//! `--keys 1e9`, takes 45 GB of disk in `--dir` and a quarter of an hour of a core; neither leaves anything behind for the other.
//!
//! **The stream.** One check in nine is of a new key (p = 1/9), and none is repeated within the cache's reach, so
//! n is counted after the cache, through which every check goes all the same. URL text is the outlinks of the
//! saved pages in `--data` (`DRUMLIN_DATA`, or `shared/data` beside the workspace), as they stand on the pages;
//! short ones are left out so that the mean is 110 bytes (b). A page's links to its own domain go to one shard,
//! the others to any, and a shard sees no text twice before it has seen all of them, so that no text repeats
//! within what is compressed together. Which key a text has is chosen by the benchmark. Without the saved pages
//! the text is made up, which says less.
//!
//! **What is timed.** The hash of each text, the cache, appends, merges, verdicts, and the queue of new URLs; not
//! the making of the stream. Time is that of all threads of the process on their cores, in the system too; the
//! kernel's own threads (write-back) are not counted, for either side.
#![expect(clippy::disallowed_methods, reason = "a measurement reads its environment")]

#[path = "bench_drum/gigabyte.rs"]
mod gigabyte;
#[path = "bench_drum/options.rs"]
mod options;
#[path = "bench_drum/outlinks.rs"]
mod outlinks;
#[path = "bench_drum/report.rs"]
mod report;
#[path = "bench_drum/seen_set.rs"]
mod seen_set;
#[path = "bench_drum/stopwatch.rs"]
mod stopwatch;
#[path = "bench_drum/store.rs"]
mod store;
#[path = "bench_drum/stream.rs"]
mod stream;
#[path = "bench_drum/theorem.rs"]
mod theorem;
#[path = "bench_drum/uniques.rs"]
mod uniques;

use drum::Packing;
use gigabyte::Gigabyte;
use options::Options;
use outlinks::Outlinks;
use report::{Report, Row};
use seen_set::SeenSet;
use std::fs;
use std::path::{Path, PathBuf};
use stream::{Keys, Stream};

fn main() {
    let options = Options::parse(std::env::args().skip(1));
    let outlinks = Outlinks::read(options.data.as_deref());
    let gigabyte = Gigabyte::enforce(options.memory_bytes);
    let mut report = Report::begin(&options, &outlinks, &gigabyte);
    let mut keys = options.from.min(options.keys);
    loop {
        let row = measure(&options, &outlinks, keys);
        report.add(row);
        if keys == options.keys {
            break;
        }
        keys = (10 * keys).min(options.keys);
    }
    report.add_bare(measure_bare(&options, &outlinks, report.last()));
    report.end(&gigabyte);
}

/// DRUM and the store, one after the other in the same place.
fn measure(options: &Options, outlinks: &Outlinks, keys: u64) -> Row {
    let drum = check(options, outlinks, Keys::new(keys), options.checks_for(keys), Packing::Packed);
    report::print_drum(keys, &drum);
    let store = options.store_holds(keys).then(|| look_up(options, outlinks, Keys::new(keys)));
    Row { keys, drum, store }
}

fn look_up(options: &Options, outlinks: &Outlinks, keys: Keys) -> store::Measured {
    let dir = Workplace::new(&options.dir);
    let mut stream = Stream::new(outlinks, keys);
    store::measure(&dir.0, keys, &mut stream, options.lookups).expect("the store")
}

/// What α is without compression: on the smallest scale, with as much disk a key as `packed` had.
fn measure_bare(options: &Options, outlinks: &Outlinks, packed: &Row) -> Row {
    let keys = 10_000_000.min(options.keys);
    let bytes_a_key = packed.drum.bucket_bytes as f64 / packed.keys as f64;
    let bare_bytes_a_check = 8.0 + outlinks.mean_bytes() + 2.0;
    let checks = (bytes_a_key * keys as f64 / bare_bytes_a_check) as u64;
    let drum = check(options, outlinks, Keys::new(keys), checks, Packing::Bare);
    Row { keys, drum, store: None }
}

fn check(
    options: &Options,
    outlinks: &Outlinks,
    keys: Keys,
    checks: u64,
    packing: Packing,
) -> seen_set::Measured {
    let dir = Workplace::new(&options.dir);
    let mut stream = Stream::new(outlinks, keys);
    SeenSet::preloaded(&dir.0, keys, checks, packing).check(&mut stream, checks)
}

/// A directory that goes with its contents.
struct Workplace(PathBuf);

impl Workplace {
    fn new(parent: &Path) -> Self {
        let dir = parent.join(format!("bench-drum-{}", std::process::id()));
        fs::create_dir_all(&dir).expect("a directory to work in");
        Self(dir)
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // What cannot be removed is left to the operator, who was told the directory.
        let _ = fs::remove_dir_all(&self.0);
    }
}
