//! The host graph as the `WebGraph` framework reads it (Boldi, Vigna, WWW 2004): successors as gaps in ζ₃,
//! without references to other lists and without intervals, which that format lets a writer do without.

use super::bitstream::BitWriter;
use super::gather::HostGraph;
use crate::error::Result;
use crate::new_file::NewFile;
use disk::Disk;
use std::path::Path;

const ZETA_K: u32 = 3;

/// Writes `hosts.graph`, `hosts.offsets` and `hosts.properties`.
pub(super) fn write(disk: &dyn Disk, graph: &HostGraph<'_>, dir: &Path) -> Result<()> {
    let mut bits = BitWriter::new(NewFile::create(disk, dir.join("hosts.graph"))?);
    let mut offsets = BitWriter::new(NewFile::create(disk, dir.join("hosts.offsets"))?);
    let (mut degrees, mut targets) = (graph.degrees()?, graph.targets()?);
    offsets.gamma(0)?;
    for source in 0..graph.vertices {
        let begun = bits.len();
        let degree = degrees.next()?;
        bits.gamma(degree)?;
        let mut last = None;
        for _ in 0..degree {
            let target = targets.next()?;
            bits.zeta(last.map_or_else(|| natural(source, target), |last| target - last - 1), ZETA_K)?;
            last = Some(target);
        }
        offsets.gamma(bits.len() - begun)?;
    }
    let mut properties = NewFile::create(disk, dir.join("hosts.properties"))?;
    properties.write(properties_of(graph).as_bytes())?;
    for file in [bits.finish()?, offsets.finish()?, properties] {
        file.finish(disk)?;
    }
    Ok(())
}

/// The first successor by its distance from the source, whose sign is the lowest bit.
fn natural(source: u64, target: u64) -> u64 {
    if target >= source { (target - source) << 1 } else { ((source - target) << 1) - 1 }
}

fn properties_of(graph: &HostGraph<'_>) -> String {
    let (nodes, arcs) = (graph.vertices, graph.arcs);
    format!(
        "#BVGraph properties\ngraphclass=it.unimi.dsi.webgraph.BVGraph\nversion=0\nnodes={nodes}\narcs={arcs}\n\
         windowsize=0\nmaxrefcount=0\nminintervallength=0\nzetak={ZETA_K}\ncompressionflags=\n"
    )
}
