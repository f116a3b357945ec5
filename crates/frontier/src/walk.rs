use crate::host::{Barred, Host, HostRecord};
use crate::lane::Lane;
use crate::limits::REVIVING;
use crate::seen::Seen;
use crate::stored_host::{StoredHost, StoredQueues};
use crate::table::read_pending;
use crate::{Frontier, Pending, Place, Result, UrlState};
use backlog::{QueueId, Section};
use std::collections::BTreeMap;
use weburl::KeyHash;

impl Frontier {
    /// Every URL with its state, in no particular order, read from everywhere: memory and disk. Not while a job runs. For
    /// tests, simulation and digests: it takes the time and the memory that it takes.
    pub fn walk(&self, mut visit: impl FnMut(KeyHash, UrlState)) -> Result<()> {
        assert!(self.job.is_none(), "a job has a part of it");
        self.walk_ends(&mut visit)?;
        self.walk_memory(&mut visit)?;
        self.walk_directory(&mut visit)?;
        self.walk_deferred(&mut visit)?;
        self.walk_undecided(&mut visit)
    }

    /// URLs that need nothing any more.
    fn walk_ends(&self, visit: &mut impl FnMut(KeyHash, UrlState)) -> Result<()> {
        let mut records = BTreeMap::new();
        self.disk.records.scan(|key, record| _ = records.insert(key, record))?;
        let mut see = |key: u64, update| {
            let merged = records.get(&key).map_or(update, |known| drum::Value::merge(*known, update));
            records.insert(key, merged);
        };
        self.disk
            .records
            .scan_waiting(|key, update| update.into_iter().for_each(|update| see(key, update)))?;
        self.arrears.records.iter().for_each(|arrear| see(arrear.key.0, arrear.record()));
        for (key, record) in records {
            record.state().into_iter().for_each(|state| visit(KeyHash(key), state));
        }
        for (key, landing) in &self.durable.landing {
            let (depth, capture) = (landing.depth, landing.capture);
            visit(*key, UrlState::Fetched { depth, capture, location: None });
        }
        Ok(())
    }

    fn walk_memory(&self, visit: &mut impl FnMut(KeyHash, UrlState)) -> Result<()> {
        for (_, host) in self.hosts.iter() {
            let fate = host.record.fate();
            for (pending, place) in host.places() {
                visit(pending.key, fate.state(pending.clone(), place));
            }
            for section in host.lanes.iter().flat_map(Lane::all_sections) {
                self.walk_section(*section, &fate, visit)?;
            }
        }
        Ok(())
    }

    fn walk_directory(&self, visit: &mut impl FnMut(KeyHash, UrlState)) -> Result<()> {
        let mut hosts: Vec<Vec<u8>> = Vec::new();
        self.disk.hosts.scan_directory(|record| {
            if !self.host_ids.contains_key(&record.key) {
                hosts.push(record.payload.to_owned());
            }
        })?;
        for payload in hosts {
            let stored = StoredHost::parse(&payload)?;
            let fate = stored.record()?.fate();
            for entry in stored.queues.entries() {
                self.walk_stored(entry, &fate, Place::Directory, visit)?;
            }
            for section in stored.queues.lanes.iter().flat_map(|lane| &lane.sections) {
                self.walk_section(*section, &fate, visit)?;
            }
        }
        Ok(())
    }

    fn walk_section(
        &self,
        section: Section,
        fate: &Fate,
        visit: &mut impl FnMut(KeyHash, UrlState),
    ) -> Result<()> {
        let mut walked = Ok(());
        self.disk.hosts.scan_section(section, |entry| {
            if walked.is_ok() {
                walked = self.walk_stored(entry, fate, Place::Section, visit);
            }
        })?;
        walked
    }

    fn walk_deferred(&self, visit: &mut impl FnMut(KeyHash, UrlState)) -> Result<()> {
        for queue in 0..REVIVING.0 {
            let mut walked = Ok(());
            self.disk.hosts.scan_queue(QueueId(queue), |entry| {
                if walked.is_ok() {
                    walked = self.walk_stored(entry, &Fate::None, Place::Deferred(queue), visit);
                }
            })?;
            walked?;
        }
        let last = Place::Deferred(crate::BeastQueue::LAST.0);
        self.durable
            .deferred
            .ahead
            .iter()
            .try_for_each(|entry| self.walk_stored(entry, &Fate::None, last, visit))
    }

    /// An entry on disk, unless its URL has gone on without it.
    fn walk_stored(
        &self,
        entry: &[u8],
        fate: &Fate,
        place: Place,
        visit: &mut impl FnMut(KeyHash, UrlState),
    ) -> Result<()> {
        let pending = read_pending(entry)?;
        if !self.durable.tombstones.covers(pending.key, pending.order) {
            visit(pending.key, fate.state(pending, place));
        }
        Ok(())
    }

    /// URLs of which it is not known yet whether they are new, as far as they are.
    fn walk_undecided(&self, visit: &mut impl FnMut(KeyHash, UrlState)) -> Result<()> {
        let mut seen: BTreeMap<u64, Seen> = BTreeMap::new();
        let mut undecided: BTreeMap<u64, u16> = BTreeMap::new();
        self.disk.seen.scan(|key, value| _ = seen.insert(key, value))?;
        let mut see = |key: u64, update: Option<Seen>| match update {
            Some(Seen::At(depth)) if !matches!(seen.get(&key), Some(Seen::At(_))) => {
                let least = undecided.entry(key).or_insert(depth);
                *least = depth.min(*least);
            }
            Some(Seen::LetGo) => {
                seen.remove(&key);
                undecided.remove(&key);
            }
            _ => {}
        };
        self.disk.seen.scan_waiting(&mut see)?;
        self.arrears.seen.iter().for_each(|arrear| see(arrear.key.0, Some(arrear.seen())));
        let goes_on = |key: &u64| !self.durable.tombstones.has(KeyHash(*key));
        for (key, depth) in undecided.into_iter().filter(|(key, _)| goes_on(key)) {
            visit(KeyHash(key), UrlState::Discovered { depth: u32::from(depth) });
        }
        Ok(())
    }
}

/// What a host's fate makes of its URLs.
pub(crate) enum Fate {
    None,
    Barred(Barred),
}

impl Fate {
    pub(crate) fn state(&self, pending: Pending, place: Place) -> UrlState {
        let depth = pending.depth;
        match self {
            Self::None => UrlState::Pending { pending, place },
            Self::Barred(Barred::Excluded(rule)) => UrlState::Excluded { depth, rule: *rule },
            Self::Barred(Barred::Parked(reason)) => UrlState::Parked { depth, reason: *reason },
        }
    }
}

impl HostRecord {
    pub(crate) fn fate(&self) -> Fate {
        self.barred.clone().map_or(Fate::None, Fate::Barred)
    }
}

impl Host {
    /// URLs in memory and where they wait.
    pub(crate) fn places(&self) -> impl Iterator<Item = (&Pending, Place)> {
        let at = |place: Place| move |pending| (pending, place);
        let lanes = self.lanes.iter().flat_map(Lane::in_memory).map(at(Place::Queued));
        let back = self.back.iter().map(at(Place::AtHand)).chain(self.retries.iter().map(at(Place::Retry)));
        self.in_flight.iter().map(at(Place::InFlight)).chain(back).chain(lanes)
    }
}

impl<'a> StoredQueues<'a> {
    /// The entries that stand in the record itself.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &'a [u8]> {
        let lanes = self.lanes.iter().flat_map(|lane| lane.head.iter().chain(&lane.tail));
        self.back.iter().chain(&self.retries).chain(lanes).copied()
    }
}
