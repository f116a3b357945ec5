//! A machine that reaches nobody for a time.

use crawler::Exit;
use crawler::limits::OUTAGE_BELIEVED_MS;
use frontier::RetryPolicy;
use sim::{Cause, Network, Outage, START, Setup, Site, Trial};
use simweb::{Sizes, WebConfig};
use stdx::Timestamp;
use weburl::Scope;

fn web(seed: u64) -> WebConfig {
    WebConfig { sizes: Sizes { median: 2_000, mean: 3_000 }, ..WebConfig::small(seed, 300) }.without_traps()
}

#[track_caller]
fn nothing_wrong(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} violations, first: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
}

const OUTAGE_AFTER_MS: u64 = 10_000;

/// A web of which nobody is reached for two hours from the tenth second on, crawled with the program's own policy of retries, which gives a host
/// up after seven minutes.
fn cut_off(site: &Site, cause: Cause, patience_ms: u64) -> Trial<'_> {
    let mut trial =
        Trial::new(site, Setup::new(site, Scope::Any, 27), Network::new(site.web.clone(), 27), 27);
    let from = START + OUTAGE_AFTER_MS;
    trial.network.cut_off(Outage { from, until: from + 7_200_000, cause });
    trial.set_up(|setup| {
        setup.crawl.frontier.retry = RetryPolicy::default();
        setup.crawl.patience_ms = patience_ms;
    });
    trial
}

#[test]
fn an_outage_costs_a_crawl_nothing_but_time() {
    let site = Site::new(web(27), 3);
    for cause in [Cause::Cable, Cause::Proxy] {
        let mut trial = cut_off(&site, cause, 10_800_000);
        assert_eq!(trial.finish(), Exit::Done);
        nothing_wrong(&trial.judge_done());
        let in_vain = trial.network.log.contacts.iter().filter(|contact| contact.status.is_none()).count();
        assert!((120..900).contains(&in_vain), "some at a time, and at last once a minute: {in_vain}");
    }
}

#[test]
fn a_crawl_that_leaves_an_outage_goes_on_after_it() {
    let site = Site::new(web(28), 3);
    for cause in [Cause::Cable, Cause::Proxy] {
        let mut trial = cut_off(&site, cause, 600_000);
        let lives = std::iter::from_fn(|| (trial.finish() == Exit::Waiting).then_some(())).count();
        assert!((2..20).contains(&lives), "{lives} times it had waited for the patience");
        nothing_wrong(&trial.judge_done());
    }
}

/// Hosts that all died in one moment, and were all there was to fetch from, cannot be told from an outage: after a day they are taken for what
/// they are.
#[test]
fn an_outage_is_believed_in_for_a_day() {
    let site = Site::new(web(29), 3);
    let mut trial = cut_off(&site, Cause::Cable, 600_000);
    let from = START + OUTAGE_AFTER_MS;
    trial.network.cut_off(Outage { from, until: Timestamp::NEVER, cause: Cause::Cable });
    let lives = std::iter::from_fn(|| (trial.finish() == Exit::Waiting).then_some(())).count();
    assert!((100..150).contains(&lives), "of ten minutes each: {lives}");
    let lasted = trial.now().since_ms(from);
    assert!((OUTAGE_BELIEVED_MS..OUTAGE_BELIEVED_MS + 7_200_000).contains(&lasted), "{lasted}");
    nothing_wrong(&trial.judge());
}
