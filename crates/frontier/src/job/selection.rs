use super::plan::Room;
use crate::host::Host;
use crate::limits::{HIGH_CLASS_SHARE, HOST_OVERHEAD_BYTES, SERVED_SHARE};
use crate::shard::WaitingOnDisk;
use crate::stored_host::{Standing, StoredHost};
use crate::{Class, Pending, Result};
use backlog::Key;
use stdx::Timestamp;

/// Chooses the hosts that are brought into memory: those that are due, as far as there is room, in the order of hashes from
/// where the last job ran out of it, so that nobody starves; seeds and sitemaps have a share to themselves. One guest, who would find no room
/// in an empty shard, comes beside them, right before its turn. Within a domain that has more
/// hosts than its share of memory holds, half of that share is for those that have not been contacted in the present round.
pub(super) struct Selection {
    room: Room,
    left: u64,
    /// Not for hosts whose best class is not the highest.
    reserved: u64,
    chosen: Vec<(Key, Vec<u8>)>,
    /// Hosts before the cursor: they come after all others.
    early: Vec<Early>,
    early_bytes: u64,
    /// The first group from the cursor on that found no room.
    refused: Option<u64>,
    refused_early: Option<u64>,
    wake: Timestamp,
    /// Hosts of domains that have more than their share.
    rationed: bool,
    /// One of them that has not had its turn in this round.
    turn_is_owed: bool,
    hosts: u64,
    /// From when on one that stays starves.
    starves_from: Timestamp,
    /// The guest that has been due longest.
    guest: Option<(Timestamp, Early)>,
}

struct Early {
    key: Key,
    class: Class,
    payload: Vec<u8>,
}

/// The hosts that come, with their records, and what stays behind.
pub(super) struct Selected {
    pub(super) hosts: Vec<(Key, Vec<u8>)>,
    pub(super) waiting: WaitingOnDisk,
}

/// What becomes of a host that is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Choice {
    /// It stays and needs a record.
    Stays,
    /// It may come, and then its record is void.
    MayCome,
    /// It is brought into memory and needs no record.
    Comes,
}

impl Selection {
    pub(super) fn new(room: Room) -> Self {
        Self {
            left: room.bytes,
            reserved: room.bytes / HIGH_CLASS_SHARE,
            room,
            chosen: Vec::new(),
            early: Vec::new(),
            early_bytes: 0,
            refused: None,
            refused_early: None,
            wake: Timestamp::NEVER,
            rationed: false,
            turn_is_owed: false,
            hosts: 0,
            starves_from: Timestamp::NEVER,
            guest: None,
        }
    }

    /// Room that is left for URLs of hosts in memory.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// URLs of a host in memory take some of it.
    pub(super) fn spend(&mut self, bytes: u64) {
        self.left = self.left.saturating_sub(bytes);
    }

    /// A host that comes whatever the room.
    pub(super) fn fetch(&mut self, key: Key, payload: Vec<u8>) -> Result<()> {
        self.spend(estimate(&payload)?);
        self.chosen.push((key, payload));
        Ok(())
    }

    /// Decides on a host, given as its standing and its record; `domain_bytes` is what its domain has in memory.
    pub(super) fn offer(
        &mut self,
        key: Key,
        standing: &Standing,
        payload: &[u8],
        domain_bytes: &mut u64,
    ) -> Result<Choice> {
        let Some(due) = standing.due() else {
            self.stays(standing);
            return Ok(Choice::Stays);
        };
        let choice = if due <= self.room.horizon {
            self.admit(key, due, standing.class, payload, domain_bytes)?
        } else {
            self.wake = self.wake.min(due);
            Choice::Stays
        };
        if choice < Choice::Comes {
            self.hosts += 1;
            self.stays(standing);
        }
        Ok(choice)
    }

    fn stays(&mut self, standing: &Standing) {
        self.starves_from = self.starves_from.min(standing.starves_from());
    }

