//! Crawls that die again and again keep their promises, and the audit of their journals says so: from the ledger alone, and
//! against what the servers saw, in microseconds and in whole seconds.

use crawler::Exit;
use ledger::{Audit, Comparison, ServerLog};
use sim::{Contact, Network, Setup, Site, Trial};
use simweb::{Sizes, WebConfig};
use stdx::{Rng, WallTime};
use weburl::{Scope, Url};

/// A server's clock is this much ahead.
const AHEAD_MS: u64 = 5_000_000;

fn site(seed: u64) -> Site {
    let mut rng = Rng::new(seed);
    let config = WebConfig {
        addresses: 1 + rng.below(12) as u32,
        sizes: Sizes { median: 2_000, mean: 3_000 },
        ..WebConfig::small(seed, 60 + rng.below(240))
    };
    Site::new(config.without_traps(), 1 + rng.below(3) as u32)
}

/// A crawl that dies up to five times and is done.
fn trial(site: &Site, seed: u64) -> Trial<'_> {
    let mut trial =
        Trial::new(site, Setup::new(site, Scope::Any, seed), Network::new(site.web.clone(), seed), seed);
    let mut exit = None;
    while trial.deaths < 5 && exit.is_none() {
        let life = trial.random_life(30_000, 500);
        exit = trial.live(&life);
    }
    assert_eq!(exit.unwrap_or_else(|| trial.finish()), Exit::Done);
    trial
}

fn audit(trial: &Trial<'_>) -> Audit {
    ledger::audit(|_| archive::ledger(trial.disk()), None).unwrap()
}

/// A log as its server would write it.
fn exact(contact: &Contact) -> String {
    let url = Url::parse(&contact.url).unwrap();
    let us = |at: stdx::Timestamp| (at.as_ms() + AHEAD_MS) * 1000;
    format!(
        r#"{{"start_us":{},"end_us":{},"client_port":1,"address":"{}","scheme":"http","host":"{}","target":"{}","status":{},"body_bytes":1}}"#,
        us(contact.started),
        us(contact.ended),
        contact.address,
        contact.host,
        url.request_target(),
        contact.status.unwrap_or(0)
    )
}

fn in_seconds(contact: &Contact) -> String {
    let url = Url::parse(&contact.url).unwrap();
    let time = WallTime::from_unix_ms(contact.ended.as_ms() + AHEAD_MS).iso_seconds();
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = months[time[5..7].parse::<usize>().unwrap() - 1];
    let (day, year, clock) = (&time[8..10], &time[..4], &time[11..19]);
    let (target, status) = (url.request_target(), contact.status.unwrap_or(0));
    format!(
        r#"{}:80 10.0.0.1 - - [{day}/{month}/{year}:{clock} +0000] "GET {target} HTTP/1.1" {status} 1 "-" "drumlin/0""#,
        contact.host
    )
}

fn compare(trial: &Trial<'_>, line: fn(&Contact) -> String) -> Comparison {
    let mut contacts = trial.network.log.contacts.clone();
    contacts.sort_by_key(|contact| contact.ended);
    let lines: Vec<String> = contacts.iter().map(line).collect();
    let log = ServerLog { host: None, tolerance_ms: 1_000, agent: "drumlin" };
    ledger::compare(&log, || archive::ledger(trial.disk()), || Ok(lines.iter().cloned().map(Ok)), None)
        .unwrap()
}

#[test]
fn the_journal_of_a_crawl_that_dies_proves_its_promises() {
    for seed in 0..12 {
        let site = site(seed);
        let trial = trial(&site, seed);
        let audit = audit(&trial);
        assert_eq!(audit.findings.kept, [], "seed {seed}");
        assert!((1..=u64::from(trial.deaths) + 1).contains(&audit.counts.promises), "seed {seed}");
        let snapshot = trial.last().snapshot();
        assert!(audit.counts.contacts >= snapshot.captures, "seed {seed}");
        for line in [exact, in_seconds] {
            let compared = compare(&trial, line);
            assert_eq!(compared.findings.kept, [], "seed {seed}");
            assert!(compared.matched > audit.counts.contacts / 2, "seed {seed}: {compared:?}");
            assert!(trial.deaths > 0 || compared.lost_in_crash == 0, "seed {seed}");
        }
    }
}
