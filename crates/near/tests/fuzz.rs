//! Tables and their manifest, on what nobody wrote.

use disk::{MemDisk, SharedDisk, replace_file};
use fuzz::Fuzz;
use meter::Meter;
use near::{Entry, Tables};
use std::path::Path;
use std::sync::Arc;

#[global_allocator]
static METER: Meter = Meter::new();

const MANIFEST: &[u8] = include_bytes!("golden/v1/manifest");
const TABLE: &[u8] = include_bytes!("golden/v1/table-0-0000000002.near");

/// As `docs/formats/near.md` draws them.
const TABLE_HEADER_BYTES: usize = 24;
const BLOCK_HEADER_BYTES: usize = 8;
const ENTRY_BYTES: usize = 16;

/// With a checksum that fits, or nothing would be read.
fn sealed_manifest(input: &[u8]) -> Vec<u8> {
    let body = &input[..input.len().saturating_sub(4)];
    [body, &crc32fast::hash(body).to_le_bytes()].concat()
}

/// The same of the header and of every block that is whole.
fn sealed_table(input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let Some((header, mut rest)) = bytes.split_at_mut_checked(TABLE_HEADER_BYTES) else { return bytes };
    let checksum = crc32fast::hash(&header[..TABLE_HEADER_BYTES - 4]);
    header[TABLE_HEADER_BYTES - 4..].copy_from_slice(&checksum.to_le_bytes());
    while let Some((header, after)) = rest.split_at_mut_checked(BLOCK_HEADER_BYTES) {
        let count = u32::from_le_bytes([header[0], header[1], header[2], header[3]]) as usize;
        let Some((block, after)) = after.split_at_mut_checked(count.saturating_mul(ENTRY_BYTES)) else {
            break;
        };
        header[4..].copy_from_slice(&crc32fast::hash(block).to_le_bytes());
        rest = after;
    }
    bytes
}

/// Looks up and adds; how many were found.
fn used(manifest: &[u8], table: &[u8]) -> near::Result<usize> {
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let put = |name: &str, bytes: &[u8]| replace_file(&*disk, Path::new(name), bytes).expect("memory");
    put("manifest", manifest);
    (0..4).for_each(|nth| put(&format!("table-{nth}-0000000002.near"), &of_table(table, nth)));
    let mut tables = Tables::open(Arc::clone(&disk), Path::new(""))?;
    let (mut found, batch) =
        (0, [Entry { fingerprint: 7, id: 1 << 40 }, Entry { fingerprint: u64::MAX, id: 9 }]);
    tables.look_up(&batch, |_| {
        found += 1;
        Ok(())
    })?;
    tables.add(&batch, |_| Ok(()))?;
    Ok(found)
}

/// A table as the `nth` of the four.
fn of_table(table: &[u8], nth: u8) -> Vec<u8> {
    let mut bytes = table.to_vec();
    if let Some(place) = bytes.get_mut(10) {
        *place = place.wrapping_add(nth);
    }
    sealed_table(&bytes)
}

#[test]
fn near_tables() {
    assert_eq!(sealed_table(TABLE), TABLE, "checksums are where they are drawn");
    Fuzz::new("near_tables").seeds([TABLE]).executions(1000).run(|input| {
        let peak = METER.peak_while(|| drop(used(MANIFEST, input)));
        assert!(peak <= 64 * input.len() + (32 << 20), "{peak} bytes for {}", input.len());
    });
}

#[test]
fn near_manifests() {
    assert_eq!(sealed_manifest(MANIFEST), MANIFEST, "the checksum is where it is drawn");
    used(MANIFEST, TABLE).expect("what was written is read");
    let last = [&MANIFEST[..10], &u64::MAX.to_le_bytes(), &MANIFEST[18..]].concat();
    Fuzz::new("near_manifests").seeds([MANIFEST.to_vec(), last]).executions(1000).run(|input| {
        let peak = METER.peak_while(|| {
            for bytes in [input, &sealed_manifest(input)] {
                drop(used(bytes, TABLE));
            }
        });
        assert!(peak <= 32 << 20, "{peak} bytes for {}", input.len());
    });
}
