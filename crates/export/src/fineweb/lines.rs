use super::joined::Joined;
use crate::error::Result;
use crate::limits::{LEVEL, WRITE_BYTES};
use crate::new_file::NewFile;
use disk::Disk;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// A JSON object a line, compressed as one gzip member.
pub(super) struct Lines {
    out: NewFile,
    gzip: GzEncoder<Vec<u8>>,
}

/// Writing into memory cannot fail.
const IN_MEMORY: &str = "memory takes any bytes";

impl Lines {
    pub(super) fn create(disk: &dyn Disk, path: PathBuf) -> Result<Self> {
        let gzip = GzEncoder::new(Vec::new(), Compression::new(LEVEL.cast_unsigned()));
        Ok(Self { out: NewFile::create(disk, path)?, gzip })
    }

    pub(super) fn push(&mut self, joined: &Joined) -> Result<()> {
        let line = format!("{}\n", object(joined));
        for part in line.as_bytes().chunks(WRITE_BYTES) {
            self.gzip.write_all(part).expect(IN_MEMORY);
            let written = self.gzip.get_mut();
            self.out.write(written)?;
            written.clear();
        }
        Ok(())
    }

    pub(super) fn finish(mut self, disk: &dyn Disk) -> Result<u64> {
        self.out.write(&self.gzip.finish().expect(IN_MEMORY))?;
        self.out.finish(disk)
    }
}

fn object(joined: &Joined) -> serde_json::Value {
    let row = &joined.row;
    json!({
        "text": row.text,
        "id": joined.id(),
        "dump": joined.dump(),
        "url": row.url,
        "date": row.fetched.iso_seconds(),
        "file_path": joined.file_path(),
        "language": row.language,
        "language_score": joined.language_score(),
        "token_count": joined.token_count(),
        "title": row.title,
        "author": row.author,
        "published": row.published,
        "site": row.site,
        "digest": row.digest,
        "simhash": joined.simhash(),
        "duplicate_of": joined.duplicate_of,
        "preferences": joined.preferences(),
        "license": joined.terms.license,
        "status": row.status,
        "depth": row.depth,
        "content_type": row.content_type,
        "charset": row.charset,
        "truncated": row.truncated,
        "capture": row.capture,
        "warc_offset": row.warc_offset,
        "warc_length": row.warc_length,
    })
}
