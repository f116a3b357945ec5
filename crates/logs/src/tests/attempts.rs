use super::record;
use crate::heritrix::status_of;
use crate::{attempt_as_heritrix, attempt_as_json};
use crawler::{Attempt, End, Failure, FailureKind, Origin, PageSubject, Subject};
use proptest::prelude::*;
use serde_json::json;

fn check(change: impl FnOnce(&mut Attempt), line: &str) {
    assert_eq!(attempt_as_heritrix(&record(change)).as_deref(), Some(line));
}

fn fail(attempt: &mut Attempt, kind: FailureKind) {
    attempt.end = End::Failed(Failure { kind, detail: "what happened".to_owned() });
}

fn page(attempt: &mut Attempt) -> &mut PageSubject {
    match &mut attempt.subject {
        Subject::Page(page) => page,
        _ => panic!("it is a page"),
    }
}

#[test]
fn an_attempt_has_heritrix_columns() {
    check(
        |_| {},
        "2026-11-18T11:06:40.043Z   200       1234 http://a.test/page LL http://a.test/from text/html #000 \
         20261118110640003+40 - - -",
    );
}

#[test]
fn a_failure_is_a_negative_number_and_says_how_often_it_was_tried() {
    check(
        |attempt| {
            page(attempt).attempts = 1;
            fail(attempt, FailureKind::ResponseTimeout);
        },
        "2026-11-18T11:06:40.043Z    -4          - http://a.test/page LL http://a.test/from unknown #000 \
         20261118110640003+40 - - 2t,response-timeout",
    );
}

#[test]
fn a_name_is_looked_up_under_a_scheme_of_its_own() {
    check(
        |attempt| {
            (attempt.subject, attempt.contact) = (Subject::Name, None);
            "http://a.test:8080/".clone_into(&mut attempt.url);
            fail(attempt, FailureKind::NameNotFound);
        },
        "2026-11-18T11:06:40.043Z    -1          - dns:a.test P - unknown #000 - - - name-not-found",
    );
}

/// The path of a page, changed like this.
fn path(change: impl FnOnce(&mut PageSubject)) -> String {
    let line = attempt_as_heritrix(&record(|attempt| change(page(attempt)))).unwrap();
    line.split_whitespace().nth(4).unwrap().to_owned()
}

#[test]
fn a_path_tells_how_a_page_was_found() {
    assert_eq!(path(|page| (page.depth, page.origin) = (0, Origin::Seed)), "-");
    assert_eq!(path(|page| page.hops = 2), "LLRR");
    assert_eq!(path(|page| (page.depth, page.origin) = (0, Origin::Robots(String::new()))), "PM");
    assert_eq!(path(|page| page.depth = 50), "L".repeat(50));
    assert_eq!(path(|page| (page.depth, page.hops) = (60, 3)), format!("13+{}RRR", "L".repeat(47)));
}

/// After Heritrix's `FetchStatusCodes`; a new kind of failure has to find its place here.
#[test]
fn every_failure_has_a_code() {
    for (kind, code) in [
        (FailureKind::NameNotFound, -1),
        (FailureKind::NameServer, -1),
        (FailureKind::ConnectRefused, -2),
        (FailureKind::ConnectTimeout, -2),
        (FailureKind::Certificate, -2),
        (FailureKind::Tls, -2),
        (FailureKind::Protocol, -2),
        (FailureKind::NotModified, -2),
        (FailureKind::Disconnected, -3),
        (FailureKind::ResponseTimeout, -4),
        (FailureKind::Local, -5),
        (FailureKind::Offline, -5),
        (FailureKind::AddressRefused, -5001),
        (FailureKind::Blocked, -404),
    ] {
        assert_eq!(status_of(kind), code, "{kind}");
    }
}

#[test]
fn as_json_nothing_is_missing() {
    let line = attempt_as_json(9, &record(|_| {})).unwrap();
    let expected = json!({
        "seq": 9, "time": "2026-11-18T11:06:40.043Z", "for": "page", "url": "http://a.test/page",
        "address": "192.0.2.1", "started": "2026-11-18T11:06:40.003Z", "elapsed_ms": 40, "tries": 1,
        "depth": 2, "redirects": 0, "from": "document", "via": "http://a.test/from",
        "status": 200, "bytes": 1234, "type": "text/html", "truncated": false, "retry_after_ms": null,
    });
    assert_eq!(line, expected);
    let failed = attempt_as_json(9, &record(|attempt| fail(attempt, FailureKind::Tls))).unwrap();
    assert_eq!((&failed["failure"], &failed["status"]), (&json!("tls"), &json!(null)));
}

proptest! {
    /// Whatever a server called its type, a line has the columns that Heritrix's own reader (`CrawlLogLine`) splits it into: twelve,
    /// none of them empty.
    #[test]
    fn a_line_has_twelve_columns(kind in any::<String>(), status: u16, depth: u32, hops: u8, cut: bool) {
        let line = attempt_as_heritrix(&record(|attempt| {
            (page(attempt).depth, page(attempt).hops) = (depth, hops);
            if let End::Captured(response) = &mut attempt.end {
                (response.status, response.truncated) = (status, cut);
                response.content_type = Some(kind);
            }
        }))
        .unwrap();
        let columns: Vec<&str> = line.split(' ').filter(|column| !column.is_empty()).collect();
        prop_assert_eq!(columns.len(), 12, "{}", line);
        prop_assert_eq!(columns[1].parse::<i64>().ok(), Some(i64::from(status)));
        prop_assert_eq!(columns[2].parse::<u64>().ok(), Some(1234));
        let (left_out, hops_shown) = columns[4].split_once('+').unwrap_or(("0", columns[4]));
        let shown = left_out.parse::<u64>().unwrap() + hops_shown.trim_matches('-').len() as u64;
        prop_assert_eq!(shown, u64::from(depth.saturating_add(u32::from(hops))));
        let (began, took) = columns[8].split_once('+').unwrap();
        prop_assert!(began.len() == 17 && took == "40", "{}", line);
    }
}
