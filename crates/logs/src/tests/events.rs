use super::record;
use crate::limits::TEXT_BYTES;
use crate::{Event, Level, for_people, told_by};
use control::Command;
use crawler::{
    Blame, CaptureSeq, End, Failure, FailureKind, Loss, LostPage, Record, RobotsAnswer, RobotsRecord,
};
use serde_json::{Value, json};
use stdx::{Timestamp, WallTime};

fn json_of(event: &Event) -> Value {
    serde_json::from_str(event.line().strip_suffix('\n').unwrap()).unwrap()
}

/// What a failed attempt says.
fn failed(kind: FailureKind, detail: &str) -> Event {
    let failure = Failure { kind, detail: detail.to_owned() };
    told_by(&record(|attempt| attempt.end = End::Failed(failure))).unwrap()
}

#[test]
fn the_level_is_the_blames() {
    for (blame, level) in [
        (Blame::Ours, Level::Error),
        (Blame::Policy, Level::Warn),
        (Blame::Host, Level::Info),
        (Blame::Gate, Level::Info),
        (Blame::Url, Level::Debug),
    ] {
        assert_eq!(Level::of(blame), level);
    }
    assert!(Level::ALL.is_sorted() && Level::ALL.iter().all(|level| level.name().parse() == Ok(*level)));
}

#[test]
fn every_failure_is_told_at_its_level() {
    for (kind, level) in [
        (FailureKind::NameNotFound, Level::Info),
        (FailureKind::NameServer, Level::Info),
        (FailureKind::AddressRefused, Level::Warn),
        (FailureKind::ConnectRefused, Level::Info),
        (FailureKind::ConnectTimeout, Level::Info),
        (FailureKind::ResponseTimeout, Level::Debug),
        (FailureKind::Disconnected, Level::Debug),
        (FailureKind::Certificate, Level::Info),
        (FailureKind::Tls, Level::Info),
        (FailureKind::Protocol, Level::Debug),
        (FailureKind::NotModified, Level::Debug),
        (FailureKind::Local, Level::Error),
        (FailureKind::Offline, Level::Error),
        (FailureKind::Blocked, Level::Info),
    ] {
        let event = failed(kind, "");
        assert_eq!(event.level(), level, "{kind}");
        assert_eq!(json_of(&event)["kind"], kind.to_string());
    }
}

#[test]
fn a_failure_says_where_and_why() {
    let expected = json!({
        "time": "2026-11-18T11:06:40.043Z", "level": "error", "event": "attempt-failed", "kind": "local",
        "url": "http://a.test/page", "detail": "no \"descriptor\"\n", "address": "192.0.2.1", "tries": 1,
    });
    assert_eq!(json_of(&failed(FailureKind::Local, "no \"descriptor\"\n")), expected);
}

#[test]
fn answers_are_told_where_they_ask_to_be_left_alone() {
    let answered = |status: u16| {
        told_by(&record(|attempt| {
            if let End::Captured(response) = &mut attempt.end {
                (response.status, response.retry_after_ms) = (status, Some(5_000));
            }
        }))
    };
    assert!([200, 301, 404, 500].iter().all(|status| answered(*status).is_none()));
    let told = json_of(&answered(503).unwrap());
    assert_eq!((&told["event"], &told["retry_after_ms"]), (&json!("overloaded"), &json!(5_000)));
}

#[test]
fn robots_and_commands_are_told() {
    let at = Timestamp::from_ms(1_795_000_000_000);
    let answer = RobotsAnswer::Unreachable { detail: "status 500".to_owned(), retry_after_ms: None };
    let robots = RobotsRecord { authority: "http://a.test".to_owned(), fetched_at: at, answer };
    let told = told_by(&Record::Robots { shard: 0, record: robots }).unwrap();
    let expected = json!({
        "time": "2026-11-18T11:06:40.000Z", "level": "info", "event": "robots-unreachable",
        "authority": "http://a.test", "detail": "status 500",
    });
    assert_eq!(json_of(&told), expected);
    let command = Record::Control { at, command: Command::Pause, instead_of: control::Changes::default() };
    assert_eq!(json_of(&told_by(&command).unwrap())["command"], "pause");
    assert!(told_by(&Record::Rows { captures: Vec::new() }).is_none());
}

#[test]
fn a_lost_page_is_told_with_its_reason_at_the_level_of_its_blame() {
    let at = Timestamp::from_ms(1_795_000_000_000);
    for (why, kind, level) in
        [(Loss::OriginalGone, "original-gone", "warn"), (Loss::ParserPanicked, "parser-panicked", "error")]
    {
        let page = LostPage { url: "http://a.test/1".to_owned(), why, detail: "what was found".to_owned() };
        let told = told_by(&Record::Lost { at, capture: CaptureSeq(7), page }).unwrap();
        let expected = json!({
            "time": "2026-11-18T11:06:40.000Z", "level": level, "event": "page-lost",
            "kind": kind, "url": "http://a.test/1", "detail": "what was found",
        });
        assert_eq!(json_of(&told), expected);
    }
}

#[test]
fn people_see_no_escapes_and_no_json() {
    let at = WallTime::from_unix_ms(1_795_000_000_000);
    let event = Event::new(at, Level::Warn, "said")
        .with("url", "http://a.test/")
        .with("detail", "two words \u{1b}[2J");
    assert_eq!(
        for_people(&event.line()).unwrap(),
        "11:06:40 WARN  said url=http://a.test/ detail=\"two words \\u001b[2J\""
    );
    let bare = Event::new(at, Level::Warn, "said").with("detail", "\u{1b}[2J");
    assert_eq!(for_people(&bare.line()).unwrap(), "11:06:40 WARN  said detail=\u{fffd}[2J");
    assert_eq!(for_people("torn {\"time\""), None);
}

#[test]
fn a_line_is_bounded_whatever_was_said() {
    let line = failed(FailureKind::Protocol, &"ü\u{1}".repeat(100_000)).line();
    assert!(line.len() < 6 * 2 * TEXT_BYTES + 500, "{}", line.len());
    assert_eq!(line.matches('\n').count(), 1);
}
