//! A server's log beside a ledger. The server's clock goes two hours behind and tells microseconds, or seconds.

use super::forge::{Forge, Visit, promise, timed_out};
use crate::{Breach, Comparison, ServerLog, compare};
use crawler::Stop;
use std::collections::BTreeMap;
use stdx::Rng;

pub(super) const A: &str = "http://a.example";
const BEHIND_MS: u64 = 7_200_000;

/// What the server wrote about a contact: it had the request a little after we began, and was done a little before us.
#[derive(Clone)]
pub(super) struct Written {
    target: String,
    started_us: u64,
    pub(super) ended_us: u64,
}

#[derive(Clone)]
pub(super) struct Both {
    pub(super) forge: Forge,
    pub(super) log: Vec<Written>,
    behind_ms: u64,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Simweb,
    Combined,
}

impl Both {
    pub(super) fn new() -> Self {
        let mut both = Self { forge: Forge::host(A), log: Vec::new(), behind_ms: BEHIND_MS };
        both.write("/robots.txt", both.forge.now_ms - 20, 20);
        both
    }

    /// So many pages, each this long after the one before, at random moments within the second.
    pub(super) fn pages(mut self, count: u64, least_ms: u64, spread_ms: u64) -> Self {
        let mut rng = Rng::new(count ^ least_ms);
        for _ in 0..count {
            let target = format!("/{}", self.log.len());
            self.page(&target, least_ms + rng.below(spread_ms + 1));
        }
        self
    }

    pub(super) fn page(&mut self, target: &str, after_ms: u64) {
        let started_ms = self.forge.now_ms + after_ms;
        self.forge.visit(&Visit::new(&format!("{A}{target}"), started_ms));
        self.write(target, started_ms, 20);
    }

    /// A run ends, and a minute later another begins, on a clock that was set by so much: ours never goes back.
    pub(super) fn rest(&mut self, step_ms: i64) {
        let at_server_ms = self.forge.now_ms + 60_000 - self.behind_ms;
        let shown_ms = (self.forge.now_ms + 60_000).saturating_add_signed(step_ms);
        self.forge.now_ms = self.forge.now_ms.max(shown_ms);
        self.behind_ms = self.forge.now_ms - at_server_ms;
        self.forge.promise(promise(self.forge.now_ms, Stop::Clean));
    }

    /// The log has it, whether or not the ledger does.
    pub(super) fn write(&mut self, target: &str, started_ms: u64, took_ms: u64) {
        let us = |ms: u64| (ms - self.behind_ms) * 1000;
        let (started_us, ended_us) = (us(started_ms) + 300, us(started_ms + took_ms) - 200);
        self.log.push(Written { target: target.to_owned(), started_us, ended_us });
    }

    fn lines(&self, kind: Kind) -> Vec<String> {
        self.log.iter().map(|written| written.line(kind)).collect()
    }

    pub(super) fn compare_with(&self, kind: Kind, tolerance_ms: u64) -> Comparison {
        let log = ServerLog { host: Some("a.example"), tolerance_ms, agent: "drumlin" };
        let lines = self.lines(kind);
        compare(&log, || Ok(self.forge.journal()), || Ok(lines.clone().into_iter().map(Ok)), None).unwrap()
    }

    pub(super) fn check(&self, kind: Kind, expected: &[(Breach, u64)]) -> Comparison {
        let compared = self.compare_with(kind, 500);
        assert_eq!(
            compared.findings.counts,
            expected.iter().copied().collect::<BTreeMap<_, _>>(),
            "{compared:#?}"
        );
        compared
    }
}

impl Written {
    fn line(&self, kind: Kind) -> String {
        let Self { target, started_us, ended_us } = self;
        match kind {
            Kind::Simweb => format!(
                r#"{{"start_us":{started_us},"end_us":{ended_us},"client_port":1,"address":"198.51.100.1","scheme":"http","host":"a.example","target":"{target}","status":200,"body_bytes":9}}"#
            ),
            Kind::Combined => {
                let time = stdx::WallTime::from_unix_ms(ended_us / 1000).iso_seconds();
                let (date, clock) = (&time[..10], &time[11..19]);
                let months =
                    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
                let month = months[date[5..7].parse::<usize>().unwrap() - 1];
                let (year, day) = (&date[..4], &date[8..]);
                format!(
                    r#"198.51.100.9 - - [{day}/{month}/{year}:{clock} +0000] "GET {target} HTTP/1.1" 200 9 "-" "drumlin/0.1""#
                )
            }
        }
    }
}

#[test]
fn an_honest_log_is_the_ledger_on_another_clock() {
    for kind in [Kind::Simweb, Kind::Combined] {
        let both = Both::new().pages(200, 1_000, 900);
        let compared = both.check(kind, &[]);
        assert_eq!((compared.matched, compared.not_in_log, compared.outside), (201, 0, 0));
        let offset = compared.offset.unwrap();
        let behind_us = BEHIND_MS as i64 * 1000;
        assert!(offset.least_us <= behind_us && behind_us <= offset.most_us, "{offset:?}");
        assert!(offset.most_us - offset.least_us < 100_000, "many contacts tell it well: {offset:?}");
        assert_eq!(offset.disagree, 0);
    }
}

