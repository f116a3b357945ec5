use crate::{File, read_exact_at};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// What is copied when a byte of it is written: a page of the operating system's.
const PAGE_BYTES: u64 = 4096;

type Page = Box<[u8; PAGE_BYTES as usize]>;

/// One file: the first bytes of one below, zeros behind them, and above both the pages that were written. Bytes of a page
/// behind the end are zero.
#[derive(Default)]
pub(super) struct Content {
    /// Where the file below is, if this was one.
    origin: Option<PathBuf>,
    /// So many of its bytes still count.
    kept: u64,
    len: u64,
    /// By their number.
    pages: BTreeMap<u64, Page>,
}

impl Content {
    /// The file at `origin` below, of `len` bytes, as it is there.
    pub(super) fn of(origin: &Path, len: u64) -> Self {
        Self { origin: Some(origin.to_owned()), kept: len, len, pages: BTreeMap::new() }
    }

    pub(super) fn origin(&self) -> Option<&Path> {
        self.origin.as_deref()
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// As [`File::read_at`]; `below` is the file at the origin.
    pub(super) fn read(&self, below: Option<&dyn File>, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        let there = self.len.saturating_sub(offset).min(buf.len() as u64);
        let buf = &mut buf[..there as usize];
        let kept = self.kept.saturating_sub(offset).min(there) as usize;
        if let Some(below) = below.filter(|_| kept > 0) {
            read_exact_at(below, &mut buf[..kept], offset)?;
        }
        buf[kept..].fill(0);
        for (&number, page) in self.pages.range(touched(offset, there)) {
            let start = number * PAGE_BYTES;
            let (from, to) = (start.max(offset), (start + PAGE_BYTES).min(offset + there));
            let part = &page[(from - start) as usize..(to - start) as usize];
            buf[(from - offset) as usize..(to - offset) as usize].copy_from_slice(part);
        }
        Ok(buf.len())
    }

    /// As [`File::write_at`].
    pub(super) fn write(&mut self, below: Option<&dyn File>, data: &[u8], offset: u64) -> io::Result<()> {
        let end = offset + data.len() as u64;
        for number in touched(offset, data.len() as u64) {
            let start = number * PAGE_BYTES;
            let (from, to) = (start.max(offset), (start + PAGE_BYTES).min(end));
            let part = &data[(from - offset) as usize..(to - offset) as usize];
            self.page(below, number)?[(from - start) as usize..(to - start) as usize].copy_from_slice(part);
        }
        if !data.is_empty() {
            self.len = self.len.max(end);
        }
        Ok(())
    }

    /// As [`File::set_len`].
    pub(super) fn resize(&mut self, len: u64) {
        self.kept = self.kept.min(len);
        self.len = len;
        drop(self.pages.split_off(&len.div_ceil(PAGE_BYTES)));
        if let Some(last) = self.pages.get_mut(&(len / PAGE_BYTES)) {
            last[(len % PAGE_BYTES) as usize..].fill(0);
        }
    }

    /// The page, copied from what there is at the first time.
    fn page(&mut self, below: Option<&dyn File>, number: u64) -> io::Result<&mut Page> {
        if !self.pages.contains_key(&number) {
            let mut page = Box::new([0; PAGE_BYTES as usize]);
            self.read(below, page.as_mut_slice(), number * PAGE_BYTES)?;
            self.pages.insert(number, page);
        }
        Ok(self.pages.get_mut(&number).expect("it is there now"))
    }
}

/// The numbers of the pages that `len` bytes at `offset` lie in.
fn touched(offset: u64, len: u64) -> std::ops::Range<u64> {
    let end = if len == 0 { offset / PAGE_BYTES } else { (offset + len).div_ceil(PAGE_BYTES) };
    offset / PAGE_BYTES..end
}
