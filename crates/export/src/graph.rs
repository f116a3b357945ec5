//! The link graph of an archive: page edges, host edges, and which hosts matter.

mod balls;
mod bitstream;
mod bvgraph;
mod gather;
mod harmonic;
mod hosts;
mod pagerank;
mod pages;
mod ranks;
mod vertices;

use crate::captures::Dangling;
use crate::error::{Error, Result};
use crate::new_file::{NewFile, or_withdraw};
use crate::scratch::Scratch;
use control::Takedowns;
use disk::Disk;
use page::LinkKinds;
use serde_json::json;
use std::path::Path;
use stdx::Watch;

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    /// Pages whose links were read, redirects too.
    pub pages: u64,
    /// Links of pages.
    pub page_edges: u64,
    /// Hosts that were fetched from, or that a page links to.
    pub hosts: u64,
    /// Pairs of different hosts of which the one links to the other.
    pub host_edges: u64,
    /// Pages that are left out: what they stand for is in an earlier crawl's archive, and gone from there.
    pub dangling: Dangling,
}

/// Where a graph comes from, and with what.
#[derive(Debug, Clone, Copy)]
pub struct GraphConfig<'a> {
    /// The directory of the WARC files.
    pub archive: &'a Path,
    /// A directory for what is sorted, emptied before and after.
    pub scratch: &'a Path,
    /// What sorting and ranking may take.
    pub memory_bytes: usize,
    /// Bytes of a page that the crawl parses, `[page] parse`: what it reads is read here too.
    pub parsed_bytes: usize,
    /// Which links of pages count.
    pub kinds: LinkKinds,
    /// Whether redirects do.
    pub with_redirects: bool,
    /// Pages whose links do not: they were taken down. What others say of them stays.
    pub taken: &'a Takedowns,
}

/// The kind of a redirect, in the table.
pub const REDIRECT: &str = "redirect";

/// Says of what the other files are; there only when they all are.
const SUMMARY: &str = "graph.json";

/// Writes the graph of the links in an archive into `dir`: `page-edges.parquet`, `host-edges.parquet`, `vertices.txt`, `edges.txt`,
/// `hosts.graph` and its companions, `ranks.txt`, and at last `graph.json`.
pub fn graph(disk: &dyn Disk, config: &GraphConfig<'_>, dir: &Path) -> Result<Graph> {
    graph_watched(disk, config, dir, &mut stdx::nobody)
}

/// The same; `watch` is told how far ranking is, which reads nothing of the archive and takes the longest.
pub fn graph_watched(
    disk: &dyn Disk,
    config: &GraphConfig<'_>,
    dir: &Path,
    watch: &mut Watch<'_>,
) -> Result<Graph> {
    disk.create_dir(dir).map_err(Error::disk(dir))?;
    withdraw(disk, dir)?;
    or_withdraw(write(disk, config, dir, watch), disk, dir)
}

fn write(disk: &dyn Disk, config: &GraphConfig<'_>, dir: &Path, watch: &mut Watch<'_>) -> Result<Graph> {
    // One thing sorts while another is merged.
    let scratch = Scratch::begin(disk, config.scratch, config.memory_bytes / 2)?;
    let found = pages::write(scratch, config, dir)?;
    let hosts = hosts::write(scratch, found.links, dir)?;
    bvgraph::write(disk, &hosts, dir)?;
    let pagerank = pagerank::rank(&hosts, watch)?;
    let harmonic = harmonic::rank(&hosts, watch)?;
    ranks::write(scratch, &pagerank, &harmonic, dir)?;
    let graph = Graph {
        pages: found.pages,
        page_edges: found.edges,
        hosts: hosts.vertices,
        host_edges: hosts.arcs,
        dangling: found.dangling,
    };
    let mut summary = NewFile::create(disk, dir.join(SUMMARY))?;
    let said = json!({
        "format": 1,
        "pages": graph.pages,
        "page_edges": graph.page_edges,
        "hosts": graph.hosts,
        "host_edges": graph.host_edges,
        "harmonic": if harmonic.is_exact { "exact" } else { "hyperball" },
        "pagerank": { "damping": pagerank::DAMPING, "rounds": pagerank.rounds },
    });
    summary.write(format!("{said:#}\n").as_bytes())?;
    summary.finish(disk)?;
    Ok(graph)
}

/// From here on the files of an earlier export may be gone.
fn withdraw(disk: &dyn Disk, dir: &Path) -> Result<()> {
    let summary = dir.join(SUMMARY);
    if disk.stat(&summary).map_err(Error::disk(&summary))?.is_some() {
        disk.remove(&summary).map_err(Error::disk(&summary))?;
        disk.sync_dir(dir).map_err(Error::disk(dir))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
