//! A snapshot as Prometheus reads it (text format 0.0.4): conventional names, base units, and few values of each label.

use crate::limits::LABELS;
use crate::view::{Mode, Standing};
use snapshot::{Bottleneck, Histogram, Room, Snapshot};
use std::fmt::{Display, Write};

#[cfg(test)]
mod tests;

const FITS: &str = "a string takes any text";

/// Renders the metrics of a crawl.
pub fn render(standing: &Standing) -> String {
    let mut page = Page(String::with_capacity(8 << 10));
    let snapshot = standing.snapshot.as_ref();
    totals(&mut page, snapshot);
    urls(&mut page, snapshot);
    under_way(&mut page, snapshot);
    resources(&mut page, snapshot);
    state(&mut page, standing);
    page.0
}

/// The page as it grows: each metric once, with its help and its type before it.
struct Page(String);

impl Page {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}").expect(FITS);
    }

    fn counter(&mut self, name: &str, help: &str, value: impl Display) {
        self.head(name, "counter", help);
        writeln!(self.0, "{name} {value}").expect(FITS);
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.head(name, "gauge", help);
        writeln!(self.0, "{name} {value}").expect(FITS);
    }

    fn labelled<L: Display>(
        &mut self,
        kind: &str,
        name: &str,
        help: &str,
        label: &str,
        values: impl Iterator<Item = (L, u64)>,
    ) {
        self.head(name, kind, help);
        for (value_of_label, value) in values {
            let shown = escaped(&value_of_label.to_string());
            writeln!(self.0, "{name}{{{label}=\"{shown}\"}} {value}").expect(FITS);
        }
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.head(name, "histogram", help);
        for (bound_ms, count) in histogram.cumulative() {
            writeln!(self.0, "{name}_bucket{{le=\"{}\"}} {count}", seconds(bound_ms)).expect(FITS);
        }
        let Histogram { count, sum_ms, .. } = histogram;
        writeln!(self.0, "{name}_bucket{{le=\"+Inf\"}} {count}").expect(FITS);
        writeln!(self.0, "{name}_sum {}\n{name}_count {count}", seconds(*sum_ms)).expect(FITS);
    }
}

fn totals(page: &mut Page, snapshot: &Snapshot) {
    let Snapshot { pages, captures, bytes, rows, .. } = snapshot;
    page.counter(
        "drumlin_pages_total",
        "Pages fetched, robots.txt, sitemaps and redirects not counted.",
        pages,
    );
    page.counter("drumlin_captures_total", "Responses archived.", captures);
    page.counter("drumlin_body_bytes_total", "Bytes of bodies archived.", bytes);
    page.counter("drumlin_corpus_rows_total", "Rows written to the corpus.", rows);
    page.counter(
        "drumlin_crawl_seconds_total",
        "Time spent crawling, over all runs.",
        seconds(snapshot.elapsed_ms),
    );
    let statuses = frequent(snapshot.statuses.iter().map(|(status, count)| (status.to_string(), *count)));
    page.labelled(
        "counter",
        "drumlin_responses_total",
        "Final answers by status.",
        "status",
        statuses.into_iter(),
    );
    let named = |counts: &std::collections::BTreeMap<String, u64>| {
        frequent(counts.iter().map(|(name, count)| (name.clone(), *count))).into_iter()
    };
    let failures = named(&snapshot.failures);
    page.labelled("counter", "drumlin_failed_attempts_total", "Failed attempts by cause.", "cause", failures);
    let left_out = named(&snapshot.out_of_scope);
    page.labelled(
        "counter",
        "drumlin_links_out_of_scope_total",
        "Links not taken in, by rule.",
        "rule",
        left_out,
    );
}

fn urls(page: &mut Page, snapshot: &Snapshot) {
    let excluded = snapshot.excluded_total();
    let settled = snapshot.queued + snapshot.parked + excluded;
    let states = [
        ("queued", snapshot.queued),
        ("parked", snapshot.parked),
        ("excluded", excluded),
        ("fetched", snapshot.discovered.saturating_sub(settled)),
    ];
    page.labelled("gauge", "drumlin_urls", "URLs known, by state.", "state", states.into_iter());
    let rules = frequent(snapshot.excluded.iter().map(|(rule, count)| (rule.clone(), *count)));
    page.labelled("gauge", "drumlin_excluded_urls", "URLs excluded, by rule.", "rule", rules.into_iter());
    let held_back = snapshot.held_back.iter().map(|(rule, count)| (rule.clone(), *count));
    page.labelled(
        "counter",
        "drumlin_urls_held_back_total",
        "URLs that traps have held back, each counted once, by rule.",
        "rule",
        frequent(held_back).into_iter(),
    );
    page.gauge(
        "drumlin_urls_put_off",
        "Queued URLs that wait for their domain's budget, or were held back by a trap's rule.",
        snapshot.strain.put_off,
    );
    page.gauge(
        "drumlin_discoveries_undecided",
        "Discoveries not merged with what is known yet.",
        snapshot.strain.undecided,
    );
}

