use crate::limits::ITEM_BYTES;
use crate::scratch::Scratch;
use crate::sorter::Sorter;
use disk::{Disk, MemDisk};
use std::path::Path;

/// However little memory: in order, and none lost, repeated ones neither.
#[test]
fn what_goes_in_comes_out_in_order() {
    let disk = MemDisk::new();
    let mut items: Vec<Vec<u8>> =
        (0..4_000u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes().repeat(20)).collect();
    items.extend(items[..100].to_vec());
    items.push(Vec::new());
    for memory_bytes in [1, 2 * ITEM_BYTES, 4 << 20] {
        let scratch = Scratch::begin(&disk, Path::new("scratch"), memory_bytes).unwrap();
        let mut sorter = Sorter::new(scratch, "test");
        items.iter().try_for_each(|item| sorter.push(item)).unwrap();
        let mut sorted = sorter.finish().unwrap();
        let mut wanted = items.clone();
        wanted.sort();
        for item in wanted {
            assert_eq!(sorted.next().unwrap(), Some(item), "{memory_bytes}");
        }
        assert_eq!(sorted.next().unwrap(), None);
        drop(sorted);
        assert_eq!(disk.list(Path::new("scratch")).unwrap(), Vec::<String>::new(), "{memory_bytes}");
    }
}
