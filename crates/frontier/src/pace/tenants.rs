use crate::Budget;
use crate::limits::{BUDGET_DEFAULT, MANY_TENANTS, TENANTS_SAMPLED};
use serde::{Deserialize, Serialize};

/// The domains that a server address serves, as far as contacts have shown: a sample of eight, 64 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tenants {
    sample: [Option<Tenant>; TENANTS_SAMPLED],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Tenant {
    domain: u32,
    pages: u32,
}

impl Tenants {
    /// A contact was for the domain with this hash.
    pub fn note(&mut self, domain: u64, budget: Budget) {
        let pages = match budget {
            Budget::Pages(pages) => pages,
            // Named by a seed, which says nothing of what its server bears.
            Budget::Unlimited => BUDGET_DEFAULT,
        };
        let slot = domain as usize % TENANTS_SAMPLED;
        self.sample[slot] = Some(Tenant { domain: (domain >> 32) as u32, pages });
    }

    /// The server's delay. Where many unrelated domains are served, what was asked for is scaled down with their average
    /// budget (§VII-A), to the floor; what was asked for may be below the floor, and then stays.
    pub fn delay_ms(&self, asked_ms: u64, floor_ms: u64) -> u64 {
        let known = self.sample.iter().flatten().count() as u64;
        if known < MANY_TENANTS {
            return asked_ms;
        }
        let pages: u64 = self.sample.iter().flatten().map(|tenant| u64::from(tenant.pages)).sum();
        let average = (pages / known).max(u64::from(BUDGET_DEFAULT));
        let scaled = asked_ms.saturating_mul(u64::from(BUDGET_DEFAULT)) / average;
        scaled.max(floor_ms).min(asked_ms)
    }
}
