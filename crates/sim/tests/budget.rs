//! Budgets hold while somebody else has work: farms that bought their domains, and a giant, get no more than theirs as long as
//! slots are fewer than the hosts that are due.

use crawler::{BudgetFunction, Exit, SeedBudgets, Star};
use disk::{MemDisk, SharedDisk};
use sim::checks::within_budget;
use sim::{Before, Network, START, ServerLog, Setup, Sim, Site};
use simweb::{Farms, WebConfig};
use std::sync::Arc;
use weburl::Scope;

const SEED: u64 = 3;
const BUDGET: u32 = 4;

/// More domains than can be crawled, most of them known from the start.
fn site() -> Site {
    let rings = Farms { domains: 20, hosts: 10, pages: 1_000, linked: 200 };
    let farms = Farms { domains: 2, hosts: 100_000, pages: 10, linked: 50 };
    let small = WebConfig::small(SEED, 12_000);
    let config =
        WebConfig { rings, farms, addresses: small.domains, giant_pages: 10_000, giant_links: 2, ..small };
    Site::new(config.without_traps().calm(), 200)
}

/// What the servers saw of a crawl of some hundred pages, by four slots.
fn crawl(function: BudgetFunction) -> ServerLog {
    let site = site();
    let mut setup = Setup::new(&site, Scope::Any, SEED);
    setup.crawl.frontier.star = Star { function, seeds: SeedBudgets::Earned };
    setup.crawl.concurrency = 4;
    setup.crawl.limit = Some(800);
    setup.crawl.sitemaps = false;
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let mut network = Network::structural(site.web.clone(), SEED, ServerLog::default());
    let mut sim = Sim::open(&site, &setup, &disk, START).unwrap();
    network.begin(sim.now, Before::Calm);
    sim.run(&mut network, |_| false).unwrap();
    assert_eq!(sim.exit, Some(Exit::LimitReached));
    network.log
}

#[test]
fn nobody_gets_more_than_a_budget_while_others_wait() {
    let wrong = within_budget(&crawl(BudgetFunction::Flat(BUDGET)), u64::from(BUDGET));
    assert!(wrong.is_empty(), "{:#?}", &wrong[..wrong.len().min(5)]);
}

/// The judge sees what budgets prevent: the mutation that it is there for.
#[test]
fn without_budgets_some_get_more() {
    assert!(!within_budget(&crawl(BudgetFunction::Unlimited), u64::from(BUDGET)).is_empty());
}
