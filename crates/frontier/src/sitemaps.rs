//! Sitemaps beside pages: indexes of indexes list more of them than a host has pages (sitemaps.org has one level of indexes).

use crate::attempt::{Attempt, Contact, Subject};
use crate::host::{Hold, HostId, HostRecord};
use crate::limits::{SITEMAP_REST_MS, SITEMAPS_A_PAGE, SITEMAPS_FREE};
use crate::{Frontier, Kind};

impl HostRecord {
    /// Whether it was asked for more sitemaps than go with its pages: none of these was at hand, or the lottery had drawn them.
    pub(crate) fn has_sitemaps_beyond_share(&self) -> bool {
        let sitemaps = u64::from(self.sitemaps);
        let others = self.contacts.saturating_sub(sitemaps);
        sitemaps > SITEMAPS_FREE.saturating_add(others.saturating_mul(SITEMAPS_A_PAGE))
    }
}

impl Frontier {
    /// Counts a contact for a sitemap. Beyond their share the host rests after each, and with its next turn BEAST is asked for pages of
    /// it, as if it had nothing at hand.
    pub(crate) fn note_sitemap(&mut self, id: HostId, attempt: &Attempt, contact: &Contact) {
        let Subject::Page(subject) = &attempt.subject else { return };
        if subject.kind != Kind::Sitemap {
            return;
        }
        let record = &mut self.host(id).record;
        record.sitemaps = record.sitemaps.saturating_add(1);
        if record.has_sitemaps_beyond_share() {
            record.hold_until(contact.ended + SITEMAP_REST_MS, Hold::Sitemaps);
        }
    }
}
