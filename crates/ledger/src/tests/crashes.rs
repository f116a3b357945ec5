//! A server's log beside a crash: what was in flight is in the log and not in the ledger, and is asked for again.

use super::forge::{Visit, promise};
use super::server_logs::{A, Both, Kind};
use crate::Breach;
use crawler::Stop;

const KINDS: [Kind; 2] = [Kind::Simweb, Kind::Combined];
const SLOW_MS: u64 = 1_500;
/// Moments of the kill, from when the request was made.
const KILLED_MS: [u64; 8] = [1, 100, 350, 600, 850, 1_100, 1_300, 1_499];
const DOWN_MS: [u64; 5] = [0, 150, 400, 900, 2_500];

impl Both {
    /// The server answers this to the end, and nobody writes it down.
    fn lose(&mut self, target: &str, after_ms: u64, took_ms: u64) {
        let started_ms = self.forge.now_ms + after_ms;
        self.write(target, started_ms, took_ms);
        self.forge.now_ms = started_ms;
    }

    /// Killed so long after the last thing that happened, and started again.
    fn kill(&mut self, after_ms: u64, down_ms: u64) {
        self.forge.now_ms += after_ms + down_ms;
        let began_ms = self.forge.now_ms;
        self.forge.promise(promise(began_ms, Stop::Unclean));
    }

    fn slow(&mut self, after_ms: u64) {
        let started_ms = self.forge.now_ms + after_ms;
        self.forge.visit(&Visit { took_ms: SLOW_MS, ..Visit::new(&format!("{A}/slow"), started_ms) });
        self.write("/slow", started_ms, SLOW_MS);
    }

    /// As a server writes it: in the order in which requests ended.
    fn in_order(mut self) -> Self {
        self.log.sort_by_key(|written| written.ended_us);
        self
    }
}

/// Every kind of log, kill and pause, with clocks that are allowed to run apart by more or less.
fn each(check: impl Fn(Kind, u64, u64, u64)) {
    for kind in KINDS {
        for tolerance_ms in [200, 500, 1_000, 3_000] {
            for killed_ms in KILLED_MS {
                for down_ms in DOWN_MS {
                    check(kind, tolerance_ms, killed_ms, down_ms);
                }
            }
        }
    }
}

fn nobody_is_accused(both: &Both, kind: Kind, tolerance_ms: u64, lost: u64) {
    let compared = both.compare_with(kind, tolerance_ms);
    assert_eq!(compared.findings.total(), 0, "{compared:#?}");
    assert_eq!(
        (compared.lost_in_crash, compared.not_in_log, compared.outside),
        (lost, 0, 0),
        "{compared:#?}"
    );
    assert_eq!(compared.matched + lost, both.log.len() as u64);
}

#[test]
fn a_slow_page_in_flight_at_a_kill_is_asked_for_again() {
    each(|kind, tolerance_ms, killed_ms, down_ms| {
        let mut both = Both::new().pages(20, 1_000, 900);
        both.lose("/slow", 1_000, SLOW_MS);
        both.kill(killed_ms, down_ms);
        both.slow(1_000);
        both.page("/after", 15_000);
        nobody_is_accused(&both.pages(20, 1_000, 900), kind, tolerance_ms, 1);
    });
}

#[test]
fn other_pages_may_come_before_it_is() {
    each(|kind, tolerance_ms, killed_ms, down_ms| {
        let mut both = Both::new().pages(20, 1_000, 900);
        both.lose("/slow", 1_000, SLOW_MS);
        both.kill(killed_ms, down_ms);
        both.page("/between", 1_000);
        both.slow(1_000);
        both.page("/after", 15_000);
        nobody_is_accused(&both.pages(20, 1_000, 900).in_order(), kind, tolerance_ms, 1);
    });
}

#[test]
fn two_kills_in_a_row_lose_two_of_three() {
    each(|kind, tolerance_ms, killed_ms, down_ms| {
        let mut both = Both::new().pages(20, 1_000, 900);
        both.lose("/slow", 1_000, SLOW_MS);
        both.kill(killed_ms, down_ms);
        both.lose("/slow", 1_000, SLOW_MS);
        both.kill(killed_ms, down_ms);
        both.slow(1_000);
        both.page("/after", 15_000);
        nobody_is_accused(&both.pages(20, 1_000, 900).in_order(), kind, tolerance_ms, 2);
    });
}

