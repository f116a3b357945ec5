//! Groups that an operator names have a clock of their own, whatever happens to the crawl.

use crawler::limits::BEGIN_WITHIN_MS;
use crawler::{Exit, NamedGroup, NamedGroups};
use disk::CrashMode;
use ledger::{Attention, Judge, Line};
use sim::checks::{Delays, groups};
use sim::{Life, Loss, Network, Setup, Site, Trial, Until};
use simweb::{Sizes, WebConfig};
use std::sync::Arc;
use weburl::Scope;

const INTERVAL_MS: u64 = 1_700;

/// Hosts of all domains are in one of two groups or in none, by the sum of their letters.
fn group_of(host: &str) -> Option<u32> {
    let group = host.bytes().map(u32::from).sum::<u32>() % 3;
    (group < 2).then_some(group)
}

fn judged(host: &str) -> Option<(u32, u64)> {
    group_of(host).map(|group| (group, INTERVAL_MS))
}

fn site() -> Site {
    site_on(5)
}

fn site_on(addresses: u32) -> Site {
    let config = WebConfig {
        domains: 8,
        addresses,
        sizes: Sizes { median: 1_000, mean: 1_500 },
        ..WebConfig::small(31, 120)
    };
    Site::new(config.without_traps(), 3)
}

fn named(site: &Site, interval_ms: u64) -> NamedGroups {
    let hosts: Vec<String> = site.web.hosts().map(|host| site.web.name_of(host)).collect();
    let group = |number: u32| NamedGroup {
        name: format!("group {number}"),
        hosts: hosts
            .iter()
            .filter(|host| group_of(host) == Some(number))
            .map(|host| host.parse().unwrap())
            .collect(),
        interval_ms,
    };
    NamedGroups::new(vec![group(0), group(1)]).unwrap()
}

fn trial(site: &Site, seed: u64, interval_ms: u64) -> Trial<'_> {
    let mut setup = Setup::new(site, Scope::Any, seed);
    setup.crawl.groups = Arc::new(named(site, interval_ms));
    Trial::new(site, setup, Network::new(site.web.clone(), seed), seed)
}

#[test]
fn hosts_of_a_group_do_not_add_up_and_the_crawl_is_done() {
    let site = site();
    for seed in 0..3 {
        let mut trial = trial(&site, seed, INTERVAL_MS);
        let mut exit = None;
        for life in 0..seed {
            let loss = if life % 2 == 0 { Loss::Kill } else { Loss::Power(CrashMode::LoseUnsynced) };
            exit = trial.live(&Life { until: Until::Ms(20_000 + 3_000 * life), loss, downtime_ms: 10 });
        }
        assert_eq!(exit.unwrap_or_else(|| trial.finish()), Exit::Done);
        let mut wrong = trial.judge_done();
        wrong.extend(groups(&trial.network.log, judged));
        assert!(wrong.is_empty(), "seed {seed}: {:#?}", &wrong[..wrong.len().min(5)]);
    }
}

/// Clocks that run from start to start count from the draw. On a machine that stalls, a contact begins a little after that or not at all.
#[test]
fn contacts_that_begin_late_do_not_come_together() {
    // So short that the next is drawn before the end of a contact says when it began.
    const SHORT_MS: u64 = 300;
    let site = site_on(400);
    let closer = |ms: u64| ms - BEGIN_WITHIN_MS;
    let delays = Delays { domain_ms: closer(Delays::DEFAULT.domain_ms), ..Delays::DEFAULT };
    for seed in 0..3 {
        let mut trial = trial(&site, seed, SHORT_MS).promising(delays);
        trial.network = Network::new(site.web.clone(), seed).late(seed);
        assert_eq!(trial.finish(), Exit::Done);
        let mut wrong = trial.judge_done();
        let judged = |host: &str| group_of(host).map(|group| (group, closer(SHORT_MS)));
        wrong.extend(groups(&trial.network.log, judged));
        let audit = ledger::audit(|_| archive::ledger(trial.disk()), None).unwrap();
        assert!(wrong.is_empty(), "seed {seed}: {} wrong, {:#?}", wrong.len(), &wrong[..wrong.len().min(5)]);
        assert_eq!(
            audit.counts.contacts,
            trial.network.log.contacts.len() as u64,
            "what was not begun is no contact"
        );
    }
}

/// The ledger says who shared a clock, so that it can be judged without the operator's word.
#[test]
fn the_audit_knows_the_groups_of_each_run() {
    let site = site();
    let mut trial = trial(&site, 5, INTERVAL_MS);
    assert_eq!(trial.finish(), Exit::Done);
    let audit = |named: NamedGroups| {
        let lines = archive::ledger(trial.disk()).unwrap();
        let mut judge = Judge::new(Attention::Delays, None);
        for line in lines.filter_map(|entry| ledger::read(&entry.unwrap()).unwrap()) {
            let line = if let Line::Groups(_) = line { Line::Groups(Box::new(named.clone())) } else { line };
            judge.take(line);
        }
        judge.findings.total()
    };
    assert_eq!(audit(named(&site, INTERVAL_MS)), 0);
    assert!(audit(named(&site, 2 * INTERVAL_MS)) > 0, "it looks at the groups");
}

/// Members wait for their group's clock and not for each other: where it is what takes longest, the crawl takes as long.
#[test]
fn a_group_is_kept_busy() {
    const LONG_MS: u64 = 60_000;
    let site = site();
    let mut trial = trial(&site, 7, LONG_MS);
    assert_eq!(trial.finish(), Exit::Done);
    let contacts = &trial.network.log.contacts;
    let of = |group| contacts.iter().filter(|contact| group_of(&contact.host) == Some(group)).count();
    let (least_ms, took_ms) = (of(0).max(of(1)) as u64 * LONG_MS, trial.now().since_ms(sim::START));
    assert!(took_ms < least_ms + least_ms / 10, "{took_ms} ms for {least_ms} ms");
}

#[test]
fn the_judge_of_groups_sees_what_is_too_early() {
    let site = site();
    let mut trial = trial(&site, 9, INTERVAL_MS);
    assert_eq!(trial.finish(), Exit::Done);
    let mut log = trial.network.log.clone();
    assert_eq!(groups(&log, judged), Vec::<String>::new());
    let members: Vec<usize> =
        (0..log.contacts.len()).filter(|index| group_of(&log.contacts[*index].host) == Some(0)).collect();
    log.contacts[members[9]].started = log.contacts[members[8]].started + (INTERVAL_MS - 1);
    assert!(!groups(&log, judged).is_empty());
}
