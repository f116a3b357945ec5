use super::Asked;
use super::slices::{Visitor, show_all};
use crate::explain::reason_of;
use crawler::{Barred, Doing, ListedHost};
use std::collections::BTreeMap;
use stdx::Timestamp;
use ui::{HostQuery, HostRow, HostSort, Hosts, Unanswered};

/// The page that was asked for.
pub(super) fn page(asked: &Asked, query: &HostQuery) -> Result<Hosts, Unanswered> {
    let after = query.after.as_deref().map(Rank::parse).transpose()?;
    let gathering = Gathering { query: query.clone(), after, best: BTreeMap::new(), seen: 0, matching: 0 };
    Ok(show_all(asked, gathering)?.into_page())
}

/// Where a host stands in an order: lower comes first, and equals by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    value: u64,
    name: String,
}

/// The first hosts after a place in the order, never more than a page and one.
struct Gathering {
    query: HostQuery,
    after: Option<Rank>,
    best: BTreeMap<Rank, HostRow>,
    seen: u64,
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

impl Visitor for Gathering {
    fn visit(&mut self, host: &ListedHost<'_>, now: Timestamp) {
        self.seen += 1;
        if !host.name().contains(&self.query.search) {
            return;
        }
        self.matching += 1;
        let (value, name) = (value(host, self.query.sort), host.name());
        let is_earlier = self.after.as_ref().is_some_and(|after| !after.is_before(value, name));
        let is_later =
            self.is_full() && self.best.last_key_value().is_some_and(|(last, _)| last.is_before(value, name));
        if is_earlier || is_later {
            return;
        }
        self.best.insert(Rank { value, name: name.to_owned() }, row(host, now));
        if self.best.len() > self.query.limit + 1 {
            self.best.pop_last();
        }
    }
}

impl Gathering {
    fn is_full(&self) -> bool {
        self.best.len() > self.query.limit
    }

    /// One more than a page says that there is another.
    fn into_page(mut self) -> Hosts {
        let has_more = self.is_full();
        if has_more {
            self.best.pop_last();
        }
        let next = self.best.last_key_value().filter(|_| has_more).map(|(rank, _)| rank.text());
        Hosts { rows: self.best.into_values().collect(), next, seen: self.seen, matching: self.matching }
    }
}

/// Its place in an order; what is most comes first where that is what people look for.
fn value(host: &ListedHost<'_>, sort: HostSort) -> u64 {
    match sort {
        HostSort::Pending => u64::MAX - host.pending(),
        HostSort::Name => 0,
        HostSort::Until if host.doing() == Doing::Wait => host.until().as_ms(),
        HostSort::Until => u64::MAX,
        HostSort::Contacts => u64::MAX - host.contacts(),
        HostSort::Response => u64::MAX - host.last_response_ms(),
        HostSort::Failures => u64::MAX - u64::from(host.failures()),
    }
}

fn row(host: &ListedHost<'_>, now: Timestamp) -> HostRow {
    HostRow {
        host: host.name().to_owned(),
        state: state(host),
        why: why(host, now),
        until_ms: host.until().as_ms(),
        pending: host.pending(),
        deferred: host.deferred(),
        contacts: host.contacts(),
        last_response_ms: host.last_response_ms(),
        failures: host.failures(),
        crawl_delay_ms: host.crawl_delay_ms(),
    }
}

fn state(host: &ListedHost<'_>) -> &'static str {
    match (host.barred(), host.doing()) {
        (Some(Barred::Excluded(_)), _) => "excluded",
        (Some(Barred::Parked(_)), _) => "parked",
        (None, Doing::Contact) => "contact",
        (None, Doing::Wait) => "wait",
        (None, Doing::Nothing) => "idle",
    }
}

fn why(host: &ListedHost<'_>, now: Timestamp) -> String {
    match (host.barred(), host.doing()) {
        (Some(Barred::Excluded(rule)), _) => rule.to_string(),
        (Some(Barred::Parked(reason)), _) => reason.to_string(),
        (None, Doing::Contact) => "it is being contacted".to_owned(),
        (None, Doing::Wait) if host.until() <= now => "a free slot: it is its turn".to_owned(),
        (None, Doing::Wait) => reason_of(host.waits_for()).to_owned(),
        (None, Doing::Nothing) if host.deferred() > 0 => "the budget of its domain".to_owned(),
        (None, Doing::Nothing) => "nothing of it waits".to_owned(),
    }
}
