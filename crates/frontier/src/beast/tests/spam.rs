//! A farm whose owner has bought domains and links them all with each other, among honest domains of every size and one
//! giant: who gets the slots.

use super::web::{Page, Web};
use crate::{Budget, InDegrees, Ranking, SeedBudgets, Standing, Star};
use std::collections::VecDeque;
use stdx::{Rng, Set};

const HONEST: u64 = 2_000;
/// Every tenth domain there is.
const BOUGHT: u64 = 200;
const FETCHES: u64 = 100_000;
/// Has pages without end, and many links to it.
const GIANT: usize = 1;

struct Graph {
    rng: Rng,
    lots: Rng,
    sizes: Vec<u64>,
    edges: Set<(usize, usize)>,
    in_degrees: Vec<u32>,
    ranks: InDegrees,
}

impl Graph {
    fn new() -> Self {
        let size = |domain: u64| if domain as usize == GIANT { u64::MAX } else { 20 + 20_000 / (domain + 1) };
        let all = (HONEST + BOUGHT) as usize;
        Self {
            rng: Rng::new(11),
            lots: Rng::new(12),
            sizes: (0..HONEST).map(size).chain((0..BOUGHT).map(|_| u64::MAX)).collect(),
            edges: stdx::set(),
            in_degrees: vec![0; all],
            ranks: InDegrees::default(),
        }
    }

    /// Links of a page: of an honest one half lead to its own domain and the others to known ones, of forty one into
    /// the farm; the farm links to nobody else, and more.
    fn links(&mut self, from: usize) -> Vec<usize> {
        let farmed = |rng: &mut Rng| (HONEST + rng.below(BOUGHT)) as usize;
        if is_spam(from) {
            return (0..20).map(|_| farmed(&mut self.rng)).collect();
        }
        (0..4)
            .map(|link| match link {
                0..2 => from,
                _ if self.rng.one_in(20) => farmed(&mut self.rng),
                _ => ((HONEST as f64).powf(self.rng.unit()) - 1.0) as usize,
            })
            .collect()
    }

    /// A page has one vote.
    fn vote(&mut self, from: usize, links: &[usize]) {
        let abroad: Vec<usize> = links.iter().copied().filter(|&to| to != from).collect();
        if !abroad.is_empty() {
            let to = abroad[self.lots.below(abroad.len() as u64) as usize];
            self.note_edge(from, to);
        }
    }

    fn note_edge(&mut self, from: usize, to: usize) {
        if self.edges.insert((from, to)) {
            self.in_degrees[to] += 1;
            self.ranks.raise(self.in_degrees[to] - 1, self.in_degrees[to]);
        }
    }
}

fn is_spam(domain: usize) -> bool {
    domain as u64 >= HONEST
}

/// Fetches, by domain.
fn crawl(mut next: impl FnMut(&mut Graph, &[usize]) -> usize) -> Vec<u64> {
    let mut graph = Graph::new();
    let mut fetched = vec![0; (HONEST + BOUGHT) as usize];
    let mut found: Vec<usize> = (0..50).collect();
    for _ in 0..FETCHES {
        let domain = next(&mut graph, &found);
        fetched[domain] += 1;
        found.clear();
        let links = graph.links(domain);
        graph.vote(domain, &links);
        for to in links {
            if graph.sizes[to] > 0 {
                graph.sizes[to] -= 1;
                found.push(to);
            }
        }
    }
    fetched
}

fn share_of_spam(fetched: &[u64]) -> f64 {
    fetched[HONEST as usize..].iter().sum::<u64>() as f64 / FETCHES as f64
}

fn breadth_first() -> Vec<u64> {
    let mut queue = VecDeque::new();
    crawl(|_, found| {
        queue.extend(found);
        queue.pop_front().expect("there are pages without end")
    })
}

fn budgeted() -> Vec<u64> {
    let star = Star { function: crate::BudgetFunction::default(), seeds: SeedBudgets::Earned };
    let mut web = Web::of(vec![10; (HONEST + BOUGHT) as usize]);
    let fetched = crawl(|graph, found| {
        let ranking = star.ranking(&graph.ranks);
        for &domain in found {
            web.domains[domain].budget = pages(star, graph.in_degrees[domain], ranking);
            web.find(domain);
        }
        loop {
            if let Some(Page { domain, .. }) = web.passed.pop_front() {
                return domain;
            }
            assert!(web.read(64), "there are pages without end");
        }
    });
    web.check();
    fetched
}

fn pages(star: Star, in_degree: u32, ranking: Ranking) -> u32 {
    match star.budget(Standing::Found, in_degree, ranking) {
        Budget::Pages(pages) => pages,
        Budget::Unlimited => panic!("everybody earns a budget"),
    }
}

#[test]
fn a_farm_of_bought_domains_gets_what_it_has_paid_for() {
    let (plain, fair) = (breadth_first(), budgeted());
    assert!(share_of_spam(&plain) > 0.75, "{}", share_of_spam(&plain));
    // One domain in eleven is bought, and all of those have pages without end, which the small honest ones have not.
    assert!(share_of_spam(&fair) < 0.13, "{}", share_of_spam(&fair));
    assert!(fair[GIANT] > plain[GIANT], "the giant has a name: {} {}", plain[GIANT], fair[GIANT]);
}
