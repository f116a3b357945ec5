mod faults;
mod kind;
mod line;

pub use faults::Faults;
pub use kind::Kind;
use kind::Traits;
pub use line::NotAScenario;

use crate::checks::obeyed;
use crate::{
    Cluster, Life, Mortality, Network, Operator, START, ServerLog, Setup, Sim, Site, Trace, Trial, Weather,
};
use crawler::Exit;
use simweb::{Farms, HostMix, Sizes, WebConfig};
use std::collections::BTreeSet;
use stdx::Rng;
use weburl::Scope;

/// One simulation with everything on: its web, its configuration and everything that happens to it follow from the seed. A
/// phase of faults, in which the crawl dies and the web misbehaves, and a healed one, in which it must come to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scenario {
    /// Decides everything else.
    pub seed: u64,
    /// Ordinary pages of the web, roughly.
    pub pages: u64,
    /// What goes wrong.
    pub faults: Faults,
    /// Deaths of the crawl, if it dies at all.
    pub deaths: u32,
    /// What it is about.
    pub kind: Kind,
}

/// What came of a simulation.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Equal scenarios have equal traces.
    pub trace: Trace,
    /// Contacts with servers.
    pub contacts: u64,
    /// Hosts contacted.
    pub hosts: u64,
    /// Pages fetched.
    pub pages: u64,
    /// Deaths.
    pub deaths: u32,
    /// Virtual time.
    pub virtual_ms: u64,
    /// What the judges found.
    pub violations: Vec<String>,
}

/// Virtual time after which the web is healed.
const HEALS_MS: u64 = 300_000;
/// The longest life of a crawl that is to die, in virtual time and in calls to the disk.
const LIFE_MS: u64 = 60_000;
const LIFE_CALLS: u64 = 600;
/// One request in so many is lost.
const LOST_ONE_IN: u64 = 25;
/// Starts after which a crawl must be done that waits for others or for what was taken back.
const STARTS: u32 = 5;

impl Scenario {
    /// Runs it and has it judged.
    pub fn run(&self) -> Outcome {
        let mut rng = Rng::new(self.seed);
        let endless = rng.one_in(4) && self.kind.may_be_endless();
        let site = self.site(&mut rng, endless);
        let mut setup = self.setup(&site, &mut rng);
        setup.crawl.limit = endless.then_some(self.pages);
        let traits = self.traits();
        if traits.several {
            return self.run_nodes(&site, &setup, &mut rng);
        }
        let network = self.network(&site, &mut rng);
        let trial = Trial::new(&site, setup, network, rng.next_u64());
        if traits.spoken_to {
            let operator = Operator::new(self.seed);
            let operator = if traits.sets { operator.setting_delays() } else { operator };
            self.run_steered(trial.spoken_to(operator))
        } else {
            self.run_alone(trial, endless)
        }
    }

    fn run_alone(&self, mut trial: Trial<'_>, endless: bool) -> Outcome {
        let exit = self.live_and_die(&mut trial, |_| {}).unwrap_or_else(|| trial.finish());
        let expected = if endless { Exit::LimitReached } else { Exit::Done };
        let mut violations = if endless { trial.judge() } else { trial.judge_done() };
        violations.extend(ended_otherwise(exit, expected));
        outcome_of(&trial, violations)
    }

