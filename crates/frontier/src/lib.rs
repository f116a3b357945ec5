//! What to fetch next, and when: the frontier of one shard, as a machine over a disk.
//!
//! Its memory is a window; everything else lies in sorted and sequential files, and the two are joined by one merge at a
//! time. It is DRUM's idea (Lee et al., `IRLbot`, TWEB 2009, §IV-C) applied to the whole frontier, below Mercator's
//! queues (Heydon & Najork 1999): *front queues* order by importance, *back queues* keep one host each, so that a host is
//! contacted by one connection at a time and never before its clock allows it. Above the hosts stand the *groups*
//! (registrable domains), whose clock keeps the hosts of one domain from adding up.
//!
//! [`shard`](Frontier) is the whole of it, by its `config`. A URL's way, file by file:
//!
//! 1. `admit`: a `discovery` is appended to the seen-set (`seen`, as an `entry`; to the `arrears`, where its bucket is full); the link is a vote for its domain. No verdict yet.
//! 2. `job`: the [shard job](ShardJob) merges what waits with what is known, as soon as that may feed somebody (`gathering`). New URLs come out sorted by domain and host (`identity`).
//! 3. `star`, `traps`, `habits`, `beast`, `deferred`: the domain's [`Budget`] and what the URL is suspected of decide whether it passes or
//!    waits in one of [`Beast`]'s queues.
//! 4. `lane`, `host`: it joins its host's front queue: in memory (`held`), in the host's record of the directory (`stored_host`, `host_bytes`), or,
//!    where it is much, in a section of a run.
//! 5. `calendar`, `group`: hosts in memory (`table`, `slab`) wait for their moment, and whom the longest `chain` of URLs keeps goes first; hosts on disk wait for room.
//! 6. `draw`, `lottery`: a host with a turn draws its next URL, classes 60/30/10, asks the `judge` whether it still counts, and robots.txt (`robots_state`; `errands`,
//!    where that lies elsewhere), all at that moment.
//! 7. `attempt`, `outcome`, `fate`, `retry`, `revive`, `sitemaps`: what an [`Attempt`] means for the URL; `delay`, `pace`, `overload`, `welcome`, `trouble`, `authority`: for when
//!    its host, or one port of that, is asked again. `record`, `url_record`: the states of a URL, and what is kept when it needs nothing any more.
//!
//! `cut`, `state` (with `whole_bytes`), `open`, `resume`, `tombstones`: how a shard is saved and comes back. Only [`Frontier::admit`],
//! [`Frontier::apply`], [`Frontier::apply_robots`] and [`Frontier::located`] change what a crash must not lose, and a journal
//! says them again. `walk`, `explain`, `host_standing`, `host_facts`, `tally`: what is where, how much, and why; `invariants`: what must hold. `named_group`: groups of hosts that
//! an operator names, whose clocks are above the shards.
//!
//! Promises: every URL is in exactly one state; memory is bounded by [`Memory`], not by the crawl; a host with a hundred
//! million URLs costs what one with ten does; what is due on disk comes to memory within the [refill
//! latency](Frontier::refill_latency_ms) while there is room. Nothing here reads a clock, opens a socket or sees a body.
//!
//! The bytes are drawn in `docs/formats/frontier.md`.

mod admit;
mod arrears;
mod attempt;
mod authority;
mod beast;
mod calendar;
mod chain;
mod config;
mod cut;
mod deferred;
mod delay;
mod discovery;
mod draw;
mod entry;
mod errands;
mod error;
mod explain;
mod fate;
mod gathering;
mod group;
mod habits;
mod held;
mod host;
mod host_bytes;
mod host_facts;
mod host_standing;
mod identity;
mod invariants;
mod job;
mod judge;
mod lane;
pub mod limits;
mod lottery;
mod named_group;
mod open;
mod outcome;
mod overload;
mod pace;
mod record;
mod resume;
mod retry;
mod revive;
mod robots_state;
mod seen;
mod shard;
mod sitemaps;
mod slab;
mod star;
mod state;
mod stored_host;
mod table;
mod tally;
mod tombstones;
mod traps;
mod trouble;
mod url_record;
mod walk;
mod welcome;
mod whole_bytes;

pub use attempt::{
    Attempt, Blame, Contact, End, Failure, FailureKind, PageSubject, Redirect, Response, Subject,
};
pub use beast::{Acquaintance, Beast, BeastCounters, BeastQueue, Claim, Placement, Reading};
pub use calendar::{LookUp, Need, Turn, Wait, Waiting, WaitingFor};
pub use chain::Chain;
pub use config::{FrontierConfig, Memory, Paths};
pub use delay::{DelayPolicy, DelayRule, HostDelay, Learned, Reach};
pub use discovery::{Class, Discovered, Discovery, Kind, Origin};
pub use draw::{DomainMoment, Draw, PageDraw, RobotsErrand};
pub use error::{Error, Result};
pub use explain::{Deferral, DomainStanding, Explanation};
pub use host::{Address, Barred, HostId};
pub use host_facts::{Doing, HostFacts, HostKey, HostsOnDisk, ListedHost, More};
pub use host_standing::{Clock, ClockOf, HostStanding};
pub use job::{Hunger, JobOutcome, JobReport, JobsDue, Shallower, ShardJob};
pub use judge::{Everything, Judge, Stays};
pub use lottery::Lottery;
pub use named_group::{GroupError, HostPattern, NamedGroup, NamedGroupId, NamedGroups};
pub use outcome::Consequence;
pub use overload::Overload;
pub use pace::{Pace, Profile, Tenants};
pub use record::{CaptureSeq, Exclusion, Location, ParkReason, Pending, Place, UrlState};
pub use resume::Stop;
pub use retry::{RetryPolicy, is_overload};
pub use revive::Revival;
pub use robots_state::{RobotsAnswer, RobotsRecord};
pub use shard::Frontier;
pub use star::{Budget, BudgetFunction, InDegrees, Ranking, SeedBudgets, Standing, Star};
pub use state::{Cut, FrontierState};
pub use traps::{
    Fingerprint, Listed, Pattern, Penalty, Source, SuspectTemplate, Suspicion, Template, Templates,
    TrapReason, TrapRule, TrapTally, Yield, judge_hops, judge_shape,
};

#[cfg(test)]
mod tests;
