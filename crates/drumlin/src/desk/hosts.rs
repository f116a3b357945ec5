use super::listing::{Holds, Lies, Listed, Listing};
use super::{Asked, Listings, stored_hosts};
use crate::explain::reason_of;
use crawler::{Barred, Doing, HostFacts};
use std::collections::BTreeMap;
use stdx::Timestamp;
use ui::{HostQuery, HostRow, HostSort, Hosts, Unanswered};

/// The page that was asked for.
pub(super) fn page(asked: &Asked, listings: &Listings, query: &HostQuery) -> Result<Hosts, Unanswered> {
    if query.sort == HostSort::Stored {
        return stored_hosts::page(asked, query);
    }
    let after = query.after.as_deref().map(Rank::parse).transpose()?;
    let listing = listings.get(asked)?;
    let mut gathering = Gathering { query, after, best: BTreeMap::new(), matching: 0 };
    listing.hosts.iter().for_each(|host| gathering.take(host));
    let page = gathering.into_page(&listing);
    if page.matching == 0 && listing.holds == Holds::Sample {
        return by_name(asked, query, page);
    }
    Ok(page)
}

/// A host that is not in the list is found by its whole name all the same.
fn by_name(asked: &Asked, query: &HostQuery, page: Hosts) -> Result<Hosts, Unanswered> {
    let name = query.search.clone();
    let found = asked.look(move |crawler, now| (crawler.host_facts(&name), now))?;
    let (Ok(Some(facts)), now) = found else { return Ok(page) };
    Ok(Hosts { rows: vec![row(&Listed { facts, lies: Lies::OnDisk }, now)], matching: 1, ..page })
}

/// Where a host stands in an order: lower comes first, and equals by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    value: u64,
    name: String,
}

/// The first hosts after a place in the order, never more than a page and one.
struct Gathering<'a> {
    query: &'a HostQuery,
    after: Option<Rank>,
    best: BTreeMap<Rank, &'a Listed>,
    matching: u64,
}

impl Rank {
    /// As [`Hosts::next`] has it.
    fn parse(text: &str) -> Result<Self, Unanswered> {
        let parts = text.split_once(' ').and_then(|(value, name)| Some((value.parse().ok()?, name)));
        let (value, name) = parts.ok_or_else(|| Unanswered::Malformed("after: no place in a list".into()))?;
        Ok(Self { value, name: name.to_owned() })
    }

    fn text(&self) -> String {
        format!("{} {}", self.value, self.name)
    }

    fn is_before(&self, value: u64, name: &str) -> bool {
        (self.value, self.name.as_str()) < (value, name)
    }
}

impl<'a> Gathering<'a> {
    fn take(&mut self, host: &'a Listed) {
        let name = host.facts.name.as_str();
        if !name.contains(&self.query.search) {
            return;
        }
        self.matching += 1;
        let value = value(&host.facts, self.query.sort);
        let is_earlier = self.after.as_ref().is_some_and(|after| !after.is_before(value, name));
        let is_later =
            self.is_full() && self.best.last_key_value().is_some_and(|(last, _)| last.is_before(value, name));
        if is_earlier || is_later {
            return;
        }
        self.best.insert(Rank { value, name: name.to_owned() }, host);
        if self.best.len() > self.query.limit + 1 {
            self.best.pop_last();
        }
    }

    fn is_full(&self) -> bool {
        self.best.len() > self.query.limit
    }

    /// One more than a page says that there is another.
    fn into_page(mut self, listing: &Listing) -> Hosts {
        let has_more = self.is_full();
        if has_more {
            self.best.pop_last();
        }
        let next = self.best.last_key_value().filter(|_| has_more).map(|(rank, _)| rank.text());
        Hosts {
            rows: self.best.into_values().map(|host| row(host, listing.as_of)).collect(),
            next,
            seen: listing.hosts.len() as u64,
            matching: self.matching,
            sampled: listing.holds == Holds::Sample,
            age_ms: listing.age().as_millis() as u64,
            keeps_ms: listing.keeps().as_millis() as u64,
        }
    }
}

/// Its place in an order; what is most comes first where that is what people look for.
fn value(host: &HostFacts, sort: HostSort) -> u64 {
    match sort {
        HostSort::Pending => u64::MAX - host.pending,
        HostSort::Name | HostSort::Stored => 0,
        HostSort::Until if matches!(host.doing, Doing::Wait | Doing::Sleep) => host.until.as_ms(),
        HostSort::Until => u64::MAX,
        HostSort::Contacts => u64::MAX - host.contacts,
        HostSort::Response => u64::MAX - host.last_response_ms,
        HostSort::Failures => u64::MAX - u64::from(host.failures),
    }
}

/// What the table says of a host.
pub(super) fn row(Listed { facts, lies }: &Listed, now: Timestamp) -> HostRow {
    HostRow {
        host: facts.name.clone(),
        state: state(facts),
        place: match lies {
            Lies::InMemory => "memory",
            Lies::OnDisk => "disk",
        },
        why: why(facts, now),
        until_ms: facts.until.as_ms(),
        pending: facts.pending,
        deferred: facts.deferred,
        contacts: facts.contacts,
        last_response_ms: facts.last_response_ms,
        failures: facts.failures,
        crawl_delay_ms: facts.crawl_delay_ms,
    }
}

fn state(host: &HostFacts) -> &'static str {
    match (&host.barred, host.doing) {
        (Some(Barred::Excluded(_)), _) => "excluded",
        (Some(Barred::Parked(_)), _) => "parked",
        (None, Doing::Contact) => "contact",
        (None, Doing::Wait | Doing::Sleep) => "wait",
        (None, Doing::Nothing) => "idle",
    }
}

fn why(host: &HostFacts, now: Timestamp) -> String {
    match (&host.barred, host.doing) {
        (Some(Barred::Excluded(rule)), _) => rule.to_string(),
        (Some(Barred::Parked(reason)), _) => reason.to_string(),
        (None, Doing::Contact) => "it is being contacted".to_owned(),
        (None, Doing::Wait) if host.until <= now => "a free slot: it is its turn".to_owned(),
        (None, Doing::Sleep) if host.until <= now => "room in memory: it is its turn".to_owned(),
        (None, Doing::Wait | Doing::Sleep) => reason_of(host.waits_for).to_owned(),
        (None, Doing::Nothing) if host.deferred > 0 => "its budget, or a trap's rule".to_owned(),
        (None, Doing::Nothing) => "nothing of it waits".to_owned(),
    }
}
