use crate::archive::Kept;
use crate::body::Body;
use crate::capture::Capture;
use crate::config::ArchiveConfig;
use crate::error::Result;
use crate::layout::ARCHIVE_DIR;
use crate::limits::REVISIT_BYTES;
use crate::location::{Location, WarcPosition};
use crate::original::{Original, open_warc};
use crate::payloads::{PayloadIndex, Place, is_begun};
use crate::warclog::WarcLog;
use disk::SharedDisk;
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;
use stdx::Map;
use warc::Sha1Digest;

/// Decides which captures are archived as revisits: those whose payload, byte for byte, is that of a response which is
/// committed, or will be together with them.
pub(crate) struct Revisits {
    disk: SharedDisk,
    /// None where no revisits are wanted.
    index: Option<PayloadIndex>,
    /// Responses of the batch under way.
    batch: Map<Sha1Digest, Fresh>,
    /// The newest file that an earlier run may have filled with revisits.
    reach: Option<u32>,
}

/// A response that is appended and not committed.
struct Fresh {
    original: Original,
    place: Place,
}

impl Revisits {
    pub(crate) fn open(disk: SharedDisk, config: &ArchiveConfig, end: Option<WarcPosition>) -> Result<Self> {
        let newest = end.map(|end| end.serial);
        let reach = if is_begun(disk.as_ref())? { newest } else { None };
        let open = || PayloadIndex::open(disk.as_ref(), config.payload_bytes, end);
        let index = (config.payload_bytes > 0).then(open).transpose()?;
        Ok(Self { disk, index, batch: stdx::map(), reach })
    }

    /// What `capture` may refer to instead of being archived whole. What cannot be read now is no original: a copy costs
    /// room, a revisit without its original a page.
    pub(crate) fn original_of(&self, capture: &Capture, warc: &WarcLog) -> Option<Original> {
        if !can_be_shared(capture) {
            return None;
        }
        let digest = capture.body.digest();
        let fresh = self.batch.get(&digest).map(|fresh| fresh.original.clone());
        let original = fresh.or_else(|| self.committed(digest, warc))?;
        is_same(&original.body, &capture.body).ok()?.then_some(original)
    }

    fn committed(&self, digest: Sha1Digest, warc: &WarcLog) -> Option<Original> {
        let place = self.index.as_ref()?.find(digest).ok()??;
        let name = warc.name(place.serial)?;
        let file = open_warc(self.disk.as_ref(), Path::new(ARCHIVE_DIR), name).ok()??;
        Original::read(&file.into(), name, place.offset).ok()
    }

    /// Notes that `kept` was appended whole.
    pub(crate) fn appended(&mut self, kept: &Kept, id: String, location: Location, warc: &WarcLog) {
        let capture: &Arc<Capture> = &kept.capture;
        if self.index.is_none() || !can_be_shared(capture) {
            return;
        }
        let (serial, offset) = (location.serial, location.response_offset);
        let original = Original {
            id,
            url: capture.url.clone(),
            date: capture.started,
            filename: warc.name(serial).expect("it was just written").to_owned(),
            offset,
            head: capture.response_head.clone(),
            body: capture.body.clone(),
        };
        self.batch.insert(capture.body.digest(), Fresh { original, place: Place { serial, offset } });
    }

    /// What was appended is committed.
    pub(crate) fn settle(&mut self) {
        let Some(index) = &mut self.index else { return };
        let mut fresh: Vec<_> = self.batch.drain().map(|(digest, fresh)| (fresh.place, digest)).collect();
        fresh.sort_unstable_by_key(|(place, _)| *place);
        for (place, digest) in fresh {
            index.add(digest, place);
        }
        // The commit stands; what the disk has no room for waits, and after a while is forgotten.
        let _ = index.write();
    }

    /// What was appended since the last [`Self::settle`] is gone.
    pub(crate) fn roll_back(&mut self) {
        self.batch.clear();
    }

    /// Whether no file from `serial` on refers to an earlier one: those before may go.
    pub(crate) fn may_expire_before(&self, serial: u32) -> bool {
        self.index.is_none() && self.reach.is_none_or(|reach| serial > reach)
    }
}

/// Of what was cut off, who knows what the rest was; and a short payload takes less room than a reference.
fn can_be_shared(capture: &Capture) -> bool {
    capture.truncated.is_none() && capture.body.len() >= REVISIT_BYTES
}

fn is_same(one: &Body, other: &Body) -> io::Result<bool> {
    if one.len() != other.len() {
        return Ok(false);
    }
    match (one.held(), other.held()) {
        (Some(one), Some(other)) => Ok(one == other),
        _ => read_alike(&mut *one.read()?, &mut *other.read()?),
    }
}

fn read_alike(one: &mut dyn BufRead, other: &mut dyn BufRead) -> io::Result<bool> {
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let both = left.len().min(right.len());
        if both == 0 || left[..both] != right[..both] {
            return Ok(left.is_empty() && right.is_empty());
        }
        one.consume(both);
        other.consume(both);
    }
}
