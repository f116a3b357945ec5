use crate::arrears::Arrear;
use crate::entry::Entry;
use crate::group::DomainRecord;
use crate::habits::Habits;
use crate::host::Host;
use crate::identity::host_key;
use crate::lane::Lane;
use crate::limits::{PARKED, REVIVING};
use crate::seen::Seen;
use crate::stored_host::StoredHost;
use crate::table::read_pending;
use crate::walk::Fate;
use crate::{
    Acquaintance, BeastQueue, Budget, Claim, Frontier, HostStanding, Pattern, Penalty, Pending, Place,
    Result, Suspicion, UrlState,
};
use backlog::{Key, QueueId, Section};
use stdx::Timestamp;
use weburl::{KeyHash, Url, without_root_dot};

/// What is known of one URL, for a person who asks.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// Its state; `None` if it was never discovered.
    pub state: Option<UrlState>,
    /// Its host, if one of its URLs has passed.
    pub host: Option<HostStanding>,
    /// Its registrable domain.
    pub domain: Option<DomainStanding>,
    /// What is held against it: such URLs wait longer.
    pub suspicion: Option<Suspicion>,
    /// What URLs like it have given.
    pub pattern: Pattern,
    /// Where it stands among BEAST's queues, if it is in one.
    pub deferral: Option<Deferral>,
}

/// Where a URL stands that is put off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deferral {
    /// In a queue that is read after so many others.
    After(u64),
    /// In QF, with what fits into no other: read over many turns.
    Last,
}

/// Where a registrable domain stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DomainStanding {
    /// Its name.
    pub name: String,
    /// Other domains that link to it.
    pub in_degree: u32,
    /// Its budget.
    pub budget: Budget,
    /// URLs that wait beyond the budget.
    pub deferred: u64,
    /// Hosts met.
    pub hosts: u64,
}

impl Frontier {
    /// What is known of one URL: point look-ups, and, where it waits on disk, a search through what its host has there and
    /// through BEAST's queues, judged as of `now`. For people. While a job runs, what it has is looked for where it was.
    pub fn look_up(&self, key: KeyHash, url: &Url, now: Timestamp) -> Result<Explanation> {
        let place = host_key(without_root_dot(url.host()), self.config.seed);
        let state = self.state_of(key, place)?;
        let habits = self.habits_of(place)?;
        let suspicion = match &state {
            Some(UrlState::Pending { pending, .. }) => habits.judge_known(&pending.entry(), now),
            _ => habits.judge_known(&Entry::of(key, url.as_str()), now),
        };
        Ok(Explanation {
            suspicion: suspicion.or(self.waits_as_stranger(state.as_ref(), place)?),
            pattern: habits.templates.of_url(url.as_str()),
            deferral: state.as_ref().and_then(|state| self.deferral(state)),
            state,
            host: self.host_standing(place)?,
            domain: self.domain_standing(place.group)?,
        })
    }

    fn habits_of(&self, place: Key) -> Result<Habits> {
        if let Some(id) = self.host_ids.get(&place) {
            return Ok(self.host_ref(*id).habits.clone());
        }
        let stored = self.disk.hosts.look_up(place)?;
        stored.map_or_else(|| Ok(Habits::default()), |payload| Ok(StoredHost::parse(&payload)?.habits))
    }

    /// What holds a URL back that waits because its host is new.
    fn waits_as_stranger(&self, state: Option<&UrlState>, place: Key) -> Result<Option<Suspicion>> {
        let Some(UrlState::Pending { place: Place::Deferred(_), .. }) = state else { return Ok(None) };
        if self.host_ids.contains_key(&place) || self.disk.hosts.look_up(place)?.is_some() {
            return Ok(None);
        }
        let Some(domain) = self.domain_record(place.group)? else { return Ok(None) };
        let (mut ledger, budget) = (domain.ledger, self.budget_by(domain.ledger));
        let claim = Claim { budget, host: Acquaintance::New, penalty: Penalty::NONE };
        let waits = self.durable.deferred.beast.waits_as_stranger(&mut ledger.beast, claim);
        Ok(if waits { Suspicion::of_stranger(budget) } else { None })
    }

    fn deferral(&self, state: &UrlState) -> Option<Deferral> {
        let UrlState::Pending { place: Place::Deferred(queue), .. } = state else { return None };
        let turns = self.durable.deferred.beast.turns_before(BeastQueue(*queue));
        Some(turns.map_or(Deferral::Last, Deferral::After))
    }

    fn state_of(&self, key: KeyHash, place: Key) -> Result<Option<UrlState>> {
        if let Some(landing) = self.durable.landing.get(&key) {
            let (depth, capture) = (landing.depth, landing.capture);
            return Ok(Some(UrlState::Fetched { depth, capture, location: None }));
        }
        let held = match self.host_ids.get(&place) {
            Some(id) => self.find_in(self.host_ref(*id), key)?,
            None => self.find_on_disk(place, key)?,
        };
        if held.is_some() {
            return Ok(held);
        }
        let ended = self.final_state(key)?;
        if matches!(ended, Some(UrlState::Parked { .. })) {
            return Ok(self.find_put_back(key)?.or(ended));
        }
        if ended.is_some() {
            return Ok(ended);
        }
        Ok(self.find_deferred(key)?.or(self.find_undecided(key)?))
    }

