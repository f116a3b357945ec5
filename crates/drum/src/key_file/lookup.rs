use super::format::{BLOCK_HEADER_BYTES, BlockHeader, Footer, INDEX_ENTRY_BYTES, KeyFileId};
use super::reader::open_checked;
use crate::error::Result;
use crate::value::Value;
use disk::{Damage, Disk, File, Mode, read_exact_at};
use std::path::Path;

/// The value of one key, by way of the sparse index: four reads, of which one is a block.
pub(crate) fn look_up<V: Value>(disk: &dyn Disk, path: &Path, id: KeyFileId, key: u64) -> Result<Option<V>> {
    let file = disk.open(path, Mode::Read)?;
    let footer = open_checked(&*file, path, id)?;
    let damaged = |what| Damage::Bad(what).in_file(path);
    let index = read_index(&*file, footer)?.ok_or_else(|| damaged("its index is damaged"))?;
    let Some(place) = index.partition_point(|entry| entry.first <= key).checked_sub(1) else {
        return Ok(None);
    };
    let end = index.get(place + 1).map_or(footer.index_offset, |next| next.offset);
    let block_bytes = end.saturating_sub(index[place].offset) as usize;
    let mut block = vec![0; block_bytes];
    read_exact_at(&*file, &mut block, index[place].offset)?;
    Ok(find_in_block(&block, key).ok_or_else(|| damaged("a block's checksum does not fit"))?)
}

/// A line of the index.
struct IndexEntry {
    first: u64,
    offset: u64,
}

/// The index, `None` if it is damaged.
fn read_index(file: &dyn File, footer: Footer) -> std::io::Result<Option<Vec<IndexEntry>>> {
    let mut bytes = vec![0; footer.blocks as usize * INDEX_ENTRY_BYTES];
    read_exact_at(file, &mut bytes, footer.index_offset)?;
    if crc32fast::hash(&bytes) != footer.index_checksum {
        return Ok(None);
    }
    let (words, _) = bytes.as_chunks().0.as_chunks();
    let entry = |[first, offset]: &[[u8; 8]; 2]| IndexEntry {
        first: u64::from_le_bytes(*first),
        offset: u64::from_le_bytes(*offset),
    };
    Ok(Some(words.iter().map(entry).collect()))
}

/// The outer `None` is a damaged block, the inner one an absent key.
#[expect(clippy::option_option, reason = "the two absences mean different things to the one caller")]
fn find_in_block<V: Value>(block: &[u8], key: u64) -> Option<Option<V>> {
    let (header, payload) = block.split_first_chunk::<BLOCK_HEADER_BYTES>()?;
    let parsed = BlockHeader::parse::<V>(header)?;
    let mut keys = Vec::new();
    let values = parsed.decode::<V>(header, payload, &mut keys)?;
    let found = keys.binary_search(&key).ok();
    Some(found.map(|place| V::decode(&values[place * V::SIZE..(place + 1) * V::SIZE])))
}
