//! Exports of an archive that is many times what they may take, under a meter: the longer crawl takes no more than the shorter.

mod common;

use common::{Crawl, MEMORY_BYTES};
use meter::Meter;

#[global_allocator]
static METER: Meter = Meter::new();

const SHORT: u64 = 500;
const LONG: u64 = 4 * SHORT;

/// What an export takes beside its memory: the page at hand as it came, as text and as links, a row group that is read, compressors.
const BESIDE_BYTES: usize = 12 << 20;

/// What the longer crawl may take more, of 29 MB that it has more: blocks of the index that the shorter does not fill, and the footer of
/// a table, which says where each of its row groups is; they are very small here.
const MORE_BYTES: usize = 2 << 20;

#[test]
fn exports_take_what_they_were_given() {
    let (short, long) = (Crawl::of(SHORT), Crawl::of(LONG));
    assert!(long.bytes() > (2 * (MEMORY_BYTES + BESIDE_BYTES)) as u64, "{} bytes", long.bytes());
    for (name, export) in Crawl::EXPORTS {
        let [least, most] = [&short, &long].map(|crawl| METER.peak_while(|| export(crawl)));
        println!("{name}: {} KiB of {SHORT} pages, {} KiB of {LONG}", least >> 10, most >> 10);
        assert!(most <= MEMORY_BYTES + BESIDE_BYTES, "{name} takes {most} bytes");
        assert!(most <= least + MORE_BYTES, "{name} takes {least} bytes of {SHORT} pages, {most} of {LONG}");
    }
}
