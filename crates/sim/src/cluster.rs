mod judged;
mod spoken;

use crate::checks::{HeldAtStart, captures};
use crate::log::Before;
use crate::trial::{START, assert_ends};
use crate::{Life, Loss, Network, Operator, Setup, Sim, Site, Trace, Until, Weather, Wire};
use ::cluster::NodeId;
use crawler::{Event, Exit};
use disk::{FaultPlan, FaultyDisk, Lasts, MemDisk, SharedDisk};
use std::sync::Arc;
use stdx::{Rng, Timestamp};

/// A crawl of several nodes on trial: each has a disk of its own and dies when it will; between them is a [`Wire`], before them
/// one web. All live in one virtual time.
pub struct Cluster<'a> {
    site: &'a Site,
    nodes: Vec<Node>,
    /// The servers.
    pub network: Network,
    /// What is between the nodes.
    pub wire: Wire,
    now: Timestamp,
    rng: Rng,
    held: Vec<HeldAtStart>,
    mortality: Option<Mortality>,
    /// When whoever speaks to nodes has taken back what restrains them, and says nothing more.
    hushed_at: Timestamp,
    /// Deaths so far.
    pub deaths: u32,
    /// What was done, node by node and run by run: equal runs have equal traces.
    pub trace: Trace,
    /// Times a node read back what it had no room for.
    pub journal_reads: u64,
    /// What was wrong on the way, or could not even be judged.
    broken: Vec<String>,
}

/// How long nodes live while they die.
#[derive(Debug, Clone, Copy)]
pub struct Mortality {
    /// Deaths after which nobody dies any more.
    pub deaths: u32,
    /// A life's length at most …
    pub ms: u64,
    /// … or its calls to the disk.
    pub calls: u64,
    /// How long a node is gone, at most.
    pub downtime_ms: u64,
}

struct Node {
    id: NodeId,
    /// The web, and the seeds that this node is given.
    site: Site,
    setup: Setup,
    disk: MemDisk,
    after: Before,
    state: State,
    operator: Option<Operator>,
}

enum State {
    /// Gone, until it is started again.
    Down(Timestamp),
    Up(Box<Up>),
    /// It came to an exit of its own.
    Left(Box<Sim>),
}

/// A node that runs.
struct Up {
    sim: Sim,
    disk: FaultyDisk,
    /// Its run in the servers' log.
    run: usize,
    life: Option<Life>,
    /// When it dies, unless it dies before.
    dies_at: Timestamp,
}

impl<'a> Cluster<'a> {
    /// A crawl of `count` nodes that has not begun, on empty disks; each is given its share of the seeds.
    pub fn new(site: &'a Site, setup: &Setup, count: u16, weather: Weather, seed: u64) -> Self {
        let ids: Vec<NodeId> = (1..=count).map(NodeId).collect();
        let node = |(index, &id): (usize, &NodeId)| Node {
            id,
            site: Site {
                web: site.web.clone(),
                seeds: site.seeds.iter().skip(index).step_by(ids.len()).cloned().collect(),
            },
            setup: setup.clone().on(id, &ids),
            disk: MemDisk::new(),
            after: Before::Calm,
            state: State::Down(START),
            operator: None,
        };
        Self {
            site,
            nodes: ids.iter().enumerate().map(node).collect(),
            network: Network::new(site.web.clone(), seed),
            wire: Wire::new(weather, seed),
            now: START,
            rng: Rng::new(seed),
            held: Vec::new(),
            mortality: None,
            hushed_at: START,
            deaths: 0,
            trace: Trace::default(),
            journal_reads: 0,
            broken: Vec::new(),
        }
    }

    /// From now on nodes die.
    #[must_use]
    pub fn dying(mut self, mortality: Mortality) -> Self {
        self.mortality = Some(mortality);
        self
    }

    /// A node does not start before so long from now.
    #[must_use]
    pub fn without(mut self, index: usize, ms: u64) -> Self {
        self.nodes[index].state = State::Down(self.now + ms);
        self
    }

    /// Runs until every node has come to its exit; gives the least of what they say: done only if all are.
    pub fn finish(&mut self) -> Exit {
        for node in &mut self.nodes {
            if matches!(node.state, State::Left(_)) {
                node.state = State::Down(self.now);
            }
        }
        while !self.have_left() {
            self.act_all();
            if !self.have_left() {
                self.pass_time();
            }
        }
        let exits = self.sims().map(|sim| sim.exit.expect("it has left"));
        let not_done = exits.filter(|exit| *exit != Exit::Done).last();
        not_done.unwrap_or(Exit::Done)
    }

    /// The present.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The last runs, after their exits.
    pub fn sims(&self) -> impl Iterator<Item = &Sim> {
        self.nodes.iter().filter_map(|node| match &node.state {
            State::Left(sim) => Some(sim.as_ref()),
            _ => None,
        })
    }

    fn have_left(&self) -> bool {
        self.nodes.iter().all(|node| matches!(node.state, State::Left(_)))
    }

    /// Whoever is due starts, and everybody does what is to be done.
    fn act_all(&mut self) {
        for index in 0..self.nodes.len() {
            self.start(index);
            self.act(index);
        }
    }

