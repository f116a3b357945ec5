use crate::error::{Error, Result};
use crate::limits::LINE_BYTES;
use control::Takedowns;
use disk::{Disk, Mode, SequentialReader};
use serde::Deserialize;
use std::collections::BTreeSet;
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

/// The lines of a CDXJ index, one after the other, but for what was taken down.
pub(crate) struct Lines<'a> {
    path: &'a Path,
    taken: &'a Takedowns,
    withheld: u64,
    from: SequentialReader,
    text: Vec<u8>,
    count: u64,
}

/// The field of a line that says what it is of.
#[derive(Deserialize)]
struct Subject {
    url: String,
}

impl<'a> Lines<'a> {
    pub(crate) fn open(disk: &dyn Disk, path: &'a Path, taken: &'a Takedowns) -> Result<Self> {
        let open = || SequentialReader::whole(disk.open(path, Mode::Read)?);
        let from = open().map_err(Error::disk(path))?;
        Ok(Self { path, taken, withheld: 0, from, text: Vec::new(), count: 0 })
    }

    /// How many were left out so far.
    pub(crate) fn withheld(&self) -> u64 {
        self.withheld
    }

    pub(crate) fn next(&mut self) -> Result<Option<Line<'_>>> {
        loop {
            if !self.read()? {
                return Ok(None);
            }
            if !self.is_taken_down()? {
                break;
            }
            self.withheld += 1;
        }
        let place = self.place()?;
        Ok(Some(Line { text: &self.text, place, number: self.count }))
    }

    fn read(&mut self) -> Result<bool> {
        self.text.clear();
        self.count += 1;
        let mut bounded = (&mut self.from).take(LINE_BYTES as u64);
        Ok(bounded.read_until(b'\n', &mut self.text).map_err(Error::disk(self.path))? > 0)
    }

    fn is_taken_down(&self) -> Result<bool> {
        if self.taken.is_empty() {
            return Ok(false);
        }
        let fields = &self.text[self.place()?.len()..];
        let Subject { url } = serde_json::from_slice(fields).map_err(|_| broken(self.path, self.count)())?;
        Ok(self.taken.covering_text(&url).is_some())
    }

    fn place(&self) -> Result<&str> {
        let whole = self.text.ends_with(b"\n").then(|| place_of(&self.text)).flatten();
        whole.ok_or_else(broken(self.path, self.count))
    }
}

/// The field that says where it is.
#[derive(Deserialize)]
struct Place {
    filename: String,
}

/// The fields that say what kind of answer it is.
#[derive(Deserialize)]
struct Answer {
    mime: String,
    status: String,
}

impl<'a> Line<'a> {
    /// Whether it is of an answer without a body that stands for one of an earlier crawl: the page had not been modified.
    pub(crate) fn is_not_modified(&self) -> bool {
        let answer: Option<Answer> = serde_json::from_slice(&self.text[self.place.len()..]).ok();
        answer.is_some_and(|answer| answer.mime == "warc/revisit" && answer.status == "304")
    }

    /// Whether it names a file that is not among `archived`.
    pub(crate) fn is_of_another(&self, archived: &BTreeSet<&str>) -> bool {
        let place: Option<Place> = serde_json::from_slice(self.fields()).ok();
        place.is_some_and(|place| !archived.contains(place.filename.as_str()))
    }

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
