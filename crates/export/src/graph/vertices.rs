//! Hosts by name and by number, as Common Crawl writes them: `id TAB reversed.host`, in the order of names.

use crate::error::{Error, Result};
use crate::new_file::NewFile;
use crate::sorter::Sorter;
use disk::{Disk, Mode, SequentialReader};
use std::io::BufRead;
use std::path::{Path, PathBuf};
use weburl::{Url, without_root_dot};

/// `com.example.www`; addresses stay as they are. The dot of the DNS root is no part of a name.
pub(super) fn reversed_host(url: &Url) -> String {
    let host = url.host();
    if url.ip_literal().is_some() {
        return host.to_owned();
    }
    without_root_dot(host).split('.').rev().collect::<Vec<_>>().join(".")
}

/// Numbers the hosts, each once; gives how many there are.
pub(super) fn write(disk: &dyn Disk, hosts: Sorter<'_>, path: &Path) -> Result<u64> {
    let mut out = NewFile::create(disk, path.to_owned())?;
    let mut sorted = hosts.finish()?;
    let (mut count, mut last) = (0, Vec::new());
    while let Some(host) = sorted.next()? {
        if host != last {
            out.write(format!("{count}\t").as_bytes())?;
            out.write(&host)?;
            out.write(b"\n")?;
            count += 1;
            last = host;
        }
    }
    out.finish(disk)?;
    Ok(count)
}

/// Goes through the hosts once, forward.
pub(super) struct Vertices {
    path: PathBuf,
    lines: SequentialReader,
    line: Vec<u8>,
    /// Of the line; before the first there is none.
    id: Option<u64>,
}

impl Vertices {
    pub(super) fn open(disk: &dyn Disk, path: &Path) -> Result<Self> {
        let lines =
            disk.open(path, Mode::Read).and_then(SequentialReader::whole).map_err(Error::disk(path))?;
        Ok(Self { path: path.to_owned(), lines, line: Vec::new(), id: None })
    }

    /// The number of a host; it comes after those that were asked for before, or is the same.
    pub(super) fn id_of(&mut self, host: &[u8]) -> Result<u64> {
        while self.id.is_none() || self.name() != host {
            assert!(self.advance()?, "every host that is linked has a number");
        }
        Ok(self.id.unwrap_or_default())
    }

    /// The name of a host; its number is not below those that were asked for before.
    pub(super) fn name_of(&mut self, id: u64) -> Result<&[u8]> {
        while self.id != Some(id) {
            assert!(self.advance()?, "every host that is linked has a number");
        }
        Ok(self.name())
    }

    /// The name of the next host, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>> {
        Ok(if self.advance()? { Some(self.name()) } else { None })
    }

    fn name(&self) -> &[u8] {
        let from = self.line.iter().position(|&byte| byte == b'\t').map_or(0, |tab| tab + 1);
        &self.line[from..]
    }

    /// Steps to the next line; `false` where there is none.
    fn advance(&mut self) -> Result<bool> {
        self.line.clear();
        if self.lines.read_until(b'\n', &mut self.line).map_err(Error::disk(&self.path))? == 0 {
            return Ok(false);
        }
        self.line.pop();
        self.id = Some(self.id.map_or(0, |id| id + 1));
        Ok(true)
    }
}
