use crate::absent::absent_files;
use crate::error::{Error, Result};
use crate::index::run;
use crate::layout::run_path;
use crate::merge::Sorted;
use control::Takedowns;
use disk::Disk;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::io::BufRead;
use warc::{Record, RecordType};

/// Payloads of which revisits in files that are absent may be kept: they are somewhere else only, and a revisit can become whole only
/// when its file is back. By their digests, as the lines say that those files have in the index.
#[derive(Debug, Default)]
pub(super) struct Awaited(BTreeSet<String>);

/// What is read of a line.
#[derive(Deserialize)]
struct Line {
    url: String,
    mime: String,
    digest: Option<String>,
}

impl Awaited {
    pub(super) fn of(disk: &dyn Disk, taken: &Takedowns) -> Result<Self> {
        let mut awaited = Self::default();
        for name in absent_files(disk)? {
            let path = run_path(&name);
            // A run without a trailer is one of before there was any, or damaged: the file is not there to tell.
            let lines = match run::lines_of(disk, &name)? {
                Some(lines) => lines,
                None => Sorted::whole(disk, path.clone())?,
            };
            let mut offset = 0;
            for line in lines.read(disk)?.lines() {
                let line = line?;
                let fields = line.find('{').map(|at| serde_json::from_str(&line[at..]));
                let Some(Ok(fields)) = fields else {
                    return Err(Error::corrupt(&path, offset, "a line of the index cannot be read"));
                };
                awaited.note(fields, taken);
                offset += line.len() as u64 + 1;
            }
        }
        Ok(awaited)
    }

    fn note(&mut self, line: Line, taken: &Takedowns) {
        if line.mime == "warc/revisit" && taken.covering_text(&line.url).is_none() {
            self.0.extend(line.digest);
        }
    }

    /// Whether a record is a response with such a payload, and stays until then.
    pub(super) fn has(&self, record: &Record) -> bool {
        record.record_type() == RecordType::Response
            && record.header.get("WARC-Payload-Digest").is_some_and(|digest| self.0.contains(digest))
    }
}