    fn admit(
        &mut self,
        key: Key,
        due: Timestamp,
        class: Class,
        payload: &[u8],
        domain_bytes: &mut u64,
    ) -> Result<Choice> {
        let bytes = estimate(payload)?;
        if bytes > self.room.most_of_one {
            return Ok(self.receive(key, due, class, payload));
        }
        if *domain_bytes > 0 && *domain_bytes + bytes > self.share(due) {
            self.ration(due);
            return Ok(Choice::Stays);
        }
        let choice = self.decide(key, class, bytes);
        match choice {
            Choice::Stays => return Ok(choice),
            Choice::MayCome => {
                self.early_bytes += bytes;
                self.early.push(Early { key, class, payload: payload.to_owned() });
            }
            Choice::Comes => {
                self.spend(bytes);
                self.chosen.push((key, payload.to_owned()));
            }
        }
        *domain_bytes += bytes;
        Ok(choice)
    }

    /// Decides on a guest: of those that are due, the one that has waited longest comes.
    fn receive(&mut self, key: Key, due: Timestamp, class: Class, payload: &[u8]) -> Choice {
        let due_by = self.room.guests_due;
        let is_first = self.guest.as_ref().is_none_or(|(other, _)| due < *other);
        if is_first && due_by.is_some_and(|by| due <= by) {
            let guest = Early { key, class, payload: payload.to_owned() };
            if self.guest.replace((due, guest)).is_some() {
                self.wake = self.wake.min(self.room.again);
            }
            return Choice::MayCome;
        }
        let is_early = due_by.is_some_and(|by| due > by);
        self.wake = self.wake.min(if is_early { due } else { due.max(self.room.again) });
        Choice::Stays
    }

    /// Up to where a host that is due then may fill its domain's share.
    fn share(&self, due: Timestamp) -> u64 {
        if due <= self.room.round { self.room.domain_bytes } else { self.room.domain_bytes / SERVED_SHARE }
    }

    fn ration(&mut self, due: Timestamp) {
        self.wake = self.wake.min(self.room.again);
        self.rationed = true;
        self.turn_is_owed |= due <= self.room.round;
    }

    fn decide(&mut self, key: Key, class: Class, bytes: u64) -> Choice {
        let is_early = key.group < self.room.cursor;
        let (left, choice) = if is_early {
            (self.room.bytes.saturating_sub(self.early_bytes), Choice::MayCome)
        } else {
            (self.left_for(class), Choice::Comes)
        };
        // One comes in any case: where memory is very short, whoever is due last makes room for it in the next job.
        let is_first = self.chosen.is_empty() && self.early.is_empty() && self.room.bytes > 0;
        if bytes <= left || is_first {
            return choice;
        }
        let refused = if is_early { &mut self.refused_early } else { &mut self.refused };
        refused.get_or_insert(key.group);
        Choice::Stays
    }

    fn left_for(&self, class: Class) -> u64 {
        if class == Class::High { self.left } else { self.left.saturating_sub(self.reserved) }
    }

    /// The hosts that come, and what waits behind after a job that began then.
    pub(super) fn finish(mut self, began: Timestamp) -> Result<Selected> {
        if let Some((_, Early { key, payload, .. })) = self.guest.take() {
            self.hosts -= 1;
            self.chosen.push((key, payload));
        }
        for Early { key, class, payload } in std::mem::take(&mut self.early) {
            let bytes = estimate(&payload)?;
            if bytes <= self.left_for(class) || self.chosen.is_empty() {
                self.hosts -= 1;
                self.fetch(key, payload)?;
            } else {
                self.refused_early.get_or_insert(key.group);
            }
        }
        let refused = self.refused.or(self.refused_early);
        let waiting = WaitingOnDisk {
            wake: self.wake,
            crowded: refused.is_some(),
            rationed: self.rationed,
            hosts: self.hosts,
            starves_from: self.starves_from,
            cursor: refused.unwrap_or(0),
            round: if self.turn_is_owed { self.room.round } else { began },
        };
        Ok(Selected { hosts: self.chosen, waiting })
    }
}

/// What a host takes of memory.
fn estimate(payload: &[u8]) -> Result<u64> {
    let stored = StoredHost::parse(payload)?;
    let fixed = size_of::<Host>() + HOST_OVERHEAD_BYTES;
    let entries = stored.queues.entries().count() * size_of::<Pending>();
    Ok((payload.len() + entries + fixed) as u64)
}