fn under_way(page: &mut Page, snapshot: &Snapshot) {
    let strain = &snapshot.strain;
    page.gauge("drumlin_requests_in_flight", "Requests and look-ups under way.", snapshot.in_flight);
    page.gauge("drumlin_look_ups_in_flight", "Look-ups of names under way.", strain.look_ups);
    page.gauge("drumlin_request_slots", "Requests and look-ups that may be under way at once.", strain.slots);
    page.gauge("drumlin_captures_unparsed", "Captures archived and not yet parsed.", snapshot.unparsed);
    page.gauge(
        "drumlin_captures_uncommitted",
        "Captures that wait for the disk.",
        strain.captures_uncommitted,
    );
    page.gauge(
        "drumlin_journal_entries_uncommitted",
        "Entries that wait for the journal.",
        strain.entries_uncommitted,
    );
    page.gauge("drumlin_hosts", "Hosts met.", snapshot.hosts);
    page.gauge("drumlin_hosts_active", "Hosts being contacted.", snapshot.hosts_active);
    page.gauge("drumlin_hosts_waiting", "Hosts with work that wait for their turn.", snapshot.hosts_waiting);
    let waits = strain.waits.iter().map(|(what, waits)| (format!("{what:?}").to_lowercase(), waits.hosts));
    page.labelled(
        "gauge",
        "drumlin_hosts_in_memory_waiting",
        "Hosts in memory that wait, by what for.",
        "reason",
        waits,
    );
}

fn resources(page: &mut Page, snapshot: &Snapshot) {
    let resources = &snapshot.resources;
    let fetch = &resources.fetch;
    page.histogram(
        "drumlin_fetch_duration_seconds",
        "From the start of a connection to the last byte, in this run.",
        fetch,
    );
    page.counter(
        "drumlin_turns_handed_back_total",
        "Turns handed back in this run, since the machine was too busy for their contacts to begin in time.",
        resources.handed_back,
    );
    page.counter(
        "drumlin_tls_handshakes_total",
        "TLS connections made in this run.",
        resources.tls_handshakes,
    );
    page.counter(
        "drumlin_tls_resumptions_total",
        "Those of them that went on with a session.",
        resources.tls_resumptions,
    );
    page.counter(
        "drumlin_asked_seconds_total",
        "Processor time of the loop that answering those who look has taken, in this run.",
        resources.asked_us as f64 / 1e6,
    );
    let memory = resources.memory;
    let parts = [("process", memory.process), ("bodies", memory.bodies), ("frontier", memory.frontier)];
    page.labelled("gauge", "drumlin_memory_bytes", "Memory by part.", "part", parts.into_iter());
    page.gauge("drumlin_memory_bodies_limit_bytes", "What bodies may take.", memory.bodies_most);
    page.gauge(
        "drumlin_memory_short",
        "Whether bodies have used up their memory.",
        u8::from(snapshot.strain.memory == Room::Short),
    );
    page.gauge(
        "drumlin_disk_low",
        "Whether fetching is paused for lack of disk space.",
        u8::from(snapshot.disk_low),
    );
}

fn state(page: &mut Page, standing: &Standing) {
    let is = |mode: Mode| u64::from(standing.mode == mode);
    let modes = [("running", is(Mode::Running)), ("paused", is(Mode::Paused)), ("still", is(Mode::Still))];
    page.labelled("gauge", "drumlin_mode", "What the crawl is doing.", "mode", modes.into_iter());
    let bottleneck = tag(&Bottleneck::of(&standing.snapshot));
    page.labelled(
        "gauge",
        "drumlin_bottleneck",
        "What holds the crawl back.",
        "what",
        [(bottleneck, 1)].into_iter(),
    );
    let version = env!("CARGO_PKG_VERSION");
    page.labelled("gauge", "drumlin_build_info", "The program.", "version", [(version, 1)].into_iter());
}

/// The word of a bottleneck, as its JSON has it.
fn tag(bottleneck: &Bottleneck) -> String {
    let value = serde_json::to_value(bottleneck).unwrap_or_default();
    value["what"].as_str().unwrap_or_default().to_owned()
}

/// The most frequent, and all others together: what servers and operators name is not ours to bound otherwise.
fn frequent(counts: impl Iterator<Item = (String, u64)>) -> Vec<(String, u64)> {
    let mut counts: Vec<(String, u64)> = counts.collect();
    if counts.len() > LABELS {
        counts.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        let others = counts.split_off(LABELS - 1);
        counts.push(("other".to_owned(), others.iter().map(|(_, count)| count).sum()));
    }
    counts
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

/// As the format has it inside quotes.
fn escaped(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
