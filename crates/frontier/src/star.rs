//! STAR (Lee et al., `IRLbot`, TWEB 2009, §VI-B): a registrable domain's *budget* of pages grows with the number of
//! other domains that link to it, which are assets a spammer must pay for.

mod in_degrees;
#[cfg(test)]
mod tests;

pub use in_degrees::{InDegrees, Ranking};

use crate::limits::{BUDGET_DEFAULT, BUDGET_MEAN, BUDGET_MOST, BUDGET_TOP, BUDGET_TOP_ONE_IN, VOTES_A_PAGE};
use serde::{Deserialize, Serialize};

/// Pages that may pass from a domain in one round: the paper's Bx, "every T time units".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Budget {
    /// This many, at least one.
    Pages(u32),
    /// As many as there are.
    Unlimited,
}

/// How a domain came to be in the crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// A seed names it.
    Seeded,
    /// A link led there.
    Found,
}

/// F(d): the budget that goes with an in-degree (§VI-B leaves it open, §VIII-B says what `IRLbot` used).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetFunction {
    /// `default` pages, but for the `top` domains by in-degree: theirs grows in a straight line with the in-degree, up
    /// to `most` for the first of them. In a small crawl the top are fewer (one domain in a hundred) and the line is
    /// flatter (E\[Bx\] is 11 at most, which the paper measured, §VII-B, and a vote is a quarter of a page at most): a hundred
    /// domains that a spammer has bought and linked with each other would otherwise have the budgets of the first hundred.
    IrlBot {
        /// B0.
        default: u32,
        /// Of the domain with the highest in-degree.
        most: u32,
        /// Domains that get more than the default.
        top: u64,
    },
    /// The same for every domain.
    Flat(u32),
    /// No budgets.
    Unlimited,
}

/// Whether domains that seeds name have budgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedBudgets {
    /// They have none: the crawl is about them.
    Unlimited,
    /// As any other domain: the crawl is about the web (scope `any`).
    Earned,
}

/// The reputation policy of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Star {
    /// F(d).
    pub function: BudgetFunction,
    /// Domains that seeds name.
    pub seeds: SeedBudgets,
}

impl Default for BudgetFunction {
    fn default() -> Self {
        Self::IrlBot { default: BUDGET_DEFAULT, most: BUDGET_MOST, top: BUDGET_TOP }
    }
}

impl Star {
    /// What budgets need to know of all domains of the crawl.
    pub fn ranking(&self, domains: &InDegrees) -> Ranking {
        domains.ranking(self.function.top_of(domains.domains()))
    }

    /// The budget of a domain that so many other domains link to, in a crawl with this ranking.
    pub fn budget(&self, standing: Standing, in_degree: u32, ranking: Ranking) -> Budget {
        match (standing, self.seeds) {
            (Standing::Seeded, SeedBudgets::Unlimited) => Budget::Unlimited,
            _ => self.function.budget(in_degree, ranking),
        }
    }

    /// Whether other domains have earned a domain this budget: it is finite and more than what any domain has.
    pub fn has_earned(&self, budget: Budget) -> bool {
        let default = match self.function {
            BudgetFunction::IrlBot { default, .. } => default,
            BudgetFunction::Flat(_) | BudgetFunction::Unlimited => return false,
        };
        matches!(budget, Budget::Pages(pages) if pages > default)
    }
}

impl BudgetFunction {
    /// F(d). Never nothing: a budget orders, it does not exclude.
    pub fn budget(self, in_degree: u32, ranking: Ranking) -> Budget {
        match self {
            Self::IrlBot { default, most, .. } => {
                Budget::pages(interpolated(default, most, in_degree, ranking))
            }
            Self::Flat(pages) => Budget::pages(pages),
            Self::Unlimited => Budget::Unlimited,
        }
    }

    fn top_of(self, domains: u64) -> u64 {
        match self {
            Self::IrlBot { top, .. } => top.min(domains / BUDGET_TOP_ONE_IN),
            Self::Flat(_) | Self::Unlimited => 0,
        }
    }
}

impl Budget {
    /// This many pages a round, at least one.
    pub fn pages(pages: u32) -> Self {
        Self::Pages(pages.max(1))
    }

    /// Pages that pass in so many rounds.
    pub fn over(self, rounds: u64) -> u64 {
        match self {
            Self::Pages(pages) => u64::from(pages).saturating_mul(rounds),
            Self::Unlimited => u64::MAX,
        }
    }

    /// Whole rounds that go by before the place `place` of a line has its turn.
    pub fn rounds_before(self, place: u64) -> u64 {
        match self {
            Self::Pages(pages) => place / u64::from(pages.max(1)),
            Self::Unlimited => 0,
        }
    }
}

/// The straight line from (threshold, default) to (highest in-degree, most), or a flatter one: what the top domains get
/// beyond the default brings the mean of all to [`BUDGET_MEAN`] at most, and [`VOTES_A_PAGE`] votes are one page at most.
fn interpolated(default: u32, most: u32, in_degree: u32, ranking: Ranking) -> u32 {
    let above = u64::from(in_degree.saturating_sub(ranking.threshold));
    let span = u64::from(ranking.most.saturating_sub(ranking.threshold)).max(1);
    let gain = u64::from(most.saturating_sub(default)) * above.min(span) / span;
    let all = u64::from(BUDGET_MEAN.saturating_sub(default)).saturating_mul(ranking.domains);
    let share = u128::from(all) * u128::from(above) / u128::from(ranking.above.max(1));
    default.saturating_add(share.min(u128::from(gain.min(above / VOTES_A_PAGE))) as u32)
}