    /// Time goes on to whatever comes next.
    fn pass_time(&mut self) {
        let next = self.next_moment().unwrap_or_else(|| panic!("everybody waits for somebody else"));
        assert_ends(next);
        self.now = next;
        for index in 0..self.nodes.len() {
            self.live_on(index);
            self.speak(index);
        }
        while let Some(envelope) = self.wire.arrived(self.now) {
            let to = self.nodes.iter_mut().find(|node| node.id == envelope.to);
            if let Some(State::Up(up)) = to.map(|node| &mut node.state) {
                up.sim.crawler.handle(self.now, Event::Arrived(envelope));
            }
        }
    }

    fn next_moment(&mut self) -> Option<Timestamp> {
        let of_node = |node: &Node| match &node.state {
            State::Down(until) => Some(*until),
            State::Up(up) => Some(up.sim.next_of_its_own().map_or(up.dies_at, |at| at.min(up.dies_at))),
            State::Left(_) => None,
        };
        let word = self.next_word();
        let next = self.nodes.iter().filter_map(of_node).chain(self.wire.next_moment()).chain(word).min();
        next.filter(|next| *next < Timestamp::NEVER).map(|next| next.max(self.now))
    }

    fn start(&mut self, index: usize) {
        let life = match self.nodes[index].state {
            State::Down(until) if until <= self.now => self.next_life(),
            _ => return,
        };
        let node = &mut self.nodes[index];
        let disk = FaultyDisk::counting(node.disk.clone());
        let call = |life: Life| match life.until {
            Until::Call(call, fault) => Some(FaultPlan { call, fault, lasts: Lasts::Once }),
            Until::Ms(_) => None,
        };
        disk.set_plan(life.and_then(call));
        match Sim::open(&node.site, &node.setup, &(Arc::new(disk.clone()) as SharedDisk), self.now) {
            Ok(sim) => {
                let dies_at = match life.map(|life| life.until) {
                    Some(Until::Ms(ms)) => self.now + ms,
                    _ => Timestamp::NEVER,
                };
                let run = self.network.log.begin_on(node.id.0, self.now, node.after);
                self.note_held(index);
                self.nodes[index].state = State::Up(Box::new(Up { sim, disk, run, life, dies_at }));
                self.greet(index);
            }
            Err(failed) => {
                let life = life.unwrap_or_else(|| panic!("it can't be opened: {failed:?}"));
                self.bury(index, &disk, &life);
            }
        }
    }

    fn next_life(&mut self) -> Option<Life> {
        let Mortality { deaths, ms, calls, downtime_ms } = self.mortality?;
        (self.deaths < deaths).then(|| Life::random(&mut self.rng, ms, calls, downtime_ms))
    }

    fn note_held(&mut self, index: usize) {
        let contacts = self.network.log.contacts.len();
        match captures(&self.nodes[index].disk()) {
            Ok(captures) => self.held.push(HeldAtStart { contacts, captures }),
            Err(error) => self.broken.push(format!("after {} deaths: {error}", self.deaths)),
        }
    }

    fn act(&mut self, index: usize) {
        let State::Up(up) = &mut self.nodes[index].state else { return };
        self.network.turn_to(up.run);
        let acted = up.sim.act(&mut self.network);
        for envelope in std::mem::take(&mut up.sim.outgoing) {
            self.wire.send(self.now, envelope);
        }
        if acted.is_err() || up.sim.gave_up {
            self.die(index);
        } else if up.sim.exit.is_some() {
            self.leave(index);
        }
    }

    fn live_on(&mut self, index: usize) {
        let State::Up(up) = &mut self.nodes[index].state else { return };
        if up.dies_at <= self.now || up.sim.wait_until(self.now, &mut self.network).is_err() {
            self.die(index);
        }
    }

    fn leave(&mut self, index: usize) {
        let State::Up(mut up) = std::mem::replace(&mut self.nodes[index].state, State::Down(self.now)) else {
            return;
        };
        if let Some(operator) = &mut self.nodes[index].operator {
            operator.listen(&mut up.sim);
        }
        // It has outlived its death: what was to fail then must not fail its judges.
        up.disk.set_plan(None);
        up.sim.crawler.check_invariants();
        if up.sim.exit == Some(Exit::Done) {
            self.judge_leave(index);
        }
        self.end_run(&up);
        self.nodes[index].after = Before::Calm;
        self.nodes[index].state = State::Left(Box::new(up.sim));
    }

    fn die(&mut self, index: usize) {
        let State::Up(up) = std::mem::replace(&mut self.nodes[index].state, State::Down(self.now)) else {
            return;
        };
        self.end_run(&up);
        let life = up.life.expect("only who was to die dies");
        self.nodes[index].after = Before::Crash;
        self.bury(index, &up.disk, &life);
    }

    fn end_run(&mut self, up: &Up) {
        self.network.log.end_run(up.run, self.now);
        self.trace.follow(up.sim.trace);
        self.journal_reads += up.sim.journal_reads;
    }

    fn bury(&mut self, index: usize, disk: &FaultyDisk, life: &Life) {
        self.deaths += 1;
        let node = &mut self.nodes[index];
        node.disk = match life.loss {
            Loss::Kill => disk.inner().kill(),
            Loss::Power(mode) => disk.inner().crash(mode, &mut self.rng),
        };
        node.state = State::Down(self.now + life.downtime_ms);
    }
}

impl Node {
    fn disk(&self) -> SharedDisk {
        Arc::new(self.disk.clone())
    }
}
