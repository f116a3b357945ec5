//! A crawl of the kind BEAST is for: domains of every size, in-degrees that grow, one giant.

use super::web::Web;
use crate::{BudgetFunction, InDegrees, Penalty};
use proptest::prelude::*;
use stdx::Rng;

const DOMAINS: u64 = 300;
const NEW_URLS: u64 = 6;
/// Has a quarter of all URLs, and nobody knows it.
const GIANT: usize = 299;

/// A domain, the first ones much more often than the last: a power law.
fn popular(rng: &mut Rng) -> usize {
    let unit = rng.unit();
    ((DOMAINS as f64).powf(unit) - 1.0) as usize
}

/// Each page that is fetched gives six new URLs, one in four of the giant, and now and then somebody links to somebody for
/// the first time. Slots are never idle while something waits.
fn crawl(seed: u64, pages: u64) -> Web {
    let mut rng = Rng::new(seed);
    let mut web = Web::of(vec![10; DOMAINS as usize]);
    let mut degrees = vec![0; DOMAINS as usize];
    let mut ranks = InDegrees::default();
    let function = BudgetFunction::IrlBot { default: 10, most: 1000, top: 30 };
    (0..DOMAINS as usize).for_each(|domain| web.find_many(domain, 1));
    for fetched in 0..pages {
        while web.passed.pop_front().is_none() {
            assert!(web.read(64), "nothing waits and nothing has passed");
        }
        for _ in 0..NEW_URLS {
            let domain = if rng.one_in(4) { GIANT } else { popular(&mut rng) };
            let penalty =
                if rng.one_in(50) { Penalty::queues(1 + rng.below(8) as u32) } else { Penalty::NONE };
            web.find_suspect(domain, penalty);
        }
        let linked = popular(&mut rng);
        ranks.raise(degrees[linked], degrees[linked] + 1);
        degrees[linked] += 1;
        let budget = match function.budget(degrees[linked], ranks.ranking(30)) {
            crate::Budget::Pages(pages) => pages,
            crate::Budget::Unlimited => unreachable!("the function has budgets"),
        };
        web.domains[linked].budget = budget;
        web.domains[linked].most_budget = web.domains[linked].most_budget.max(budget);
        if fetched % 4096 == 0 {
            web.check();
        }
    }
    web.check();
    web
}

#[test]
fn urls_are_read_a_logarithmic_number_of_times() {
    let mut web = crawl(1, 60_000);
    let most = |web: &Web| web.passed.iter().map(|page| page.reads).max().unwrap_or(0);
    web.passed.clear();
    while web.read(u64::MAX) {}
    web.check();
    let stages = (web.beast.round() as f64).log2().ceil() as u32;
    assert!(most(&web) <= stages + 2, "{} reads in {stages} doublings", most(&web));
}

#[test]
fn budgets_decide_who_passes_while_somebody_else_can() {
    let web = crawl(2, 60_000);
    let rounds = web.beast.round() + 1;
    let (giant, ranked) = (&web.domains[GIANT], &web.domains[0]);
    assert!(rounds > 8 && giant.found > 80_000 && giant.budget < ranked.budget);
    for domain in &web.domains {
        let most = domain.most_budget.max(10);
        assert!(domain.passed <= u64::from(most) * rounds, "{domain:?}");
        let share = domain.found.min(10 * (rounds - 2));
        assert!(
            domain.passed * 2 >= share,
            "what is within the budget does not wait for a giant: {domain:?}"
        );
    }
    assert!(ranked.passed > 4 * giant.passed, "{ranked:?} {giant:?}");
}

#[test]
fn the_end_of_a_crawl_finds_every_queue_empty() {
    let mut web = crawl(3, 5_000);
    while web.read(64) {}
    web.check();
    assert_eq!(web.beast.waiting(), 0);
    assert!(web.domains.iter().all(|domain| domain.found == domain.passed));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Any order of finding, reading and budgets that change: nothing is lost, and a turn passes what it may.
    #[test]
    fn nothing_is_lost(steps in prop::collection::vec((0..6_u8, 0..5_usize, 0..60_u32), 1..400)) {
        let mut web = Web::of([1, 2, 3, 10, 50]);
        for (step, domain, size) in steps {
            match step {
                0..=2 => web.find_many(domain, u64::from(size)),
                3 => {
                    web.find_suspect(domain, Penalty::queues(size % 9));
                }
                4 => {
                    web.read(u64::from(size) + 1);
                }
                _ => {
                    let turn = web.beast.round();
                    let passed = web.domains[domain].passed_in_turn.get(&turn).copied().unwrap_or(0);
                    // A budget that shrinks below what has passed cannot call it back.
                    let least = passed.div_ceil(web.beast.rounds_a_turn()) as u32;
                    web.domains[domain].budget = size.max(1).max(least);
                }
            }
            web.check();
        }
        while web.read(u64::MAX) {}
        web.check();
        prop_assert_eq!(web.beast.waiting(), 0);
    }
}
