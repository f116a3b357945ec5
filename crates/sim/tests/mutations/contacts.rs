//! A server's log in which somebody is contacted too early, without leave, or again.

use crate::{check_log, crawled, site};
use sim::checks::{
    Delays, HeldAtStart, captures, never_again, politeness, requested_once, robots_known, robots_obeyed,
};
use sim::{Before, Contact, Purpose, Run, ServerLog, Site};
use stdx::Timestamp;

/// A content contact that went well.
fn some_page(log: &ServerLog) -> usize {
    log.contacts.iter().position(|c| c.purpose == Purpose::Content && c.status == Some(200)).unwrap()
}

fn polite(log: &ServerLog, site: &Site) -> Vec<String> {
    let crawl_delay = |host: &str| site.web.host(host).map_or(0, |host| site.web.crawl_delay_ms(host));
    politeness(log, Delays::DEFAULT, crawl_delay)
}

/// The second of the first two neighbours of a run for which `fits` holds: to be moved.
fn second(log: &ServerLog, fits: impl Fn(&Contact, &Contact) -> bool) -> usize {
    let contacts = &log.contacts;
    let follows = |index: &usize| {
        let before = contacts[..*index].iter().rev().find(|before| fits(before, &contacts[*index]));
        before.is_some_and(|before| before.run == contacts[*index].run)
    };
    (1..contacts.len()).find(follows).expect("two such contacts")
}

/// Moves a contact so that it starts so long after `from`.
fn set_start(log: &mut ServerLog, index: usize, start: Timestamp) {
    let contact = &mut log.contacts[index];
    let took = contact.ended.since_ms(contact.started);
    (contact.started, contact.ended) = (start, start + took);
}

#[test]
fn a_host_contacted_too_early() {
    let early = |log: &mut ServerLog, _: &Site| {
        let index = second(log, |a, b| a.host == b.host);
        let host = log.contacts[index].host.clone();
        let before = log.contacts[..index].iter().rfind(|contact| contact.host == host).unwrap().ended;
        set_start(log, index, before + 999);
    };
    check_log(early, polite);
}

#[test]
fn a_server_contacted_too_early() {
    let early = |log: &mut ServerLog, _: &Site| {
        let index = second(log, |a, b| a.address == b.address && a.host != b.host);
        let address = log.contacts[index].address;
        let before = log.contacts[..index].iter().rfind(|contact| contact.address == address).unwrap().ended;
        set_start(log, index, before + 249);
    };
    check_log(early, |log, site| {
        polite(log, site).into_iter().filter(|wrong| wrong.starts_with("server")).collect()
    });
}

#[test]
fn a_domain_contacted_too_often() {
    let early = |log: &mut ServerLog, _: &Site| {
        let domain = |contact: &Contact| contact.host.rsplitn(3, '.').take(2).collect::<Vec<_>>().join(".");
        let index = second(log, |a, b| domain(a) == domain(b) && a.host != b.host);
        let name = domain(&log.contacts[index]);
        let before = log.contacts[..index].iter().rfind(|contact| domain(contact) == name).unwrap().started;
        set_start(log, index, before + 249);
    };
    check_log(early, |log, site| {
        polite(log, site).into_iter().filter(|wrong| wrong.starts_with("domain")).collect()
    });
}

#[test]
fn a_host_contacted_too_soon_after_a_crash() {
    let early = |log: &mut ServerLog, _: &Site| {
        assert_eq!(log.runs[1].after, Before::Crash);
        let index = log.contacts.iter().position(|contact| contact.run == 1).unwrap();
        let start = log.runs[1].started + 240;
        set_start(log, index, start);
    };
    check_log(early, polite);
}

