use super::{HEALS_MS, NotAScenario};
use crate::trial::START;
use crate::{Cause, Outage, Setup, Site, Times};
use crawler::{BudgetFunction, FrontierMemory, SeedBudgets, Star};
use simweb::{HostMix, WebConfig};
use std::fmt;
use std::str::FromStr;
use stdx::Rng;
use weburl::Scope;

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
    /// Somebody changes delays as well.
    Set,
    /// Hosts have addresses of both versions, and at some of version 6 nobody answers.
    Dual,
    /// It is told something else in every life, and in the last what it was told first.
    Retold,
    /// Hosts move from server to server while anything goes wrong, and some of all that is here besides, by chance.
    Moving,
    /// Several nodes with a wire between them that loses, doubles, delays and breaks.
    Nodes,
    /// Some of all that, by chance.
    Mixed,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Plain,
        Self::Tight,
        Self::Errands,
        Self::Deep,
        Self::Steered,
        Self::Nodes,
        Self::Dual,
        Self::Retold,
        Self::Moving,
        Self::Mixed,
        Self::Set,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Tight => "tight",
            Self::Errands => "errands",
            Self::Deep => "deep",
            Self::Steered => "steered",
            Self::Set => "set",
            Self::Dual => "dual",
            Self::Retold => "retold",
            Self::Moving => "moving",
            Self::Nodes => "nodes",
            Self::Mixed => "mixed",
        }
    }

    /// What it has of everything.
    pub(super) fn traits(self, seed: u64) -> Traits {
        let plain = Traits::default();
        match self {
            Self::Plain => plain,
            Self::Tight => Traits { without_room: true, budgets: true, ..plain },
            Self::Errands => Traits { without_room: true, rules_elsewhere: true, ..plain },
            Self::Deep => Traits { shallow: true, ..plain },
            Self::Steered => Traits { spoken_to: true, ..plain },
            Self::Set => Traits { spoken_to: true, sets: true, ..plain },
            Self::Dual => Traits { dual: true, ..plain },
            Self::Retold => Traits { retold: true, ..plain },
            Self::Moving => Traits { moves: true, ..Self::Mixed.traits(seed) },
            Self::Nodes => Traits { several: true, ..plain },
            Self::Mixed => Traits::drawn(&mut Rng::new(seed.rotate_left(32))),
        }
    }

    /// Whether webs without end may be crawled, up to a limit.
    pub(super) fn may_be_endless(self) -> bool {
        matches!(self, Self::Plain | Self::Tight | Self::Errands | Self::Dual)
    }
}

/// What scenarios may have, one beside the other.
#[expect(clippy::struct_excessive_bools, reason = "each may be there with each")]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Traits {
    /// Room for next to nothing.
    without_room: bool,
    /// Few domains, whose budgets have to be earned.
    budgets: bool,
    /// Hosts have their robots.txt at each other's.
    rules_elsewhere: bool,
    /// A limit of depth.
    shallow: bool,
    /// Somebody speaks to it.
    pub(super) spoken_to: bool,
    /// … and changes delays.
    pub(super) sets: bool,
    /// Addresses of both versions.
    pub(super) dual: bool,
    /// Hosts move.
    pub(super) moves: bool,
    /// Several nodes.
    pub(super) several: bool,
    /// For some minutes nobody is reached.
    pub(super) cut_off: bool,
    /// Whoever speaks to it does so between its lives too, and has it purged.
    pub(super) rests: bool,
    /// It is told something else in every life.
    pub(super) retold: bool,
}

impl Traits {
    fn drawn(rng: &mut Rng) -> Self {
        let several = rng.one_in(4);
        let mut has = || rng.one_in(2);
        Self {
            without_room: has(),
            budgets: has(),
            rules_elsewhere: has(),
            shallow: has(),
            spoken_to: has(),
            sets: false,
            dual: has() && !several,
            moves: false,
            several,
            cut_off: has(),
            rests: has(),
            retold: has(),
        }
    }

    /// The web that it is about.
    pub(super) fn web(self, config: WebConfig) -> WebConfig {
        let config = if self.moves { WebConfig { ttl_s: MOVING_TTL_S, ..config } } else { config };
        if self.rules_elsewhere {
            let hosts = HostMix { robots: 1000, elsewhere: 700, ..config.hosts };
            return WebConfig { domains: (config.pages / 6).max(4) as u32, hosts, ..config };
        }
        let domains = match self {
            Self { several: true, .. } => 12,
            Self { budgets: true, .. } => 2,
            _ => config.domains,
        };
        WebConfig { domains, ..config }
    }

    /// How the crawl is told to go about it.
    pub(super) fn set_up(self, setup: &mut Setup, rng: &mut Rng) {
        if self.without_room {
            setup.crawl.frontier.memory = without_room(rng);
        }
        if self.budgets {
            let function = BudgetFunction::Flat(30 + rng.below(100) as u32);
            setup.crawl.frontier.star = Star { function, seeds: SeedBudgets::Earned };
        }
        if self.shallow {
            setup.crawl.depth = Some(1 + rng.below(5) as u32);
            setup.crawl.sitemaps = false;
        }
    }
}

/// What a crawl is told in one of its lives, none of it wider than what it was told first.
pub(super) fn retold(first: &Setup, site: &Site, rng: &mut Rng) -> Setup {
    const SCOPES: [Scope; 4] = [Scope::Page, Scope::Host, Scope::Domain, Scope::Any];
    let mut setup = first.clone().over(site, SCOPES[rng.below(4) as usize]);
    let crawl = &mut setup.crawl;
    if rng.one_in(2) {
        let depth = rng.below(6) as u32;
        crawl.depth = Some(crawl.depth.map_or(depth, |first| first.min(depth)));
    }
    if rng.one_in(3) {
        crawl.limit = Some(1 + rng.below(200));
    }
    if rng.one_in(2) {
        crawl.frontier.memory = without_room(rng);
    }
    crawl.sitemaps &= rng.one_in(2);
    crawl.server_delay_ms *= 1 + rng.below(4);
    crawl.concurrency = 1 + rng.below(64) as usize;
    crawl.unparsed = 1 + rng.below(64) as usize;
    crawl.checkpoint_bytes = 1_000 + rng.below(100_000);
    crawl.young_bytes = rng.below(64 << 10);
    ["drumlin", "Drumlin"][rng.below(2) as usize].clone_into(&mut crawl.agent);
    setup
}

/// How long an address may be kept where hosts move.
const MOVING_TTL_S: u32 = 60;

/// Minutes of the time before everything heals, fewer than a crawl has patience for.
pub(super) fn outage(rng: &mut Rng) -> Outage {
    let from = START + rng.below(HEALS_MS / 2);
    let cause = if rng.one_in(2) { Cause::Cable } else { Cause::Proxy };
    Outage { from, until: from + 1 + rng.below(HEALS_MS / 2), cause }
}

/// Room for no host or for a few.
fn without_room(rng: &mut Rng) -> FrontierMemory {
    let resident_bytes = 100 << rng.below(8);
    FrontierMemory { resident_bytes, buffer_bytes: 256, bucket_bytes: 2 << 10, recent_keys: 8 }
}

/// Anything from at once to longer than a host's delay. Commits stay quick: judges know how long one is.
pub(super) fn unhurried(rng: &mut Rng) -> Times {
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