#[test]
fn a_log_of_another_crawl_proves_nothing() {
    for kind in [Kind::Simweb, Kind::Combined] {
        let mut both = Both::new().pages(5, 1_000, 900);
        assert!(!both.check(kind, &[]).proves_nothing());
        both.log.clear();
        assert!(both.check(kind, &[]).proves_nothing(), "it says nothing");
        let now_ms = both.forge.now_ms;
        (0..5).for_each(|n| both.write(&format!("/of/another/{n}"), now_ms + 1_000 * n, 10));
        assert!(both.check(kind, &[]).proves_nothing());
    }
}

/// Between two runs our clock was set, or the machine is another: within each it is steady, and whoever reads it must not
/// accuse us.
#[test]
fn a_clock_that_was_set_between_two_runs_accuses_nobody() {
    for step_ms in [-3_600_000, -2_500, 2_500, 3_600_000] {
        for kind in [Kind::Simweb, Kind::Combined] {
            let mut both = Both::new().pages(60, 1_000, 900);
            both.rest(step_ms);
            let mut both = both.pages(9, 1_000, 900);
            both.rest(-step_ms);
            let both = both.pages(60, 1_000, 900);
            let compared = both.check(kind, &[]);
            assert_eq!((compared.matched, compared.not_in_log, compared.outside), (130, 0, 0), "{step_ms}");
            let offset = compared.offset.unwrap();
            assert!(offset.runs_apart > 0 && offset.disagree == 0, "{step_ms}: {offset:?}");
        }
    }
}

/// What a run's other contacts do not bear out is no clock.
#[test]
fn in_a_run_by_another_clock_a_moment_is_still_another() {
    for kind in [Kind::Simweb, Kind::Combined] {
        let mut both = Both::new().pages(60, 1_000, 900);
        both.rest(3_600_000);
        let mut both = both.pages(20, 1_000, 900);
        let now_ms = both.forge.now_ms;
        both.forge.visit(&Visit::new(&format!("{A}/moved"), now_ms + 10_000));
        both.write("/moved", now_ms + 4_000, 20);
        let both = both.pages(20, 1_000, 900);
        both.check(kind, &[(Breach::OtherMoment, 1)]);
    }
}

#[test]
fn a_contact_that_the_ledger_does_not_know() {
    for kind in [Kind::Simweb, Kind::Combined] {
        let mut both = Both::new().pages(50, 1_000, 900);
        let now_ms = both.forge.now_ms;
        both.write("/secret", now_ms + 2_000, 20);
        both.forge.now_ms += 4_000;
        let both = both.pages(50, 1_000, 900);
        let compared = both.check(kind, &[(Breach::UnknownContact, 1)]);
        assert_eq!(compared.findings.kept[0].url, "a.example/secret");
        assert_eq!(compared.findings.kept[0].place.to_string(), "line 52 of the log");
    }
}

#[test]
fn a_ledger_that_says_another_moment() {
    for kind in [Kind::Simweb, Kind::Combined] {
        let mut both = Both::new().pages(50, 1_000, 900);
        let now_ms = both.forge.now_ms;
        both.forge.visit(&Visit::new(&format!("{A}/moved"), now_ms + 10_000));
        both.write("/moved", now_ms + 4_000, 20);
        let both = both.pages(50, 1_000, 900);
        both.check(kind, &[(Breach::OtherMoment, 1)]);
    }
}

#[test]
fn a_burst_that_the_ledger_spreads_out_is_seen_by_the_server() {
    let mut both = Both::new().pages(20, 1_000, 900);
    let now_ms = both.forge.now_ms;
    for n in 0..8 {
        both.forge.visit(&Visit::new(&format!("{A}/burst{n}"), now_ms + 1_000 * (n + 1) + 20 * n));
        both.write(&format!("/burst{n}"), now_ms + 1_000 + 400 * n, 20);
    }
    let compared = both.compare_with(Kind::Simweb, 60_000);
    assert_eq!(
        compared.findings.counts,
        [(Breach::HostDelayAtServer, 7), (Breach::ServerDelayAtServer, 0)]
            .into_iter()
            .filter(|(_, n)| *n > 0)
            .collect()
    );
    let compared = both.compare_with(Kind::Combined, 60_000);
    let seen = compared.findings.counts.get(&Breach::HostDelayAtServer).copied().unwrap_or(0);
    assert!(
        (1..7).contains(&seen),
        "whole seconds show that there was a burst, not every contact of it: {seen}"
    );
}

/// A delay of a second between contacts of which the log tells the second only: two may stand in the same second, and no
/// pair proves anything. Honest ones are never accused, whatever their moments.
#[test]
fn whole_seconds_accuse_nobody_who_kept_the_delay() {
    for seed in 0..20 {
        let both = Both::new().pages(100 + seed, 1_000, seed % 7);
        both.check(Kind::Combined, &[]);
    }
}

