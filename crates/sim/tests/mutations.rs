//! Who judges the judges: each is shown to catch what it is there for, in a log or an archive that was tampered with, and to
//! find nothing in one that was not. This is the list of mutations.

use control::{Command, Target};
use crawler::Exit;
use disk::{CrashMode, Mode, SharedDisk, read_all};
use sim::checks::{
    Captured, Delays, HeldAtStart, archived_once, attempts_logged, captures, complete, fates, index_complete,
    never_again, obeyed, politeness, requested_once, robots_known, robots_obeyed, rows, rows_exact,
    warcs_sound,
};
use sim::{Before, Contact, Life, Loss, Network, Purpose, Said, ServerLog, Setup, Site, Trial, Until};
use simweb::{End, Sizes, WebConfig};
use std::path::Path;
use stdx::Timestamp;
use weburl::Scope;

const SEED: u64 = 5;

fn site() -> Site {
    let config = WebConfig { sizes: Sizes { median: 2_000, mean: 3_000 }, ..WebConfig::small(SEED, 150) };
    Site::new(config.without_traps(), 2)
}

/// A crawl that died once and is done.
fn crawled(site: &Site) -> Trial<'_> {
    let setup = Setup::new(site, Scope::Any, SEED);
    let mut trial = Trial::new(site, setup, Network::new(site.web.clone(), SEED), SEED);
    let loss = Loss::Power(CrashMode::LoseUnsynced);
    assert_eq!(trial.live(&Life { until: Until::Ms(15_000), loss, downtime_ms: 20 }), None);
    assert_eq!(trial.finish(), Exit::Done);
    assert_eq!(trial.judge_done(), Vec::<String>::new(), "nothing is wrong before it is tampered with");
    trial
}

