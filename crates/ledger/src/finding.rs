use crate::limits::FINDINGS_KEPT;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Which promise was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Breach {
    /// A host was contacted before its delay was over.
    HostDelay,
    /// A server address was.
    ServerDelay,
    /// A domain got requests closer together than its rate allows.
    DomainRate,
    /// Hosts of a group that the operator has named did.
    GroupInterval,
    /// robots.txt forbids what was asked for.
    Robots,
    /// Something was asked for before robots.txt.
    RobotsMissing,
    /// The rules were older than a day.
    RobotsStale,
    /// What had its final answer was asked for again.
    FetchedTwice,
    /// What the operator had excluded or taken down was contacted.
    Excluded,
    /// A file of the crawl holds what was taken down and purged.
    NotPurged,
    /// The server's log has a contact that the ledger has not.
    UnknownContact,
    /// Log and ledger do not agree when it was.
    OtherMoment,
    /// By the server's own clock a host was contacted before its delay was over.
    HostDelayAtServer,
    /// By the server's own clock an address was.
    ServerDelayAtServer,
}

impl Breach {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::HostDelay => "host-delay",
            Self::ServerDelay => "server-delay",
            Self::DomainRate => "domain-rate",
            Self::GroupInterval => "group-interval",
            Self::Robots => "robots",
            Self::RobotsMissing => "robots-missing",
            Self::RobotsStale => "robots-stale",
            Self::FetchedTwice => "fetched-twice",
            Self::Excluded => "excluded",
            Self::NotPurged => "not-purged",
            Self::UnknownContact => "unknown-contact",
            Self::OtherMoment => "other-moment",
            Self::HostDelayAtServer => "host-delay-at-server",
            Self::ServerDelayAtServer => "server-delay-at-server",
        }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A promise that was broken, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Which.
    pub breach: Breach,
    /// Entry of the journal, or line of the server's log.
    pub place: Place,
    /// Milliseconds since 1970 by our clock.
    pub at_ms: u64,
    /// What was asked for.
    pub url: String,
    /// The particulars, for people.
    pub detail: String,
}

/// Where a finding is to be looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Entry of the journal.
    Entry(u64),
    /// Line of the server's log, from 1.
    Line(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry(entry) => write!(f, "entry {entry}"),
            Self::Line(line) => write!(f, "line {line} of the log"),
        }
    }
}

/// What was found: all of it counted, the first of it kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Findings {
    /// How often, by breach.
    pub counts: BTreeMap<Breach, u64>,
    /// The first ones.
    pub kept: Vec<Finding>,
}

impl Findings {
    /// Notes one.
    pub fn add(&mut self, finding: Finding) {
        *self.counts.entry(finding.breach).or_default() += 1;
        if self.kept.len() < FINDINGS_KEPT {
            self.kept.push(finding);
        }
    }

    /// Takes in those of another.
    pub fn absorb(&mut self, other: Self) {
        for (breach, count) in other.counts {
            *self.counts.entry(breach).or_default() += count;
        }
        let room = FINDINGS_KEPT.saturating_sub(self.kept.len());
        self.kept.extend(other.kept.into_iter().take(room));
        self.kept.sort_by_key(|finding| (finding.at_ms, finding.place));
    }

    /// How many.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }
}
