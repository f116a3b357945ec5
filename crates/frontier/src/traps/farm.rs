use super::limits::{HOSTS_A_ROUND_LEAST, HOSTS_A_ROUND_UNBUDGETED, PAGES_A_NEW_HOST};
use super::{Penalty, Suspicion, TrapReason};
use crate::Budget;

/// How many hosts that nobody has met a domain may show in a round: one for every few pages of its budget. Each costs a
/// look-up and a robots.txt, and a wildcard in the DNS makes them without end. The others wait in a line of their own
/// ([`Acquaintance::New`](crate::Acquaintance::New)).
pub(crate) fn hosts_a_round(budget: Budget) -> Budget {
    match budget {
        Budget::Pages(pages) => Budget::pages((pages / PAGES_A_NEW_HOST).max(HOSTS_A_ROUND_LEAST)),
        Budget::Unlimited => Budget::pages(HOSTS_A_ROUND_UNBUDGETED),
    }
}

impl Suspicion {
    /// Of a URL whose host waits in that line: it costs no more than the place in it.
    pub(crate) fn of_stranger(budget: Budget) -> Option<Self> {
        let Budget::Pages(hosts) = hosts_a_round(budget) else { return None };
        Some(Self { penalty: Penalty::NONE, reason: TrapReason::Farm(hosts) })
    }
}