    pub(crate) fn final_state(&self, key: KeyHash) -> Result<Option<UrlState>> {
        let found = self.disk.records.look_up(key.0)?;
        let mut record = found.value;
        let mut see =
            |update| record = Some(record.map_or(update, |known| drum::Value::merge(known, update)));
        if found.waiting > 0 {
            self.disk.records.scan_waiting(|waiting, update| {
                update.filter(|_| waiting == key.0).into_iter().for_each(&mut see);
            })?;
        }
        let put_by = self.arrears.records.iter().filter(|arrear| arrear.key == key);
        put_by.map(Arrear::record).for_each(see);
        Ok(record.and_then(|record| record.state()))
    }

    fn find_in(&self, host: &Host, key: KeyHash) -> Result<Option<UrlState>> {
        let fate = host.record.fate();
        if let Some((pending, place)) = host.places().find(|(pending, _)| pending.key == key) {
            return Ok(Some(fate.state(pending.clone(), place)));
        }
        let sections: Vec<Section> = host.lanes.iter().flat_map(Lane::all_sections).copied().collect();
        self.find_in_sections(&sections, key, &fate)
    }

    fn find_on_disk(&self, place: Key, key: KeyHash) -> Result<Option<UrlState>> {
        let Some(payload) = self.disk.hosts.look_up(place)? else { return Ok(None) };
        let stored = StoredHost::parse(&payload)?;
        let fate = self.record_of(&stored)?.fate();
        for entry in stored.queues.entries() {
            if let Some(pending) = self.matches(entry, key)? {
                return Ok(Some(fate.state(pending, Place::Directory)));
            }
        }
        let sections: Vec<Section> =
            stored.queues.lanes.iter().flat_map(|lane| &lane.sections).copied().collect();
        self.find_in_sections(&sections, key, &fate)
    }

    fn find_in_sections(&self, sections: &[Section], key: KeyHash, fate: &Fate) -> Result<Option<UrlState>> {
        let mut found: Option<Vec<u8>> = None;
        for section in sections {
            self.disk.hosts.scan_section(*section, |entry| {
                if entry.starts_with(&key.0.to_le_bytes()) {
                    found = Some(entry.to_owned());
                }
            })?;
        }
        let Some(entry) = found else { return Ok(None) };
        Ok(self.matches(&entry, key)?.map(|pending| fate.state(pending, Place::Section)))
    }

    fn find_deferred(&self, key: KeyHash) -> Result<Option<UrlState>> {
        for queue in 0..REVIVING.0 {
            if let Some(pending) = self.find_in_queue(QueueId(queue), key)? {
                return Ok(Some(UrlState::Pending { pending, place: Place::Deferred(queue) }));
            }
        }
        let place = Place::Deferred(crate::BeastQueue::LAST.0);
        for entry in &self.durable.deferred.ahead {
            if let Some(pending) = self.matches(entry, key)? {
                return Ok(Some(UrlState::Pending { pending, place }));
            }
        }
        Ok(None)
    }

    /// A URL that was parked, and that an operator's word puts back.
    fn find_put_back(&self, key: KeyHash) -> Result<Option<UrlState>> {
        if !self.is_reviving() {
            return Ok(None);
        }
        let parked = self.find_in_queue(REVIVING, key)?;
        let parked = if parked.is_some() { parked } else { self.find_in_queue(PARKED, key)? };
        let taken = parked.filter(|pending| self.revivals.takes(pending));
        Ok(taken.map(|pending| UrlState::Pending { pending: pending.afresh(), place: Place::PutBack }))
    }

    fn find_in_queue(&self, queue: QueueId, key: KeyHash) -> Result<Option<Pending>> {
        let mut found: Option<Vec<u8>> = None;
        self.disk.hosts.scan_queue(queue, |entry| {
            if entry.starts_with(&key.0.to_le_bytes()) {
                found = Some(entry.to_owned());
            }
        })?;
        found.map_or(Ok(None), |entry| self.matches(&entry, key))
    }

    /// By the shortest path of those that wait; `None` if none does, or all have been let go.
    fn find_undecided(&self, key: KeyHash) -> Result<Option<UrlState>> {
        let mut least: Option<u16> = None;
        let mut see = |update| match update {
            Some(Seen::At(depth)) => least = Some(least.map_or(depth, |least| least.min(depth))),
            Some(Seen::LetGo) => least = None,
            None => {}
        };
        if self.disk.seen.look_up(key.0)?.waiting > 0 {
            self.disk.seen.scan_waiting(|waiting, update| see(update.filter(|_| waiting == key.0)))?;
        }
        for arrear in self.arrears.seen.iter().filter(|arrear| arrear.key == key) {
            see(Some(arrear.seen()));
        }
        Ok(least.map(|depth| UrlState::Discovered { depth: u32::from(depth) }))
    }

    fn matches(&self, entry: &[u8], key: KeyHash) -> Result<Option<Pending>> {
        let pending = read_pending(entry)?;
        let counts = pending.key == key && !self.durable.tombstones.covers(key, pending.order);
        Ok(counts.then_some(pending))
    }

    fn domain_standing(&self, group: u64) -> Result<Option<DomainStanding>> {
        let record = self.domain_record(group)?;
        Ok(record.map(|DomainRecord { name, ledger, .. }| DomainStanding {
            name,
            in_degree: ledger.in_degree,
            budget: self.budget_by(ledger),
            deferred: ledger.beast.waiting(),
            hosts: ledger.hosts,
        }))
    }

    /// What is kept of a domain, in memory or on disk.
    pub(crate) fn domain_record(&self, group: u64) -> Result<Option<DomainRecord>> {
        if let Some(id) = self.group_ids.get(&group) {
            return Ok(Some(self.groups[id.0].record.clone()));
        }
        let bytes = self.disk.domains.look_up(Key::header(group))?;
        bytes.map(|bytes| DomainRecord::decode(&bytes)).transpose()
    }
}