/// It ends long after the restart, among pages that knew nothing of it.
#[test]
fn a_server_that_does_not_notice_the_kill_answers_for_long() {
    each(|kind, tolerance_ms, killed_ms, down_ms| {
        let mut both = Both::new().pages(20, 1_000, 900);
        both.lose("/long", 1_000, 30_300);
        both.kill(killed_ms, down_ms);
        nobody_is_accused(&both.pages(40, 1_000, 900).in_order(), kind, tolerance_ms, 1);
    });
}

/// The ledger does not say how long they took, so it does not say what was owed after them.
#[test]
fn quick_pages_that_are_lost_after_a_slow_one_do_not_owe_what_it_did() {
    each(|kind, tolerance_ms, killed_ms, down_ms| {
        let mut both = Both::new().pages(20, 1_000, 900);
        both.slow(1_000);
        both.lose("/quick1", 15_000, 20);
        both.lose("/quick2", 1_020, 20);
        both.kill(killed_ms, down_ms);
        nobody_is_accused(&both.pages(20, 1_000, 900), kind, tolerance_ms, 2);
    });
}

#[test]
fn beyond_the_end_of_the_ledger_nobody_knows_what_was_owed() {
    let mut both = Both::new().pages(20, 1_000, 900);
    both.slow(1_000);
    both.lose("/quick1", 15_000, 20);
    both.lose("/quick2", 1_020, 20);
    for kind in KINDS {
        assert_eq!(both.check(kind, &[]).outside, 2);
    }
}

/// So many pages that the ledger spreads out and the server had so soon one after the other.
fn burst(both: &mut Both, after_ms: u64, apart_ms: u64) {
    let first_ms = both.forge.now_ms + after_ms;
    for n in 0..8 {
        both.forge.visit(&Visit::new(&format!("{A}/burst{n}"), first_ms + 1_020 * n));
        both.write(&format!("/burst{n}"), first_ms + apart_ms * n, 20);
    }
}

fn seen_at_server(both: &Both, kind: Kind) -> u64 {
    let compared = both.compare_with(kind, 10_000);
    assert_eq!(
        compared.findings.counts.keys().collect::<Vec<_>>(),
        [&Breach::HostDelayAtServer],
        "{compared:#?}"
    );
    compared.findings.total()
}

#[test]
fn a_breach_beside_a_crash_is_found() {
    for (kind, least) in [(Kind::Simweb, 7), (Kind::Combined, 1)] {
        let mut before = Both::new().pages(20, 1_000, 900);
        burst(&mut before, 1_000, 400);
        before.lose("/slow", 1_000, SLOW_MS);
        before.kill(700, 0);
        before.slow(1_000);
        before.page("/after", 15_000);
        assert!(seen_at_server(&before.pages(20, 1_000, 900), kind) >= least);

        let mut after = Both::new().pages(20, 1_000, 900);
        after.lose("/slow", 1_000, SLOW_MS);
        after.kill(700, 0);
        after.slow(1_000);
        burst(&mut after, 15_000, 400);
        assert!(seen_at_server(&after.pages(20, 1_000, 900), kind) >= least);
    }
}

/// What is owed after the page that was asked for again is owed from the first of its lines at least.
#[test]
fn a_breach_after_the_page_that_was_asked_for_again_is_found() {
    for kind in KINDS {
        let mut both = Both::new().pages(20, 1_000, 900);
        both.lose("/slow", 1_000, SLOW_MS);
        both.kill(700, 0);
        both.slow(1_000);
        let ended_ms = both.forge.now_ms;
        both.forge.visit(&Visit::new(&format!("{A}/after"), ended_ms + 15_000));
        both.write("/after", ended_ms + 7_000, 20);
        assert_eq!(seen_at_server(&both.pages(20, 1_000, 900), kind), 1);
    }
}