/// Workers of a server that write what their buffers hold when these are full.
#[test]
fn a_log_whose_lines_are_out_of_order_accuses_nobody() {
    for (kind, workers) in [(Kind::Simweb, 2), (Kind::Combined, 2), (Kind::Combined, 5)] {
        let mut both = Both::new().pages(300, 1_000, 400);
        let lines = std::mem::take(&mut both.log);
        for block in lines.chunks(20 * workers) {
            for worker in 0..workers {
                both.log.extend(block.iter().skip(worker).step_by(workers).cloned());
            }
        }
        assert_eq!(both.check(kind, &[]).matched, 301);
    }
}

#[test]
fn a_burst_is_seen_in_a_log_that_was_put_together_the_wrong_way_round() {
    let mut both = Both::new().pages(40, 1_000, 400);
    both.log.rotate_left(20);
    both.check(Kind::Combined, &[]);
    let now_ms = both.forge.now_ms;
    for n in 0..8 {
        both.forge.visit(&Visit::new(&format!("{A}/burst{n}"), now_ms + 1_000 * (n + 1)));
        both.write(&format!("/burst{n}"), now_ms + 1_000 + 400 * n, 20);
    }
    both.log.rotate_right(8);
    let found = both.compare_with(Kind::Combined, 60_000).findings.counts;
    assert_eq!(found.keys().collect::<Vec<_>>(), [&Breach::HostDelayAtServer]);
}

#[test]
fn what_a_crash_took_is_no_secret() {
    let mut both = Both::new().pages(30, 1_000, 900);
    let now_ms = both.forge.now_ms;
    both.write("/in-flight", now_ms + 2_000, 20);
    both.forge.now_ms = now_ms + 60_000;
    let began_ms = both.forge.now_ms;
    both.forge.promise(promise(began_ms, Stop::Unclean));
    let both = both.pages(30, 1_000, 900);
    let compared = both.check(Kind::Combined, &[]);
    assert_eq!(compared.lost_in_crash, 1);
    let mut clean = both.clone();
    clean.forge.entries.retain(|entry| {
        !matches!(crate::read(entry), Ok(Some(crate::Line::Promise(promise))) if promise.stop == Stop::Unclean)
    });
    clean.check(Kind::Combined, &[(Breach::UnknownContact, 1)]);
}

#[test]
fn a_log_that_goes_on_after_the_ledger_and_lines_of_others() {
    let mut both = Both::new().pages(30, 1_000, 900);
    let now_ms = both.forge.now_ms;
    both.write("/later", now_ms + 600_000, 20);
    let mut lines = both.lines(Kind::Combined);
    lines.push(lines[3].replace("drumlin/0.1", "curl/8"));
    lines.push("nonsense".to_owned());
    let log = ServerLog { host: Some("a.example"), tolerance_ms: 500, agent: "drumlin" };
    let compared =
        compare(&log, || Ok(both.forge.journal()), || Ok(lines.clone().into_iter().map(Ok)), None).unwrap();
    assert_eq!((compared.outside, compared.of_others, compared.unreadable), (1, 1, 1));
    assert_eq!(compared.findings.total(), 0);
}

#[test]
fn a_contact_that_we_gave_up_is_not_held_against_us() {
    let mut both = Both::new().pages(10, 1_000, 900);
    let started_ms = both.forge.now_ms + 1_000;
    both.forge.visit(&Visit {
        end: timed_out(),
        took_ms: 3_000,
        ..Visit::new(&format!("{A}/slow"), started_ms)
    });
    both.write("/slow", started_ms, 32_500);
    both.page("/next", 30_000);
    both.check(Kind::Simweb, &[]);
    let both = both.pages(10, 1_000, 900);
    both.check(Kind::Combined, &[]);
}

/// `$host` of nginx has no dot at its end, whatever was asked for.
#[test]
fn a_dot_at_the_end_of_a_host_is_not_in_the_log() {
    for kind in [Kind::Simweb, Kind::Combined] {
        let mut both = Both::new().pages(10, 1_000, 900);
        let started_ms = both.forge.now_ms + 1_000;
        both.forge.visit(&Visit::new("http://a.example./dotted", started_ms));
        both.write("/dotted", started_ms, 20);
        assert_eq!(both.pages(10, 1_000, 900).check(kind, &[]).matched, 22);
    }
}

#[test]
fn beside_no_journal_a_log_proves_nothing() {
    let mut both = Both::new().pages(3, 1_000, 900);
    both.forge.entries.clear();
    let log = ServerLog { host: Some("a.example"), tolerance_ms: 500, agent: "drumlin" };
    let lines = both.lines(Kind::Combined);
    let compared = compare(&log, || Ok(both.forge.journal()), || Ok(lines.clone().into_iter().map(Ok)), None);
    assert!(matches!(compared, Err(crate::AuditError::NoJournal)), "{compared:?}");
}

#[test]
fn contacts_that_have_no_line_are_counted() {
    let mut both = Both::new().pages(30, 1_000, 900);
    both.log.remove(10);
    both.log.remove(20);
    let both = both.pages(200, 1_000, 900);
    assert_eq!(both.check(Kind::Simweb, &[]).not_in_log, 2);
}
