//! When a host may be contacted next and which clock says so, for a person who asks.

use crate::group::DomainRecord;
use crate::host::{Hold, Host, HostRecord};
use crate::host_facts::Doing;
use crate::stored_host::{Standing, StoredHost};
use crate::{
    Address, Barred, Frontier, HostDelay, HostId, Result, RobotsRecord, SuspectTemplate, WaitingFor,
};
use backlog::Key;
use stdx::Timestamp;

/// Where a host stands.
#[derive(Debug, Clone)]
pub struct HostStanding {
    /// Its name.
    pub name: String,
    /// What it is doing.
    pub doing: Doing,
    /// Why nothing of it is fetched.
    pub barred: Option<Barred>,
    /// The clocks that it waits for, if something of it could be fetched but for them. None may be left out: it is contacted when
    /// the last of them allows it, and its server's.
    pub clocks: Vec<Clock>,
    /// How long it is left alone after a contact, as it is now.
    pub delay: HostDelay,
    /// How many of its URLs wait, but for those that are put off.
    pub pending: u64,
    /// URLs of it that are put off.
    pub deferred: u64,
    /// How often it was contacted.
    pub contacts: u64,
    /// How long its last answer took.
    pub last_response_ms: u64,
    /// Failures in a row.
    pub failures: u8,
    /// Where it will be contacted next if its name's answer is still good; otherwise where it was contacted last.
    pub address: Option<Address>,
    /// Pages of it, answered with a 200, that said what it says where there is none.
    pub soft_404s: u32,
    /// Whether its robots.txt is being fetched at another host.
    pub awaiting_robots: bool,
    /// The rules of its authorities.
    pub robots: Vec<RobotsRecord>,
    /// Patterns of its URLs that are held back the most, if they are among those of its shard.
    pub suspects: Vec<SuspectTemplate>,
}

/// Something that a host waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Whose clock it is.
    pub of: ClockOf,
    /// No contact before this.
    pub until: Timestamp,
}

/// Whose clock it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockOf {
    /// The host's own, and what set it.
    Host(WaitingFor),
    /// That of the first of its URLs that is tried again; nothing else of it is at hand.
    Retry,
    /// Its domain's.
    Domain,
    /// Its domain's, kept for another host of it that has the most to do.
    Kept,
}

impl HostStanding {
    /// The last of the clocks; `None` if there is nothing to wait for.
    pub fn next(&self) -> Option<Clock> {
        self.clocks.iter().copied().max_by_key(|clock| clock.until)
    }
}

impl Frontier {
    /// Where the host with this key stands, in memory or on disk.
    pub(crate) fn host_standing(&self, place: Key) -> Result<Option<HostStanding>> {
        if let Some(id) = self.host_ids.get(&place) {
            return Ok(Some(self.resident_standing(self.host_ref(*id))));
        }
        let Some(payload) = self.disk.hosts.look_up(place)? else { return Ok(None) };
        let (stored, domain) = (StoredHost::parse(&payload)?, self.domain_record(place.group)?);
        Ok(Some(self.stored_standing(&stored, domain)?))
    }

    /// Whether a host with a turn answered when it was asked last, at whatever port.
    pub fn is_well(&self, id: HostId) -> bool {
        let record = &self.host_ref(id).record;
        record.contacts > 0
            && record.failures == 0
            && record.robots_failures == 0
            && record.resting.is_empty()
    }

    /// Whether nothing was ever tried of a host with a turn, not even its name.
    pub fn is_untried(&self, id: HostId) -> bool {
        let record = &self.host_ref(id).record;
        record.contacts == 0 && record.failures == 0 && record.held_by != Hold::Failure
    }

    /// Whether a host with a turn that has never answered has an address of another family than the one at hand, and it was not tried.
    pub fn has_family_untried(&self, id: HostId) -> bool {
        let host = self.host_ref(id);
        let untried = host.addresses.len().saturating_sub(host.record.contacts as usize);
        let is_v4: Vec<bool> = host.addresses.iter().take(untried).map(|one| one.ip.is_ipv4()).collect();
        is_v4.contains(&true) && is_v4.contains(&false)
    }

    fn resident_standing(&self, host: &Host) -> HostStanding {
        let (record, group) = (&host.record, &self.groups[host.group.0]);
        let is_longest = group.longest.is_some_and(|longest| std::ptr::eq(self.host_ref(longest), host));
        let kept = (!is_longest).then_some(Clock { of: ClockOf::Kept, until: group.kept_until });
        let domain = Clock { of: ClockOf::Domain, until: group.record.next_at };
        let clocks =
            host.waits_until().map(|due| own_clocks(record, due).chain([domain]).chain(kept).collect());
        let contacted = record.address.map(|ip| Address { ip, reach: record.reach });
        let address = host.addresses.front().copied().or(contacted);
        let reach = address.map_or(record.reach, |address| address.reach);
        let budget = self.budget_by(group.record.ledger);
        HostStanding {
            doing: host.doing(),
            clocks: clocks.unwrap_or_default(),
            pending: host.pending,
            deferred: host.habits.counts.deferred,
            soft_404s: host.habits.absences.soft(),
            address,
            awaiting_robots: host.awaiting_robots.is_some(),
            ..self.standing_by(record, self.config.delay.host_delay(budget, reach, record.learned()))
        }
    }

    fn stored_standing(&self, stored: &StoredHost<'_>, domain: Option<DomainRecord>) -> Result<HostStanding> {
        let record = self.record_of(stored)?;
        let due = Standing { barred: record.barred.is_some(), ..stored.standing }.due();
        let ledger = domain.as_ref().map_or_else(crate::group::Ledger::new, |domain| domain.ledger);
        let domain = domain.map(|domain| Clock { of: ClockOf::Domain, until: domain.next_at });
        let clocks = due.map(|due| own_clocks(&record, due).chain(domain).collect());
        Ok(HostStanding {
            doing: if due.is_some() { Doing::Sleep } else { Doing::Nothing },
            clocks: clocks.unwrap_or_default(),
            pending: stored.standing.pending,
            deferred: stored.habits.counts.deferred,
            soft_404s: stored.habits.absences.soft(),
            ..self.standing_by(&record, self.delay_by(self.budget_by(ledger), &record))
        })
    }

    /// What the record says, wherever it lies.
    fn standing_by(&self, record: &HostRecord, delay: HostDelay) -> HostStanding {
        let suspects = self.traps.suspects().iter().filter(|suspect| suspect.host == record.name);
        HostStanding {
            name: record.name.clone(),
            doing: Doing::Nothing,
            barred: record.barred.clone(),
            clocks: Vec::new(),
            delay,
            pending: 0,
            deferred: 0,
            contacts: record.contacts,
            last_response_ms: record.last_response_ms,
            failures: record.failures,
            address: record.address.map(|ip| Address { ip, reach: record.reach }),
            soft_404s: 0,
            awaiting_robots: false,
            robots: record.robots.clone(),
            suspects: suspects.cloned().collect(),
        }
    }
}

/// The host's own clock, and that of its first retry where it is what `due` comes from.
fn own_clocks(record: &HostRecord, due: Timestamp) -> impl Iterator<Item = Clock> + use<> {
    let own = Clock { of: ClockOf::Host(record.held_by.into()), until: record.next_at };
    let retry = (due > record.next_at).then_some(Clock { of: ClockOf::Retry, until: due });
    [own].into_iter().chain(retry)
}
