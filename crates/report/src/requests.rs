use crate::gaps::Gaps;
use crate::limits::NAMES;
use crate::timeline::{Stretch, Timeline};
use crate::{Histogram, Tally};
use archive::ReplayEntry;
use frontier::{Attempt, Blame, End, Kind, PageSubject, Subject};
use ledger::{AuditError, Contact, Judge, Line};
use serde::Serialize;
use std::collections::BTreeMap;

/// What was asked of servers and what came of it, from the journal.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Requests {
    /// Requests.
    pub contacts: u64,
    /// … of these, for pages, sitemaps and robots.txt.
    pub pages: u64,
    /// See there.
    pub sitemaps: u64,
    /// See there.
    pub robots: u64,
    /// Attempts in which nobody was contacted.
    pub unreached: u64,
    /// How often delays were promised: when a run began, and whenever they changed in it.
    pub promises: u64,
    /// Body bytes kept.
    pub bytes: u64,
    /// Answers, by status.
    pub statuses: BTreeMap<u16, u64>,
    /// Attempts without an answer, and answers of which nothing is known (`original-gone`, `parser-panicked`), by cause.
    pub failures: BTreeMap<String, Failed>,
    /// What happened when.
    pub timeline: Timeline,
    /// Hosts by the pages they were asked for.
    pub hosts: Tally,
    /// Pages by the links that lead to them from the nearest seed; what is deeper counts at [`DEPTH_MOST`].
    pub depths: BTreeMap<u32, u64>,
    /// Bytes of bodies that are not empty.
    pub body_bytes: Histogram,
    /// How long requests took, in milliseconds.
    pub took_ms: Histogram,
    /// How servers were left alone.
    pub gaps: Gaps,
}

/// Attempts that failed of one cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failed {
    /// How many.
    pub count: u64,
    /// Whose fault it was: `host`, `url`, `policy`, `ours`.
    pub blame: &'static str,
}

/// Depths that are told apart.
pub const DEPTH_MOST: u32 = 1_000;

impl Requests {
    /// Takes in an entry of the journal; `judge` has seen all before it.
    pub(crate) fn take(&mut self, entry: &ReplayEntry, judge: &mut Judge) -> Result<(), AuditError> {
        let Some(line) = ledger::read(entry)? else { return Ok(()) };
        match &line {
            Line::Promise(_) => self.promises += 1,
            Line::Lost(page) => self.fail(page.why.to_string(), page.why.blame()),
            Line::Groups(_) | Line::Rules(_) | Line::Excluded(_) | Line::Readmitted(_) => {}
            Line::Unreached(attempt) => {
                self.unreached += 1;
                self.outcome(attempt, 0);
            }
            Line::Contact(contact) => {
                let contact = contact.clone();
                self.contact(&contact);
                if let Some(applied) = judge.take(line) {
                    self.gaps.take(&contact, applied);
                }
                return Ok(());
            }
        }
        judge.take(line);
        Ok(())
    }

    fn contact(&mut self, contact: &Contact) {
        self.contacts += 1;
        self.took_ms.add(contact.took_ms());
        match contact.what() {
            "robots" => self.robots += 1,
            "sitemap" => self.sitemaps += 1,
            _ => self.page(contact),
        }
        self.outcome(&contact.attempt, 1);
    }

    fn page(&mut self, contact: &Contact) {
        self.pages += 1;
        self.hosts.add(contact.url.host());
        if let Subject::Page(page) = &contact.attempt.subject {
            *self.depths.entry(page.depth.min(DEPTH_MOST)).or_default() += 1;
        }
    }

    fn outcome(&mut self, attempt: &Attempt, requests: u64) {
        let mut stretch = Stretch { requests, ..Stretch::default() };
        match &attempt.end {
            End::Captured(response) => {
                *self.statuses.entry(response.status).or_default() += 1;
                self.bytes += response.bytes;
                if response.bytes > 0 {
                    self.body_bytes.add(response.bytes);
                }
                let is_page = matches!(attempt.subject, Subject::Page(PageSubject { kind: Kind::Page, .. }));
                let is_counted = is_page && attempt.is_answer() && response.redirect.is_none();
                stretch.pages = u64::from(is_counted);
                stretch.bytes = response.bytes;
                stretch.failed = u64::from(response.status >= 400);
            }
            End::Failed(failure) | End::PutOff { failure, .. } => {
                self.fail(failure.kind.to_string(), failure.kind.blame());
                stretch.failed = 1;
            }
        }
        self.timeline.add(attempt.at.as_ms(), stretch);
    }

    fn fail(&mut self, cause: String, blame: Blame) {
        let blame = match blame {
            Blame::Host | Blame::Gate => "host",
            Blame::Url => "url",
            Blame::Policy => "policy",
            Blame::Ours => "ours",
        };
        self.failures.entry(cause).or_insert(Failed { count: 0, blame }).count += 1;
    }

    /// How many hosts were asked for so many pages, while that is known of each.
    pub fn pages_a_host(&self) -> Option<Histogram> {
        let is_known = self.hosts.missed() == 0 && self.hosts.names() <= NAMES;
        is_known.then(|| {
            let mut spread = Histogram::default();
            self.hosts.counts().for_each(|count| spread.add(count));
            spread
        })
    }

    /// Attempts without an answer, and answers of which nothing is known.
    pub fn failed(&self) -> u64 {
        self.failures.values().map(|failed| failed.count).sum()
    }
}
