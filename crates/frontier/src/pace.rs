//! How fast a crawl goes: delays by name, and how they follow from reputation (Lee et al., `IRLbot`, TWEB 2009, §VII-A).

mod tenants;
#[cfg(test)]
mod tests;

pub use tenants::Tenants;

use crate::limits::{BUDGET_DEFAULT, HOST_FLOOR_MS};
use crate::{Budget, DelayPolicy};

/// Delays as an operator chooses them by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// For crawls that nobody may notice: everything takes four times as long, strangers as long again.
    Gentle,
    /// One second a host, whatever its domain's rank.
    #[default]
    Default,
    /// For crawls of the whole web: 40 s a host of a domain that nobody knows, as in `IRLbot`, down to one second for the
    /// first of them.
    Broad,
}

/// What a profile says, before the operator says otherwise. Floors hold whatever it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Between two contacts with a host, end to start.
    pub host_ms: u64,
    /// A host of a domain with the default budget is left alone this many times longer.
    pub stranger_factor: u32,
    /// Between two requests to a domain, start to start.
    pub group_ms: u64,
    /// Between two contacts with a server address, end to start.
    pub server_ms: u64,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Gentle, Self::Default, Self::Broad];

    /// As the operator writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gentle => "gentle",
            Self::Default => "default",
            Self::Broad => "broad",
        }
    }

    /// Its numbers.
    pub fn pace(self) -> Pace {
        match self {
            Self::Gentle => Pace { host_ms: 4_000, stranger_factor: 2, group_ms: 1_000, server_ms: 1_000 },
            Self::Default => Pace { host_ms: 1_000, stranger_factor: 1, group_ms: 250, server_ms: 250 },
            Self::Broad => Pace { host_ms: 1_000, stranger_factor: 40, group_ms: 250, server_ms: 1_000 },
        }
    }
}

impl Pace {
    /// As the frontier wants it.
    pub fn policy(&self) -> DelayPolicy {
        let &Self { host_ms, stranger_factor, group_ms, .. } = self;
        DelayPolicy { host_ms, host_floor_ms: HOST_FLOOR_MS, group_ms, stranger_factor }
    }
}

impl DelayPolicy {
    /// The policy for hosts of a domain with this budget: the delay is scaled down in proportion to it (§VII-A), from
    /// `stranger_factor` times what the operator asked for to just that. Who has no budget is no stranger.
    #[must_use]
    pub fn for_budget(self, budget: Budget) -> Self {
        let scaled = match budget {
            Budget::Unlimited => 0,
            Budget::Pages(pages) => {
                let of_stranger = self.host_ms.saturating_mul(u64::from(self.stranger_factor));
                of_stranger.saturating_mul(u64::from(BUDGET_DEFAULT)) / u64::from(pages.max(BUDGET_DEFAULT))
            }
        };
        Self { host_ms: self.host_ms.max(scaled), ..self }
    }
}
