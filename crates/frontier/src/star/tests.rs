use super::{Budget, BudgetFunction, InDegrees, Ranking, SeedBudgets, Standing, Star};
use crate::limits::{BUDGET_DEFAULT, BUDGET_MOST};
use proptest::prelude::*;

const IRLBOT: Star = Star {
    function: BudgetFunction::IrlBot { default: 10, most: 10_000, top: 10_000 },
    seeds: SeedBudgets::Unlimited,
};

fn pages(star: Star, in_degree: u32, ranking: Ranking) -> u32 {
    match star.budget(Standing::Found, in_degree, ranking) {
        Budget::Pages(pages) => pages,
        Budget::Unlimited => panic!("a domain that was found has a budget"),
    }
}

fn ranks(in_degrees: impl IntoIterator<Item = u32>) -> InDegrees {
    let mut ranks = InDegrees::default();
    in_degrees.into_iter().for_each(|in_degree| ranks.raise(0, in_degree));
    ranks.check_invariants();
    ranks
}

/// As in §VIII-B: ten thousand domains of 90 million share what lies above the threshold.
const LARGE: Ranking =
    Ranking { threshold: 1_000, most: 2_948_085, above: 50_000 * 10_000, domains: 89_652_630 };

#[test]
fn the_top_domains_lie_on_a_straight_line_and_the_others_have_the_default() {
    assert_eq!(pages(IRLBOT, 2_948_085, LARGE), BUDGET_MOST);
    assert_eq!(pages(IRLBOT, 1_000 + (2_948_085 - 1_000) / 2, LARGE), 5_004);
    for in_degree in [0, 1, 999, 1_000] {
        assert_eq!(pages(IRLBOT, in_degree, LARGE), BUDGET_DEFAULT);
    }
}

#[test]
fn in_a_small_crawl_reputation_adds_a_tenth_to_all_budgets() {
    for in_degrees in [vec![1, 2], (1..=1_000).collect(), vec![3; 500], vec![99; 100]] {
        let ranking = IRLBOT.ranking(&ranks(in_degrees.iter().copied()));
        let sum: u32 = in_degrees.iter().map(|&in_degree| pages(IRLBOT, in_degree, ranking)).sum();
        assert!(sum <= 11 * in_degrees.len() as u32, "{sum} for {}", in_degrees.len());
    }
}

#[test]
fn bought_domains_that_link_to_each_other_are_not_the_top() {
    let honest = (1..=1_000_u32).map(|rank| 2_000 / rank);
    let farm = [199; 200];
    let ranking = IRLBOT.ranking(&ranks(honest.chain(farm)));
    assert_eq!([199, 2_000].map(|in_degree| pages(IRLBOT, in_degree, ranking)), [10, 460]);
}

/// However the ring deals out its votes: to all alike, or to a queen.
#[test]
fn votes_among_bought_domains_are_worth_a_quarter_of_what_casts_them() {
    let (honest, ring) = ((0..990_u32).map(|_| 1), 10_u32);
    let cast = ring * BUDGET_DEFAULT;
    for queens in [1, 2, 5, ring] {
        let (members, votes) = (queens as usize, cast / queens);
        let ranking = IRLBOT.ranking(&ranks(honest.clone().chain(vec![votes; members])));
        let gain = queens * (pages(IRLBOT, votes, ranking) - BUDGET_DEFAULT);
        assert!(gain <= cast / 4, "{queens} queens gain {gain} pages with {cast} votes");
    }
}

#[test]
fn seeds_have_no_budget_unless_the_crawl_is_about_the_web() {
    let any = Star { seeds: SeedBudgets::Earned, ..IRLBOT };
    let nobody = Ranking::default();
    assert_eq!(IRLBOT.budget(Standing::Seeded, 0, nobody), Budget::Unlimited);
    assert_eq!(any.budget(Standing::Seeded, 0, nobody), Budget::Pages(10));
}

