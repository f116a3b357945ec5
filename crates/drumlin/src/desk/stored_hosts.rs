//! Hosts in the order in which they lie on disk: however many there are, each page costs the same.

use super::Asked;
use super::hosts::row;
use super::listing::{Lies, Listed, read_hosts};
use crawler::{HostFacts, HostKey, More};
use ui::{HostQuery, Hosts, Unanswered};

/// Hosts looked at for one page: some milliseconds. A search that finds little gives a short page, and where to go on.
const LOOKED_AT: u64 = 20_000;

/// A place in that order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cursor {
    shard: u8,
    after: Option<HostKey>,
}

/// The page that was asked for.
pub(super) fn page(asked: &Asked, query: &HostQuery) -> Result<Hosts, Unanswered> {
    let mut paging = Paging { query, found: Vec::new(), seen: 0, next: None };
    let mut cursor = query.after.as_deref().map_or(Ok(Cursor::START), Cursor::parse)?;
    loop {
        read_hosts(asked, cursor.shard, cursor.after, |key, facts| paging.take(cursor.shard, key, facts))?;
        let Some(shard) = cursor.shard.checked_add(1).filter(|_| paging.next.is_none()) else { break };
        cursor = Cursor { shard, after: None };
    }
    paging.into_page(asked)
}

struct Paging<'a> {
    query: &'a HostQuery,
    found: Vec<HostFacts>,
    seen: u64,
    /// Behind the last that was looked at, once that is enough.
    next: Option<Cursor>,
}

impl Paging<'_> {
    fn take(&mut self, shard: u8, key: HostKey, facts: HostFacts) -> More {
        self.seen += 1;
        if facts.name.contains(&self.query.search) {
            self.found.push(facts);
        }
        if self.found.len() < self.query.limit && self.seen < LOOKED_AT {
            return More::Yes;
        }
        self.next = Some(Cursor { shard, after: Some(key) });
        More::No
    }

    /// Those that have come to memory meanwhile are as they are there.
    fn into_page(self, asked: &Asked) -> Result<Hosts, Unanswered> {
        let (found, now) = asked.look(move |crawler, now| (of_now(crawler, self.found), now))?;
        let rows: Vec<_> =
            found.into_iter().map(|facts| row(&Listed { facts, lies: Lies::OnDisk }, now)).collect();
        let (matching, next) = (rows.len() as u64, self.next.map(Cursor::text));
        Ok(Hosts { rows, next, seen: self.seen, matching, sampled: false, age_ms: 0, keeps_ms: 0 })
    }
}

fn of_now(crawler: &crawler::Crawler, found: Vec<HostFacts>) -> Vec<HostFacts> {
    found.into_iter().filter(|facts| !crawler.is_at_hand(&facts.name)).collect()
}

impl Cursor {
    const START: Self = Self { shard: 0, after: None };

    fn text(self) -> String {
        format!("{:02x}{}", self.shard, self.after.map_or_else(String::new, HostKey::text))
    }

    /// As [`Cursor::text`] has it.
    fn parse(text: &str) -> Result<Self, Unanswered> {
        let malformed = || Unanswered::Malformed("after: no place in a list".into());
        let (shard, key) = text.split_at_checked(2).ok_or_else(malformed)?;
        let shard = u8::from_str_radix(shard, 16).map_err(|_| malformed())?;
        Ok(Self { shard, after: Some(HostKey::parse(key).ok_or_else(malformed)?) })
    }
}
