use super::Found;
use super::arrivals::Votes;
use super::plan::{Plan, ResidentDomain};
use super::selection::Choice;
use crate::Result;
use crate::group::{DomainRecord, Ledger};
use backlog::{DirectoryReader, DirectoryWriter, Key};
use std::collections::BTreeMap;
use stdx::Timestamp;

/// The domains of a pass, one after the other: those in memory, those that leave it, and those on disk.
pub(super) struct Domains {
    old: Option<DirectoryReader>,
    new: Option<DirectoryWriter>,
    resident: BTreeMap<u64, ResidentDomain>,
    leaving: BTreeMap<u64, DomainRecord>,
    votes: Votes,
    not_before: Timestamp,
}

/// The domain at hand.
pub(super) struct Domain {
    pub(super) hash: u64,
    known: Known,
    changed: bool,
    /// What its hosts take in memory, with those that are chosen.
    pub(super) bytes: u64,
    votes: u32,
}

enum Known {
    /// In memory: a job changes nothing of it but the ledger.
    Resident(Ledger),
    Stored(Vec<u8>),
    Record(DomainRecord),
    New,
}

impl Domains {
    pub(super) fn new(
        plan: &mut Plan,
        votes: Votes,
        old: Option<DirectoryReader>,
        new: Option<DirectoryWriter>,
    ) -> Self {
        Self {
            old,
            new,
            resident: std::mem::take(&mut plan.resident_domains),
            leaving: std::mem::take(&mut plan.leaving_domains),
            votes,
            not_before: plan.not_before,
        }
    }

    /// The first domain on disk, leaving, or voted for, that has not been dealt with.
    pub(super) fn first(&mut self) -> Result<Option<u64>> {
        let old = match &mut self.old {
            Some(old) => old.peek()?.map(|key| key.group),
            None => None,
        };
        let leaving = self.leaving.keys().next().copied();
        Ok([old, leaving, self.votes.keys().next().copied()].into_iter().flatten().min())
    }

    /// Begins with a domain; the ones before it are done with.
    pub(super) fn enter(&mut self, hash: u64) -> Result<Domain> {
        let stored = self.stored(hash)?;
        let votes = self.votes.remove(&hash).unwrap_or(0);
        let mut domain = Domain { hash, known: Known::New, changed: false, bytes: 0, votes };
        if let Some(resident) = self.resident.get(&hash) {
            domain.known = Known::Resident(resident.ledger);
            domain.bytes = resident.bytes;
        } else if let Some(record) = self.leaving.remove(&hash) {
            domain.known = Known::Record(record);
            domain.changed = true;
        } else if let Some(bytes) = stored {
            domain.known = Known::Stored(bytes);
        }
        Ok(domain)
    }

    /// Counts its votes; a domain of which there is nothing else has none.
    pub(super) fn count_votes(&self, domain: &mut Domain, found: &mut Found) -> Result<()> {
        let votes = std::mem::take(&mut domain.votes);
        if votes == 0 || matches!(domain.known, Known::New) {
            return Ok(());
        }
        let ledger = domain.ledger("", self.not_before)?;
        let from = ledger.in_degree;
        ledger.in_degree = from.saturating_add(votes);
        found.raised.push((from, ledger.in_degree));
        Ok(())
    }

    /// Ends a domain: to memory if one of its hosts comes there, or to disk.
    pub(super) fn leave(&mut self, domain: Domain, hosts: Choice, found: &mut Found) -> Result<()> {
        let record = match domain.known {
            Known::Resident(ledger) => {
                found.ledgers.extend(domain.changed.then_some((domain.hash, ledger)));
                return Ok(());
            }
            Known::New => return Ok(()),
            Known::Stored(bytes) if hosts == Choice::Stays => return self.write(domain.hash, &bytes),
            Known::Stored(bytes) => DomainRecord::decode(&bytes)?,
            Known::Record(record) => record,
        };
        if hosts < Choice::Comes {
            self.write(domain.hash, &record.encode())?;
        }
        if hosts > Choice::Stays {
            found.domains.insert(domain.hash, record);
        }
        Ok(())
    }

    pub(super) fn into_writer(self) -> Option<DirectoryWriter> {
        self.new
    }

    fn stored(&mut self, hash: u64) -> Result<Option<Vec<u8>>> {
        let Some(old) = &mut self.old else { return Ok(None) };
        if old.peek()?.is_none_or(|key| key.group != hash) {
            return Ok(None);
        }
        Ok(old.next()?.map(|record| record.payload.to_owned()))
    }

    fn write(&mut self, hash: u64, payload: &[u8]) -> Result<()> {
        let new = self.new.as_mut().expect("a pass that touches what is on disk writes it anew");
        Ok(new.push(Key::header(hash), payload)?)
    }
}

impl Domain {
    /// What budgets follow from, to be changed; `host` names one of its hosts, should it be new.
    pub(super) fn ledger(&mut self, host: &str, not_before: Timestamp) -> Result<&mut Ledger> {
        self.changed = true;
        match &mut self.known {
            Known::Stored(bytes) => self.known = Known::Record(DomainRecord::decode(bytes)?),
            Known::New => self.known = Known::Record(DomainRecord::new(weburl::pld(host), not_before)),
            _ => {}
        }
        match &mut self.known {
            Known::Resident(ledger) => Ok(ledger),
            Known::Record(record) => Ok(&mut record.ledger),
            Known::Stored(_) | Known::New => unreachable!("it was just read"),
        }
    }
}
