use crate::body::{Body, Member};
use crate::error::{Error, Result};
use crate::layout::{OPEN_SUFFIX, parse_warc_name};
use crate::limits::{HEAD_BYTES, STORED_BODY_BYTES};
use bytes::Bytes;
use disk::{Disk, File, Mode, SequentialReader};
use std::io;
use std::path::Path;
use std::sync::Arc;
use stdx::WallTime;
use warc::{Reader, Record, RecordType, Sha1Digest};

/// The payload that a revisit stands for: that of its original, in a WARC file of `dir`, closed or not. Whoever reads captures
/// asks here, and nowhere else, what is behind a revisit. A long one is read as it is asked for.
///
/// [`Error::Dangling`] where the original is not there, or is not what the revisit says it is.
pub fn payload_of(disk: &dyn Disk, dir: &Path, revisit: &Record) -> Result<Body> {
    let dangling = |what: &str| Error::dangling(revisit, what);
    let name = revisit.refers_to_file().ok_or_else(|| dangling("it does not say where its original is"))?;
    let offset =
        revisit.refers_to_offset().ok_or_else(|| dangling("it does not say where its original is"))?;
    let file = open_warc(disk, dir, name)?.ok_or_else(|| dangling("the file of its original is gone"))?;
    let original = Original::read(&file.into(), name, offset).map_err(|what| dangling(&what))?;
    let digest = revisit.header.get("WARC-Payload-Digest").and_then(Sha1Digest::from_label);
    if revisit.refers_to() != Some(&original.id) || digest != Some(original.body.digest()) {
        return Err(dangling("another record stands where its original was"));
    }
    Ok(original.body)
}

/// A response that others may refer to.
#[derive(Debug, Clone)]
pub(crate) struct Original {
    /// `urn:uuid:…`.
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) date: WallTime,
    /// The file it is in, as it will be called when closed.
    pub(crate) filename: String,
    /// Where it begins.
    pub(crate) offset: u64,
    pub(crate) body: Body,
}

impl Original {
    /// The response record at `offset` of a WARC file.
    pub(crate) fn read(
        file: &Arc<dyn File>,
        filename: &str,
        offset: u64,
    ) -> std::result::Result<Self, String> {
        let len = file.len().map_err(|error| error.to_string())?;
        let stream = SequentialReader::new(Arc::clone(file), offset..len.max(offset));
        let mut records = Reader::new(stream).with_block_limit(HEAD_BYTES + STORED_BODY_BYTES);
        let record = records.next().ok_or("the file ends before its original")?;
        let record = record.map_err(|error| error.to_string())?;
        if record.record_type() != RecordType::Response {
            return Err("no response stands where its original was".to_owned());
        }
        let of = |text: Option<&str>| text.map(str::to_owned).ok_or("its original lacks a header");
        Ok(Self {
            id: of(record.id())?,
            url: of(record.target_uri())?,
            date: record.date().ok_or("its original has no date")?,
            filename: filename.to_owned(),
            offset,
            body: body_of(file, offset, &record).ok_or("its original is no record of ours")?,
        })
    }
}

/// The body of a response record that was read from `base` on: in memory where all of it was, else where it is.
pub(crate) fn body_of(file: &Arc<dyn File>, base: u64, response: &Record) -> Option<Body> {
    let http = response.http()?;
    let digest = Sha1Digest::from_label(response.header.get("WARC-Payload-Digest")?)?;
    if response.is_whole() {
        return Some(Body::in_memory(Bytes::copy_from_slice(http.payload), digest));
    }
    let start = base + response.offset;
    let head_len = http.head.len() as u64;
    let range = start..start + response.length?;
    let member = Member { file: Arc::clone(file), range, head_len };
    Some(Body::in_archive(member, response.block_len - head_len, digest))
}

/// Opens a WARC file by the name it has when closed. It may be closed, and so renamed, between two looks.
pub(crate) fn open_warc(disk: &dyn Disk, dir: &Path, name: &str) -> Result<Option<Box<dyn File>>> {
    if parse_warc_name(name).is_none() || name.contains(['/', '\\']) {
        return Ok(None);
    }
    let open = format!("{name}{OPEN_SUFFIX}");
    for name in [name, &open, name] {
        match disk.open(&dir.join(name), Mode::Read) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return Ok(Some(opened?)),
        }
    }
    Ok(None)
}
