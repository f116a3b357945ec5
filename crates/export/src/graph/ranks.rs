//! Hosts by rank, as Common Crawl publishes them.

use super::balls::Ball;
use super::gather::States;
use super::harmonic::Harmonic;
use super::hosts::VERTICES;
use super::pagerank::{PageRank, Rank};
use super::vertices::Vertices;
use crate::error::Result;
use crate::new_file::NewFile;
use crate::scratch::Scratch;
use crate::sorter::{Sorted, Sorter};
use std::path::Path;

const HEADER: &[u8] = b"#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\n";

/// Writes `ranks.txt`: both values of each host and its places by them, the most central first; of equals, the first by name.
pub(super) fn write(
    scratch: Scratch<'_>,
    pagerank: &PageRank<'_>,
    harmonic: &Harmonic<'_>,
    dir: &Path,
) -> Result<()> {
    let mut out = NewFile::create(scratch.disk, dir.join("ranks.txt"))?;
    out.write(HEADER)?;
    let by_pagerank = by_pagerank(scratch, &pagerank.ranks, &harmonic.balls, dir)?;
    let mut by_harmonic = by_harmonic(scratch, by_pagerank)?;
    let mut place = 0;
    while let Some(item) = by_harmonic.next()? {
        place += 1;
        let (harmonic, _, rest) = keyed(&item);
        let (pagerank_place, rest) = rest.split_at(8);
        let (pagerank, name) = rest.split_at(8);
        let (pagerank_place, pagerank) = (number(pagerank_place), f64::from_bits(number(pagerank)));
        out.write(format!("{place}\t{harmonic}\t{pagerank_place}\t{pagerank}\t").as_bytes())?;
        out.write(name)?;
        out.write(b"\n")?;
    }
    out.finish(scratch.disk)?;
    Ok(())
}

/// Hosts by their `PageRank`, with their centrality and their name.
fn by_pagerank<'a>(
    scratch: Scratch<'a>,
    ranks: &States<'_, Rank>,
    balls: &States<'_, Ball>,
    dir: &Path,
) -> Result<Sorted<'a>> {
    let mut sorter = Sorter::new(scratch, "by-pagerank");
    let (mut ranks, mut balls) = (ranks.read()?, balls.read()?);
    let path = dir.join(VERTICES);
    let mut names = Vertices::open(scratch.disk, &path)?;
    let mut id = 0;
    while let Some(name) = names.next()? {
        let harmonic = balls.next()?.harmonic.to_bits().to_be_bytes();
        sorter.push(&[&key(ranks.next()?.rank, id)[..], &harmonic, name].concat())?;
        id += 1;
    }
    sorter.finish()
}

fn by_harmonic<'a>(scratch: Scratch<'a>, mut by_pagerank: Sorted<'a>) -> Result<Sorted<'a>> {
    let mut sorter = Sorter::new(scratch, "by-harmonic");
    let mut place: u64 = 0;
    while let Some(item) = by_pagerank.next()? {
        place += 1;
        let (pagerank, id, rest) = keyed(&item);
        let (harmonic, name) = rest.split_at(8);
        let key = key(f64::from_bits(number(harmonic)), id);
        sorter.push(&[&key[..], &place.to_be_bytes(), &pagerank.to_bits().to_be_bytes(), name].concat())?;
    }
    sorter.finish()
}

/// Sorts by a value that is not negative, the greatest first, then by number.
fn key(value: f64, id: u64) -> [u8; 16] {
    let [value, id] = [(!value.to_bits()).to_be_bytes(), id.to_be_bytes()];
    std::array::from_fn(|at| if at < 8 { value[at] } else { id[at - 8] })
}

/// Value and number of a [`key`], and what follows it.
fn keyed(item: &[u8]) -> (f64, u64, &[u8]) {
    (f64::from_bits(!number(&item[..8])), number(&item[8..16]), &item[16..])
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_be_bytes(std::array::from_fn(|at| bytes[at]))
}
