//! What a search takes is what it was given, however many texts there are.

use disk::{OsDisk, SharedDisk};
use near::{Config, Similarity, Survey};
use std::path::Path;
use std::sync::Arc;

#[global_allocator]
static METER: meter::Meter = meter::Meter::new();

const CONFIG: Config = Config { similarity: Similarity(0.9), memory_bytes: 2 << 20 };

/// Every third text is the one before with a word changed, and every fingerprint of a third near another.
fn text(n: u64) -> String {
    let original = n - u64::from(n % 3 == 2);
    let words = (0..60).map(|word| format!("w{}", (original * 61 + word) % 90_001));
    words.collect::<Vec<_>>().join(" ") + if n == original { " end" } else { " other end" }
}

fn search(texts: u64) -> u64 {
    let place = tempfile::tempdir().unwrap();
    let disk: SharedDisk = Arc::new(OsDisk::new(place.path().to_owned()).unwrap());
    let mut survey = Survey::begin(disk, Path::new("near"), CONFIG).unwrap();
    let fingerprint = |n: u64| Some((n / 3).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 1 << (n % 3));
    for n in 0..texts {
        survey.add(fingerprint(n), &text(n)).unwrap();
    }
    let mut comparison = survey.compare(&mut stdx::nobody).unwrap();
    for n in 0..texts {
        comparison.add(n, &text(n)).unwrap();
    }
    let mut groups = comparison.finish(&mut stdx::nobody).unwrap();
    std::iter::from_fn(|| groups.next().unwrap()).count() as u64
}

#[test]
fn memory_does_not_grow_with_the_texts() {
    let mut found = 0;
    let peak = METER.peak_while(|| found = search(60_000));
    assert!(found >= 19_000, "{found} of 20,000");
    // Sixty thousand texts have 13 MB of bands, and 2 MB of fingerprints in four tables.
    let beside = 4 << 20;
    assert!(peak <= CONFIG.memory_bytes + beside, "{peak} bytes");
}
