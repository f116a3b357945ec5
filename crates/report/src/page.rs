//! The report as one HTML page.

mod charts;

use crate::html::{card, document, escape, moment};
use crate::{Figures, Timeline, Traps};
use charts::charts;
use std::fmt::Write;
use stdx::{count_of, format_bytes, format_count, format_duration_ms};

/// What a page says of a crawl beside its figures.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct About {
    /// What the crawl is called.
    pub name: String,
    /// Whether it runs, or how it ended, in words.
    pub state: String,
    /// What holds it back, in words.
    pub bottleneck: String,
    /// URLs that were not fetched, by the rule that excluded them.
    pub excluded: Vec<Fact>,
    /// Links not taken in, by the rule.
    pub out_of_scope: Vec<Fact>,
    /// URLs in each state.
    pub urls: Vec<Fact>,
    /// Discoveries not merged with what is known yet: some are URLs that wait.
    pub unmerged: u64,
    /// What traps have held back.
    pub traps: Traps,
    /// Pages, answered with a 200, that said what their host says where there is none.
    pub soft_404s: u64,
    /// Turns of the last run that were handed back, since their contacts could not begin in time.
    pub handed_back: u64,
}

/// A name and a number.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Fact {
    /// Of what.
    pub name: String,
    /// How many.
    pub count: u64,
}

const FITS: &str = "a string takes any text";

/// The whole page. It needs no other file and runs no script.
pub fn page(about: &About, figures: &Figures) -> String {
    let mut body = String::new();
    write!(
        body,
        "<h1>{}</h1>\n<p class=lead>{}<br>{}</p>\n{}",
        escape(&about.name),
        escape(&about.state),
        escape(&format!("Bottleneck: {}", about.bottleneck)),
        facts(figures)
    )
    .expect(FITS);
    body.push_str(&charts(about, figures));
    body.push_str(&numbers(&figures.requests.timeline));
    body.push_str(
        "<footer>Made by drumlin from the crawl's journal, corpus and index. Times are UTC. The same numbers are in report.json.</footer>\n",
    );
    document(&format!("{}: a crawl in numbers", about.name), &body)
}

fn facts(figures: &Figures) -> String {
    let Figures { requests, pages, archive, taken_down, .. } = figures;
    let gaps = &requests.gaps;
    let [began, lasted] = span(&requests.timeline);
    let hosts = match requests.hosts.missed() {
        0 => format_count(requests.hosts.names() as u64),
        _ => format!("over {}", format_count(requests.hosts.names() as u64)),
    };
    let least = if gaps.between_ms.count() == 0 {
        "none".to_owned()
    } else {
        format_duration_ms(gaps.between_ms.least())
    };
    let facts = [
        ("began", began),
        ("from first to last", lasted),
        ("requests", format_count(requests.contacts)),
        ("… for pages", format_count(requests.pages)),
        ("… for robots.txt", format_count(requests.robots)),
        ("hosts", hosts),
        ("bodies", format_bytes(requests.bytes)),
        ("in the archive", format_bytes(archive.bytes)),
        ("rows in the corpus", format_count(pages.rows)),
        ("… withheld: taken down", format_count(taken_down.pages)),
        ("near-duplicates", near_duplicates(figures)),
        ("failures", format_count(requests.failed())),
        ("shortest gap, one host", least),
        ("delays not kept", format_count(gaps.broken)),
    ];
    let one = |(name, value): &(&str, String)| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), escape(value))
    };
    format!("<dl class=facts>\n{}</dl>\n", facts.iter().map(one).collect::<String>())
}

/// A table that is older than the rows says so.
fn near_duplicates(figures: &Figures) -> String {
    let (rows, unreadable) = (figures.pages.rows, figures.duplicates_unreadable.is_some());
    let Some(found) = &figures.duplicates else {
        return if unreadable { "their table cannot be read" } else { "not looked for" }.to_owned();
    };
    let count = format_count(found.duplicates);
    if found.rows == rows {
        return count;
    }
    format!("{count}, looked for among {} of {}", format_count(found.rows), count_of(rows, "row"))
}

/// When the crawl began, and how long it was from the first attempt to the last.
fn span(timeline: &Timeline) -> [String; 2] {
    if timeline.stretches.is_empty() {
        return ["nothing was asked for", "none"].map(str::to_owned);
    }
    [moment(timeline.from_ms), format_duration_ms(timeline.to_ms() - timeline.from_ms)]
}

/// The charts over time as a table.
fn numbers(timeline: &Timeline) -> String {
    let mut rows = String::new();
    for (at, stretch) in timeline.stretches.iter().enumerate().filter(|(_, stretch)| stretch.requests > 0) {
        writeln!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            moment(timeline.from_ms + timeline.stretch_ms * at as u64),
            format_count(stretch.requests),
            format_count(stretch.pages),
            format_bytes(stretch.bytes),
            format_count(stretch.failed)
        )
        .expect(FITS);
    }
    let title = format!("Every {} in numbers", format_duration_ms(timeline.stretch_ms));
    let table = format!(
        "<details><summary>{}</summary><div class=table><table>\n<tr><th>from</th><th>requests</th><th>pages</th><th>bodies</th>\
         <th>failed</th></tr>\n{rows}</table></div></details>",
        escape(&title)
    );
    card("Over time, as a table", "", &table)
}