    /// Lives until it has died often enough, or comes to an exit; gives the one of its last life, if it had one. A crawl that is told
    /// something else in every life has come to an end only when it is told again what it was told first.
    fn live_and_die(&self, trial: &mut Trial<'_>, mut rest: impl FnMut(&mut Trial<'_>)) -> Option<Exit> {
        let retold = self.traits().retold;
        let (first, site) = (trial.setup().clone(), trial.site());
        let mut rng = Rng::new(self.seed.rotate_left(24));
        let (mut exit, mut exits) = (None, 0);
        while self.faults.kill() && trial.deaths + exits < self.deaths && exit.is_none() {
            if retold {
                trial.set_up(|setup| *setup = kind::retold(&first, site, &mut rng));
            }
            let life = trial.random_life(LIFE_MS, LIFE_CALLS);
            exit = trial.live(&life);
            rest(trial);
            if retold {
                exits += u32::from(exit.take().is_some());
            }
        }
        trial.set_up(|setup| *setup = first);
        exit
    }

    /// What was left aside is found again from the archive when all has been taken back and the crawl is started anew.
    fn run_steered(&self, mut trial: Trial<'_>) -> Outcome {
        let rests = self.traits().rests;
        let mut violations = Vec::new();
        self.live_and_die(&mut trial, |trial| {
            if rests {
                let visit = trial.random_life(LIFE_MS, LIFE_CALLS);
                let purge = trial.random_life(LIFE_MS, LIFE_CALLS);
                trial.order(&visit);
                violations.extend(trial.purge(&purge).wrong);
            }
        });
        trial.finish();
        let exit = trial.finish();
        if rests {
            violations.extend(trial.purge(&Life::UNSCATHED).wrong);
        }
        let operator = trial.operator().expect("somebody spoke");
        violations.extend(obeyed(&operator.said, &trial.network.log));
        violations.extend(operator.forgotten.iter().map(|target| format!("no more withheld: {target}")));
        violations.extend(if rests { trial.judge_purged() } else { trial.judge_done() });
        violations.extend(ended_otherwise(exit, Exit::Done));
        outcome_of(&trial, violations)
    }

    fn run_nodes(&self, site: &Site, setup: &Setup, rng: &mut Rng) -> Outcome {
        let count = 2 + rng.below(4) as u16;
        let mut cluster = Cluster::new(site, setup, count, Weather::WILD, rng.next_u64());
        if self.faults.kill() {
            let downtime_ms = 1 + rng.below(120_000);
            let mortality = Mortality { deaths: self.deaths, ms: LIFE_MS, calls: LIFE_CALLS, downtime_ms };
            cluster = cluster.dying(mortality);
        }
        self.disturb(&mut cluster.network);
        if self.traits().spoken_to {
            cluster = cluster.spoken_to(self.seed, HEALS_MS);
        }
        let exits: Vec<Exit> =
            (0..STARTS).map(|_| cluster.finish()).take_while(|exit| *exit != Exit::Done).collect();
        let mut violations = cluster.judge_done();
        if exits.len() == STARTS as usize {
            violations.push(format!("{STARTS} starts of all nodes ended as {exits:?}"));
        }
        Outcome {
            trace: cluster.trace,
            contacts: cluster.network.log.contacts.len() as u64,
            hosts: hosts_in(&cluster.network.log),
            pages: cluster.sims().map(Sim::pages).sum(),
            deaths: cluster.deaths,
            virtual_ms: cluster.now().since_ms(START),
            violations,
        }
    }

    fn site(&self, rng: &mut Rng, endless: bool) -> Site {
        let standard_ports = rng.one_in(2);
        let (http_port, https_port) = if standard_ports { (80, 443) } else { (8080, 8443) };
        let small = WebConfig::small(self.seed, self.pages);
        let farm = |domains, hosts| Farms { domains, hosts, pages: 3, linked: 100 };
        let config = WebConfig {
            addresses: 1 + rng.below(12) as u32,
            links: 10 + rng.below(30) as u32,
            pull: 2 + rng.below(3) as u32,
            sizes: Sizes { median: 2_000, mean: 3_000 },
            http_port,
            https_port,
            farms: if rng.one_in(3) { farm(2, 12) } else { Farms::default() },
            rings: if rng.one_in(3) { farm(12, 1) } else { Farms::default() },
            giant_pages: if rng.one_in(2) { self.pages } else { 0 },
            giant_links: 3,
            heals_ms: Some(START.as_ms() + if self.faults.disturb() { HEALS_MS } else { 0 }),
            hosts: if self.faults.disturb() {
                small.hosts.hostile()
            } else {
                HostMix { slow: 0, ..small.hosts }
            },
            ..small
        };
        let config = self.traits().web(config);
        Site::new(if endless { config } else { config.without_traps() }, 1 + rng.below(3) as u32)
    }

    fn setup(&self, site: &Site, rng: &mut Rng) -> Setup {
        let mut setup = Setup::new(site, Scope::Any, self.seed);
        setup.crawl.concurrency = [1, 4, 64, 64][rng.below(4) as usize];
        setup.crawl.checkpoint_bytes = 1_000 + rng.below(100_000);
        setup.crawl.frontier.retry.attempts = 40;
        // What it draws disturbs no other draw.
        let mut rng = Rng::new(!self.seed);
        if self.kind != Kind::Plain {
            setup.times = kind::unhurried(&mut rng);
        }
        self.traits().set_up(&mut setup, &mut rng);
        setup
    }

    fn traits(&self) -> Traits {
        self.kind.traits(self.seed)
    }

    fn network(&self, site: &Site, rng: &mut Rng) -> Network {
        let (web, seed) = (site.web.clone(), rng.next_u64());
        let mut network = if rng.one_in(2) {
            Network::structural(web, seed, ServerLog::default())
        } else {
            Network::new(web, seed)
        };
        self.disturb(&mut network);
        if self.traits().dual { network.dual() } else { network }
    }

    /// What befalls contacts on their way until everything heals, where anything does.
    fn disturb(&self, network: &mut Network) {
        if !self.faults.disturb() {
            return;
        }
        network.lose(LOST_ONE_IN, START + HEALS_MS);
        if self.traits().moves {
            network.move_hosts(START + HEALS_MS);
        }
        if self.traits().cut_off {
            network.cut_off(kind::outage(&mut Rng::new(self.seed.rotate_left(48))));
        }
    }
}

fn ended_otherwise(exit: Exit, expected: Exit) -> Option<String> {
    let is_other = exit != expected && exit != Exit::Done;
    is_other.then(|| format!("it ended as {exit:?}, not as {expected:?}"))
}

fn outcome_of(trial: &Trial<'_>, violations: Vec<String>) -> Outcome {
    Outcome {
        trace: trial.trace,
        contacts: trial.network.log.contacts.len() as u64,
        hosts: hosts_in(&trial.network.log),
        pages: trial.last().pages(),
        deaths: trial.deaths,
        virtual_ms: trial.now().since_ms(START),
        violations,
    }
}

fn hosts_in(log: &ServerLog) -> u64 {
    let hosts: BTreeSet<&str> = log.contacts.iter().map(|contact| contact.host.as_str()).collect();
    hosts.len() as u64
}
