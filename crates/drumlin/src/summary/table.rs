use crate::exit::Exit;
use crate::seeds::Taken;
use node::Ended;
use snapshot::{LedOut, Offline, SeedLedOut, Snapshot, WaitingHost};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use stdx::{WallTime, count_of, format_bytes, format_count, format_duration_ms};

/// Rules, causes and statuses listed one by one; the rest is in the totals.
const LISTED: usize = 12;

/// The end of a crawl as a table of two columns.
pub(super) fn summary(taken: &Taken, dir: &Path, ended: &Ended) -> String {
    let Ended { exit, snapshot, waiting } = ended;
    let exit = Exit::from(*exit);
    let mut table = Table::default();
    table.heading(&format!(
        "{}: {} after {}",
        taken.host,
        words(exit),
        format_duration_ms(snapshot.elapsed_ms)
    ));
    numbers(&mut table, snapshot);
    kept_out(&mut table, &taken.excluded);
    led_out(&mut table, &snapshot.led_out);
    waits(&mut table, waiting, snapshot.now_ms);
    outputs(&mut table, dir, snapshot);
    if let Some(Offline { since_ms, because }) = &snapshot.strain.offline {
        let since = WallTime::from_unix_ms(*since_ms).iso_seconds();
        table.heading(&format!("Nobody could be reached from this machine since {since}: {because}."));
        table.line("No URL was given up for that. It goes on when the network, the name servers, the proxy or the hosts are back.");
    }
    if exit == Exit::DiskFull {
        if let Some(because) = &snapshot.no_room {
            table.heading(&format!("A write found no room: {because}."));
            table.line("Where space is free nevertheless, there is no room for more files (df -i), or a quota is used up.");
        }
        table.heading("Nothing is lost. Nothing new is begun before there is more free space: make room.");
    }
    goes_on(&mut table, exit, dir, snapshot);
    table.text
}

/// What has the crawl go on. Pages and bytes count over all runs, the time of a run does not.
fn goes_on(table: &mut Table, exit: Exit, dir: &Path, snapshot: &Snapshot) {
    let name = dir.display();
    let has_all_pages = snapshot.limit.is_some_and(|limit| snapshot.pages >= limit);
    match exit {
        Exit::Done => {}
        Exit::LimitReached if has_all_pages => table.heading(&format!(
            "A larger --limit goes on, and so does none: drumlin crawl --dir {name} --limit none"
        )),
        Exit::LimitReached => table.heading(&format!(
            "Where the time of a run is over, another goes on: drumlin resume {name}\n\
             Where the bytes are used up, a larger --size-limit does, or none: drumlin crawl --dir {name} --size-limit none"
        )),
        _ => table.heading(&format!("The same command goes on, and so does: drumlin resume {name}")),
    }
}

fn words(exit: Exit) -> &'static str {
    match exit {
        Exit::Waiting => "saved, waiting",
        Exit::LimitReached => "limit reached",
        Exit::DiskFull => "saved, the disk is full",
        other => other.name(),
    }
}

fn numbers(table: &mut Table, snapshot: &Snapshot) {
    table.count("pages", snapshot.pages);
    table.parts(&snapshot.statuses);
    table.count("responses archived", snapshot.captures);
    table.row("bytes of bodies", &format_bytes(snapshot.bytes));
    table.count("hosts", snapshot.hosts);
    table.count("excluded", snapshot.excluded_total());
    table.parts(&snapshot.excluded);
    table.count("links out of scope", snapshot.out_of_scope.values().sum());
    table.parts(&snapshot.out_of_scope);
    table.count("parked", snapshot.parked);
    table.count("failed attempts", snapshot.failed());
    table.parts(&snapshot.failures);
    advice(table, snapshot);
    if snapshot.soft_404s > 0 {
        table.count("soft 404s, at least", snapshot.soft_404s);
    }
    table.count("still queued", snapshot.queued);
}

