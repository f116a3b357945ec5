//! The links of pages, as rows and as pairs of hosts.

use super::vertices::reversed_host;
use super::{GraphConfig, REDIRECT};
use crate::captures::{Capture, Dangling, for_each_page, headers, limits};
use crate::error::Result;
use crate::limits::BATCH_BYTES;
use crate::scratch::Scratch;
use crate::sorter::Sorter;
use arrow_array::{ArrayRef, StringArray};
use arrow_schema::{DataType, Field, Schema};
use corpus::Table;
use page::{Document, Link, Place, Rel, Settings};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// What the pages of an archive link to.
pub(super) struct Found<'a> {
    pub(super) pages: u64,
    pub(super) edges: u64,
    /// Pages that are left out, since what they stand for is gone.
    pub(super) dangling: Dangling,
    pub(super) links: HostLinks<'a>,
}

/// Hosts and pairs of hosts, as they come.
pub(super) struct HostLinks<'a> {
    /// Reversed names, repeated as they are.
    pub(super) hosts: Sorter<'a>,
    /// Reversed names and how often the one links to the other: see [`pair`].
    pub(super) pairs: Sorter<'a>,
}

pub(super) fn write<'a>(scratch: Scratch<'a>, config: &GraphConfig<'_>, dir: &Path) -> Result<Found<'a>> {
    // Both sort at once.
    let half = Scratch { memory_bytes: scratch.memory_bytes / 2, ..scratch };
    let links = HostLinks { hosts: Sorter::new(half, "hosts"), pairs: Sorter::new(half, "pairs") };
    let mut found = Found { pages: 0, edges: 0, dangling: Dangling::default(), links };
    let mut rows = Rows::create(scratch, dir)?;
    let settings =
        Settings { kinds: config.kinds, limits: limits(config.parsed_bytes), ..Settings::default() };
    for_each_page(scratch.disk, config.archive, config.taken, config.parsed_bytes, |capture| {
        found.dangling.see(capture);
        if capture.dangling.is_some() {
            return Ok(());
        }
        let links = links_of(capture, &settings, config);
        found.take_in(capture, &links)?;
        links.iter().try_for_each(|link| rows.push(capture, link))
    })?;
    rows.finish(scratch)?;
    Ok(found)
}

/// One link, whatever it is.
struct Edge {
    target: weburl::Url,
    kind: &'static str,
    rel: Rel,
    text: String,
    hreflang: Option<String>,
}

/// Of a page its links, of a redirect its target, of anything else nothing.
fn links_of(capture: &Capture, settings: &Settings<'_>, config: &GraphConfig<'_>) -> Vec<Edge> {
    let fields = capture.fields();
    let headers = headers(&fields);
    let document = Document { url: &capture.url, headers: &headers, body: capture.http().payload };
    match capture.status {
        301 | 302 | 303 | 307 | 308 if config.with_redirects => redirect(capture).into_iter().collect(),
        200..=299 => {
            let links = page::parse(&document, settings).links.into_iter();
            links.filter(|link| link.place != Place::Template).map(edge).collect()
        }
        _ => Vec::new(),
    }
}

fn redirect(capture: &Capture) -> Option<Edge> {
    let location = capture.http().values("location").next()?;
    let target = capture.url.join(&weburl::in_ascii(&location)).ok()?;
    Some(Edge { target, kind: REDIRECT, rel: Rel::NONE, text: String::new(), hreflang: None })
}

fn edge(link: Link) -> Edge {
    Edge {
        target: link.url,
        kind: link.kind.name(),
        rel: link.rel,
        text: link.anchor,
        hreflang: link.hreflang,
    }
}

impl Found<'_> {
    /// A page says of each other host once, how often it links there.
    fn take_in(&mut self, capture: &Capture, edges: &[Edge]) -> Result<()> {
        self.pages += 1;
        self.edges += edges.len() as u64;
        let source = reversed_host(&capture.url);
        let mut targets: BTreeMap<String, u64> = BTreeMap::new();
        for edge in edges {
            *targets.entry(reversed_host(&edge.target)).or_default() += 1;
        }
        self.links.hosts.push(source.as_bytes())?;
        for (target, links) in targets.into_iter().filter(|(target, _)| *target != source) {
            self.links.hosts.push(target.as_bytes())?;
            self.links.pairs.push(&pair(&source, &target, links))?;
        }
        Ok(())
    }
}

/// Two names, each ended by a zero, and a count.
fn pair(source: &str, target: &str, links: u64) -> Vec<u8> {
    [source.as_bytes(), &[0], target.as_bytes(), &[0], &links.to_be_bytes()].concat()
}

/// `page-edges.parquet`, a batch at a time.
struct Rows {
    table: Table,
    waiting: Vec<[Option<String>; COLUMNS.len()]>,
    bytes: usize,
}

const COLUMNS: [&str; 8] = ["source", "target", "kind", "rel", "text", "hreflang", "id", "date"];
/// Those of [`COLUMNS`] that a row may lack.
const OPTIONAL: [&str; 3] = ["rel", "text", "hreflang"];

impl Rows {
    fn create(scratch: Scratch<'_>, dir: &Path) -> Result<Self> {
        let field = |name: &&str| Field::new(*name, DataType::Utf8, OPTIONAL.contains(name));
        let schema = Arc::new(Schema::new(COLUMNS.iter().map(field).collect::<Vec<_>>()));
        let table = Table::create(
            scratch.disk,
            dir.join("page-edges.parquet"),
            schema,
            &[],
            scratch.memory_bytes / 2,
        )?;
        Ok(Self { table, waiting: Vec::new(), bytes: 0 })
    }

    fn push(&mut self, capture: &Capture, edge: &Edge) -> Result<()> {
        let rel = edge.rel.names().collect::<Vec<_>>().join(" ");
        let present = |text: String| Some(text).filter(|text| !text.is_empty());
        let row = [
            Some(capture.url.as_str().to_owned()),
            Some(edge.target.as_str().to_owned()),
            Some(edge.kind.to_owned()),
            present(rel),
            present(edge.text.clone()),
            edge.hreflang.clone().and_then(present),
            Some(capture.id().to_owned()),
            Some(capture.date().to_owned()),
        ];
        self.bytes += row.iter().flatten().map(String::len).sum::<usize>() + size_of_val(&row);
        self.waiting.push(row);
        if self.bytes < BATCH_BYTES { Ok(()) } else { self.encode_waiting() }
    }

    fn encode_waiting(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        let column = |at: usize| -> ArrayRef {
            Arc::new(rows.iter().map(|row| row[at].as_deref()).collect::<StringArray>())
        };
        self.bytes = 0;
        Ok(self.table.write((0..COLUMNS.len()).map(column).collect())?)
    }

    fn finish(mut self, scratch: Scratch<'_>) -> Result<()> {
        self.encode_waiting()?;
        self.table.finish(scratch.disk, &[])?;
        Ok(())
    }
}
