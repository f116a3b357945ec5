use crate::limits::{JUDGE_BYTES, LOOK_EVERY, PASSES};
use crate::{Attention, Counts, Findings, Judge, read};
use archive::ReplayEntry;
use crawler::{Promise, RecordError};
use serde::Serialize;
use stdx::Timestamp;
use thiserror::Error;

/// What the ledger says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Audit {
    /// The first entry that the journal still has; 1 if all of it is there.
    pub first_entry: u64,
    /// The last one.
    pub last_entry: u64,
    /// When the first was committed, milliseconds since 1970: from then on the ledger proves.
    pub from_ms: u64,
    /// When the last was.
    pub to_ms: u64,
    /// What was seen.
    pub counts: Counts,
    /// What was found.
    pub findings: Findings,
    /// How often the journal was read.
    pub passes: u64,
}

/// Why there is no audit.
#[derive(Debug, Error)]
pub enum AuditError {
    /// There are no entries: where nothing is proven, nothing is proven to have been kept.
    #[error("there is no journal; nothing can be proven")]
    NoJournal,
    /// The journal cannot be read.
    #[error("{0}")]
    Journal(#[from] archive::Error),
    /// An entry of it cannot.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A server's log cannot.
    #[error("the server's log: {0}")]
    Log(#[from] std::io::Error),
}

/// One reading of the journal, of as many as it takes: each judges one share of the domains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    /// Which, from 0.
    pub index: u64,
    /// Of how many.
    pub of: u64,
}

/// Judges a whole journal. `journal` opens it from its beginning, as often as it is asked to; `assumed` is what holds until
/// an entry says what was promised. Without an entry there is no audit, but [`AuditError::NoJournal`].
pub fn audit<I>(
    journal: impl Fn(Pass) -> Result<I, archive::Error>,
    assumed: Option<&Promise>,
) -> Result<Audit, AuditError>
where
    I: Iterator<Item = Result<ReplayEntry, archive::Error>>,
{
    audit_within(JUDGE_BYTES, journal, assumed)
}

/// The same with so much to remember at once.
pub(crate) fn audit_within<I>(
    bytes: u64,
    journal: impl Fn(Pass) -> Result<I, archive::Error>,
    assumed: Option<&Promise>,
) -> Result<Audit, AuditError>
where
    I: Iterator<Item = Result<ReplayEntry, archive::Error>>,
{
    let (mut of, mut passes) = (1, 0);
    loop {
        let room = if of < PASSES { bytes } else { u64::MAX };
        let mut audit = Audit::default();
        let mut index = 0;
        while index < of {
            passes += 1;
            let judge = Judge::new(Attention::Share { index, of }, assumed.cloned());
            match pass(journal(Pass { index, of })?, judge, room, &mut audit)? {
                Some(judge) => audit.absorb(judge),
                None => break,
            }
            index += 1;
        }
        if index == of {
            return if audit.has_entries() {
                Ok(Audit { passes, ..audit })
            } else {
                Err(AuditError::NoJournal)
            };
        }
        of *= 4;
    }
}

impl Audit {
    /// What each share has seen of its own. All of them see all promises.
    fn absorb(&mut self, judge: Judge) {
        let (sum, more) = (&mut self.counts, judge.counts);
        sum.contacts += more.contacts;
        sum.pages += more.pages;
        sum.sitemaps += more.sitemaps;
        sum.robots += more.robots;
        sum.promises = more.promises;
        sum.unproven_rules += more.unproven_rules;
        sum.unproven_delays += more.unproven_delays;
        self.findings.absorb(judge.findings);
    }

    fn has_entries(&self) -> bool {
        self.last_entry > 0
    }

    fn note(&mut self, entry: &ReplayEntry) {
        if self.first_entry == 0 {
            (self.first_entry, self.from_ms) = (entry.seq, entry.committed.unix_ms());
        }
        (self.last_entry, self.to_ms) = (entry.seq, entry.committed.unix_ms());
    }
}

/// One reading of the journal; nothing if there is too much to remember.
fn pass(
    journal: impl Iterator<Item = Result<ReplayEntry, archive::Error>>,
    mut judge: Judge,
    room: u64,
    audit: &mut Audit,
) -> Result<Option<Judge>, AuditError> {
    audit.first_entry = 0;
    for entry in journal {
        let entry = entry?;
        audit.note(&entry);
        if audit.first_entry == entry.seq && entry.seq > 1 {
            judge.begins_late(Timestamp::from_ms(entry.committed.unix_ms()));
        }
        if let Some(line) = read(&entry)? {
            judge.take(line);
        }
        if entry.seq % LOOK_EVERY == 0 && judge.bytes() > room {
            return Ok(None);
        }
    }
    Ok(Some(judge))
}
