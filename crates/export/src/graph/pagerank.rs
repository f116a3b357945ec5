//! `PageRank` by power iteration (Page, Brin, Motwani, Winograd 1998); what hosts without links hold is everybody's.

use super::gather::{HostGraph, State, States};
use crate::error::Result;
use crate::limits::{PAGERANK_CHANGE, PAGERANK_ROUNDS};
use stdx::{Step, Watch};

/// The part of a rank that links hand on.
pub(super) const DAMPING: f64 = 0.85;

/// The ranks, which sum to 1.
pub(super) struct PageRank<'a> {
    pub(super) ranks: States<'a, Rank>,
    /// Iterations until they stood still.
    pub(super) rounds: u32,
}

/// Of one host.
#[derive(Clone, Copy)]
pub(super) struct Rank {
    pub(super) rank: f64,
    /// What each of its links hands on.
    share: f64,
}

impl State for Rank {
    const BYTES: usize = 16;

    fn read(bytes: &[u8]) -> Self {
        let [rank, share] = [0, 8].map(|at| f64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte])));
        Self { rank, share }
    }

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.rank.to_le_bytes());
        out.extend_from_slice(&self.share.to_le_bytes());
    }
}

/// `watch` is told how far each iteration is; how many there will be nobody knows.
pub(super) fn rank<'a>(graph: &HostGraph<'a>, watch: &mut Watch<'_>) -> Result<PageRank<'a>> {
    let hosts = graph.vertices as f64;
    let mut degrees = graph.degrees()?;
    let mut idle = 0.0;
    let mut ranks = graph.begin(|_| Ok(Rank::new(1.0 / hosts, degrees.next()?, &mut idle)))?;
    for round in 1..=PAGERANK_ROUNDS {
        let base = (1.0 - DAMPING + DAMPING * idle) / hosts;
        let mut degrees = graph.degrees()?;
        let (mut change, mut done) = (0.0, 0);
        idle = 0.0;
        let zero = Rank { rank: 0.0, share: 0.0 };
        let add = |sum: &mut Rank, from: &Rank| sum.rank += from.share;
        ranks = graph.pass(&ranks, &zero, add, |sum, old| {
            let new = Rank::new(base + DAMPING * sum.rank, degrees.next()?, &mut idle);
            change += (new.rank - old.rank).abs();
            done += 1;
            watch(Step::items("PageRank, one iteration", done, graph.vertices));
            Ok(new)
        })?;
        if change < PAGERANK_CHANGE {
            return Ok(PageRank { ranks, rounds: round });
        }
    }
    Ok(PageRank { ranks, rounds: PAGERANK_ROUNDS })
}

impl Rank {
    /// Of a host with so many links; without any, its rank is added to what is `idle`.
    fn new(rank: f64, degree: u64, idle: &mut f64) -> Self {
        if degree == 0 {
            *idle += rank;
        }
        Self { rank, share: if degree == 0 { 0.0 } else { rank / degree as f64 } }
    }
}
