use crate::shard::Files;
use crate::state::{Cut, FrontierState, Manifests, Present};
use crate::{Frontier, Result};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The manifests of a cut that is not known to be durable.
pub(crate) struct CutFiles {
    pub(crate) seen: drum::Manifest,
    pub(crate) records: drum::Manifest,
    pub(crate) edges: drum::Manifest,
    pub(crate) hosts: backlog::Manifest,
    pub(crate) domains: backlog::Manifest,
}

impl Frontier {
    /// Everything up to now as a cut, the same for the same contents: writes what is in buffers, syncs nothing. A job that
    /// runs is not part of it. The files of this and of the last durable cut stay until [`Frontier::checkpointed`]; an error
    /// leaves everything as it was.
    pub fn cut(&mut self) -> Result<Cut> {
        let (files, sync) = self.disk.cut()?;
        let state = FrontierState::encode(&Present::of(self, files.to_bytes()));
        self.cut_files = Some(files);
        Ok(Cut { state, sync })
    }

    /// The checkpoint with the latest cut is durable and replaces every earlier one: files that only those named are
    /// removed. After an error it may be repeated.
    pub fn checkpointed(&mut self) -> Result<()> {
        let Some(files) = &self.cut_files else { return Ok(()) };
        self.disk.seen.committed(&files.seen)?;
        self.disk.records.committed(&files.records)?;
        self.disk.edges.committed(&files.edges)?;
        self.disk.hosts.committed(&files.hosts)?;
        self.disk.domains.committed(&files.domains)?;
        Ok(())
    }
}

impl Files {
    fn cut(&mut self) -> Result<(CutFiles, Vec<PathBuf>)> {
        let (seen, records, edges) = (self.seen.cut()?, self.records.cut()?, self.edges.cut()?);
        let (hosts, domains) = (self.hosts.cut()?, self.domains.cut()?);
        let sync: BTreeSet<PathBuf> =
            [seen.sync, records.sync, edges.sync, hosts.sync, domains.sync].into_iter().flatten().collect();
        let files = CutFiles {
            seen: seen.manifest,
            records: records.manifest,
            edges: edges.manifest,
            hosts: hosts.manifest,
            domains: domains.manifest,
        };
        Ok((files, sync.into_iter().collect()))
    }
}

impl CutFiles {
    fn to_bytes(&self) -> Manifests {
        Manifests {
            seen: self.seen.to_bytes(),
            records: self.records.to_bytes(),
            edges: self.edges.to_bytes(),
            hosts: self.hosts.to_bytes(),
            domains: self.domains.to_bytes(),
        }
    }

    pub(crate) fn from_bytes(bytes: &Manifests) -> Result<Self> {
        Ok(Self {
            seen: drum::Manifest::from_bytes(&bytes.seen)?,
            records: drum::Manifest::from_bytes(&bytes.records)?,
            edges: drum::Manifest::from_bytes(&bytes.edges)?,
            hosts: backlog::Manifest::from_bytes(&bytes.hosts)?,
            domains: backlog::Manifest::from_bytes(&bytes.domains)?,
        })
    }
}
