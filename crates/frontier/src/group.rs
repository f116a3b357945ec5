use crate::host::HostId;
use crate::{Class, Reach};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use stdx::Timestamp;

/// The hosts of one registrable domain, under one clock: however many there are, the domain sees four requests a
/// second at most.
#[derive(Debug)]
pub struct Group {
    pub(crate) record: GroupRecord,
    /// Hosts with work, by the moment they are due.
    pub(crate) calendar: BTreeSet<(Timestamp, HostId)>,
    pub(crate) place: Place,
    /// Turns given to its hosts.
    pub(crate) turns: u32,
}

/// The part of a group that a checkpoint keeps.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct GroupRecord {
    pub(crate) name: String,
    /// The group's clock.
    pub(crate) next_at: Timestamp,
    pub(crate) reach: Reach,
}

/// Where a group stands in the shard's schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Nowhere,
    Calendar(Timestamp),
    Ready(Class),
}

impl Group {
    pub(crate) fn new(record: GroupRecord) -> Self {
        Self { record, calendar: BTreeSet::new(), place: Place::Nowhere, turns: 0 }
    }

    /// When a host of this group may be contacted next.
    pub(crate) fn due(&self) -> Option<Timestamp> {
        self.calendar.first().map(|&(due, _)| due.max(self.record.next_at))
    }
}
