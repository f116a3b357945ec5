use crate::limits::LINE_BYTES;
use crate::{Error, Histogram, Tally};
use disk::{Disk, Mode, SequentialReader};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{BufRead, Read};
use std::path::Path;
use stdx::{Step, Watch};

/// What the archive holds, from its index: of the WARC files that are closed.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Archived {
    /// Responses and revisits.
    pub records: u64,
    /// Revisits: bodies that are there already.
    pub revisits: u64,
    /// Bytes of their gzip members.
    pub bytes: u64,
    /// The same of each.
    pub record_bytes: Histogram,
    /// Records by media type, as the server said.
    pub types: Tally,
    /// Records by file.
    pub files: Tally,
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    mime: Cow<'a, str>,
    #[serde(borrow)]
    length: Cow<'a, str>,
    #[serde(borrow)]
    filename: Cow<'a, str>,
}

const REVISIT: &str = "warc/revisit";

impl Archived {
    /// Reads the index line by line; nothing where there is none yet.
    pub(crate) fn read(disk: &dyn Disk, path: &Path, watch: &mut Watch<'_>) -> Result<Self, Error> {
        let mut found = Self::default();
        let failed = Error::disk(path);
        let Some(bytes) = disk.stat(path).map_err(&failed)? else { return Ok(found) };
        let file = disk.open(path, Mode::Read).map_err(&failed)?;
        let mut lines = SequentialReader::whole(file).map_err(&failed)?;
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut lines).take(LINE_BYTES as u64).read_until(b'\n', &mut line);
            if read.map_err(&failed)? == 0 {
                return Ok(found);
            }
            found
                .take(&line)
                .ok_or_else(|| Error::Index { path: path.to_owned(), record: found.records + 1 })?;
            watch(Step::bytes("reading the index", lines.offset(), bytes));
        }
    }

    fn take(&mut self, line: &[u8]) -> Option<()> {
        let fields = line.windows(2).position(|two| two == b" {")? + 1;
        let Line { mime, length, filename } = serde_json::from_slice(&line[fields..]).ok()?;
        let length = length.parse().ok()?;
        self.records += 1;
        self.bytes += length;
        self.record_bytes.add(length);
        self.files.add(&filename);
        match mime.as_ref() {
            REVISIT => self.revisits += 1,
            mime => self.types.add(mime),
        }
        Some(())
    }
}
