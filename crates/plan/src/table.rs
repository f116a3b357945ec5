use crate::in_digits;
use crate::inputs::DIGITS_BELOW;
use crate::nodes::Bounds;
use crate::plan::{Checks, Frontier, Names, Network, Overheads, Plan, Rate, Storage};
use std::fmt::{self, Formatter};
use stdx::{count_of, format_bytes, format_count};

/// The plan for people: a line a figure, grouped as the structure is.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let days = match self.inputs.days {
            1.0 => "1 day".to_owned(),
            days => format!("{} days", in_digits(days)),
        };
        writeln!(f, "{} pages in {days}: {}", count(self.inputs.pages), count_of(self.nodes, "node"))?;
        self.rate.lines(f)?;
        self.network.lines(f)?;
        self.storage.lines(f)?;
        self.names.lines(f)?;
        self.frontier.lines(f)?;
        self.checks.lines(f)?;
        self.bounds.lines(f)
    }
}

impl Rate {
    fn lines(&self, f: &mut Formatter<'_>) -> fmt::Result {
        heading(f, "Rate")?;
        line(f, "pages", &per_second(self.pages_per_s))?;
        line(f, "links", &per_second(self.links_per_s))?;
        line(f, "checked on disk, after the cache", &per_second(self.disk_checks_per_s))?;
        line(f, "connections open", &count(self.connections))?;
        line(f, "hosts with something due", &count(self.hosts_busy))
    }
}

impl Network {
    fn lines(&self, f: &mut Formatter<'_>) -> fmt::Result {
        heading(f, "Network")?;
        line(f, "in", &bits(self.in_bits_per_s))?;
        line(f, "out", &bits(self.out_bits_per_s))?;
        line(f, "decoded", &format!("{}/s", bytes(self.decoded_bytes_per_s)))?;
        line(f, "links between nodes", &per_second(self.exchanged_links_per_s))?;
        line(f, "the same, uncompressed, a node", &bits(self.exchanged_bits_per_s_per_node))
    }
}

impl Storage {
    fn lines(&self, f: &mut Formatter<'_>) -> fmt::Result {
        heading(f, "Storage")?;
        line(f, "archive", &bytes(self.archive_bytes))?;
        line(f, "corpus", &bytes(self.corpus_bytes))?;
        line(f, "written", &format!("{}/s", bytes(self.written_bytes_per_s)))
    }
}

impl Names {
    fn lines(&self, f: &mut Formatter<'_>) -> fmt::Result {
        heading(f, "Hosts")?;
        line(f, "hosts", &count(self.hosts))?;
        line(f, "pay-level domains", &count(self.domains))?;
        line(f, "name look-ups", &per_second(self.lookups_per_s))?;
        line(f, "robots.txt", &per_second(self.robots_per_s))
    }
}

impl Frontier {
    fn lines(&self, f: &mut Formatter<'_>) -> fmt::Result {
        heading(f, "Frontier, at the end")?;
        line(f, "new URLs a page", &format!("{:.2}", self.new_urls_per_page))?;
        line(f, "seen-set", &format!("{} keys, {}", count(self.seen_urls), bytes(self.seen_bytes)))?;
        line(f, "as a Bloom filter at 1 %", &bytes(self.bloom_bytes))?;
        line(f, "pending", &format!("{} URLs, {}", count(self.pending_urls), bytes(self.pending_bytes)))?;
        line(f, "deferring (BEAST, Theorem 7)", &format!("{}/s", bytes(self.beast_bytes_per_s)))?;
        line(f, "naively (Theorem 6)", &format!("{}/s", bytes(self.naive_bytes_per_s)))?;
        line(f, "queues of the last stage", &count(self.beast_queues as f64))
    }
}

impl Checks {
    fn lines(&self, f: &mut Formatter<'_>) -> fmt::Result {
        heading(f, "URL checks on a node: overhead α, pages/s it allows")?;
        line(f, "URLs checked", &count(self.urls))?;
        let Overheads { mercator_b, polybot, drum } = self.alpha;
        line(f, "Mercator-B (Theorem 1)", &overhead(mercator_b, self.pages_per_s.mercator_b))?;
        line(f, "Polybot (Theorem 1)", &overhead(polybot, self.pages_per_s.polybot))?;
        line(f, "DRUM (Theorem 2)", &overhead(drum, self.pages_per_s.drum))?;
        line(f, "least with uncompressed URLs", &format!("{:.3}", self.alpha_least))
    }
}

impl Bounds {
    fn lines(&self, f: &mut Formatter<'_>) -> fmt::Result {
        heading(f, &format!("Nodes, most for {}", self.binding()))?;
        line(f, "processor (Theorem 4)", &count(self.processor as f64))?;
        line(f, "network", &count(self.network as f64))?;
        line(f, "URL checks on disk (Theorem 3)", &count(self.url_checks as f64))?;
        line(f, "archive and queues on disk", &count(self.other_disk as f64))
    }
}

fn heading(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    writeln!(f, "\n{text}")
}

fn line(f: &mut Formatter<'_>, label: &str, value: &str) -> fmt::Result {
    writeln!(f, "  {label:<34}{value}")
}

fn overhead(alpha: f64, pages_per_s: f64) -> String {
    let alpha = if alpha < DIGITS_BELOW { format!("{alpha:.3}") } else { format!("{alpha:.3e}") };
    format!("{alpha:>10}  {:>12}", per_second(pages_per_s))
}

fn count(value: f64) -> String {
    if value < DIGITS_BELOW { format_count(value.round() as u64) } else { format!("{value:.3e}") }
}

/// Whole numbers, or two digits after the point where those would say nothing.
fn per_second(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}/s") } else { format!("{}/s", count(value)) }
}

fn bytes(value: f64) -> String {
    if value < u64::MAX as f64 { format_bytes(value.round() as u64) } else { format!("{value:.3e} B") }
}

fn bits(per_second: f64) -> String {
    let (scaled, unit) =
        if per_second < 1e9 { (per_second / 1e6, "Mbit/s") } else { (per_second / 1e9, "Gbit/s") };
    format!("{scaled:.2} {unit}")
}
