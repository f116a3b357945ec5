use crate::error::{Error, Result};
use crate::limits::LINE_BYTES;
use disk::{Disk, Mode, SequentialReader};
use std::io::{BufRead, Read};
use std::path::Path;
use stdx::WallTime;

/// Of an index, with its line feed.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a [u8],
    /// Key and time.
    pub(crate) place: &'a str,
    /// Counted from 1.
    pub(crate) number: u64,
}

/// The lines of a CDXJ index, one after the other.
pub(crate) struct Lines<'a> {
    path: &'a Path,
    from: SequentialReader,
    text: Vec<u8>,
    count: u64,
}

impl<'a> Lines<'a> {
    pub(crate) fn open(disk: &dyn Disk, path: &'a Path) -> Result<Self> {
        let open = || SequentialReader::whole(disk.open(path, Mode::Read)?);
        Ok(Self { path, from: open().map_err(Error::disk(path))?, text: Vec::new(), count: 0 })
    }

    pub(crate) fn next(&mut self) -> Result<Option<Line<'_>>> {
        self.text.clear();
        self.count += 1;
        let mut bounded = (&mut self.from).take(LINE_BYTES as u64);
        if bounded.read_until(b'\n', &mut self.text).map_err(Error::disk(self.path))? == 0 {
            return Ok(None);
        }
        let broken = broken(self.path, self.count);
        let place = self.text.ends_with(b"\n").then(|| place_of(&self.text)).flatten().ok_or_else(broken)?;
        Ok(Some(Line { text: &self.text, place, number: self.count }))
    }
}

impl<'a> Line<'a> {
    /// The key.
    pub(crate) fn key(&self) -> &'a str {
        self.place.rsplit_once(' ').map_or(self.place, |(key, _)| key)
    }

    /// The time, where it has 14 digits.
    pub(crate) fn time(&self) -> Option<WallTime> {
        let digits = self.place.rsplit_once(' ')?.1;
        let part = |from: usize, to: usize| digits.get(from..to);
        let [year, month, day] = [part(0, 4)?, part(4, 6)?, part(6, 8)?];
        let [hour, minute, second] = [part(8, 10)?, part(10, 12)?, part(12, 14)?];
        WallTime::parse_iso(&format!("{year}-{month}-{day}T{hour}:{minute}:{second}Z"))
    }

    /// The JSON behind them.
    pub(crate) fn fields(&self) -> &'a [u8] {
        &self.text[self.place.len()..]
    }
}

/// What stands before the fields.
fn place_of(line: &[u8]) -> Option<&str> {
    let end = line.windows(2).position(|two| two == b" {")?;
    std::str::from_utf8(&line[..end]).ok().filter(|place| place.contains(' '))
}

/// That a line is not of an index.
pub(crate) fn broken(path: &Path, line: u64) -> impl FnOnce() -> Error {
    move || Error::Index { path: path.to_owned(), line }
}
