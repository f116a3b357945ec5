//! What a host is known to do, as far as budgets and traps go: kept beside its queues, since jobs judge by it.

use crate::entry::Entry;
use crate::identity::host_of;
use crate::{
    Error, Frontier, Listed, Penalty, Result, Source, Suspicion, Template, Templates, Yield, judge_hops,
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
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let (counts, templates): (HabitCounts, Templates) =
            postcard::from_bytes(bytes).map_err(|_| Error::Damaged { what: "the habits of a host" })?;
        Ok(Self { counts, templates: Arc::new(templates) })
    }

    /// As bytes; none if nothing is known.
    pub(crate) fn encode(&self) -> Vec<u8> {
        if self.counts == HabitCounts::default() && *self.templates == Templates::default() {
            return Vec::new();
        }
        postcard::to_allocvec(&(&self.counts, &*self.templates)).expect("what is in memory can be written")
    }

    /// Judges a new URL of the host, and counts it.
    pub(crate) fn judge_new(&mut self, entry: &Entry<'_>, now: Timestamp) -> Penalty {
        let listed = self.counts.listed.note(entry.source());
        penalty(Suspicion::worst(listed, self.judge_again(entry, now)))
    }

    /// Judges a URL that BEAST hands back.
    pub(crate) fn judge_known(&self, entry: &Entry<'_>, now: Timestamp) -> Penalty {
        penalty(Suspicion::worst(self.counts.listed.judge(entry.source()), self.judge_again(entry, now)))
    }

    /// The worst that is held against any URL of the host, but for what its shape says.
    pub(crate) fn worst(&self) -> Option<Suspicion> {
        Suspicion::worst(self.counts.listed.judge(Source::Sitemap), self.templates.worst())
    }

    fn judge_again(&self, entry: &Entry<'_>, now: Timestamp) -> Option<Suspicion> {
        let form = Suspicion::worst(judge_shape(entry.url, now), judge_hops(entry.hops));
        Suspicion::worst(form, self.templates.judge_url(entry.url, entry.key))
    }

    /// The same without counting, for people.
    pub(crate) fn explain(&self, entry: &Entry<'_>, now: Timestamp) -> Option<Suspicion> {
        Suspicion::worst(self.counts.listed.judge(entry.source()), self.judge_again(entry, now))
    }
}

fn penalty(suspicion: Option<Suspicion>) -> Penalty {
    suspicion.map_or(Penalty::NONE, |suspicion| suspicion.penalty)
}

impl Frontier {
    /// Applies what the fetch of this URL gave: patterns of URLs that give nothing new are put off. The host is brought into
    /// memory if need be, which has to wait while a job [has it](Self::has_in_hands).
    pub fn apply_yield(&mut self, url: &str, gave: Yield) -> Result<()> {
        let id = self.recall(host_of(url))?;
        Arc::make_mut(&mut self.host(id).habits.templates).note(Template::of(url), gave);
        self.settle(id);
        Ok(())
    }

    /// Whether a job has what is known of the host of this URL.
    pub fn has_in_hands(&self, url: &str) -> bool {
        self.job.is_some() && self.resident(host_of(url)).is_none()
    }
}
