use super::format::{BLOCK_HEADER_BYTES, BlockHeader, FOOTER_BYTES, Footer, HEADER_BYTES, KeyFileId};
use crate::error::Result;
use crate::limits::STREAM_BYTES;
use crate::segment::open_stream;
use crate::value::Value;
use disk::{Damage, Disk, File, Mode, SequentialReader, read_exact_at};
use std::io::{ErrorKind, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// Reads a key file from front to back, block by block.
pub(crate) struct KeyReader<V> {
    source: Option<SequentialReader>,
    path: PathBuf,
    footer: Footer,
    payload: Vec<u8>,
    block: KeyBlock,
    read: u64,
    value: PhantomData<V>,
}

/// The block at hand: its keys and the column of their values.
#[derive(Debug, Default)]
pub(crate) struct KeyBlock {
    pub(crate) keys: Vec<u64>,
    pub(crate) values: Vec<u8>,
}

impl KeyBlock {
    /// The bytes of the value of the key at `place`.
    pub(crate) fn value_mut(&mut self, place: usize, value_bytes: usize) -> &mut [u8] {
        &mut self.values[place * value_bytes..(place + 1) * value_bytes]
    }
}

impl<V: Value> KeyReader<V> {
    /// Opens the key file at `path`, which must be `id`'s and has `bytes`.
    pub(crate) fn open(disk: &dyn Disk, path: PathBuf, id: KeyFileId, bytes: u64) -> Result<Self> {
        let file = open_stream(disk, &path, Mode::Read, bytes)?;
        let footer = open_checked(&*file, &path, id)?;
        let range = HEADER_BYTES as u64..footer.index_offset;
        let source = Some(SequentialReader::with_buffer(file, range, STREAM_BYTES));
        Ok(Self { source, footer, ..Self::empty(path) })
    }

    /// Reads nothing: a bucket without keys.
    pub(crate) fn empty(path: PathBuf) -> Self {
        let footer = Footer { index_offset: 0, blocks: 0, keys: 0, index_checksum: 0 };
        let (payload, block) = (Vec::new(), KeyBlock::default());
        Self { source: None, path, footer, payload, block, read: 0, value: PhantomData }
    }

    /// The next block, or `None` after the last.
    pub(crate) fn next_block(&mut self) -> Result<Option<&mut KeyBlock>> {
        let Some(source) = &self.source else { return Ok(None) };
        if source.offset() < self.footer.index_offset {
            return self.read_block().map(Some);
        }
        if self.read < self.footer.keys {
            return Err(self.damaged("keys are missing"));
        }
        Ok(None)
    }

    fn read_block(&mut self) -> Result<&mut KeyBlock> {
        let mut header = [0; BLOCK_HEADER_BYTES];
        self.read_exactly(&mut header)?;
        let parsed =
            BlockHeader::parse::<V>(&header).ok_or_else(|| self.damaged("an impossible block header"))?;
        let mut payload = std::mem::take(&mut self.payload);
        payload.resize(parsed.payload_bytes, 0);
        self.read_exactly(&mut payload)?;
        let values = parsed.decode::<V>(&header, &payload, &mut self.block.keys);
        let values = values.ok_or_else(|| self.damaged("a block's checksum does not fit"))?;
        self.block.values.clear();
        self.block.values.extend_from_slice(values);
        self.payload = payload;
        self.read += parsed.count as u64;
        Ok(&mut self.block)
    }

    fn read_exactly(&mut self, out: &mut [u8]) -> Result<()> {
        let source = self.source.as_mut().expect("a block is read from a file");
        source.read_exact(out).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => self.damaged("a block reaches into the index"),
            _ => error.into(),
        })
    }

    fn damaged(&self, what: &'static str) -> crate::Error {
        Damage::Bad(what).in_file(&self.path).into()
    }
}

/// Checks header and footer; returns the footer.
pub(super) fn open_checked(file: &dyn File, path: &Path, id: KeyFileId) -> Result<Footer> {
    let len = file.len()?;
    if len < (HEADER_BYTES + FOOTER_BYTES) as u64 {
        return Err(Damage::Bad("too short for a key file").in_file(path).into());
    }
    let mut header = [0; HEADER_BYTES];
    read_exact_at(file, &mut header, 0)?;
    id.check(&header).map_err(|damage| damage.in_file(path))?;
    let mut footer = [0; FOOTER_BYTES];
    let footer_at = len - FOOTER_BYTES as u64;
    read_exact_at(file, &mut footer, footer_at)?;
    let in_bounds = |footer: &Footer| (HEADER_BYTES as u64..=footer_at).contains(&footer.index_offset);
    let footer = Footer::parse(&footer).filter(in_bounds);
    Ok(footer.ok_or_else(|| Damage::Bad("its end is damaged").in_file(path))?)
}
