//! What a host is known to do, as far as budgets and traps go: kept beside its queues, since jobs judge by it.

use crate::entry::Entry;
use crate::host_bytes::FIRST_VERSION;
use crate::identity::host_of;
use crate::traps::Absences;
use crate::{
    Error, Frontier, Kind, Listed, Result, Source, Suspicion, Template, Templates, Yield, judge_hops,
    judge_shape,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use stdx::Timestamp;

/// The habits of one host. A job has a copy: it counts what is listed and put off, memory notes what templates yield.
#[derive(Debug, Clone, Default)]
pub(crate) struct Habits {
    pub(crate) counts: HabitCounts,
    pub(crate) templates: Arc<Templates>,
    pub(crate) absences: Absences,
}

/// What jobs count of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct HabitCounts {
    /// New URLs, by who named them.
    pub(crate) listed: Listed,
    /// URLs in BEAST's queues, but for those that were put there before the host was known.
    pub(crate) deferred: u64,
}

impl Habits {
    /// Of a stored host of this version.
    pub(crate) fn parse(version: u8, bytes: &[u8]) -> Result<Self> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let damaged = |_| Error::Damaged { what: "the habits of a host" };
        let (counts, rest) = postcard::take_from_bytes(bytes).map_err(damaged)?;
        let (templates, rest) = match version {
            FIRST_VERSION => (Templates::decode_first(rest).map_err(damaged)?, &[][..]),
            _ => postcard::take_from_bytes(rest).map_err(damaged)?,
        };
        let absences = if rest.is_empty() {
            Absences::default()
        } else {
            postcard::from_bytes(rest).map_err(damaged)?
        };
        Ok(Self { counts, templates: Arc::new(templates), absences })
    }

    /// How many URLs in BEAST's queues the habits of a stored host say there are, whatever its version.
    pub(crate) fn deferred_in(bytes: &[u8]) -> Result<u64> {
        let counts: postcard::Result<(HabitCounts, &[u8])> = postcard::take_from_bytes(bytes);
        counts.map(|(counts, _)| counts.deferred).map_err(|_| Error::Damaged { what: "the habits of a host" })
    }

    /// As bytes; none if nothing is known.
    pub(crate) fn encode(&self) -> Vec<u8> {
        const FITS: &str = "what is in memory can be written";
        let has_absences = self.absences != Absences::default();
        let has_others = self.counts != HabitCounts::default() || *self.templates != Templates::default();
        if !has_absences && !has_others {
            return Vec::new();
        }
        let bytes = postcard::to_allocvec(&(&self.counts, &*self.templates)).expect(FITS);
        if has_absences { postcard::to_extend(&self.absences, bytes).expect(FITS) } else { bytes }
    }

    /// What they take of memory, beside themselves.
    pub(crate) fn bytes(&self) -> u64 {
        self.templates.bytes() + self.absences.bytes()
    }

    /// Judges a new URL of the host, and counts it.
    pub(crate) fn judge_new(&mut self, entry: &Entry<'_>, now: Timestamp) -> Option<Suspicion> {
        let listed = self.counts.listed.note(entry.source());
        Suspicion::worst(listed, self.judge_again(entry, now))
    }

    /// Judges a URL that has been counted: one that BEAST hands back, or that a person asks about.
    pub(crate) fn judge_known(&self, entry: &Entry<'_>, now: Timestamp) -> Option<Suspicion> {
        Suspicion::worst(self.counts.listed.judge(entry.source()), self.judge_again(entry, now))
    }

    /// The worst that is held against any URL of the host, but for what its shape says.
    pub(crate) fn worst(&self) -> Option<Suspicion> {
        Suspicion::worst(self.counts.listed.judge(Source::Sitemap), self.templates.worst())
    }

    fn judge_again(&self, entry: &Entry<'_>, now: Timestamp) -> Option<Suspicion> {
        let form = Suspicion::worst(judge_shape(entry.url, now), judge_hops(entry.hops));
        Suspicion::worst(form, self.judge_pattern(entry))
    }

    /// What pages like it have given says nothing of a sitemap.
    pub(crate) fn judge_pattern(&self, entry: &Entry<'_>) -> Option<Suspicion> {
        match entry.kind {
            Kind::Page => self.templates.judge(entry.url, entry.key),
            Kind::Sitemap => None,
        }
    }
}

impl Frontier {
    /// Applies what the fetch of this URL gave: patterns of URLs that give nothing new are put off. The host is brought into
    /// memory if need be, which has to wait while a job [has it](Self::has_in_hands).
    pub fn apply_yield(&mut self, url: &str, gave: Yield) -> Result<()> {
        let id = self.recall(host_of(url))?;
        let (template, host) = (Template::of(url), &mut self.hosts[id.0]);
        let worth = host.habits.absences.note(gave);
        self.soft_404s += u64::from(matches!((gave, worth), (Yield::Content(_), Yield::Nothing)));
        Arc::make_mut(&mut host.habits.templates).note(url, worth);
        self.traps.note_fetch(&host.record.name, template, || host.habits.templates.of_url(url));
        self.settle(id);
        Ok(())
    }

    /// Whether a job has what is known of the host of this URL.
    pub fn has_in_hands(&self, url: &str) -> bool {
        self.job.is_some() && self.resident(host_of(url)).is_none()
    }
}
