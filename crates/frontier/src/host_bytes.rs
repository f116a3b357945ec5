//! A host's record as bytes, the rules of robots.txt last: whoever lists hosts reads none of them.

use crate::host::{Barred, Hold, HostHead, HostRecord};
use crate::limits::HOST_RECORD_BYTES;
use crate::{Error, Overload, Reach, Result, RobotsRecord};
use serde::Deserialize;
use stdx::Timestamp;

/// The version of the record in a stored host; version 1 had the rules in the middle, no address, and templates without what was
/// new, version 2 counted no refusals, version 3 knew nothing of authorities that rest, version 4 nothing of addresses that failed, and
/// version 5 did not count sitemaps or remember rests.
pub(crate) const VERSION: u8 = 6;
const FIFTH_VERSION: u8 = 5;
const FOURTH_VERSION: u8 = 4;
const THIRD_VERSION: u8 = 3;
const SECOND_VERSION: u8 = 2;
pub(crate) const FIRST_VERSION: u8 = 1;

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
            return Ok(HostRecord::decode(version, bytes)?.head);
        }
        let (head, _rules) = postcard::take_from_bytes(bytes).map_err(|_| DAMAGED)?;
        Ok(head)
    }
}

impl HostRecord {
    /// The record of a stored host of this version. What its rules take is counted anew, whatever it says: some may have been left
    /// out, and what is damaged says anything.
    pub(crate) fn decode(version: u8, bytes: &[u8]) -> Result<Self> {
        let mut record = Self::as_written(version, bytes).map_err(|_| DAMAGED)?;
        record.bill_robots();
        Ok(record)
    }

    fn as_written(version: u8, bytes: &[u8]) -> postcard::Result<Self> {
        match version {
            FIRST_VERSION => postcard::from_bytes(bytes).map(First::into_record),
            SECOND_VERSION => {
                postcard::from_bytes(bytes).map(|(head, robots)| Self { robots, ..Self::of(head) })
            }
            THIRD_VERSION => postcard::from_bytes(bytes).map(|(head, refusals, robots)| Self {
                refusals,
                robots,
                ..Self::of(head)
            }),
            FOURTH_VERSION => {
                postcard::from_bytes(bytes).map(|(head, refusals, troubles, resting, robots)| Self {
                    refusals,
                    troubles,
                    resting,
                    robots,
                    ..Self::of(head)
                })
            }
            FIFTH_VERSION => postcard::from_bytes(bytes).map(
                |(head, refusals, troubles, resting, address_failed, robots)| Self {
                    refusals,
                    troubles,
                    resting,
                    address_failed,
                    robots,
                    ..Self::of(head)
                },
            ),
            _ => postcard::from_bytes(bytes),
        }
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
        let Self { head, refusals, troubles, resting, address_failed, sitemaps, rest, .. } = self;
        postcard::to_allocvec(&(head, refusals, troubles, resting, address_failed, sitemaps, rest, robots))
            .expect("a record in memory can be written")
    }
}

impl First {
    fn into_record(self) -> HostRecord {
        let head = HostHead {
            crawl_delay_ms: self.robots.iter().filter_map(RobotsRecord::crawl_delay_ms).max(),
            name: self.name,
            next_at: self.next_at,
            reach: self.reach,
            last_response_ms: self.last_response_ms,
            failures: self.failures,
            overload: Overload::counted(self.overloads),
            robots_failures: self.robots_failures,
            robots_bytes: self.robots_bytes,
            barred: self.barred,
            contacts: self.contacts,
            held_by: self.held_by,
            address: None,
        };
        HostRecord { robots: self.robots, ..HostRecord::of(head) }
    }
}