/// Tampers with the servers' log and asks a judge of it.
#[track_caller]
fn check_log(tamper: impl Fn(&mut ServerLog, &Site), judge: impl Fn(&ServerLog, &Site) -> Vec<String>) {
    let site = site();
    let mut log = crawled(&site).network.log.clone();
    assert_eq!(judge(&log, &site), Vec::<String>::new());
    tamper(&mut log, &site);
    assert!(!judge(&log, &site).is_empty(), "the judge sees nothing wrong");
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

/// A content contact that went well.
fn some_page(log: &ServerLog) -> usize {
    log.contacts.iter().position(|c| c.purpose == Purpose::Content && c.status == Some(200)).unwrap()
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

/// Tampers with what the archive is said to hold.
#[track_caller]
fn check_captures(
    tamper: impl Fn(&mut Vec<Captured>, &Site),
    judge: impl Fn(&[Captured], &Trial<'_>, &Site) -> Vec<String>,
) {
    let site = site();
    let trial = crawled(&site);
    let mut captures = captures(&trial.disk()).unwrap();
    assert_eq!(judge(&captures, &trial, &site), Vec::<String>::new());
    tamper(&mut captures, &site);
    assert!(!judge(&captures, &trial, &site).is_empty(), "the judge sees nothing wrong");
}

/// Where the archive has a page.
fn page_at(captures: &[Captured]) -> usize {
    let is_page = |capture: &Captured| capture.status == 200 && !capture.url.contains("robots");
    captures.iter().rposition(is_page).unwrap()
}

#[test]
fn a_page_archived_twice() {
    let twice = |captures: &mut Vec<Captured>, _: &Site| captures.push(captures[page_at(captures)].clone());
    check_captures(twice, |captures, _, site| archived_once(captures, &site.web));
}

#[test]
fn a_page_missing() {
    let lose = |captures: &mut Vec<Captured>, _: &Site| {
        let index = page_at(captures);
        captures.remove(index);
    };
    check_captures(lose, |captures, trial, site| complete(captures, &site.web, &trial.truth()));
}

#[test]
fn a_page_that_no_link_leads_to() {
    let stray = |captures: &mut Vec<Captured>, _: &Site| {
        let index = page_at(captures);
        let url = format!("{}/no/such/page", captures[index].url);
        captures.push(Captured { url, status: 404, ..captures[index].clone() });
    };
    check_captures(stray, |captures, trial, site| complete(captures, &site.web, &trial.truth()));
}

#[test]
fn a_page_with_another_answer() {
    let change = |captures: &mut Vec<Captured>, _: &Site| {
        let index = page_at(captures);
        captures[index].status = 503;
    };
    check_captures(change, |captures, trial, site| complete(captures, &site.web, &trial.truth()));
}

#[test]
fn a_record_missing_from_the_index() {
    let add = |captures: &mut Vec<Captured>, _: &Site| {
        let index = page_at(captures);
        captures.push(Captured { offset: 1, ..captures[index].clone() });
    };
    check_captures(add, |captures, trial, _| index_complete(&trial.disk(), captures));
}

#[test]
fn an_index_line_without_its_record() {
    let lose = |captures: &mut Vec<Captured>, _: &Site| drop(captures.pop());
    check_captures(lose, |captures, trial, _| index_complete(&trial.disk(), captures));
}

#[test]
fn rows_that_are_not_the_pages() {
    let site = site();
    let trial = crawled(&site);
    let (captures, truth) = (captures(&trial.disk()).unwrap(), trial.truth());
    let whole = rows(&trial.disk()).unwrap();
    let judge = |rows: &[corpus::Row]| rows_exact(rows, &captures, &site.web, &truth);
    assert_eq!(judge(&whole), Vec::<String>::new());
    assert!(!judge(&whole[1..]).is_empty(), "a row less");
    let twice = [&whole[..], &whole[..1]].concat();
    assert!(!judge(&twice).is_empty(), "a row twice");
    let mut elsewhere = whole.clone();
    elsewhere[0].warc_offset += 1;
    assert!(!judge(&elsewhere).is_empty(), "a row that points elsewhere");
}

#[test]
fn a_url_in_the_wrong_state() {
    let site = site();
    let trial = crawled(&site);
    let states = trial.last().states().unwrap();
    let state = |url: &str| states.get(&trial.key(url)?);
    let mut truth = trial.truth();
    assert_eq!(fates(&truth, state), Vec::<String>::new());
    let page = truth.pages().next().unwrap().to_owned();
    assert!(
        !fates(&truth, |url| if url == page { None } else { state(url) }).is_empty(),
        "a URL nobody knows"
    );
    truth.urls.get_mut(&page).unwrap().end = End::Forbidden;
    assert!(!fates(&truth, state).is_empty(), "a URL fetched that must not be");
}

/// Changes the first file of a finished crawl whose path ends like this.
#[track_caller]
fn check_files(
    file: &str,
    tamper: impl Fn(&mut Vec<u8>),
    judge: impl Fn(&SharedDisk, &Trial<'_>) -> Vec<String>,
) {
    let site = site();
    let trial = crawled(&site);
    let disk = trial.disk();
    assert_eq!(judge(&disk, &trial), Vec::<String>::new());
    let dir = Path::new(file).parent().unwrap();
    let name = disk
        .list(dir)
        .unwrap()
        .into_iter()
        .find(|name| name.ends_with(Path::new(file).file_name().unwrap().to_str().unwrap()));
    let path = dir.join(name.unwrap());
    let mut bytes = read_all(disk.as_ref(), &path).unwrap();
    tamper(&mut bytes);
    disk.open(&path, Mode::Truncate).unwrap().write_at(&bytes, 0).unwrap();
    assert!(!judge(&disk, &trial).is_empty(), "the judge sees nothing wrong");
}

#[test]
fn a_warc_file_that_was_damaged() {
    check_files("archive/.warc.gz", |bytes| bytes.truncate(bytes.len() - 9), |disk, _| warcs_sound(disk));
    let flip = |bytes: &mut Vec<u8>| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x40;
    };
    check_files("archive/.warc.gz", flip, |disk, _| warcs_sound(disk));
}

#[test]
fn an_index_that_is_not_sorted() {
    let swap = |bytes: &mut Vec<u8>| {
        let first = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        bytes.rotate_left(first);
    };
    check_files("archive/index.cdxj", swap, |disk, _| index_complete(disk, &captures(disk).unwrap()));
}

#[test]
fn a_log_that_misses_a_line_or_has_one_twice() {
    let judge = |disk: &SharedDisk, trial: &Trial<'_>| attempts_logged(disk, &trial.network.log);
    let first_line = |bytes: &[u8]| bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let lose = |bytes: &mut Vec<u8>| drop(bytes.drain(..first_line(bytes)));
    check_files("crawl.log", lose, judge);
    let twice = |bytes: &mut Vec<u8>| {
        let line = bytes[..first_line(bytes)].to_vec();
        bytes.splice(..0, line);
    };
    check_files("crawl.log", twice, judge);
    check_files("crawl.log", |bytes| bytes[40..80].fill(0), judge);
}

/// A command that was acknowledged so long before the last contact, or after it.
fn said(log: &ServerLog, command: impl Fn(&Contact) -> Command) -> [Vec<Said>; 2] {
    let last = log.contacts.last().expect("a contact");
    let said = |acknowledged: Timestamp| {
        let given = Timestamp::from_ms(acknowledged.as_ms() - 5);
        vec![Said { command: command(last), given, acknowledged: Some(acknowledged) }]
    };
    [said(Timestamp::from_ms(last.started.as_ms() - 1)), said(last.started + 1)]
}

/// Shows a judge of obedience a log in which somebody is contacted although a command says no, and one in which nobody is.
#[track_caller]
fn check_obedience(command: impl Fn(&Contact) -> Command) {
    let site = site();
    let log = crawled(&site).network.log.clone();
    let [broken, kept] = said(&log, command);
    assert_eq!(obeyed(&kept, &log), Vec::<String>::new());
    assert!(!obeyed(&broken, &log).is_empty(), "the judge sees nothing wrong");
}

#[test]
fn somebody_contacted_while_the_crawl_is_paused() {
    check_obedience(|_| Command::Pause);
}

#[test]
fn a_host_contacted_that_is_excluded() {
    check_obedience(|contact| Command::Exclude(Target::Host(contact.host.parse().expect("a host"))));
}

#[test]
fn a_page_asked_for_that_an_excluded_pattern_matches() {
    check_obedience(|contact| {
        let path = contact.url.split('/').skip(3).collect::<Vec<_>>().join("/");
        let literal = path.replace(['.', '?', '+', '(', ')', '*'], ".");
        Command::Exclude(Target::Pattern(format!("{literal}$").parse().expect("an expression")))
    });
}
