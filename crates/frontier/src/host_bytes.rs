//! A host's record as bytes, the rules of robots.txt last: whoever lists hosts reads none of them.

use crate::authority::Resting;
use crate::host::{Barred, Hold, HostRecord};
use crate::limits::HOST_RECORD_BYTES;
use crate::{Error, Reach, Result, RobotsRecord};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use stdx::Timestamp;

/// The version of the record in a stored host; version 1 had the rules in the middle, no address, and templates without what was
/// new, version 2 counted no refusals, and version 3 knew nothing of authorities that rest.
pub(crate) const VERSION: u8 = 4;
const THIRD_VERSION: u8 = 3;
const SECOND_VERSION: u8 = 2;
pub(crate) const FIRST_VERSION: u8 = 1;

/// What stands before the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HostHead {
    pub(crate) name: String,
    pub(crate) next_at: Timestamp,
    pub(crate) reach: Reach,
    pub(crate) last_response_ms: u64,
    pub(crate) failures: u8,
    pub(crate) overloads: u8,
    pub(crate) robots_failures: u8,
    pub(crate) robots_bytes: u64,
    pub(crate) barred: Option<Barred>,
    pub(crate) contacts: u64,
    pub(crate) held_by: Hold,
    pub(crate) address: Option<IpAddr>,
    /// As the rules have it.
    pub(crate) crawl_delay_ms: Option<u64>,
}

/// What stands behind the head.
#[derive(Deserialize)]
struct Behind {
    refusals: u8,
    troubles: u8,
    resting: Vec<Resting>,
    robots: Vec<RobotsRecord>,
}

impl Behind {
    /// What earlier versions had.
    fn earlier(refusals: u8, robots: Vec<RobotsRecord>) -> Self {
        Self { refusals, troubles: 0, resting: Vec::new(), robots }
    }
}

/// Version 1.
#[derive(Deserialize)]
struct First {
    name: String,
    next_at: Timestamp,
    reach: Reach,
    last_response_ms: u64,
    failures: u8,
    overloads: u8,
    robots_failures: u8,
    robots: Vec<RobotsRecord>,
    robots_bytes: u64,
    barred: Option<Barred>,
    contacts: u64,
    held_by: Hold,
}

const DAMAGED: Error = Error::Damaged { what: "the record of a host" };

impl HostHead {
    /// The head of a record, its rules unread where the version allows it.
    pub(crate) fn decode(version: u8, bytes: &[u8]) -> Result<Self> {
        if version == FIRST_VERSION {
            return Ok(HostRecord::decode(version, bytes)?.head());
        }
        let (head, _rules) = postcard::take_from_bytes(bytes).map_err(|_| DAMAGED)?;
        Ok(head)
    }
}

impl HostRecord {
    /// The record of a stored host of this version. What its rules take is counted anew, whatever it says: some may have been left
    /// out, and what is damaged says anything.
    pub(crate) fn decode(version: u8, bytes: &[u8]) -> Result<Self> {
        let mut record = Self::as_written(version, bytes)?;
        record.bill_robots();
        Ok(record)
    }

    fn as_written(version: u8, bytes: &[u8]) -> Result<Self> {
        if version == FIRST_VERSION {
            return postcard::from_bytes(bytes).map(First::into_record).map_err(|_| DAMAGED);
        }
        let (head, rest): (HostHead, _) = postcard::take_from_bytes(bytes).map_err(|_| DAMAGED)?;
        let behind = match version {
            SECOND_VERSION => postcard::from_bytes(rest).map(|robots| Behind::earlier(0, robots)),
            THIRD_VERSION => {
                postcard::from_bytes(rest).map(|(refusals, robots)| Behind::earlier(refusals, robots))
            }
            _ => postcard::from_bytes(rest),
        };
        Ok(head.into_record(behind.map_err(|_| DAMAGED)?))
    }

    /// The record as bytes of the present version; rules that make it too large are left out, oldest first: they are asked
    /// for again.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = self.encode_with(&self.robots);
        for oldest in 1..=self.robots.len() {
            if bytes.len() <= HOST_RECORD_BYTES {
                break;
            }
            bytes = self.encode_with(&self.robots[oldest..]);
        }
        bytes
    }

    fn encode_with(&self, robots: &[RobotsRecord]) -> Vec<u8> {
        const FITS: &str = "a record in memory can be written";
        let head = postcard::to_allocvec(&self.head()).expect(FITS);
        postcard::to_extend(&(self.refusals, self.troubles, &self.resting, robots), head).expect(FITS)
    }

    pub(crate) fn head(&self) -> HostHead {
        HostHead {
            name: self.name.clone(),
            next_at: self.next_at,
            reach: self.reach,
            last_response_ms: self.last_response_ms,
            failures: self.failures,
            overloads: self.overloads,
            robots_failures: self.robots_failures,
            robots_bytes: self.robots_bytes,
            barred: self.barred.clone(),
            contacts: self.contacts,
            held_by: self.held_by,
            address: self.address,
            crawl_delay_ms: self.crawl_delay_ms,
        }
    }
}

impl HostHead {
    fn into_record(self, behind: Behind) -> HostRecord {
        HostRecord {
            name: self.name,
            next_at: self.next_at,
            reach: self.reach,
            last_response_ms: self.last_response_ms,
            failures: self.failures,
            overloads: self.overloads,
            robots_failures: self.robots_failures,
            refusals: behind.refusals,
            troubles: behind.troubles,
            robots: behind.robots,
            robots_bytes: self.robots_bytes,
            barred: self.barred,
            contacts: self.contacts,
            held_by: self.held_by,
            address: self.address,
            crawl_delay_ms: self.crawl_delay_ms,
            resting: behind.resting,
        }
    }
}

impl First {
    fn into_record(self) -> HostRecord {
        HostRecord {
            crawl_delay_ms: self.robots.iter().filter_map(RobotsRecord::crawl_delay_ms).max(),
            name: self.name,
            next_at: self.next_at,
            reach: self.reach,
            last_response_ms: self.last_response_ms,
            failures: self.failures,
            overloads: self.overloads,
            robots_failures: self.robots_failures,
            refusals: 0,
            troubles: 0,
            resting: Vec::new(),
            robots: self.robots,
            robots_bytes: self.robots_bytes,
            barred: self.barred,
            contacts: self.contacts,
            held_by: self.held_by,
            address: None,
        }
    }
}
