use super::{Standing, State};
use crate::absent::Absent;
use control::Takedowns;
use serde::Serialize;
use serde_json::json;
use snapshot::{Reread, Snapshot, WaitingHost, WaitsFor};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use stdx::{WallTime, count_of, format_bytes, format_count, format_duration_ms};

#[cfg(test)]
mod tests;

const FITS: &str = "a string takes any text";

/// What a crawl says of itself this long ago is no news: its loop is busy, or hangs.
const STALE_MS: u64 = 10_000;

/// For people.
pub(super) fn text(standing: &Standing, taken: &Takedowns, absent: &Absent) -> String {
    let Standing { state, snapshot, waiting, .. } = standing;
    let Snapshot { pages, bytes, discovered, queued, parked, hosts, in_flight, strain, .. } = snapshot;
    let mut out = String::new();
    let elapsed = format_duration_ms(snapshot.elapsed_ms);
    writeln!(out, "state       {}, {elapsed} of crawling", state_of(state)).expect(FITS);
    if let Some(ending) = snapshot.at_its_end() {
        writeln!(out, "end         {ending}").expect(FITS);
    }
    out.push_str(&clock(standing.clock_behind_ms));
    writeln!(out, "bottleneck  {}", standing.bottleneck()).expect(FITS);
    writeln!(out, "pages       {}, {} of bodies", format_count(*pages), format_bytes(*bytes)).expect(FITS);
    let excluded = snapshot.excluded_total();
    writeln!(
        out,
        "URLs        {}: {} wait, {} of them put off by budgets or traps; {} parked, {} excluded{}",
        format_count(*discovered),
        format_count(*queued),
        format_count(strain.put_off),
        format_count(*parked),
        format_count(excluded),
        unmerged(strain.undecided)
    )
    .expect(FITS);
    out.push_str(&left_out(&snapshot.out_of_scope));
    if let Some(files) = absent.of_archive() {
        writeln!(
            out,
            "absent      {files}: gone from the archive or cut, and gone from the index once a run has ended"
        )
        .expect(FITS);
    }
    if let Some(files) = absent.of_corpus() {
        writeln!(out, "absent      {files}: gone from the corpus, rows and all").expect(FITS);
    }
    if !taken.is_empty() {
        let Taken { withheld, purged } = Taken::of(taken);
        writeln!(
            out,
            "taken down  {} withheld until `drumlin purge`, {purged} purged",
            count_of(withheld as u64, "order")
        )
        .expect(FITS);
    }
    writeln!(
        out,
        "under way   {}, {}, of {}",
        count_of(in_flight - strain.look_ups.min(*in_flight), "request"),
        count_of(strain.look_ups, "look-up"),
        strain.slots
    )
    .expect(FITS);
    if snapshot.resources.handed_back > 0 {
        let turns = count_of(snapshot.resources.handed_back, "turn");
        writeln!(
            out,
            "            {turns} of the last run handed back: the machine was too busy to begin in time"
        )
        .expect(FITS);
    }
    writeln!(
        out,
        "behind      {} to be parsed, {} and {} to be written, {} to be merged",
        count_of(snapshot.unparsed, "capture"),
        count_of(strain.entries_uncommitted, "entry"),
        count_of(strain.captures_uncommitted, "capture"),
        count_of(strain.undecided, "discovery")
    )
    .expect(FITS);
    if let Some(Reread { entry, of }) = strain.reread {
        let (entry, of) = (format_count(entry), format_count(of));
        writeln!(out, "            links by the rules of now: entry {entry} of {of} of the journal")
            .expect(FITS);
    }
    let none = if strain.waits.is_empty() { " none waits" } else { "" };
    writeln!(out, "hosts       {} met; in memory:{none}", format_count(*hosts)).expect(FITS);
    for (what, waits) in &strain.waits {
        let until = match what {
            WaitsFor::Turn => String::new(),
            _ => format!(", the first until {}", WallTime::from_unix_ms(waits.first_ms)),
        };
        let (hosts, urls) = (count_of(waits.hosts, "host"), count_of(waits.urls, "URL"));
        writeln!(out, "            for {}: {hosts}, with {urls}{until}", what.name()).expect(FITS);
        let failures = strain.robots.iter().filter(|_| *what == WaitsFor::Robots);
        for (failure, hosts) in failures {
            writeln!(out, "                {hosts} of them: {failure}").expect(FITS);
        }
    }
    for host in waiting {
        let WaitingHost { host: name, until_ms, pending, .. } = host;
        let urls = count_of(*pending, "URL");
        let when = if host.is_due() {
            "due now".to_owned()
        } else {
            format!("not before {}, for {}", WallTime::from_unix_ms(*until_ms), host.waits_for())
        };
        writeln!(out, "            {name}: {urls}, {when}").expect(FITS);
    }
    out
}

