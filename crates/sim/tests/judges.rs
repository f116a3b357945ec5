//! The judges that keep no log find what those find that do.

use crawler::Exit;
use sim::checks::{Delays, Politeness, Sample, politeness};
use sim::{Contact, Judges, Life, Loss, Network, Run, ServerLog, Setup, Site, Trial, Until, Witness};
use simweb::WebConfig;
use std::sync::Arc;
use stdx::Timestamp;
use weburl::Scope;

/// A web of which some hosts ask for delays and some servers are shared, crawled with a death.
fn log() -> (Site, ServerLog) {
    let small = WebConfig::small(8, 200);
    let hosts = small.hosts.hostile();
    let site = Site::new(WebConfig { hosts, ..small }.without_traps(), 2);
    let network = Network::structural(site.web.clone(), 8, ServerLog::default());
    let mut trial = Trial::new(&site, Setup::new(&site, Scope::Any, 8), network, 8);
    assert_eq!(trial.live(&Life { until: Until::Ms(12_000), loss: Loss::Kill, downtime_ms: 20 }), None);
    assert_eq!(trial.finish(), Exit::Done);
    let log = trial.network.log.clone();
    (site, log)
}

/// Shows a log to a witness as if it happened now.
fn replay(log: &ServerLog, witness: &mut impl Witness) {
    for (number, run) in log.runs.iter().enumerate() {
        witness.begin(run.started, run.after);
        let mut contacts: Vec<&Contact> = log.contacts.iter().filter(|c| c.run == number).collect();
        contacts.sort_by_key(|contact| contact.started);
        for contact in contacts {
            witness.contact(contact.clone());
        }
        witness.end(run.ended);
    }
}

fn found(site: &Site, log: &ServerLog, sample: Sample) -> u64 {
    let mut judges = Judges::new(Arc::clone(&site.web), Delays::DEFAULT, sample);
    replay(log, &mut judges);
    assert_eq!(judges.contacts, log.contacts.len() as u64);
    judges.findings().map(|findings| findings.count).sum()
}

#[test]
fn nothing_is_wrong_with_a_crawl_that_keeps_its_promises() {
    let (site, log) = log();
    assert_eq!(found(&site, &log, Sample::ALL), 0);
}

#[test]
fn what_is_asked_for_twice_is_found_in_its_share_of_the_hosts() {
    let (site, mut log) = log();
    let last = log.contacts.last().unwrap().ended;
    let again: Vec<Contact> = log.contacts.iter().filter(|c| c.status == Some(200)).cloned().collect();
    let run = log.runs.len() - 1;
    let late = |(nth, contact): (usize, Contact)| {
        let started = last + 400_000 * (1 + nth as u64);
        Contact { run, started, ended: started + 10, ..contact }
    };
    log.contacts.extend(again.into_iter().enumerate().map(late));
    log.runs.last_mut().unwrap().ended = log.contacts.last().unwrap().ended;
    let all = found(&site, &log, Sample::ALL);
    let some = found(&site, &log, Sample { one_in: 4 });
    assert!(all > 50 && some > 0 && some < all, "{some} of {all}");
}

/// Clocks that have run out say nothing, so that forgetting them changes no verdict.
#[test]
fn forgotten_clocks_change_no_verdict() {
    let (site, log) = log();
    let crawl_delay = |host: &str| site.web.host(host).map_or(0, |host| site.web.crawl_delay_ms(host));
    for faster in
        [Delays::DEFAULT, Delays { host_ms: 3_000, server_ms: 2_000, domain_ms: 900, ..Delays::DEFAULT }]
    {
        let mut judge = Politeness::keeping(2, faster);
        log.runs.iter().for_each(|run| judge.begin(*run));
        let mut contacts: Vec<&Contact> = log.contacts.iter().collect();
        contacts.sort_by_key(|contact| contact.started);
        for contact in contacts {
            judge.contact(contact, crawl_delay(&contact.host));
        }
        assert_eq!(judge.findings.into_vec(), politeness(&log, faster, crawl_delay));
    }
    let slower = Delays { host_ms: 3_000, ..Delays::DEFAULT };
    assert!(!politeness(&log, slower, crawl_delay).is_empty(), "or there was nothing to compare");
}

/// What robots.txt asks for holds for a host whose clock was forgotten, too.
#[test]
fn a_crawl_delay_is_not_forgotten_with_its_clock() {
    let mut judge = Politeness::keeping(1, Delays::DEFAULT);
    let (_, log) = log();
    judge.begin(Run { ended: Timestamp::NEVER, ..log.runs[0] });
    let first = log.contacts.iter().find(|c| c.purpose == sim::Purpose::Content).unwrap();
    let later = |ms: u64, host: &str| {
        let started = first.started + ms;
        Contact { run: 0, started, ended: started + 1, host: host.to_owned(), ..first.clone() }
    };
    judge.contact(&later(0, "a.test"), 60_000);
    (0..4).for_each(|nth| judge.contact(&later(400_000 + 2_000 * nth, "b.test"), 0));
    judge.contact(&later(500_000, "a.test"), 60_000);
    assert_eq!(judge.findings.count, 0);
    judge.contact(&later(530_000, "a.test"), 60_000);
    assert_eq!(judge.findings.count, 1);
}