/// A crawl that died is opened for a moment, saves and leaves; the run after that has no reason to wait, but for the one that died.
#[test]
fn a_host_contacted_too_soon_after_a_short_run_after_a_crash() {
    let early = |log: &mut ServerLog, _: &Site| {
        assert_eq!(log.runs[1].after, Before::Crash);
        let index = log.contacts.iter().position(|contact| contact.run == 1).unwrap();
        let (short, ended) = (log.runs[1], log.runs[1].started + 5);
        log.runs[1].ended = ended;
        log.runs.insert(2, Run { started: ended, after: Before::Calm, ..short });
        log.contacts.iter_mut().filter(|contact| contact.run > 0).for_each(|contact| contact.run += 1);
        set_start(log, index, short.started + 240);
    };
    check_log(early, polite);
}

#[test]
fn a_retry_after_that_is_not_waited_for() {
    let ask = |log: &mut ServerLog, _: &Site| {
        let index = second(log, |a, b| a.host == b.host);
        let host = log.contacts[index].host.clone();
        let before = log.contacts[..index].iter_mut().rfind(|contact| contact.host == host).unwrap();
        before.retry_after_ms = Some(600_000);
    };
    check_log(ask, polite);
}

#[test]
fn a_crawl_delay_that_is_not_obeyed() {
    let site = site();
    let log = crawled(&site).network.log.clone();
    assert!(!politeness(&log, Delays::DEFAULT, |_| 60_000).is_empty());
}

#[test]
fn a_slow_server_that_is_not_spared() {
    let slow = |log: &mut ServerLog, _: &Site| {
        let index = second(log, |a, b| a.host == b.host);
        let host = log.contacts[index].host.clone();
        let before = log.contacts[..index].iter_mut().rfind(|contact| contact.host == host).unwrap();
        before.started = before.started - 20_000;
    };
    check_log(slow, |log, site| {
        polite(log, site).into_iter().filter(|wrong| wrong.starts_with("host")).collect()
    });
}

#[test]
fn a_forbidden_url_asked_for() {
    check_log(
        |log, site| {
            let seeds: Vec<String> = site.seeds.iter().map(ToString::to_string).collect();
            let plan = simweb::Plan { seeds: &seeds, scope: simweb::Scope::Any, depth: None };
            let forbidden = site.web.truth(&plan).forbidden().next().expect("something forbidden").to_owned();
            let index = some_page(log);
            log.contacts[index].url = forbidden;
        },
        |log, site| robots_obeyed(log, &site.web),
    );
}

#[test]
fn robots_never_asked_for() {
    check_log(
        |log, _| {
            let host = log.contacts[some_page(log)].host.clone();
            log.contacts.retain(|contact| contact.purpose == Purpose::Content || contact.host != host);
        },
        |log, _| robots_known(log),
    );
}

#[test]
fn robots_that_failed_taken_for_leave() {
    check_log(
        |log, _| {
            let robots = log.contacts.iter_mut().filter(|contact| contact.purpose == Purpose::Robots);
            robots.for_each(|contact| contact.status = Some(503));
        },
        |log, _| robots_known(log),
    );
}

#[test]
fn robots_older_than_a_day() {
    const DAY_MS: u64 = 24 * 3_600_000;
    check_log(
        |log, _| {
            let last = log.contacts.len() - 1;
            let start = log.contacts[last].started + DAY_MS;
            set_start(log, last, start);
            log.contacts[last].purpose = Purpose::Content;
        },
        |log, _| robots_known(log),
    );
}

#[test]
fn a_page_requested_twice() {
    check_log(
        |log, _| {
            let again = Contact { run: 1, ..log.contacts[some_page(log)].clone() };
            log.contacts.push(again);
        },
        |log, site| requested_once(log, &site.web),
    );
}

#[test]
fn a_page_of_the_archive_requested_again() {
    let site = site();
    let trial = crawled(&site);
    let held = HeldAtStart {
        contacts: trial.network.log.contacts.len(),
        captures: captures(&trial.disk()).unwrap(),
    };
    let mut log = trial.network.log.clone();
    assert_eq!(never_again(std::slice::from_ref(&held), &log, &site.web), Vec::<String>::new());
    log.contacts.push(log.contacts[some_page(&log)].clone());
    assert!(!never_again(&[held], &log, &site.web).is_empty());
}
