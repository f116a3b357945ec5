use super::check_printed;
use crate::irlbot::{
    BUFFER_BYTES, COMPRESSED_URL_BYTES, CPU_PAGES_PER_S, DISK_RATE, GB, LINKS, STREAM, TABLE_II_DISK,
    TABLE_VI_CACHE, TABLE_VI_MISSES, TABLE_VII_CACHE_STEP, TABLE_VII_MISSES, disk_for,
};
use crate::urlseen::{
    DrumSpace, alpha_drum, alpha_drum_least, alpha_mercator_b, alpha_polybot, drum_disk_for, pages_per_s,
};
use crate::{cache, urlseen};

/// The rows of Tables II, III, VI and VII.
const PAGES: [f64; 5] = [800e6, 8e9, 80e9, 800e9, 8e12];

/// The memory columns of Tables III, VI and VII.
const RAM_GB: [f64; 2] = [4.0, 8.0];

fn drum(ram: f64, disk: f64) -> DrumSpace {
    DrumSpace { ram, disk, buffer: BUFFER_BYTES }
}

#[test]
fn table_ii() {
    let printed = [
        ["11.6", "69", "2.26"],
        ["93", "663", "2.35"],
        ["917", "6, 610", "3.3"],
        ["9, 156", "66, 082", "12.5"],
        ["91, 541", "660, 802", "104"],
    ];
    for (pages, [mercator_b, polybot, drum_cell]) in PAGES.into_iter().zip(printed) {
        let n = LINKS * pages;
        check_printed("Mercator-B", alpha_mercator_b(&STREAM, n, GB), mercator_b);
        check_printed("Polybot", alpha_polybot(&STREAM, COMPRESSED_URL_BYTES, n, GB), polybot);
        check_printed("DRUM", alpha_drum(&STREAM, &drum(GB, TABLE_II_DISK), n), drum_cell);
    }
}

#[test]
fn table_iii() {
    let printed = [
        [["4.48", "2.30"], ["3.29", "2.30"]],
        [["25", "2.7"], ["13.5", "2.7"]],
        [["231", "3.3"], ["116", "3.3"]],
        [["2, 290", "3.3"], ["1, 146", "3.3"]],
        [["22, 887", "8.1"], ["11, 444", "3.7"]],
    ];
    for (pages, row) in PAGES.into_iter().zip(printed) {
        for (ram, [mercator_b, drum_cell]) in RAM_GB.into_iter().zip(row) {
            let (n, ram) = (LINKS * pages, ram * GB);
            check_printed("Mercator-B", alpha_mercator_b(&STREAM, n, ram), mercator_b);
            check_printed("DRUM", alpha_drum(&STREAM, &drum(ram, disk_for(&STREAM, n)), n), drum_cell);
        }
    }
}

#[test]
fn table_v() {
    let printed = [(113e3, "1, 295"), (185e3, "1, 757"), (416e3, "2, 552"), (2e6, "3, 577")];
    for (checks_per_s, rate) in printed {
        let computed = cache::pages_per_s_in_proportion(checks_per_s, LINKS, CPU_PAGES_PER_S);
        check_printed("Scache", computed, rate);
        let inverted =
            cache::pages_per_s(checks_per_s, LINKS, CPU_PAGES_PER_S, |rate| rate / CPU_PAGES_PER_S);
        assert!((inverted - computed).abs() < 1e-6, "(19) gives {inverted}, (21) {computed}");
    }
}

#[test]
fn table_vi() {
    let printed = [
        [["3.02", "2.27"], ["2.54", "2.27"]],
        [["10.4", "2.4"], ["6.1", "2.4"]],
        [["84", "3.3"], ["41", "3.3"]],
        [["823", "3.3"], ["395", "3.3"]],
        [["8, 211", "4.5"], ["3, 935", "3.3"]],
    ];
    for (pages, row) in PAGES.into_iter().zip(printed) {
        for (ram, [mercator_b, drum_cell]) in RAM_GB.into_iter().zip(row) {
            // D follows what is checked on disk, πn: with D(n) the third row would print 2.6.
            let (n, ram) = (TABLE_VI_MISSES * LINKS * pages, ram * GB - TABLE_VI_CACHE);
            check_printed("Mercator-B", alpha_mercator_b(&STREAM, n, ram), mercator_b);
            check_printed("DRUM", alpha_drum(&STREAM, &drum(ram, disk_for(&STREAM, n)), n), drum_cell);
        }
    }
}

