use super::awaited::Awaited;
use super::covering;
use super::groups::{Group, Groups};
use super::kept::Kept;
use crate::error::Result;
use control::Takedowns;
use disk::Disk;
use std::collections::{BTreeMap, BTreeSet};
use warc::{Record, RecordType};

/// What there is to be done.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Files that hold what is taken down.
    covered: BTreeSet<String>,
    /// Files with groups that an earlier attempt has made whole elsewhere.
    moving: BTreeSet<String>,
    /// Groups that are kept while the payload they refer to goes, in the order of the archive.
    pub(super) orphans: Vec<Orphan>,
    /// Where such a payload is, by its digest.
    pub(super) originals: BTreeMap<String, Original>,
}

/// A revisit that is kept while its original goes.
#[derive(Debug, Clone)]
pub(super) struct Orphan {
    pub(super) file: String,
    /// The id of the revisit.
    pub(super) id: String,
    pub(super) digest: String,
}

/// A response that goes, and whose payload somebody else had too.
#[derive(Debug, Clone)]
pub(super) struct Original {
    pub(super) file: String,
    pub(super) offset: u64,
    pub(super) length: u64,
    /// Bytes of the HTTP head before the payload.
    pub(super) head_len: u64,
    pub(super) payload_len: u64,
    pub(super) payload_type: Option<String>,
}

impl Survey {
    pub(super) fn of(disk: &dyn Disk, names: &[&str], taken: &Takedowns, awaited: &Awaited) -> Result<Self> {
        let mut survey = Self::default();
        let kept = Kept::of(disk, names)?;
        for name in names {
            for group in Groups::open(disk, name)? {
                let group = group?;
                if !group.records.iter().any(|record| awaited.has(record)) {
                    survey.see(name, &group, taken, &kept);
                }
            }
        }
        survey.find_originals(disk, taken)?;
        Ok(survey)
    }

    /// The files that become new generations.
    pub(super) fn dirty(&self) -> BTreeSet<&str> {
        let orphans = self.orphans.iter().filter(|orphan| self.originals.contains_key(&orphan.digest));
        let left = orphans.map(|orphan| orphan.file.as_str());
        self.covered.iter().chain(&self.moving).map(String::as_str).chain(left).collect()
    }

    fn see(&mut self, name: &str, group: &Group, taken: &Takedowns, kept: &Kept) {
        if group.records.iter().any(|record| covering(taken, record).is_some()) {
            self.covered.insert(name.to_owned());
            return;
        }
        let Some(revisit) = group.record(RecordType::Revisit) else { return };
        let Some((id, digest)) = group.answer().zip(revisit.header.get("WARC-Payload-Digest")) else {
            return;
        };
        if kept.has(id) {
            self.moving.insert(name.to_owned());
        } else if is_orphan(revisit, taken) {
            self.orphans.push(Orphan { file: name.to_owned(), id: id.to_owned(), digest: digest.to_owned() });
        }
    }

    fn find_originals(&mut self, disk: &dyn Disk, taken: &Takedowns) -> Result<()> {
        let wanted: BTreeSet<&str> = self.orphans.iter().map(|orphan| orphan.digest.as_str()).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        for name in &self.covered {
            for group in Groups::open(disk, name)? {
                let group = group?;
                let response = group.record(RecordType::Response);
                let Some(response) = response.filter(|response| covering(taken, response).is_some()) else {
                    continue;
                };
                let digest = response.header.get("WARC-Payload-Digest").unwrap_or_default();
                if let Some(original) = original_of(name, response).filter(|_| wanted.contains(digest)) {
                    self.originals.entry(digest.to_owned()).or_insert(original);
                }
            }
        }
        Ok(())
    }
}

fn is_orphan(revisit: &Record, taken: &Takedowns) -> bool {
    let original = revisit.header.get("WARC-Refers-To-Target-URI");
    original.is_some_and(|url| taken.covering_text(url).is_some())
}

fn original_of(name: &str, response: &Record) -> Option<Original> {
    let head_len = response.http()?.head.len() as u64;
    Some(Original {
        file: name.to_owned(),
        offset: response.offset,
        length: response.length?,
        head_len,
        payload_len: response.block_len - head_len,
        payload_type: response.header.get("WARC-Identified-Payload-Type").map(str::to_owned),
    })
}
