use super::contact::{promises, stop_lines};
use super::page::{orders, summary};
use super::{Account, Who};
use crate::html::moment;
use std::fmt::Write;
use stdx::{format_bytes, format_count, format_duration_ms};

const FITS: &str = "a string takes any text";

/// Visits that are listed; all that are kept are on the page and in the numbers.
const LISTED: usize = 20;

pub(super) fn text(account: &Account, who: &Who) -> String {
    let mut out = String::new();
    writeln!(out, "{}: {}\n", account.host, summary(account)).expect(FITS);
    writeln!(out, "Who we are\n  User-Agent: {}", who.user_agent).expect(FITS);
    writeln!(out, "  contact: {}", who.contact.as_deref().unwrap_or("nobody left an address")).expect(FITS);
    if let Some(agent) = &who.signed_by {
        writeln!(out, "  requests are signed; the key is at {agent}").expect(FITS);
    }
    write_outcomes(&mut out, account);
    write_orders(&mut out, account);
    write_rules(&mut out, account);
    write_visits(&mut out, account);
    out.push_str("\nWhat to expect\n");
    for line in promises(who) {
        writeln!(out, "  {line}").expect(FITS);
    }
    out.push_str("\nHow to stop us: in robots.txt, within 24 hours\n");
    for line in stop_lines(who).lines() {
        writeln!(out, "  {line}").expect(FITS);
    }
    printable(&out)
}

/// What a server sent is not to steer the terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

fn write_outcomes(out: &mut String, account: &Account) {
    out.push_str("\nWhat came of it\n");
    for (host, count) in &account.hosts {
        writeln!(out, "  {:>9} requests to {host}", format_count(*count)).expect(FITS);
    }
    for (status, count) in &account.statuses {
        writeln!(out, "  {:>9} answered {status}", format_count(*count)).expect(FITS);
    }
    for (cause, count) in &account.failures {
        writeln!(out, "  {:>9} failed: {cause}", format_count(*count)).expect(FITS);
    }
    if account.gaps_ms.count() > 0 {
        let [least, half] = [account.gaps_ms.least(), account.gaps_ms.quantile(0.5)].map(format_duration_ms);
        writeln!(out, "  between two requests to a host: at least {least}, half at most {half}").expect(FITS);
    }
}

fn write_orders(out: &mut String, account: &Account) {
    if !account.taken_down.is_empty() {
        out.push_str("\nWhat was taken down\n");
    }
    for order in orders(account) {
        writeln!(out, "  {order}").expect(FITS);
    }
}

fn write_rules(out: &mut String, account: &Account) {
    out.push_str("\nWhich rules applied\n");
    for (authority, rules) in &account.rules {
        let at = moment(rules.fetched_ms);
        writeln!(out, "  {authority}/robots.txt, {at} UTC: {}", rules.told()).expect(FITS);
        for line in &rules.lines {
            writeln!(out, "    {line}").expect(FITS);
        }
    }
}

fn write_visits(out: &mut String, account: &Account) {
    let shown = account.visits.len().min(LISTED);
    writeln!(out, "\nThe newest {shown} requests (UTC, answer, bytes, gap, waited for, URL)").expect(FITS);
    for visit in account.visits.iter().rev().take(LISTED) {
        let gap = visit.gap_ms.map_or("-".to_owned(), format_duration_ms);
        writeln!(
            out,
            "  {}  {:<6} {:>8}  {gap:>8}  {:<12} {}",
            moment(visit.at_ms),
            visit.outcome,
            format_bytes(visit.bytes),
            visit.waited_for,
            visit.url
        )
        .expect(FITS);
    }
}
