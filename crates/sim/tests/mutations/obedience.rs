//! Contacts that an operator's command forbids.

use crate::{crawled, site};
use control::{Changes, Command, Target};
use sim::checks::obeyed;
use sim::{Contact, START, Said, ServerLog};
use stdx::Timestamp;

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

/// A crawl by the delays of the program, and an operator who has set shorter ones, or longer.
#[test]
fn somebody_contacted_before_the_end_of_a_delay_that_was_set() {
    let changes = |ms| {
        [
            Changes { delay_ms: Some(ms), ..Changes::default() },
            Changes { ip_delay_ms: Some(ms), ..Changes::default() },
            Changes { domain_delay_ms: Some(ms), ..Changes::default() },
        ]
    };
    let site = site();
    let log = crawled(&site).network.log.clone();
    let set = |command| vec![Said { command, given: START, acknowledged: Some(START) }];
    for (kept, broken) in changes(100).into_iter().zip(changes(3_600_000)) {
        assert_eq!(obeyed(&set(Command::Set(kept)), &log), Vec::<String>::new());
        assert!(
            !obeyed(&set(Command::Set(broken)), &log).is_empty(),
            "{broken:?}: the judge sees nothing wrong"
        );
    }
}