/// A line where the machine's clock is behind, so that moments look wrong by it.
fn clock(behind_ms: Option<u64>) -> String {
    behind_ms.map_or_else(String::new, |ms| {
        let behind = format_duration_ms(ms);
        format!(
            "clock       {behind} behind the crawl's timeline: moments told here are ahead by that much\n"
        )
    })
}

/// A line where links were not taken in, with the rules that left out the most.
fn left_out(links: &BTreeMap<String, u64>) -> String {
    const NAMED: usize = 4;
    if links.is_empty() {
        return String::new();
    }
    let all = count_of(links.values().sum(), "link");
    let mut rules: Vec<_> = links.iter().collect();
    rules.sort_by_key(|(rule, links)| (Reverse(**links), *rule));
    let mut named: Vec<String> =
        rules.iter().take(NAMED).map(|(rule, links)| format!("{} {rule}", format_count(**links))).collect();
    if rules.len() > NAMED {
        named.push(count_of((rules.len() - NAMED) as u64, "more rule"));
    }
    format!("left out    {all}: {}\n", named.join(", "))
}

/// What may be among the URLs that wait when it is merged.
fn unmerged(discoveries: u64) -> String {
    match discoveries {
        0 => String::new(),
        _ => format!("; {} to be merged with them", count_of(discoveries, "discovery")),
    }
}

/// For programs.
pub(super) fn json(standing: &Standing, taken: &Takedowns, absent: &Absent) -> String {
    let state = match &standing.state {
        State::Running { told_ago_ms } => json!({ "state": "running", "told_ago_ms": told_ago_ms }),
        State::Ended { exit } => json!({ "state": "ended", "exit": exit }),
        State::Stopped => json!({ "state": "stopped" }),
    };
    let bottleneck = standing.bottleneck();
    let told = bottleneck.to_string();
    let value = json!({
        "run": state,
        "bottleneck": bottleneck,
        "because": told,
        "clock_behind_ms": standing.clock_behind_ms,
        "snapshot": standing.snapshot,
        "waiting": standing.waiting,
        "taken_down": Taken::of(taken),
        "absent": absent.archive,
        "absent_rows": absent.corpus,
    });
    format!("{value}\n")
}

/// Takedowns that stand.
#[derive(Serialize)]
struct Taken {
    withheld: usize,
    purged: usize,
}

impl Taken {
    fn of(taken: &Takedowns) -> Self {
        let withheld = taken.withheld().count();
        Self { withheld, purged: taken.iter().count() - withheld }
    }
}

pub(crate) fn state_of(state: &State) -> String {
    match state {
        State::Running { told_ago_ms } if *told_ago_ms > STALE_MS => {
            format!("runs, and has said nothing for {}", format_duration_ms(*told_ago_ms))
        }
        State::Running { .. } => "runs".to_owned(),
        State::Ended { exit } => format!("ended: {exit}"),
        State::Stopped => "does not run, and did not end in good order".to_owned(),
    }
}
