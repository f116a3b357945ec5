use crate::blocks::{Block, BlockMaker};
use crate::error::{Error, Result};
use crate::index_lines::Lines;
use crate::limits::BLOCK_LINES;
use crate::new_file::{NewFile, or_withdraw};
use control::Takedowns;
use disk::Disk;
use std::path::Path;

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ZipNum {
    /// Lines of the index.
    pub lines: u64,
    /// Blocks that they are in.
    pub blocks: u64,
    /// Lines that were left out, because what they are of was taken down.
    pub withheld: u64,
    /// Bytes of the blocks.
    pub bytes: u64,
}

/// The one file of blocks.
const BLOCKS: &str = "cdx-00000.gz";
/// The first line of each block, and where it stands.
const CLUSTER: &str = "cluster.idx";
/// Where the file of blocks lies, for pywb.
const PLACES: &str = "cluster.loc";

/// Writes the sorted CDXJ `index`, less what was `taken` down, as blocks of [`BLOCK_LINES`], a gzip member each, into `dir`.
pub fn zipnum(disk: &dyn Disk, index: &Path, taken: &Takedowns, dir: &Path) -> Result<ZipNum> {
    disk.create_dir(dir).map_err(Error::disk(dir))?;
    or_withdraw(write(disk, index, taken, dir), disk, dir)
}

fn write(disk: &dyn Disk, index: &Path, taken: &Takedowns, dir: &Path) -> Result<ZipNum> {
    let mut lines = Lines::open(disk, index, taken)?;
    let mut blocks = BlockMaker::new(BLOCK_LINES);
    let mut writer = Writer {
        blocks: NewFile::create(disk, dir.join(BLOCKS))?,
        cluster: NewFile::create(disk, dir.join(CLUSTER))?,
        written: ZipNum::default(),
    };
    while let Some(line) = lines.next()? {
        writer.written.lines += 1;
        blocks.push(line).map_or(Ok(()), |block| writer.put(&block))?;
    }
    writer.written.withheld = lines.withheld();
    blocks.take().map_or(Ok(()), |block| writer.put(&block))?;
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
    written: ZipNum,
}

impl Writer {
    fn put(&mut self, Block { first, member }: &Block) -> Result<()> {
        self.written.blocks += 1;
        let (offset, length, number) = (self.blocks.len(), member.len(), self.written.blocks);
        let line = format!("{first}\t{BLOCKS}\t{offset}\t{length}\t{number}\n");
        self.cluster.write(line.as_bytes())?;
        self.blocks.write(member)
    }
}