#[test]
fn other_functions_do_not_ask_for_the_rank() {
    let ranking = Ranking { threshold: 5, most: 50, ..Ranking::default() };
    assert_eq!(BudgetFunction::Flat(7).budget(50, ranking), Budget::Pages(7));
    assert_eq!(BudgetFunction::Flat(0).budget(50, ranking), Budget::Pages(1), "a budget excludes nobody");
    assert_eq!(BudgetFunction::Unlimited.budget(0, ranking), Budget::Unlimited);
}

#[test]
fn a_line_of_places_is_cut_into_rounds() {
    let budget = Budget::Pages(10);
    assert_eq!([0, 9, 10, 25].map(|place| budget.rounds_before(place)), [0, 0, 1, 2]);
    assert_eq!((budget.over(3), Budget::Unlimited.over(1)), (30, u64::MAX));
    assert_eq!(Budget::Unlimited.rounds_before(u64::MAX), 0);
}

#[test]
fn the_threshold_lets_no_more_than_the_top_in() {
    let ranks = ranks(1..=20);
    assert_eq!(ranks.ranking(5), Ranking { threshold: 16, most: 20, above: 1 + 2 + 3 + 4, domains: 20 });
    assert_eq!(ranks.ranking(100), Ranking { threshold: 1, most: 20, above: 190, domains: 20 });
    assert_eq!(ranks.ranking(0), Ranking { threshold: 21, most: 20, above: 0, domains: 20 });
}

#[test]
fn a_tie_that_is_too_large_for_the_top_is_below_it() {
    let ranks = ranks([1; 50].into_iter().chain([2; 3]));
    assert_eq!(ranks.ranking(10), Ranking { threshold: 2, most: 2, above: 0, domains: 53 });
}

#[test]
fn the_size_does_not_depend_on_the_domains() {
    let ranks = ranks((0..64).map(|power| 1 << (power % 32)).chain([u32::MAX]));
    assert_eq!(ranks.domains(), 65);
    assert!(postcard::to_allocvec(&ranks).expect("plain data").len() < 1_000);
}

proptest! {
    /// Against a sorted list: at most `top` domains reach the threshold, and 1/32 below it more than that do.
    #[test]
    fn the_threshold_is_within_its_precision(
        in_degrees in prop::collection::vec((0_u32..22).prop_flat_map(|bits| 1..=(2_u32 << bits)), 1..300),
        top in 1_usize..200,
    ) {
        let ranking = ranks(in_degrees.iter().copied()).ranking(top as u64);
        let reach = |least: u32| in_degrees.iter().filter(|&&in_degree| in_degree >= least).count();
        prop_assert_eq!(Some(ranking.most), in_degrees.iter().copied().max());
        prop_assert!(reach(ranking.threshold) <= top);
        let below = ranking.threshold - ranking.threshold.div_ceil(32);
        prop_assert!(below == 0 || reach(below) > top || in_degrees.len() <= top);
    }

    /// Growing one by one, in several shards, comes to the same as having been so from the first.
    #[test]
    fn shards_add_up(in_degrees in prop::collection::vec(0_u32..500, 0..60)) {
        let (mut left, mut right) = (InDegrees::default(), InDegrees::default());
        for (index, &in_degree) in in_degrees.iter().enumerate() {
            let shard = if index % 2 == 0 { &mut left } else { &mut right };
            (0..in_degree).for_each(|from| shard.raise(from, from + 1));
        }
        left.merge(&right);
        left.check_invariants();
        prop_assert_eq!(left, ranks(in_degrees));
    }

    /// More links never mean fewer pages, and the budget stays within its bounds.
    #[test]
    fn budgets_grow_with_the_in_degree(threshold in 1_u32..5_000, span in 0_u32..5_000_000, above: u64, domains: u64, a: u32, b: u32) {
        let ranking = Ranking { threshold, most: threshold + span, above, domains };
        let (low, high) = (a.min(b).min(ranking.most), a.max(b).min(ranking.most));
        prop_assert!(pages(IRLBOT, low, ranking) <= pages(IRLBOT, high, ranking));
        prop_assert!((BUDGET_DEFAULT..=BUDGET_MOST).contains(&pages(IRLBOT, high, ranking)));
    }
}
