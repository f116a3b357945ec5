use super::Verdict;
use super::outputs::{Outputs, Withheld};
use ledger::{Applied, Audit, Clause, Comparison, Contact, Findings};
use serde_json::{Value, json};
use std::fmt::Write;
use stdx::{Timestamp, WallTime, count_of};

const FITS: &str = "a string takes any text";

/// For people.
pub(super) fn text(verdict: &Verdict) -> String {
    let mut out = String::new();
    ledger(&mut out, &verdict.audit);
    found(&mut out, &verdict.audit.findings);
    outputs(&mut out, &verdict.outputs);
    found(&mut out, &verdict.outputs.findings);
    if let Some(comparison) = &verdict.comparison {
        log(&mut out, comparison);
        found(&mut out, &comparison.findings);
    }
    match verdict.broken() {
        0 => writeln!(out, "kept      no promise was broken").expect(FITS),
        broken => writeln!(out, "BROKEN    {}", count_of(broken, "time")).expect(FITS),
    }
    out
}

/// For programs.
pub(super) fn json(verdict: &Verdict) -> String {
    let Verdict { audit, comparison, outputs } = verdict;
    let kept = verdict.broken() == 0;
    let value = json!({ "kept": kept, "ledger": audit, "server_log": comparison, "outputs": outputs });
    format!("{value}\n")
}

/// A line of the ledger.
pub(super) fn contact(contact: &Contact, applied: Applied) -> String {
    let outcome = contact.status().map_or_else(|| "failed".to_owned(), |status| status.to_string());
    let (host, address, what) = (contact.url.host(), contact.address(), contact.what());
    let began = moment(contact.started());
    let waited = match applied.clause {
        Clause::First => "first".to_owned(),
        clause => format!("{clause}+{}ms", contact.started().since_ms(applied.due)),
    };
    format!(
        "{} {began} {}ms {host} {address} {what} {outcome} {waited} {}\n",
        contact.entry,
        contact.took_ms(),
        contact.url
    )
}

/// The same for programs.
pub(super) fn contact_as_json(contact: &Contact, applied: Applied) -> String {
    let value = json!({
        "entry": contact.entry,
        "started_ms": contact.started().as_ms(),
        "ended_ms": contact.ended().as_ms(),
        "host": contact.url.host(),
        "address": contact.address(),
        "what": contact.what(),
        "status": contact.status(),
        "delay": applied.clause,
        "due_ms": if applied.clause == Clause::First { Value::Null } else { applied.due.as_ms().into() },
        "url": contact.url.as_str(),
    });
    format!("{value}\n")
}

fn ledger(out: &mut String, audit: &Audit) {
    let Audit { first_entry, last_entry, from_ms, to_ms, counts, .. } = audit;
    let (from, to) = (moment(Timestamp::from_ms(*from_ms)), moment(Timestamp::from_ms(*to_ms)));
    let beginning = if *first_entry > 1 { ", what was before is not in the journal any more" } else { "" };
    writeln!(out, "journal   entries {first_entry} to {last_entry}, {from} to {to}{beginning}").expect(FITS);
    let ledger::Counts { contacts, pages, sitemaps, robots, promises, unproven_rules, unproven_delays } =
        counts;
    writeln!(
        out,
        "contacts  {contacts}: {pages} for pages, {sitemaps} for sitemaps, {robots} for robots.txt; delays promised {}",
        count_of(*promises, "time")
    )
    .expect(FITS);
    if unproven_rules + unproven_delays > 0 {
        writeln!(
            out,
            "unproven  {unproven_rules} whose robots.txt is older than the journal, {unproven_delays} whose delays nobody wrote down"
        )
        .expect(FITS);
    }
}

fn outputs(out: &mut String, outputs: &Outputs) {
    for Withheld { takedown, records, rows, exported } in outputs.withheld.values() {
        let (records, rows) = (count_of(*records, "record"), count_of(*rows, "row"));
        writeln!(out, "withheld  {takedown}: {records} and {rows} until `drumlin purge`").expect(FITS);
        if *exported > 0 {
            writeln!(out, "withheld  … and {exported} in exports from before: make them anew").expect(FITS);
        }
    }
    if outputs.half_purged {
        out.push_str("purge     has not ended: `drumlin purge` brings it to its end\n");
    }
    if outputs.purged > 0 {
        writeln!(out, "purged    {}", count_of(outputs.purged, "takedown")).expect(FITS);
    }
}

fn log(out: &mut String, comparison: &Comparison) {
    let Comparison {
        lines,
        unreadable,
        of_others,
        nameless,
        matched,
        lost_in_crash,
        outside,
        not_in_log,
        offset,
        ..
    } = comparison;
    writeln!(
        out,
        "log       {}: {matched} are in the journal, {lost_in_crash} may have been lost in a crash, {outside} lie before or after it, {} are of others, {unreadable} say nothing; without a line: {}",
        count_of(*lines, "line"),
        of_others + nameless,
        count_of(*not_in_log, "contact")
    )
    .expect(FITS);
    if let Some(offset) = offset {
        writeln!(
            out,
            "clocks    theirs and {:.3} s is ours, give or take {:.3} s; say so: {}; do not: {}{}",
            offset.middle_us() as f64 / 1e6,
            (offset.most_us - offset.least_us) as f64 / 2e6,
            count_of(offset.agree, "contact"),
            offset.disagree,
            runs_apart(offset.runs_apart)
        )
        .expect(FITS);
    }
}

fn runs_apart(runs: u64) -> String {
    if runs == 0 { String::new() } else { format!("; our clock was another in {}", count_of(runs, "run")) }
}

fn found(out: &mut String, findings: &Findings) {
    for finding in &findings.kept {
        let at = moment(Timestamp::from_ms(finding.at_ms));
        writeln!(out, "{}  {}, {at}: {}: {}", finding.breach, finding.place, finding.url, finding.detail)
            .expect(FITS);
    }
    let more = findings.total() - findings.kept.len() as u64;
    if more > 0 {
        writeln!(out, "… and {more} more").expect(FITS);
    }
}

fn moment(at: Timestamp) -> String {
    WallTime::from_unix_ms(at.as_ms()).iso_millis()
}