/// What an operator can do about failures that are no server's fault.
fn advice(table: &mut Table, snapshot: &Snapshot) {
    for (cause, advice) in [
        (
            "address-refused",
            "private addresses are contacted only in ranges that --allow-ip names; when it names more, `drumlin retry` has them asked for again",
        ),
        ("certificate", "--ca-file trusts more roots; --insecure accepts any certificate and records it"),
        (
            "local",
            "a fault of this machine, of --bind or of its proxy: once it is mended, `drumlin retry` has what was parked asked for again",
        ),
        ("name-server", "--dns names other DNS servers"),
        ("original-gone", "an earlier crawl's answers that had not changed are not where --earlier says"),
        (
            "parser-panicked",
            "a fault of this program: what these pages say is missing; log/events.jsonl names them, for whoever reports it",
        ),
    ] {
        if snapshot.failures.get(cause).is_some_and(|count| *count > 0) {
            table.line(&format!("    {cause}: {advice}"));
        }
    }
}

fn kept_out(table: &mut Table, excluded: &BTreeMap<String, u64>) {
    if excluded.is_empty() {
        return;
    }
    let seeds = count_of(excluded.values().sum(), "seed");
    table.heading(&format!(
        "Excluded by --exclude or --exclude-hosts, so that nothing was begun there: {seeds}"
    ));
    table.parts(excluded);
}

fn led_out(table: &mut Table, LedOut { seeds, first }: &LedOut) {
    if *seeds == 0 {
        return;
    }
    table.heading(&format!(
        "Redirected out of scope, so that nothing else was fetched: {}",
        count_of(*seeds, "seed")
    ));
    for SeedLedOut { seed, to, rule } in first {
        table.line(&format!("  {seed} to {to}: {rule}"));
    }
    table.line(
        "  Where they lead is crawled if it is a seed too: the same command with it, or a wider --scope.",
    );
}

fn waits(table: &mut Table, waiting: &[WaitingHost], now_ms: u64) {
    if waiting.is_empty() {
        return;
    }
    table.heading("Waiting:");
    for host in waiting {
        let WaitingHost { host: name, until_ms, pending, .. } = host;
        let urls = count_of(*pending, "URL");
        if host.is_due() {
            table.line(&format!("  {name}: {urls}, due now"));
            continue;
        }
        let until = WallTime::from_unix_ms(*until_ms).iso_seconds();
        let relative = format_duration_ms(until_ms.saturating_sub(now_ms));
        table.line(&format!("  {name}: {urls} until {until} (in {relative}; {})", host.waits_for()));
    }
}

fn outputs(table: &mut Table, dir: &Path, snapshot: &Snapshot) {
    table.heading("Outputs:");
    let path = |name: &str| dir.join(name).display().to_string();
    table.row("captures", &path("archive/*.warc.gz"));
    table.row("their index", &path("archive/index.cdxj"));
    table.row(&format!("corpus, {}", count_of(snapshot.rows, "row")), &path("corpus/pages-*.parquet"));
    table.row("every attempt", &path("crawl.log"));
    table.row("configuration", &path("drumlin.toml"));
}

#[derive(Default)]
struct Table {
    text: String,
}

impl Table {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn heading(&mut self, line: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.line(line);
    }

    fn row(&mut self, name: &str, value: &str) {
        self.line(&format!("  {name:<24} {value}"));
    }

    fn count(&mut self, name: &str, count: u64) {
        self.line(&format!("  {name:<24} {:>12}", format_count(count)));
    }

    /// Largest first.
    fn parts(&mut self, parts: &BTreeMap<impl Display, u64>) {
        let mut sorted: Vec<_> = parts.iter().filter(|(_, count)| **count > 0).collect();
        sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (name, count) in sorted.iter().take(LISTED) {
            self.line(&format!("    {:<22} {:>12}", name.to_string(), format_count(**count)));
        }
        if sorted.len() > LISTED {
            self.line(&format!("    and {} more kinds", sorted.len() - LISTED));
        }
    }
}
