use super::{end_line, fault, table::summary};
use crate::seeds::Taken;
use crawler::Exit;
use node::Ended;
use snapshot::{LedOut, Offline, SeedLedOut, Snapshot, WaitingHost};
use std::io::{Error, ErrorKind};
use std::path::Path;

fn taken() -> Taken {
    Taken { host: "a.example".to_owned(), ..Taken::default() }
}

fn ended(exit: Exit) -> Ended {
    let snapshot = Snapshot {
        now_ms: 1_000_000,
        elapsed_ms: 245_000,
        pages: 1234,
        statuses: [(200, 1200), (404, 34)].into(),
        excluded: [("robots".to_owned(), 7)].into(),
        failures: [("timeout".to_owned(), 3)].into(),
        ..Snapshot::default()
    };
    let host = WaitingHost {
        host: "slow.example".into(),
        until_ms: 8_200_000,
        reason: "robots".into(),
        because: Some("status 503".into()),
        pending: 2,
    };
    let due = WaitingHost {
        host: "new.example".into(),
        until_ms: 1_000_000,
        reason: "turn".into(),
        because: None,
        pending: 1,
    };
    Ended { exit, snapshot, waiting: vec![due, host] }
}

#[test]
fn the_table_has_what_a_person_asks_for() {
    let text = summary(&taken(), Path::new("crawl-a.example"), &ended(Exit::Waiting));
    for part in [
        "a.example: saved, waiting after 4 m 05 s",
        "pages                           1,234",
        "    404                              34",
        "    robots                            7",
        "new.example: 1 URL, due now",
        "slow.example: 2 URLs until 1970-01-01T02:16:40Z (in 2 h 00 m; robots: status 503)",
        "crawl-a.example/archive/*.warc.gz",
        "drumlin resume crawl-a.example",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let done = summary(&taken(), Path::new("d"), &ended(Exit::Done));
    assert!(!done.contains("resume"), "{done}");
}

#[test]
fn a_limit_that_is_reached_comes_with_what_goes_on() {
    let Ended { exit, mut snapshot, .. } = ended(Exit::LimitReached);
    let mut told = |limit| {
        snapshot.limit = Some(limit);
        let ended = Ended { exit, snapshot: snapshot.clone(), waiting: Vec::new() };
        summary(&taken(), Path::new("d"), &ended)
    };
    let by_pages = told(1234);
    assert!(by_pages.contains(": drumlin crawl --dir d --limit none\n"), "{by_pages}");
    assert!(!by_pages.contains("resume") && !by_pages.contains("same command"), "{by_pages}");
    let by_others = told(5000);
    for part in [": drumlin resume d\n", ": drumlin crawl --dir d --size-limit none\n"] {
        assert!(by_others.contains(part), "{by_others}");
    }
}

#[test]
fn failures_that_are_no_servers_fault_come_with_what_to_do() {
    for cause in
        ["address-refused", "certificate", "local", "name-server", "original-gone", "parser-panicked"]
    {
        let Ended { exit, mut snapshot, waiting } = ended(Exit::Done);
        snapshot.failures = [(cause.to_owned(), 1)].into();
        let text = summary(&taken(), Path::new("d"), &Ended { exit, snapshot, waiting });
        assert!(text.contains(&format!("    {cause}: ")), "{cause}: {text}");
    }
}

#[test]
fn seeds_that_lead_elsewhere_are_named() {
    let Ended { exit, mut snapshot, waiting } = ended(Exit::Done);
    let (seed, to) = ("http://a.example/".to_owned(), "https://www.a.example/".to_owned());
    let first = vec![SeedLedOut { seed, to, rule: "outside scope host".to_owned() }];
    snapshot.led_out = LedOut { seeds: 12, first };
    let text = summary(&taken(), Path::new("d"), &Ended { exit, snapshot, waiting });
    assert!(text.contains(": 12 seeds\n"), "{text}");
    assert!(text.contains("  http://a.example/ to https://www.a.example/: outside scope host\n"), "{text}");
}

#[test]
fn seeds_that_are_excluded_are_counted_by_rule() {
    let excluded = [("excluded by /x".to_owned(), 1), ("excluded host b.example".to_owned(), 2)].into();
    let (taken, ended) = (Taken { excluded, ..taken() }, ended(Exit::Done));
    let text = summary(&taken, Path::new("d"), &ended);
    for part in [
        ": 3 seeds\n",
        "    excluded by /x                    1\n",
        "    excluded host b.example            2\n",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert_eq!(end_line(&taken, Path::new("d"), &ended)["excluded_seeds"]["excluded by /x"], 1);
}

#[test]
fn a_machine_that_reaches_nobody_says_why() {
    let Ended { mut snapshot, waiting, .. } = ended(Exit::Waiting);
    let because = "connect: timed out".to_owned();
    snapshot.strain.offline = Some(Offline { since_ms: 400_000, because });
    let text = summary(&taken(), Path::new("d"), &Ended { exit: Exit::Waiting, snapshot, waiting });
    assert!(text.contains("since 1970-01-01T00:06:40Z: connect: timed out."), "{text}");
}

#[test]
fn a_disk_that_is_full_says_what_found_no_room() {
    let Ended { mut snapshot, waiting, .. } = ended(Exit::DiskFull);
    snapshot.no_room = Some("state/journal/1: No space left on device (os error 28)".to_owned());
    let text = summary(&taken(), Path::new("d"), &Ended { exit: Exit::DiskFull, snapshot, waiting });
    assert!(text.contains("no room: state/journal/1: No space left on device (os error 28)."), "{text}");
    assert!(text.contains("df -i"), "{text}");
}

#[test]
fn the_last_json_line_has_exit_numbers_and_outputs() {
    let value = end_line(&taken(), Path::new("d"), &ended(Exit::LimitReached));
    assert_eq!(
        (value["event"].as_str(), value["exit"].as_str(), value["code"].as_u64()),
        (Some("end"), Some("limit"), Some(4))
    );
    assert_eq!(value["summary"]["pages"], 1234);
    assert_eq!(value["outputs"]["index"], "d/archive/index.cdxj");
    let waiting = |nth: usize| (&value["waiting"][nth]["until"], &value["waiting"][nth]["reason"]);
    assert_eq!(waiting(0), (&"1970-01-01T00:16:40Z".into(), &"turn".into()));
    assert_eq!(waiting(1), (&"1970-01-01T02:16:40Z".into(), &"robots".into()));
}

#[test]
fn an_end_that_cannot_be_written_is_told_unless_nobody_reads_any_more() {
    assert_eq!(fault(Ok(())), None);
    assert_eq!(fault(Err(ErrorKind::BrokenPipe.into())), None);
    let full = fault(Err(Error::from(ErrorKind::StorageFull)));
    assert!(full.is_some_and(|told| told.contains("its end cannot be written: no storage space")));
}
