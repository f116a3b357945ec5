use super::Manifests;
use crate::arrears::Arrears;
use crate::group::{DomainRecord, Group};
use crate::host::Host;
use crate::revive::Mark;
use crate::shard::Durable;
use crate::{Frontier, TrapTally};
use backlog::Key;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

/// A frontier as [`Content`](super::Content) is written: hosts become bytes one after the other, so that what is in memory
/// is not there a second time.
#[derive(Serialize)]
pub(crate) struct Present<'a> {
    manifests: Manifests,
    domains: Vec<(u64, &'a DomainRecord)>,
    hosts: Hosts<'a>,
    arrears: &'a Arrears,
    durable: &'a Durable,
    traps: &'a TrapTally,
    soft_404s: u64,
    revivals: Vec<Mark>,
}

/// Hosts by their place in the directory.
struct Hosts<'a>(Vec<(Key, &'a Host)>);

/// A [`ResidentHost`](super::ResidentHost), written.
#[derive(Serialize)]
struct Written {
    group: u64,
    host: u64,
    #[serde(serialize_with = "crate::whole_bytes::serialize")]
    bytes: Vec<u8>,
}

impl<'a> Present<'a> {
    pub(crate) fn of(frontier: &'a Frontier, manifests: Manifests) -> Self {
        let domain = |(_, group): (u32, &'a Group)| (group.hash, &group.record);
        let mut domains: Vec<_> = frontier.groups.iter().map(domain).collect();
        domains.sort_unstable_by_key(|(hash, _)| *hash);
        let mut hosts: Vec<_> = frontier.hosts.iter().map(|(_, host)| (host.key, host)).collect();
        hosts.sort_unstable_by_key(|(key, _)| *key);
        let (arrears, durable) = (&frontier.arrears, &frontier.durable);
        let (hosts, traps, soft_404s) = (Hosts(hosts), &frontier.traps, frontier.soft_404s);
        Self {
            manifests,
            domains,
            hosts,
            arrears,
            durable,
            traps,
            soft_404s,
            revivals: frontier.revivals.marks(),
        }
    }
}

impl Serialize for Hosts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = serializer.serialize_seq(Some(self.0.len()))?;
        for (key, host) in &self.0 {
            let host = Written { group: key.group, host: key.host, bytes: host.encode() };
            written.serialize_element(&host)?;
        }
        written.end()
    }
}
