//! The host graph: pairs of names become pairs of numbers by three sorts, and nothing but the sorts is in memory.

use super::gather::HostGraph;
use super::pages::HostLinks;
use super::vertices::{self, Vertices};
use crate::error::Result;
use crate::limits::BATCH_ROWS;
use crate::new_file::NewFile;
use crate::scratch::Scratch;
use crate::sorter::{Sorted, Sorter};
use arrow_array::{ArrayRef, Int64Array, StringArray};
use arrow_schema::{DataType, Field, Schema};
use corpus::Table;
use std::path::Path;
use std::sync::Arc;

pub(super) const VERTICES: &str = "vertices.txt";

/// Writes hosts and host edges; keeps them as numbers for what ranks them.
pub(super) fn write<'a>(scratch: Scratch<'a>, links: HostLinks<'a>, dir: &Path) -> Result<HostGraph<'a>> {
    let path = dir.join(VERTICES);
    let vertices = vertices::write(scratch.disk, links.hosts, &path)?;
    let by_target = number_sources(scratch, links.pairs.finish()?, &path)?;
    let mut edges = number_targets(scratch, by_target, &path)?;
    let mut rows = Rows::create(scratch, dir)?;
    let mut text = NewFile::create(scratch.disk, dir.join("edges.txt"))?;
    let mut names = Vertices::open(scratch.disk, &path)?;
    let graph = HostGraph::write(scratch, vertices, |arcs| {
        while let Some(item) = edges.next()? {
            let edge = Edge::of(&item);
            arcs.push(edge.source, edge.target)?;
            text.write(format!("{}\t{}\n", edge.source, edge.target).as_bytes())?;
            rows.push(&edge, names.name_of(edge.source)?)?;
        }
        Ok(())
    })?;
    text.finish(scratch.disk)?;
    rows.finish(scratch)?;
    Ok(graph)
}

/// `source 0 target 0 links`, in order, to `target 0 source links` by numbers of sources; equal pairs become one.
fn number_sources<'a>(scratch: Scratch<'a>, mut pairs: Sorted<'a>, path: &Path) -> Result<Sorter<'a>> {
    let mut names = Vertices::open(scratch.disk, path)?;
    let mut by_target = Sorter::new(scratch, "by-target");
    let mut sum: Option<(Vec<u8>, u64)> = None;
    let mut put = |(pair, links): (Vec<u8>, u64)| {
        let (source, target) = pair.split_at(end_of_name(&pair));
        let id = names.id_of(source)?;
        by_target.push(&[&target[1..], &id.to_be_bytes(), &links.to_be_bytes()].concat())
    };
    while let Some(mut pair) = pairs.next()? {
        let links = number(&pair[pair.len() - 8..]);
        pair.truncate(pair.len() - 8);
        match &mut sum {
            Some((last, all)) if *last == pair => *all += links,
            _ => sum.replace((pair, links)).map_or(Ok(()), &mut put)?,
        }
    }
    sum.map_or(Ok(()), &mut put)?;
    Ok(by_target)
}

/// `target 0 source links`, in order, to [`Edge`]s in order.
fn number_targets<'a>(scratch: Scratch<'a>, by_target: Sorter<'a>, path: &Path) -> Result<Sorted<'a>> {
    let mut names = Vertices::open(scratch.disk, path)?;
    let mut edges = Sorter::new(scratch, "edges");
    let mut sorted = by_target.finish()?;
    while let Some(item) = sorted.next()? {
        let (name, rest) = item.split_at(end_of_name(&item));
        let (source, links) = rest[1..].split_at(8);
        let target = names.id_of(name)?.to_be_bytes();
        edges.push(&[source, &target, links, name].concat())?;
    }
    edges.finish()
}

fn end_of_name(item: &[u8]) -> usize {
    item.iter().position(|&byte| byte == 0).expect("names end with a zero")
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_be_bytes(bytes.try_into().expect("eight bytes"))
}

/// One host linking to another.
struct Edge {
    source: u64,
    target: u64,
    links: u64,
    target_name: String,
}

impl Edge {
    fn of(item: &[u8]) -> Self {
        let [source, target, links] = [0, 8, 16].map(|at| number(&item[at..at + 8]));
        Self { source, target, links, target_name: String::from_utf8_lossy(&item[24..]).into_owned() }
    }
}

/// `host-edges.parquet`, a batch at a time.
struct Rows {
    table: Table,
    sources: Vec<String>,
    targets: Vec<String>,
    numbers: [Vec<i64>; 3],
}

impl Rows {
    fn create(scratch: Scratch<'_>, dir: &Path) -> Result<Self> {
        let field = |name: &str, kind: &DataType| Field::new(name, kind.clone(), false);
        let schema = Arc::new(Schema::new(vec![
            field("source", &DataType::Utf8),
            field("target", &DataType::Utf8),
            field("source_id", &DataType::Int64),
            field("target_id", &DataType::Int64),
            field("links", &DataType::Int64),
        ]));
        let table = Table::create(
            scratch.disk,
            dir.join("host-edges.parquet"),
            schema,
            &[],
            scratch.memory_bytes / 2,
        )?;
        Ok(Self { table, sources: Vec::new(), targets: Vec::new(), numbers: Default::default() })
    }

    fn push(&mut self, edge: &Edge, source_name: &[u8]) -> Result<()> {
        self.sources.push(String::from_utf8_lossy(source_name).into_owned());
        self.targets.push(edge.target_name.clone());
        let values = [edge.source, edge.target, edge.links];
        self.numbers.iter_mut().zip(values).for_each(|(column, value)| column.push(value.cast_signed()));
        if self.sources.len() < BATCH_ROWS { Ok(()) } else { self.encode_waiting() }
    }

    fn encode_waiting(&mut self) -> Result<()> {
        let strings = [&mut self.sources, &mut self.targets].map(std::mem::take);
        let numbers = std::mem::take(&mut self.numbers);
        let strings = strings.into_iter().map(|column| Arc::new(StringArray::from(column)) as ArrayRef);
        let numbers = numbers.into_iter().map(|column| Arc::new(Int64Array::from(column)) as ArrayRef);
        Ok(self.table.write(strings.chain(numbers).collect())?)
    }

    fn finish(mut self, scratch: Scratch<'_>) -> Result<()> {
        self.encode_waiting()?;
        self.table.finish(scratch.disk, &[])?;
        Ok(())
    }
}
