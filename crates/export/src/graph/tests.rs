use super::balls::{SET_HOSTS, Sets};
use super::bitstream::BitWriter;
use super::bvgraph;
use super::gather::HostGraph;
use super::harmonic::rank_with;
use crate::new_file::NewFile;
use crate::scratch::Scratch;
use disk::{MemDisk, read_all};
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

const HOSTS: u64 = 300;

/// Some arcs among [`HOSTS`] hosts, in order: from most hosts to few, and far and near.
fn arcs() -> Vec<[u64; 2]> {
    let mut random = stdx::Rng::new(7);
    let all: BTreeSet<[u64; 2]> = (0..900)
        .map(|_| {
            let most = 1 + random.below(HOSTS);
            [random.below(HOSTS - 20), random.below(most)]
        })
        .filter(|[from, to]| from != to)
        .collect();
    all.into_iter().collect()
}

fn with_graph<T>(memory_bytes: usize, see: impl FnOnce(&MemDisk, &HostGraph<'_>) -> T) -> T {
    let disk = MemDisk::new();
    let scratch = Scratch::begin(&disk, Path::new("scratch"), memory_bytes).unwrap();
    let put = |writer: &mut super::gather::ArcWriter<'_>| {
        arcs().into_iter().try_for_each(|[from, to]| writer.push(from, to))
    };
    let graph = HostGraph::write(scratch, HOSTS, put).unwrap();
    see(&disk, &graph)
}

/// By breadth-first search from every host.
fn true_centralities() -> Vec<f64> {
    let mut sums = vec![0.0; HOSTS as usize];
    for start in 0..HOSTS {
        let mut distance = vec![None; HOSTS as usize];
        distance[start as usize] = Some(0u32);
        let mut queue = VecDeque::from([start]);
        while let Some(from) = queue.pop_front() {
            let next = distance[from as usize].unwrap() + 1;
            for [_, to] in arcs().into_iter().filter(|[source, _]| *source == from) {
                if distance[to as usize].is_none() {
                    distance[to as usize] = Some(next);
                    sums[to as usize] += 1.0 / f64::from(next);
                    queue.push_back(to);
                }
            }
        }
    }
    sums
}

fn centralities(memory_bytes: usize, exact_hosts: u64) -> Vec<f64> {
    with_graph(memory_bytes, |_, graph| {
        let found = rank_with(graph, exact_hosts, &mut stdx::nobody).unwrap();
        assert_eq!(found.is_exact, exact_hosts >= HOSTS);
        let mut balls = found.balls.read().unwrap();
        (0..HOSTS).map(|_| balls.next().unwrap().harmonic).collect()
    })
}

#[test]
fn centrality_is_that_of_a_search() {
    let wanted = true_centralities();
    for found in [centralities(1 << 20, HOSTS), centralities(1 << 14, HOSTS)] {
        let differs = found.iter().zip(&wanted).position(|(found, wanted)| (found - wanted).abs() > 1e-9);
        assert_eq!(differs, None);
    }
}

/// Of sketches, six and a half percent is the standard error of one host's reach.
#[test]
fn sketches_come_near() {
    let (found, wanted) = (centralities(1 << 20, 0), true_centralities());
    let most = wanted.iter().copied().fold(0.0, f64::max);
    let far = found.iter().zip(&wanted).filter(|(found, wanted)| (**found - **wanted).abs() > 0.2 * most);
    assert_eq!(far.count(), 0);
}

#[test]
fn sets_count_what_is_in_them() {
    for sets in [Sets::Bits(SET_HOSTS), Sets::Registers] {
        let mut all = [0; super::balls::SET_BYTES];
        let hosts = SET_HOSTS + 100..SET_HOSTS + 1_100;
        hosts.for_each(|host| sets.unite(&mut all, &sets.singleton(host)));
        assert!((sets.size(&all) - 1_000.0).abs() < 150.0, "{}", sets.size(&all));
    }
    assert!(Sets::Bits(0).size(&Sets::Bits(0).singleton(SET_HOSTS)) < 1.0, "another batch's");
}

fn bits(fill: impl FnOnce(&mut BitWriter)) -> String {
    let disk = MemDisk::new();
    let mut out = BitWriter::new(NewFile::create(&disk, PathBuf::from("bits")).unwrap());
    fill(&mut out);
    let len = out.len() as usize;
    out.finish().unwrap().finish(&disk).unwrap();
    let bytes = read_all(&disk, Path::new("bits")).unwrap();
    let written: Vec<String> = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    written.concat()[..len].to_owned()
}

/// The codes of the paper's Table 1, and of Elias'.
#[test]
fn codes_are_those_of_the_papers() {
    let gamma = |value| bits(|out| out.gamma(value).unwrap());
    assert_eq!([gamma(0), gamma(1), gamma(2), gamma(7)], ["1", "010", "011", "0001000"]);
    let zeta = |value| bits(|out| out.zeta(value, 3).unwrap());
    assert_eq!([zeta(0), zeta(1), zeta(2), zeta(6)], ["100", "1010", "1011", "1111"]);
    assert_eq!([zeta(7), zeta(8), zeta(15)], ["0100000", "0100001", "01010000"]);
}

/// Reads the lists back, as the format says.
#[test]
fn a_bvgraph_is_the_graph() {
    with_graph(1 << 20, |disk, graph| {
        bvgraph::write(disk, graph, Path::new("")).unwrap();
        let bytes = read_all(disk, Path::new("hosts.graph")).unwrap();
        let mut read = BitReader { bytes: &bytes, at: 0 };
        let mut found = Vec::new();
        for source in 0..HOSTS {
            let mut last = None;
            for _ in 0..read.gamma() {
                let code = read.zeta();
                let first =
                    || if code.is_multiple_of(2) { source + code / 2 } else { source - code.div_ceil(2) };
                let target = last.map_or_else(first, |last: u64| last + 1 + code);
                found.push([source, target]);
                last = Some(target);
            }
        }
        assert_eq!(found, arcs());
        let properties = String::from_utf8(read_all(disk, Path::new("hosts.properties")).unwrap()).unwrap();
        assert!(properties.contains(&format!("nodes={HOSTS}\narcs={}\n", arcs().len())));
    });
}

struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl BitReader<'_> {
    fn take(&mut self, width: u32) -> u64 {
        (0..width).fold(0, |value, _| {
            let bit = self.bytes[self.at / 8] >> (7 - self.at % 8) & 1;
            self.at += 1;
            value << 1 | u64::from(bit)
        })
    }

    fn unary(&mut self) -> u32 {
        let mut zeros = 0;
        while self.take(1) == 0 {
            zeros += 1;
        }
        zeros
    }

    fn gamma(&mut self) -> u64 {
        let length = self.unary();
        (1 << length | self.take(length)) - 1
    }

    fn zeta(&mut self) -> u64 {
        let step = 3 * self.unary();
        let least = 1 << step;
        let short = self.take(step + 2);
        let value = if short < least { least + short } else { short << 1 | self.take(1) };
        value - 1
    }
}
