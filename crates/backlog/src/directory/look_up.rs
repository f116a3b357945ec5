use super::format::{Footer, keys};
use super::{DirectoryCut, Key};
use crate::block::{Ahead, BlockStream, Kind};
use crate::entries::Entries;
use crate::error::Result;
use crate::names;
use crate::store::Store;
use disk::{Damage, File, Mode, read_exact_at};
use std::ops::Range;
use std::path::Path;

/// The payload of one record, by way of the sparse index: three reads, of which one is a block.
pub(crate) fn look_up(store: &Store, cut: DirectoryCut, key: Key) -> Result<Option<Vec<u8>>> {
    let path = store.path(&names::directory(cut.generation));
    let file = store.disk.open(&path, Mode::Read)?;
    let footer = Footer::read(&*file, &path, cut)?;
    let Some(range) = block_with(&*file, &path, footer, cut, key)? else { return Ok(None) };
    let mut stream = BlockStream::new(range, Ahead::Block);
    let block = stream.next(&*file, &path, Kind::Records)?;
    let Some(nth) = keys(block.keys).position(|there| there == key) else { return Ok(None) };
    let mut payloads = Entries::default();
    payloads.load(&block).map_err(|damage| damage.in_file(path))?;
    Ok(payloads.iter().nth(nth).map(<[u8]>::to_vec))
}

/// Where the block is that has `key` if any has.
pub(super) fn block_with(
    file: &dyn File,
    path: &Path,
    footer: Footer,
    cut: DirectoryCut,
    key: Key,
) -> Result<Option<Range<u64>>> {
    let mut bytes = vec![0; (cut.index_end() - footer.index_offset) as usize];
    read_exact_at(file, &mut bytes, footer.index_offset)?;
    let index = footer.parse_index(&bytes).map_err(|damage: Damage| damage.in_file(path))?;
    let Some(line) = index.partition_point(|line| line.first <= key).checked_sub(1) else { return Ok(None) };
    let end = index.get(line + 1).map_or(footer.index_offset, |next| next.offset);
    Ok(Some(index[line].offset..end))
}
