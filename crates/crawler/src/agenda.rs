use crate::limits::SHARDS;
use std::collections::BTreeSet;
use stdx::Timestamp;

/// Shards by the moment at which each of them wants something.
#[derive(Debug)]
pub(crate) struct Agenda {
    by_moment: BTreeSet<(Timestamp, u8)>,
    moments: Vec<Option<Timestamp>>,
}

/// A shard and the moment at which it wants something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Appointment {
    pub(crate) at: Timestamp,
    pub(crate) shard: u8,
}

impl Agenda {
    pub(crate) fn new() -> Self {
        Self { by_moment: BTreeSet::new(), moments: vec![None; SHARDS] }
    }

    /// The shard wants something at this moment, and at no other.
    pub(crate) fn set(&mut self, shard: u8, moment: Option<Timestamp>) {
        let old = std::mem::replace(&mut self.moments[usize::from(shard)], moment);
        if old == moment {
            return;
        }
        if let Some(old) = old {
            self.by_moment.remove(&(old, shard));
        }
        if let Some(moment) = moment {
            self.by_moment.insert((moment, shard));
        }
    }

    /// When a shard wants something.
    pub(crate) fn moment(&self, shard: u8) -> Option<Timestamp> {
        self.moments[usize::from(shard)]
    }

    /// What comes first.
    pub(crate) fn first(&self) -> Option<Appointment> {
        self.by_moment.first().map(|&(at, shard)| Appointment { at, shard })
    }
}
