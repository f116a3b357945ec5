//! Harmonic centrality (Boldi, Vigna, *Axioms for Centrality*, 2014): the sum of the reciprocals of the distances from all others. Exact
//! while hosts are few, some thousand sources at a time; beyond, by `HyperBall` (Boldi, Vigna 2013).

use super::balls::{Ball, SET_HOSTS, Sets};
use super::gather::{HostGraph, States};
use crate::error::Result;
use crate::limits::{DISTANCES, EXACT_HOSTS};
use stdx::{Step, Watch};

/// The centralities.
pub(super) struct Harmonic<'a> {
    pub(super) balls: States<'a, Ball>,
    pub(super) is_exact: bool,
}

/// `watch` is told how many hosts are done, or how far each iteration of `HyperBall` is.
pub(super) fn rank<'a>(graph: &HostGraph<'a>, watch: &mut Watch<'_>) -> Result<Harmonic<'a>> {
    rank_with(graph, EXACT_HOSTS, watch)
}

/// Exactly, if there are not more hosts than this.
pub(super) fn rank_with<'a>(
    graph: &HostGraph<'a>,
    exact_hosts: u64,
    watch: &mut Watch<'_>,
) -> Result<Harmonic<'a>> {
    let is_exact = graph.vertices <= exact_hosts;
    let mut balls = graph.begin(|_| Ok(Ball::EMPTY))?;
    if is_exact {
        for from in (0..graph.vertices).step_by(SET_HOSTS as usize) {
            balls = grow(graph, &balls, Sets::Bits(from), &mut stdx::nobody)?;
            let done = graph.vertices.min(from + SET_HOSTS);
            watch(Step::items("harmonic centrality", done, graph.vertices));
        }
    } else {
        balls = grow(graph, &balls, Sets::Registers, watch)?;
    }
    Ok(Harmonic { balls, is_exact })
}

/// Lets the balls of all hosts grow until they stand still, and adds what that says to their centralities.
fn grow<'a>(
    graph: &HostGraph<'a>,
    known: &States<'a, Ball>,
    sets: Sets,
    watch: &mut Watch<'_>,
) -> Result<States<'a, Ball>> {
    let mut known = known.read()?;
    let mut balls = graph.begin(|host| {
        let set = sets.singleton(host);
        Ok(Ball { set, size: sets.size(&set), harmonic: known.next()?.harmonic })
    })?;
    for distance in 1..=DISTANCES {
        let (mut grew, mut done) = (false, 0);
        let unite = |ball: &mut Ball, from: &Ball| sets.unite(&mut ball.set, &from.set);
        balls = graph.pass(&balls, &Ball::EMPTY, unite, |mut ball, old| {
            sets.unite(&mut ball.set, &old.set);
            grew |= ball.set != old.set;
            ball.size = sets.size(&ball.set);
            ball.harmonic = old.harmonic + (ball.size - old.size) / f64::from(distance);
            done += 1;
            watch(Step::items("harmonic centrality, one iteration", done, graph.vertices));
            Ok(ball)
        })?;
        if !grew {
            break;
        }
    }
    Ok(balls)
}
