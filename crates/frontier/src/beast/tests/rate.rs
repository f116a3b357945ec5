//! Theorem 7: what BEAST moves a page that passes, against what the theorem says it may.

use super::web::Web;
use plan::budget::{Budgets, beast_disk_rate, naive_disk_rate};
use stdx::Rng;

const DOMAINS: usize = 500;
const BUDGET: u32 = 8;
const NEW_URLS: u64 = 6;

/// In entries a page: a rate of one page a second and one byte a URL.
fn model() -> Budgets {
    Budgets {
        pages_per_s: 1.0,
        url_bytes: 1.0,
        new_urls: NEW_URLS as f64,
        mean_budget: f64::from(BUDGET),
        domains: DOMAINS as f64,
    }
}

/// The model of the theorem: all domains alike, each page has L new URLs, slots are always taken.
fn fetch(web: &mut Web, rng: &mut Rng) {
    while web.passed.pop_front().is_none() {
        assert!(web.read(64));
    }
    (0..NEW_URLS).for_each(|_| web.find_many(rng.below(DOMAINS as u64) as usize, 1));
}

#[test]
fn the_disk_is_read_and_written_at_the_rate_of_theorem_7() {
    let (mut web, mut rng) = (Web::of(vec![BUDGET; DOMAINS]), Rng::new(7));
    (0..DOMAINS).for_each(|domain| web.find_many(domain, 1));
    let (mut pages, mut before) = (0_u64, 0_u64);
    let round = DOMAINS as u64 * u64::from(BUDGET);
    for passes in [16, 32, 64, 128, 256] {
        let from = pages;
        while pages < passes * round {
            fetch(&mut web, &mut rng);
            pages += 1;
        }
        let moved = (web.reads + web.writes - before) as f64 / (pages - from) as f64;
        before = web.reads + web.writes;
        let most = beast_disk_rate(&model(), pages as f64);
        assert!(moved <= most, "{moved} entries a page after {passes} passes; Theorem 7 has {most}");
    }
    assert!(10.0 * beast_disk_rate(&model(), pages as f64) < naive_disk_rate(&model(), pages as f64));
    web.check();
}
