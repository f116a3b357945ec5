use crate::error::{Error, Result};
use crate::layout::closed_path;
use crate::limits::HEAD_BYTES;
use disk::{Disk, Mode, SequentialReader};
use std::path::PathBuf;
use warc::{Reader, Record, RecordType};

/// The records of one exchange, as they stand side by side: request, response or revisit, metadata. Any other record is its own group.
pub(crate) struct Group {
    pub(crate) records: Vec<Record>,
    /// The id of the response or revisit.
    answer: Option<String>,
}

/// The groups of a closed WARC file; of long blocks only the beginning.
pub(crate) struct Groups {
    path: PathBuf,
    reader: Reader<SequentialReader>,
    next: Option<Record>,
}

impl Groups {
    pub(crate) fn open(disk: &dyn Disk, name: &str) -> Result<Self> {
        let path = closed_path(name);
        let stream = SequentialReader::whole(disk.open(&path, Mode::Read)?)?;
        Ok(Self { path, reader: Reader::new(stream).with_block_limit(HEAD_BYTES), next: None })
    }

    fn record(&mut self) -> Result<Option<Record>> {
        if let Some(record) = self.next.take() {
            return Ok(Some(record));
        }
        let record = self.reader.next().transpose();
        let record = record.map_err(|e| Error::corrupt(&self.path, e.offset, "a record cannot be read"))?;
        match record {
            Some(record) if record.length.is_none() => {
                Err(Error::corrupt(&self.path, record.offset, "a record shares its gzip member with others"))
            }
            record => Ok(record),
        }
    }

    fn group(&mut self) -> Result<Option<Group>> {
        let Some(first) = self.record()? else { return Ok(None) };
        let answer = answer_of(&first);
        let mut records = vec![first];
        while let Some(record) = self.record()? {
            if answer.is_none() || answer_of(&record) != answer {
                self.next = Some(record);
                break;
            }
            records.push(record);
        }
        Ok(Some(Group { records, answer }))
    }
}

/// The id of the answer that a record belongs to.
fn answer_of(record: &Record) -> Option<String> {
    let id = match record.record_type() {
        RecordType::Response | RecordType::Revisit => record.id()?,
        _ => record.header.get("WARC-Concurrent-To")?,
    };
    Some(id.trim_matches(['<', '>']).to_owned())
}

impl Iterator for Groups {
    type Item = Result<Group>;

    fn next(&mut self) -> Option<Self::Item> {
        self.group().transpose()
    }
}

impl Group {
    pub(crate) fn answer(&self) -> Option<&str> {
        self.answer.as_deref()
    }

    pub(crate) fn record(&self, kind: RecordType) -> Option<&Record> {
        self.records.iter().find(|record| record.record_type() == kind)
    }

    pub(crate) fn offset(&self) -> u64 {
        self.records[0].offset
    }

    pub(crate) fn length(&self) -> u64 {
        self.records.iter().filter_map(|record| record.length).sum()
    }
}
