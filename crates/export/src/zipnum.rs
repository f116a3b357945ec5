use crate::error::{Error, Result};
use crate::limits::{BLOCK_BYTES, BLOCK_LINES, LEVEL, LINE_BYTES};
use crate::new_file::NewFile;
use disk::{Disk, Mode, SequentialReader};
use libdeflater::{CompressionLvl, Compressor};
use std::io::{BufRead, Read};
use std::path::Path;

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ZipNum {
    /// Lines of the index.
    pub lines: u64,
    /// Blocks that they are in.
    pub blocks: u64,
    /// Bytes of the blocks.
    pub bytes: u64,
}

/// The one file of blocks.
const BLOCKS: &str = "cdx-00000.gz";
/// The first line of each block, and where it stands.
const CLUSTER: &str = "cluster.idx";
/// Where the file of blocks lies, for pywb.
const PLACES: &str = "cluster.loc";

/// Writes the sorted CDXJ `index` as blocks of [`BLOCK_LINES`], a gzip member each, into `dir`.
pub fn zipnum(disk: &dyn Disk, index: &Path, dir: &Path) -> Result<ZipNum> {
    disk.create_dir(dir).map_err(Error::disk(dir))?;
    let mut lines = Lines::open(disk, index)?;
    let mut writer = Writer {
        blocks: NewFile::create(disk, dir.join(BLOCKS))?,
        cluster: NewFile::create(disk, dir.join(CLUSTER))?,
        compressor: Compressor::new(CompressionLvl::new(LEVEL).expect("libdeflate knows it")),
        block: Block::default(),
        written: ZipNum::default(),
    };
    while let Some(line) = lines.next()? {
        writer.push(line)?;
    }
    writer.end_block()?;
    let mut places = NewFile::create(disk, dir.join(PLACES))?;
    places.write(format!("{BLOCKS}\t{BLOCKS}\n").as_bytes())?;
    // Whoever finds the cluster finds all that it names.
    let bytes = writer.blocks.finish(disk)?;
    places.finish(disk)?;
    writer.cluster.finish(disk)?;
    Ok(ZipNum { bytes, ..writer.written })
}

struct Writer {
    blocks: NewFile,
    cluster: NewFile,
    compressor: Compressor,
    block: Block,
    written: ZipNum,
}

#[derive(Default)]
struct Block {
    /// Key and time of the first line.
    first: String,
    lines: u64,
    bytes: Vec<u8>,
}

impl Writer {
    fn push(&mut self, line: Line<'_>) -> Result<()> {
        if self.block.lines == 0 {
            line.place.clone_into(&mut self.block.first);
        }
        self.block.bytes.extend_from_slice(line.text);
        self.block.lines += 1;
        self.written.lines += 1;
        let is_full = self.block.lines == BLOCK_LINES || self.block.bytes.len() >= BLOCK_BYTES;
        if is_full { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> Result<()> {
        if self.block.lines == 0 {
            return Ok(());
        }
        let mut member = vec![0; self.compressor.gzip_compress_bound(self.block.bytes.len())];
        let length = self.compressor.gzip_compress(&self.block.bytes, &mut member);
        let length = length.expect("the bound is libdeflate's own");
        self.written.blocks += 1;
        let Self { block, written, blocks, .. } = self;
        let line = format!("{}\t{BLOCKS}\t{}\t{length}\t{}\n", block.first, blocks.len(), written.blocks);
        self.cluster.write(line.as_bytes())?;
        self.blocks.write(&member[..length])?;
        self.block.lines = 0;
        self.block.bytes.clear();
        Ok(())
    }
}

/// Of an index, with its line feed.
#[derive(Clone, Copy)]
struct Line<'a> {
    text: &'a [u8],
    /// Key and time.
    place: &'a str,
}

struct Lines<'a> {
    path: &'a Path,
    from: SequentialReader,
    text: Vec<u8>,
    count: u64,
}

impl<'a> Lines<'a> {
    fn open(disk: &dyn Disk, path: &'a Path) -> Result<Self> {
        let open = || SequentialReader::whole(disk.open(path, Mode::Read)?);
        Ok(Self { path, from: open().map_err(Error::disk(path))?, text: Vec::new(), count: 0 })
    }

    fn next(&mut self) -> Result<Option<Line<'_>>> {
        self.text.clear();
        self.count += 1;
        let mut bounded = (&mut self.from).take(LINE_BYTES as u64);
        if bounded.read_until(b'\n', &mut self.text).map_err(Error::disk(self.path))? == 0 {
            return Ok(None);
        }
        let broken = || Error::Index { path: self.path.to_owned(), line: self.count };
        let place = self.text.ends_with(b"\n").then(|| place_of(&self.text)).flatten().ok_or_else(broken)?;
        Ok(Some(Line { text: &self.text, place }))
    }
}

/// What stands before the fields.
fn place_of(line: &[u8]) -> Option<&str> {
    let end = line.windows(2).position(|two| two == b" {")?;
    std::str::from_utf8(&line[..end]).ok().filter(|place| place.contains(' '))
}