/// The largest hybrid rate over the cache sizes below `ram`, with α as a function of n and the memory left.
fn best_hybrid(pages: f64, ram: f64, alpha: impl Fn(f64, f64) -> f64) -> f64 {
    let steps = (ram / TABLE_VII_CACHE_STEP) as u32;
    let rate = |step: u32| {
        let cache_bytes = f64::from(step) * TABLE_VII_CACHE_STEP;
        cache::hybrid_pages_per_s(&TABLE_VII_MISSES, cache_bytes, |misses| {
            let alpha = alpha(misses * LINKS * pages, ram - cache_bytes);
            pages_per_s(DISK_RATE, alpha, STREAM.url_bytes, misses * LINKS)
        })
    };
    (0..steps).map(rate).fold(0.0, f64::max)
}

/// The printed cells for DRUM have the initial set in D(n) too: with the D(n) of §IV-E, 80 billion pages give
/// 18,014 instead of 18,023, which is the limit for n → ∞.
fn table_vii_disk(n: f64) -> f64 {
    STREAM.rewritten_bytes(n).max(1e12)
}

#[test]
fn table_vii() {
    let printed = [
        [["18, 051", "26, 433"], ["23, 242", "26, 433"]],
        [["6, 438", "25, 261"], ["10, 742", "25, 261"]],
        [["1, 165", "18, 023"], ["2, 262", "18, 023"]],
        [["136", "18, 023"], ["274", "18, 023"]],
        [["13.9", "11, 641"], ["27.9", "18, 023"]],
    ];
    for (pages, row) in PAGES.into_iter().zip(printed) {
        for (ram, [mercator_b, drum_cell]) in RAM_GB.into_iter().zip(row) {
            let ram = ram * GB;
            let rate = best_hybrid(pages, ram, |n, ram| alpha_mercator_b(&STREAM, n, ram));
            check_printed("Mercator-B", rate, mercator_b);
            let rate =
                best_hybrid(pages, ram, |n, ram| alpha_drum(&STREAM, &drum(ram, table_vii_disk(n)), n));
            check_printed("DRUM", rate, drum_cell);
        }
    }
}

#[test]
fn no_cache_means_every_url_goes_to_disk() {
    let rate = cache::hybrid_pages_per_s(&TABLE_VII_MISSES, 0.0, |misses| 1_000.0 / misses);
    assert_eq!(rate.to_bits(), 1_000f64.to_bits());
}

#[test]
fn section_iv_in_its_text() {
    check_printed("α″min", alpha_drum_least(&STREAM), "2.256");
    let n = LINKS * 8e12;
    let alpha = alpha_drum(&STREAM, &drum(8.0 * GB, disk_for(&STREAM, n)), n);
    let rate = pages_per_s(DISK_RATE, alpha, STREAM.url_bytes, LINKS);
    check_printed("Sdisk of DRUM", rate, "4, 192");
    check_printed("mb/s at 21.2 KB", rate * 21.2e3 * 8.0 / 1e6, "711");
    let mercator_b = alpha_mercator_b(&STREAM, n, 8.0 * GB);
    check_printed("slower", mercator_b / alpha, "3, 075");
    check_printed("Sdisk of Mercator-B", pages_per_s(DISK_RATE, mercator_b, STREAM.url_bytes, LINKS), "1.4");
    let quadratic = |bq: f64| bq * (STREAM.url_bytes + 16.0) / (12.0 * 8.0);
    check_printed("Polybot to Mercator-B at bq = 5.5", quadratic(COMPRESSED_URL_BYTES), "7.2");
}

#[test]
fn the_best_disk_space_is_where_both_branches_meet() {
    let disk = drum_disk_for(&STREAM, GB, BUFFER_BYTES);
    let n = LINKS * 8e12;
    let (below, above) = (drum(GB, disk * (1.0 - 1e-9)), drum(GB, disk * (1.0 + 1e-9)));
    let difference = alpha_drum(&STREAM, &below, n) - alpha_drum(&STREAM, &above, n);
    assert!(difference.abs() < 1e-6, "{difference}");
    let b_100 = urlseen::Stream { url_bytes: 100.0, ..STREAM };
    check_printed("Dopt of the caption, in TB", drum_disk_for(&b_100, GB, BUFFER_BYTES) / 1e12, "4.39");
    check_printed("and of 2 GB", drum_disk_for(&b_100, 2.0 * GB, BUFFER_BYTES) / 1e12, "17");
}
