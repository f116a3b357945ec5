use super::NotAScenario;
use crate::{Setup, Times};
use crawler::{BudgetFunction, FrontierMemory, SeedBudgets, Star};
use simweb::{HostMix, WebConfig};
use std::fmt;
use std::str::FromStr;
use stdx::Rng;

/// What a simulation is about, besides what goes wrong in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A crawl with room, at the speed of a quick disk.
    Plain,
    /// A frontier with room for next to nothing, and budgets that have to be earned; parses and jobs take their time.
    Tight,
    /// Many domains whose hosts have their robots.txt at each other's, so that hosts are woken to fetch for others; with
    /// little room, so that they sleep, and slow parses, so that what a page gives comes when its host has left.
    Errands,
    /// A limit of depth.
    Deep,
    /// Somebody speaks to it: pauses, excludes, takes down, takes back.
    Steered,
    /// Hosts have addresses of both versions, and at some of version 6 nobody answers.
    Dual,
    /// Several nodes with a wire between them that loses, doubles, delays and breaks.
    Nodes,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Plain, Self::Tight, Self::Errands, Self::Deep, Self::Steered, Self::Nodes, Self::Dual];

    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Tight => "tight",
            Self::Errands => "errands",
            Self::Deep => "deep",
            Self::Steered => "steered",
            Self::Dual => "dual",
            Self::Nodes => "nodes",
        }
    }

    /// Whether webs without end may be crawled, up to a limit.
    pub(super) fn may_be_endless(self) -> bool {
        matches!(self, Self::Plain | Self::Tight | Self::Errands | Self::Dual)
    }

    /// The web that it is about.
    pub(super) fn web(self, config: WebConfig) -> WebConfig {
        let robots = HostMix { robots: 1000, elsewhere: 700, ..config.hosts };
        match self {
            Self::Tight => WebConfig { domains: 2, ..config },
            Self::Errands => WebConfig { domains: (config.pages / 6).max(4) as u32, hosts: robots, ..config },
            Self::Nodes => WebConfig { domains: 12, ..config },
            Self::Plain | Self::Deep | Self::Steered | Self::Dual => config,
        }
    }

    /// How the crawl is told to go about it; what it draws disturbs no other draw.
    pub(super) fn set_up(self, setup: &mut Setup, seed: u64) {
        let mut rng = Rng::new(!seed);
        if self != Self::Plain {
            setup.times = unhurried(&mut rng);
        }
        match self {
            Self::Plain | Self::Steered | Self::Dual | Self::Nodes => {}
            Self::Tight => {
                setup.crawl.frontier.memory = without_room(&mut rng);
                let function = BudgetFunction::Flat(30 + rng.below(100) as u32);
                setup.crawl.frontier.star = Star { function, seeds: SeedBudgets::Earned };
            }
            Self::Errands => setup.crawl.frontier.memory = without_room(&mut rng),
            Self::Deep => {
                setup.crawl.depth = Some(1 + rng.below(5) as u32);
                setup.crawl.sitemaps = false;
            }
        }
    }
}

/// Room for no host or for a few.
fn without_room(rng: &mut Rng) -> FrontierMemory {
    let resident_bytes = 100 << rng.below(8);
    FrontierMemory { resident_bytes, buffer_bytes: 256, bucket_bytes: 2 << 10, recent_keys: 8 }
}

/// Anything from at once to longer than a host's delay. Commits stay quick: judges know how long one is.
fn unhurried(rng: &mut Rng) -> Times {
    let mut up_to = |ms: u64| 1 + rng.below(ms) * rng.below(4) / 3;
    Times { lookup_ms: up_to(1_500), parse_ms: up_to(4_000), work_ms: up_to(600), ..Times::QUICK }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = NotAScenario;
    fn from_str(word: &str) -> Result<Self, NotAScenario> {
        Self::ALL.into_iter().find(|kind| kind.name() == word).ok_or_else(|| NotAScenario(word.to_owned()))
    }
}
