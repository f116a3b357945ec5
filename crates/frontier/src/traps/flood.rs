use super::limits::{LISTED_A_LINK, LISTED_FREE};
use super::{Penalty, Suspicion, TrapReason};
use serde::{Deserialize, Serialize};

/// New URLs of a host, by who named them; part of the host's record. Common Crawl met 2.5 billion URLs in the sitemaps
/// of 125,000 hosts: what nobody links to is put off once it is far more than what somebody does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Listed {
    linked: u32,
    listed: u32,
}

/// Who named a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Source {
    /// The operator, a page or a redirect.
    Linked,
    /// A sitemap.
    Sitemap,
}

impl Listed {
    /// Counts a new URL of the host and judges it: one queue when sitemaps have named more than their share, and one more
    /// with each doubling.
    pub fn note(&mut self, source: Source) -> Option<Suspicion> {
        match source {
            Source::Linked => self.linked = self.linked.saturating_add(1),
            Source::Sitemap => self.listed = self.listed.saturating_add(1),
        }
        self.judge(source)
    }

    /// The same without counting, for people.
    pub fn judge(&self, source: Source) -> Option<Suspicion> {
        if source == Source::Linked {
            return None;
        }
        let share = LISTED_FREE.saturating_add(self.linked.saturating_mul(LISTED_A_LINK));
        Suspicion::unless_none(Penalty::beyond(share, self.listed), TrapReason::Flood(self.listed))
    }
}
