//! What to fetch next, and when: the frontier of one shard, as a pure machine over a disk.

mod admit;
mod arrears;
mod attempt;
mod beast;
mod calendar;
mod config;
mod cut;
mod delay;
mod discovery;
mod draw;
mod entry;
mod errands;
mod error;
mod explain;
mod fate;
mod front;
mod group;
mod habits;
mod held;
mod host;
mod identity;
mod invariants;
mod job;
mod judge;
mod lane;
pub mod limits;
mod named_group;
mod open;
mod outcome;
mod pace;
mod record;
mod resume;
mod retry;
mod robots_state;
mod seen;
mod shard;
mod slab;
mod star;
mod state;
mod stored_host;
mod table;
mod tally;
mod tombstones;
mod traps;
mod url_record;
mod walk;
mod wire;

pub use attempt::{
    Attempt, Blame, Contact, End, Failure, FailureKind, PageSubject, Redirect, Response, Subject,
};
pub use beast::{Acquaintance, Beast, BeastCounters, BeastQueue, Claim, Placement, Reading};
pub use calendar::{Need, Turn, Waiting, WaitingFor};
pub use config::{FrontierConfig, Memory, Paths};
pub use delay::{DelayPolicy, Reach};
pub use discovery::{Class, Discovery, Kind, Origin};
pub use draw::{Draw, PageDraw, RobotsErrand};
pub use error::{Error, Result};
pub use explain::{DomainStanding, Explanation, HostStanding};
pub use host::{Address, Barred, HostId};
pub use job::{Hunger, JobOutcome, JobReport, Shallower, ShardJob};
pub use judge::{Judge, Stays};
pub use named_group::{GroupError, HostPattern, NamedGroup, NamedGroupId, NamedGroups};
pub use outcome::Consequence;
pub use pace::{Pace, Profile, Tenants};
pub use record::{CaptureSeq, Exclusion, Location, ParkReason, Pending, Place, UrlState};
pub use resume::Stop;
pub use retry::RetryPolicy;
pub use robots_state::{RobotsAnswer, RobotsRecord};
pub use shard::Frontier;
pub use star::{Budget, BudgetFunction, InDegrees, Ranking, SeedBudgets, Standing, Star};
pub use state::{Cut, FrontierState};
pub use traps::{
    Fingerprint, Listed, Penalty, Source, Suspicion, Template, Templates, TrapReason, Yield, judge_hops,
    judge_shape,
};

#[cfg(test)]
mod tests;
