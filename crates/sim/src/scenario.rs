use crate::{Network, START, ServerLog, Setup, Site, Trace, Trial};
use crawler::Exit;
use simweb::{Farms, HostMix, Sizes, WebConfig};
use std::fmt;
use std::str::FromStr;
use stdx::Rng;
use thiserror::Error;
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
}

/// What goes wrong in a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Faults {
    /// Nothing.
    Nothing,
    /// Connections and names fail by chance, servers storm and falter.
    Network,
    /// The crawl dies at any moment and at any call to its disk.
    Deaths,
    /// All of it.
    Everything,
}

/// What came of a simulation.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Equal scenarios have equal traces.
    pub trace: Trace,
    /// Contacts with servers.
    pub contacts: usize,
    /// Pages fetched.
    pub pages: u64,
    /// Deaths.
    pub deaths: u32,
    /// Virtual time.
    pub virtual_ms: u64,
    /// What the judges found.
    pub violations: Vec<String>,
}

/// What is no scenario.
#[derive(Debug, Error)]
#[error("`{0}` is not a scenario: seed, pages, faults (nothing, network, deaths or everything), deaths")]
pub struct NotAScenario(String);

/// Virtual time after which the web is healed.
const HEALS_MS: u64 = 300_000;
/// The longest life of a crawl that is to die, in virtual time and in calls to the disk.
const LIFE_MS: u64 = 60_000;
const LIFE_CALLS: u64 = 600;
/// One request in so many is lost.
const LOST_ONE_IN: u64 = 25;

impl Scenario {
    /// Runs it and has it judged.
    pub fn run(&self) -> Outcome {
        let mut rng = Rng::new(self.seed);
        let endless = rng.one_in(4);
        let site = self.site(&mut rng, endless);
        let mut setup = self.setup(&site, &mut rng);
        setup.crawl.limit = endless.then_some(self.pages);
        let network = self.network(&site, &mut rng);
        let mut trial = Trial::new(&site, setup, network, rng.next_u64());
        let mut exit = None;
        while self.faults.kill() && trial.deaths < self.deaths && exit.is_none() {
            let life = trial.random_life(LIFE_MS, LIFE_CALLS);
            exit = trial.live(&life);
        }
        let exit = exit.unwrap_or_else(|| trial.finish());
        let expected = if endless { Exit::LimitReached } else { Exit::Done };
        let mut violations = if endless { trial.judge() } else { trial.judge_done() };
        if exit != expected && exit != Exit::Done {
            violations.push(format!("it ended as {exit:?}, not as {expected:?}"));
        }
        Outcome {
            trace: trial.trace,
            contacts: trial.network.log.contacts.len(),
            pages: trial.last().pages(),
            deaths: trial.deaths,
            virtual_ms: trial.now().since_ms(START),
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
        Site::new(if endless { config } else { config.without_traps() }, 1 + rng.below(3) as u32)
    }

    fn setup(&self, site: &Site, rng: &mut Rng) -> Setup {
        let mut setup = Setup::new(site, Scope::Any, self.seed);
        setup.crawl.concurrency = [1, 4, 64, 64][rng.below(4) as usize];
        setup.crawl.checkpoint_bytes = 1_000 + rng.below(100_000);
        setup.crawl.frontier.retry.attempts = 40;
        setup
    }

    fn network(&self, site: &Site, rng: &mut Rng) -> Network {
        let (web, seed) = (site.web.clone(), rng.next_u64());
        let mut network = if rng.one_in(2) {
            Network::structural(web, seed, ServerLog::default())
        } else {
            Network::new(web, seed)
        };
        if self.faults.disturb() {
            network.lose(LOST_ONE_IN, START + HEALS_MS);
        }
        network
    }
}

impl Faults {
    fn disturb(self) -> bool {
        matches!(self, Self::Network | Self::Everything)
    }

    fn kill(self) -> bool {
        matches!(self, Self::Deaths | Self::Everything)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Network => "network",
            Self::Deaths => "deaths",
            Self::Everything => "everything",
        }
    }
}

impl FromStr for Faults {
    type Err = NotAScenario;
    fn from_str(word: &str) -> Result<Self, NotAScenario> {
        let all = [Self::Nothing, Self::Network, Self::Deaths, Self::Everything];
        all.into_iter().find(|faults| faults.name() == word).ok_or_else(|| NotAScenario(word.to_owned()))
    }
}

/// Seed, pages, faults and deaths, with blanks between them.
impl FromStr for Scenario {
    type Err = NotAScenario;
    fn from_str(line: &str) -> Result<Self, NotAScenario> {
        let wrong = || NotAScenario(line.to_owned());
        let words: Vec<&str> = line.split_whitespace().collect();
        let [seed, pages, faults, deaths] = words.as_slice() else { return Err(wrong()) };
        Ok(Self {
            seed: seed.parse().map_err(|_| wrong())?,
            pages: pages.parse().map_err(|_| wrong())?,
            faults: faults.parse()?,
            deaths: deaths.parse().map_err(|_| wrong())?,
        })
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.seed, self.pages, self.faults.name(), self.deaths)
    }
}
