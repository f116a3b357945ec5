use super::{Pace, Profile, Tenants};
use crate::{Budget, Learned, Reach};
use proptest::prelude::*;

fn host_delay_ms(profile: Profile, budget: Budget) -> u64 {
    profile.pace().policy().host_delay(budget, Reach::Public, Learned::default()).ms
}

#[test]
fn broad_crawls_leave_strangers_alone_for_40_s_and_the_first_for_one() {
    let delays =
        [1, 10, 20, 100, 400, 10_000].map(|pages| host_delay_ms(Profile::Broad, Budget::Pages(pages)));
    assert_eq!(delays, [40_000, 40_000, 20_000, 4_000, 1_000, 1_000]);
    assert_eq!(host_delay_ms(Profile::Broad, Budget::Unlimited), 1_000);
}

#[test]
fn by_default_rank_is_no_matter() {
    for budget in [Budget::Pages(1), Budget::Pages(10_000), Budget::Unlimited] {
        assert_eq!(host_delay_ms(Profile::Default, budget), 1_000);
    }
    assert_eq!(Profile::Default.pace().policy(), crate::DelayPolicy::default());
}

#[test]
fn no_profile_goes_below_the_floors() {
    for profile in Profile::ALL {
        let Pace { host_ms, group_ms, server_ms, .. } = profile.pace();
        assert!(host_ms >= 500 && group_ms >= 250 && server_ms >= 100, "{}", profile.name());
    }
}

#[test]
fn machines_of_ones_own_without_delay_have_none_for_strangers_either() {
    let policy = Pace { host_ms: 0, ..Profile::Broad.pace() }.policy();
    let delay_ms = |reach, last_response_ms| {
        policy.host_delay(Budget::Pages(10), reach, Learned { last_response_ms, ..Learned::default() }).ms
    };
    assert_eq!(delay_ms(Reach::Allowed, 9_000), 0);
    assert_eq!(delay_ms(Reach::Public, 0), 500);
}

fn tenants(budgets: &[u32]) -> Tenants {
    let mut tenants = Tenants::default();
    let domains = budgets.iter().zip(0_u64..);
    domains.for_each(|(&pages, domain)| tenants.note(domain, Budget::Pages(pages)));
    tenants
}

#[test]
fn a_server_of_many_known_domains_may_be_asked_more_often() {
    assert_eq!(tenants(&[10; 8]).delay_ms(1_000, 100), 1_000);
    assert_eq!(tenants(&[20; 8]).delay_ms(1_000, 100), 500);
    assert_eq!(tenants(&[10, 10, 10, 50]).delay_ms(1_000, 100), 500);
    assert_eq!(tenants(&[10_000; 8]).delay_ms(1_000, 100), 100);
}

#[test]
fn a_server_of_few_is_asked_as_often_as_any() {
    assert_eq!(Tenants::default().delay_ms(250, 100), 250);
    assert_eq!(tenants(&[10_000; 3]).delay_ms(250, 100), 250);
    let mut one = Tenants::default();
    (0..100).for_each(|_| one.note(7, Budget::Pages(10_000)));
    assert_eq!(one.delay_ms(250, 100), 250);
}

#[test]
fn seeds_are_no_reason_to_ask_more_often() {
    let mut seeds = Tenants::default();
    (0..8).for_each(|domain| seeds.note(domain, Budget::Unlimited));
    assert_eq!(seeds.delay_ms(250, 100), 250);
}

proptest! {
    /// A better rank never means a longer delay, and nothing is below the floor or what was asked for.
    #[test]
    fn delays_fall_with_the_budget(host_ms in 0_u64..100_000, stranger_factor in 0_u32..100, a: u32, b: u32) {
        let policy = Pace { host_ms, stranger_factor, ..Profile::Default.pace() }.policy();
        let delay = |pages| {
            policy.host_delay(Budget::Pages(pages), Reach::Public, Learned::default()).ms
        };
        prop_assert!(delay(a.max(b)) <= delay(a.min(b)));
        prop_assert!(delay(a) >= host_ms.max(500));
        prop_assert!(delay(a) <= host_ms.saturating_mul(u64::from(stranger_factor.max(1))).max(500));
    }
}
