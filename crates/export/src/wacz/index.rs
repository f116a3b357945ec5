use crate::blocks::{Block, BlockMaker};
use crate::error::Result;
use crate::index_lines::Lines;
use crate::limits::WACZ_BLOCK_LINES;
use crate::scratch::{Scratch, ScratchFile, ScratchWriter};
use control::Takedowns;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use stdx::WallTime;

/// The index in blocks, as ReplayWeb.page reads it.
pub(super) struct Index<'a> {
    pub(super) blocks: ScratchFile<'a>,
    pub(super) cluster: ScratchFile<'a>,
    /// The last time in it.
    pub(super) newest: Option<WallTime>,
    /// Captures that stand for answers of an earlier crawl.
    pub(super) not_modified: u64,
}

const BLOCKS: &str = "index.cdx.gz";

/// Of the lines of captures in `archived`, names of WARC files.
pub(super) fn make<'a>(
    scratch: Scratch<'a>,
    index: &Path,
    taken: &Takedowns,
    archived: &BTreeSet<&str>,
) -> Result<Index<'a>> {
    let (blocks, cluster) = (scratch.file(BLOCKS), scratch.file("index.idx"));
    let (mut newest, mut not_modified) = (None, 0);
    blocks.write(|blocks| {
        cluster.write(|cluster| {
            cluster.put(header().as_bytes())?;
            let mut out = Writer { blocks, cluster, offset: 0 };
            let mut maker = BlockMaker::new(WACZ_BLOCK_LINES);
            let mut lines = Lines::open(scratch.disk, index, taken)?;
            while let Some(line) = lines.next()? {
                if line.is_of_another(archived) {
                    continue;
                }
                newest = newest.max(line.time());
                not_modified += u64::from(line.is_not_modified());
                maker.push(line).map_or(Ok(()), |block| out.put(&block))?;
            }
            maker.take().map_or(Ok(()), |block| out.put(&block))
        })
    })?;
    Ok(Index { blocks, cluster, newest, not_modified })
}

struct Writer<'w> {
    blocks: &'w mut ScratchWriter,
    cluster: &'w mut ScratchWriter,
    offset: usize,
}

impl Writer<'_> {
    fn put(&mut self, Block { first, member }: &Block) -> Result<()> {
        let place = json!({ "offset": self.offset, "length": member.len(), "filename": BLOCKS });
        self.offset += member.len();
        self.blocks.put(member)?;
        self.cluster.put(format!("{first} {place}\n").as_bytes())
    }
}

/// What a reader knows the format by.
fn header() -> String {
    let meta = json!({ "format": "cdxj-gzip-1.0", "filename": BLOCKS });
    format!("!meta 0 {meta}\n")
}
