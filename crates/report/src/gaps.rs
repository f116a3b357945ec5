use crate::Histogram;
use crate::limits::LAST_CONTACTS;
use ledger::{Applied, Contact};
use serde::Serialize;
use std::collections::BTreeMap;
use stdx::{Map, Timestamp};

/// How servers were left alone between contacts.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Gaps {
    /// From the end of a contact with a host to the start of the next, in milliseconds.
    pub between_ms: Histogram,
    /// From the moment a contact was allowed to the moment it was made, in milliseconds, where an earlier one held it back.
    pub late_ms: Histogram,
    /// Which delay a contact waited for last, and how many there were of each.
    pub clauses: BTreeMap<&'static str, u64>,
    /// Delays that were not kept. There is to be none: `drumlin audit` names them.
    pub broken: u64,
    #[serde(skip)]
    last: Map<String, Timestamp>,
}

impl Gaps {
    /// Takes in a contact and the delay that applied to it.
    pub(crate) fn take(&mut self, contact: &Contact, applied: Applied) {
        *self.clauses.entry(applied.clause.name()).or_default() += 1;
        if applied != Applied::NONE {
            self.late_ms.add(contact.started().since_ms(applied.due));
        }
        let host = contact.url.host();
        if let Some(last) = self.last.get_mut(host) {
            self.between_ms.add(contact.started().since_ms(*last));
            *last = (*last).max(contact.ended());
            return;
        }
        if self.last.len() >= LAST_CONTACTS {
            self.forget_old();
        }
        self.last.insert(host.to_owned(), contact.ended());
    }

    /// The older half.
    fn forget_old(&mut self) {
        let mut moments: Vec<Timestamp> = self.last.values().copied().collect();
        moments.sort_unstable();
        let median = moments[moments.len() / 2];
        self.last.retain(|_, last| *last > median);
    }
}
